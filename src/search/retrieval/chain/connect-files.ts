import { type IndexedPassage, toPassage } from '../../store/passage-index.ts';
import type { ChainOptions, ChainResult } from '../retriever.ts';
import { cosine, yieldToOthers } from '#base';
import { profileQuestion, type AnalysedQuestion } from '../question.ts';
import { DEFAULT_LIMITS, IndexCandidates } from './index-candidates.ts';
import { type BeamChain, beginWith, extended } from './beam-search.ts';
import { toChains, type ChainSearchPorts } from './chain-search.ts';
import { explainHop } from './hop-reason.ts';
import { isCopy } from '../same-text.ts';

/** Passages of either file that are looked at, so that a long file does not cost more than a short one. */
const MOST_ENDS = 24;
/** Chains kept per hop and unit of beam: paths fan out more than answers do. */
const WIDTH = 8;
const MOST_PATHS = 5;

/**
 * Best chains from one file to another: beam search over connections instead of over relevance, as there is no question
 * to score against. A step is as likely as its evidence is strong (link, named title, shared name, nearness in
 * meaning), a chain as its weakest reading: the sum of logs.
 */
export async function connectFiles(
  ports: ChainSearchPorts,
  fromPath: string,
  toPath: string,
  options: ChainOptions,
  signal?: AbortSignal,
): Promise<ChainResult> {
  const { index, embedder, now, profiles } = ports;
  const [from, to] = await Promise.all([index.passagesOf(fromPath), index.passagesOf(toPath)]);
  const targets = to.slice(0, MOST_ENDS);
  const goal = new Set(targets.map((passage) => passage.id));
  const question = profileQuestion('', undefined, [], 0);
  const source = new IndexCandidates(index, embedder, '', [], DEFAULT_LIMITS, options.filter);
  const hopMilliseconds: number[] = [];
  const arrived: BeamChain[] = [];
  let kept = from.slice(0, MOST_ENDS).map((passage) => beginWith([passage]));
  for (let hop = 2; hop <= (options.maxHops ?? 6) && kept.length > 0; hop++) {
    const startedAt = now();
    const grown: BeamChain[] = [];
    // Side by side: most of a hop is waiting for the index.
    const reached = await Promise.all(kept.map((chain) => source.next(chain.passages.slice(-1), undefined, signal)));
    for (const [i, chain] of kept.entries()) {
      const candidates = reached[i]?.candidates ?? [];
      const inChain = new Set(chain.passages.map((passage) => passage.id));
      for (const passage of [...targets, ...candidates.filter((candidate) => !goal.has(candidate.id))]) {
        // A path that turns within the file it started from is a longer way of saying the same.
        if (inChain.has(passage.id) || passage.path === fromPath) continue;
        // What is chosen may be a copy; what lies between tells nothing twice.
        if (!goal.has(passage.id) && chain.passages.some((other) => isCopy(other, passage))) continue;
        const logit = connectionLogit(question, chain, passage, ports);
        if (logit === undefined) continue;
        grown.push(extended(chain, passage, logit));
      }
      await yieldToOthers(signal);
    }
    grown.sort((a, b) => b.score - a.score || (idOf(a) < idOf(b) ? -1 : 1));
    arrived.push(...grown.filter((chain) => goal.has(chain.passages.at(-1)?.id ?? '')));
    kept = onePerEnd(grown.filter((chain) => !goal.has(chain.passages.at(-1)?.id ?? ''))).slice(
      0,
      (options.beam ?? 2) * WIDTH,
    );
    hopMilliseconds.push(now() - startedAt);
    const best = Math.max(...arrived.map((chain) => chain.score));
    // Steps only ever lower a chain's score: once none left can beat what arrived, longer ones are no better.
    if (arrived.length > 0 && kept.every((chain) => chain.score < best)) break;
  }
  const chains = arrived
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_PATHS)
    .map((chain) => ({ ...chain, completeness: 4 }));
  const shown = toChains({ question, result: { chains, extensions: [], hopMilliseconds } }, profiles);
  return {
    chains: shown,
    hits: (chains[0]?.passages ?? []).map((passage, i) => ({
      passage: toPassage(passage),
      score: chains[0]?.logits[i] ?? 0,
      folded: [],
      parts: { beam: { rank: i + 1, score: chains[0]?.logits[i] ?? 0 } },
    })),
    hopMilliseconds,
    coverage: await index.coverage(),
  };
}

const idOf = (chain: BeamChain): string => chain.passages.map((passage) => passage.id).join();

/** Of chains that end at one passage only the best goes on. */
function onePerEnd(chains: readonly BeamChain[]): BeamChain[] {
  const ends = new Set<string>();
  return chains.filter((chain) => {
    const end = chain.passages.at(-1)?.id ?? '';
    return ends.has(end) ? false : Boolean(ends.add(end));
  });
}

/** Logit of a step by its evidence; undefined when nothing but a weak likeness joins the two. */
function connectionLogit(
  question: AnalysedQuestion,
  chain: BeamChain,
  passage: IndexedPassage,
  { profiles }: ChainSearchPorts,
): number | undefined {
  const last = chain.passages.at(-1);
  if (last === undefined) return undefined;
  const reason = explainHop(question, [profiles.of(last), profiles.of(passage)]);
  const near = cosine(last.vector, passage.vector);
  switch (reason.kind) {
    case 'link':
    case 'backlink':
      return 3 + near;
    case 'title':
      return 2 + near;
    case 'term':
      return Math.min(1.5, (reason.terms[0]?.length ?? 0) / 12) + near - 0.5;
    case 'meaning':
    case 'question':
    case 'sub-question':
    case 'chosen':
      return near < 0.7 ? undefined : (near - 0.85) * 10;
  }
}
