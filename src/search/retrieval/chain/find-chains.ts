import type { Passage } from '../../domain/passage.ts';
import { lookedAt } from '../../domain/question.ts';
import { absentNames, type AbsentWord, absentWords, stillAbsent } from '../absent-names.ts';
import type { RetrieverPorts } from '../retriever-ports.ts';
import { candidateOf } from '../encoder/input-layout.ts';
import { forOneStage, type JointEncoder, orUnread } from '../encoder/joint-encoder.ts';
import type { PassageProfiles } from '../features/passage-profile.ts';
import type { ChainOptions, ChainResult } from '../retriever.ts';
import { searchChains, toChains } from './chain-search.ts';
import { mostCompleteFirst } from './judge-chains.ts';
import { rankAllHits } from './rank-hits.ts';

/** Hits that a chain search returns by default. */
const HITS = 60;

/**
 * The way of a question without a language model:
 * 1. Search by words, vector, names and exact words, for the question and further queries; fuse the lists.
 * 2. Beam search over these candidates and what they lead to.
 * 3. Choose between the most complete chains by the encoder.
 * 4. Rank all hits: the chain, then beam and hybrid search together.
 * 5. Rerank the first hits behind the chain by the encoder.
 * 6. Tell which names and identifiers no passage has, and which other words where that is asked for.
 * Without an encoder, or where it fails, 3 and 5 are left out.
 */
export async function findChains(
  ports: RetrieverPorts & { profiles: PassageProfiles },
  text: string,
  options: ChainOptions,
  limit = HITS,
  signal?: AbortSignal,
): Promise<ChainResult> {
  const { index, profiles, unread, now } = ports;
  const question = lookedAt(text);
  const loading = ports.encoder?.(); // it loads while the search runs
  const [searched, coverage, absent, words] = await Promise.all([
    searchChains(ports, question, options, signal),
    index.coverage(),
    absentNames(index, question, options.filter, signal),
    options.words ? absentWords(index, question, options.filter, signal) : undefined,
  ]);
  const encoder = await loading;

  let found = searched;
  if (encoder && options.stop !== 'threshold') {
    const { chains } = searched.result;
    const judging = mostCompleteFirst(question, chains, forOneStage(encoder, now), signal);
    found = { ...searched, result: { ...searched.result, chains: await orUnread(judging, chains, unread, signal) } };
  }

  const ranked = await rankAllHits(index, found, limit);
  const kept = found.result.chains[0]?.passages.length ?? 0;
  const reranking = encoder
    ? bestReadFirst(question, ranked, kept, forOneStage(encoder, now), signal)
    : Promise.resolve(ranked);
  const hits = await orUnread(reranking, ranked, unread, signal);

  ports.found?.(hits.map(({ passage }) => passage.id));
  const passages = hits.map(({ passage }) => passage);
  const names = stillAbsent(absent, question, passages);
  return {
    chains: toChains(found, profiles),
    hits,
    hopMilliseconds: found.result.hopMilliseconds,
    coverage,
    absent: names,
    ...(words && { unknown: withOtherWords(names, absent, words) }),
  };
}

/** Names that no passage has, then words that are part of no name. */
function withOtherWords(
  names: readonly AbsentWord[],
  asked: readonly AbsentWord[],
  words: readonly string[],
): string[] {
  const parts = asked.map(({ text }) => text.toLowerCase());
  const others = words.filter((word) => !parts.some((name) => name.includes(word.toLowerCase())));
  return [...names.map(({ text }) => text), ...others];
}

/** Most hits that are read with the question: those behind them are seldom evidence. */
const MOST_READ = 10;

/**
 * Puts hits in the order in which they lead towards an answer, as the joint encoder judges each with the question: head
 * 1 of Beam Retrieval (arXiv 2308.08973, §3.2) over what hybrid search and the beam found. Only the first are read; the
 * others keep their place behind them.
 *
 * @param kept So many hits in front stay as they are: those of the chain, whose later ones a question alone does not
 *   explain.
 */
export async function bestReadFirst<T extends { passage: Passage }>(
  question: string,
  hits: readonly T[],
  kept: number,
  encoder: JointEncoder,
  signal?: AbortSignal,
): Promise<T[]> {
  const read: { hit: T; leadsOn: number }[] = [];
  for (const hit of hits.slice(kept, kept + MOST_READ)) {
    const reading = await encoder.read({ question, candidate: candidateOf(hit.passage) }, signal);
    read.push({ hit, leadsOn: reading.extends });
  }
  read.sort((a, b) => b.leadsOn - a.leadsOn);
  return [...hits.slice(0, kept), ...read.map(({ hit }) => hit), ...hits.slice(kept + read.length)];
}
