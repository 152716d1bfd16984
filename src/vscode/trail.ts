import type { Answer, Citation } from '#research';
import type { Hop, PassageChain, SearchHit } from '#search';

/** The line of a hop that matters (1-based): that of its first quote, else the beginning of its passage. */
export function lineOfHop(hop: Hop, citations: readonly Citation[]): number {
  const quoted = citations.find(({ passageId, quote }) => passageId === hop.passage.id && quote !== undefined);
  return quoted?.startLine ?? hop.passage.startLine;
}

/** What one retrieval of a step brought. */
export interface Retrieval {
  hits: readonly SearchHit[];
  chain?: PassageChain;
}

/** At most so many single passages stand in for a chain. */
const HITS_SHOWN = 3;

/**
 * The trail of a run as it is known now: the answer's chain (the nearest passages, when it abstained), or what it cites
 * where it has none; before there is an answer, what the steps have found so far. One and the same wherever it is shown
 * or walked.
 * @param retrievals Of all steps, in the order in which the steps began
 */
export function shownTrail(answer: Answer | undefined, retrievals: readonly Retrieval[]): Hop[] {
  const chain = answer?.chain.hops ?? [];
  if (chain.length > 0) return chain;
  return answer ? hopsOfCitations(answer) : hopsSoFar(retrievals);
}

function hopsOfCitations(answer: Answer): Hop[] {
  const ids = [...new Set(answer.citations.map((citation) => citation.passageId))];
  return ids.flatMap((id) => {
    const passage = answer.passages.find((candidate) => candidate.id === id);
    return passage ? [{ passage, score: 0, why: { kind: 'question', text: '', terms: [] } satisfies Hop['why'] }] : [];
  });
}

/** Joins the chains in the order found; a passage stands once. `from` indices are moved to the joined list. */
function hopsSoFar(retrievals: readonly Retrieval[]): Hop[] {
  const joined: Hop[] = [];
  const indexOf = new Map<string, number>();
  for (const chain of retrievals.flatMap((retrieval) => retrieval.chain ?? [])) {
    for (const hop of chain.hops) {
      if (indexOf.has(hop.passage.id)) continue;
      const before = hop.why.from === undefined ? undefined : chain.hops[hop.why.from];
      const from = before && indexOf.get(before.passage.id);
      indexOf.set(hop.passage.id, joined.length);
      joined.push({ ...hop, why: { ...hop.why, from } });
    }
  }
  if (joined.length > 0) return joined;
  const best = new Map(retrievals.flatMap((retrieval) => retrieval.hits).map((hit) => [hit.passage.id, hit]));
  return [...best.values()]
    .slice(0, HITS_SHOWN)
    .map((hit) => ({ passage: hit.passage, score: hit.score, why: { kind: 'question', text: '', terms: [] } }));
}
