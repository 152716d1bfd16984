import { createRetriever } from '../../src/search/retrieval/create-retriever.ts';
import { readReaderWeights } from '../../src/search/retrieval/reader/read-passages.ts';
import type { Retriever } from '../../src/search/retrieval/retriever.ts';
import { MemoryPassageIndex } from '../../lab/heads/memory-passage-index.ts';
import { heron, kestrel, mara, outage, rope } from './relay-corpus.ts';
import { notePassage } from './scripted-retriever.ts';
import { ScriptedScorer } from './scripted-scorer.ts';
import { WordEmbedder } from './word-embedder.ts';

const TRAIL = ['outage', 'kestrel', 'mara'];

/**
 * The relay corpus and notes enough for twelve hops, under the real beam search: its scorer knows the trail, and takes
 * the longer of two chains for the more complete one.
 */
export async function relayBeam(): Promise<{
  retriever: Retriever;
  /** Most chains that were kept at one hop, where one trail was looked for. */
  widest(): number;
}> {
  const more = Array.from({ length: 7 }, (_, i) =>
    notePassage(`shift-${i}`, `Shifts > Week ${i}`, `In week ${i} the keeper of the hut looked after the relay.`),
  );
  const passages = [outage, kestrel, mara, heron, rope, ...more];
  const embedder = new WordEmbedder();
  const vectors = await embedder.embedPassages(passages.map(({ title, text }) => `${title}\n${text}`));
  const index = new MemoryPassageIndex(passages.map((passage, i) => ({ ...passage, vector: vectors[i] })));
  const scorer = new ScriptedScorer((chain, next) => (next === TRAIL[chain.length] ? 4 : 1));
  let time = 0;
  const retriever = createRetriever({
    index,
    embedder,
    scorer,
    reader: readReaderWeights('models/reader.json'),
    now: () => (time += 1),
  });
  const widest = (): number => {
    const kept = new Map<number, number>();
    for (const chain of scorer.extended) {
      const hops = chain.split(',').length;
      kept.set(hops, (kept.get(hops) ?? 0) + 1);
    }
    return Math.max(...kept.values());
  };
  return { retriever, widest };
}
