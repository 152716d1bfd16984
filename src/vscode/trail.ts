import type { Answer, Citation } from '#research';
import type { Hop, Passage, PassageChain, SearchHit } from '#search';

/**
 * The lines of a hop that matter (1-based): those of its first quote, else the one with the words that lead to it;
 * undefined where it is the whole passage.
 */
export function linesOfHop(
  { passage, why }: Hop,
  citations: readonly Citation[],
): { startLine: number; endLine: number } | undefined {
  const quoted = citations.find(({ passageId, quote }) => passageId === passage.id && quote !== undefined);
  if (quoted) return { startLine: quoted.startLine, endLine: quoted.endLine };
  if (!why.toSpan) return undefined;
  const line = passage.startLine + passage.text.slice(0, why.toSpan.start).split('\n').length - 1;
  return { startLine: line, endLine: line };
}

/** The line by which a hop is named: the first that matters, else the beginning of its passage. */
export const lineOfHop = (hop: Hop, citations: readonly Citation[]): number =>
  linesOfHop(hop, citations)?.startLine ?? hop.passage.startLine;

/** What the mark `[number]` of an answer cites, and the passage that it stands in; undefined where it cites nothing. */
export function citedBy(
  { citations, passages }: Pick<Answer, 'citations' | 'passages'>,
  number: number,
): { citation: Citation; passage: Passage } | undefined {
  const citation = citations.find((candidate) => candidate.number === number);
  const passage = citation && passages.find((candidate) => candidate.id === citation.passageId);
  return passage && { citation, passage };
}

/** What one retrieval of a step brought. */
interface Retrieval {
  stepId: string;
  hits: readonly SearchHit[];
  chain?: PassageChain;
}

/** At most so many single passages stand in for a chain. */
const HITS_SHOWN = 3;

/**
 * The trail of a run as it is known now, wherever it is shown or walked. Of an answer: its chain, without hops that are
 * neither cited nor explained, then what else it cites; of a refusal its closest passages. Before there is an answer:
 * what the steps have found so far.
 * @param retrievals Of all steps, in the order in which they came
 * @param steps Ids of the steps, in the order in which they began: what they found stands in that order
 */
export function shownTrail(
  answer: Answer | undefined,
  retrievals: readonly Retrieval[],
  steps: readonly string[] = [],
): Hop[] {
  if (!answer) return hopsSoFar(retrievals.toSorted((a, b) => steps.indexOf(a.stepId) - steps.indexOf(b.stepId)));
  const cited = new Set(answer.citations.map(({ passageId }) => passageId));
  const isTold = ({ passage, why }: Hop): boolean =>
    answer.abstained || cited.size === 0 || cited.has(passage.id) || why.from !== undefined;
  const onChain = keptHops(answer.chain.hops, isTold);
  const chained = new Set(onChain.map(({ passage }) => passage.id));
  return [...onChain, ...hopsOfCitations(answer).filter(({ passage }) => !chained.has(passage.id))];
}

/** The hops that are wanted, with those that they follow; `from` indices are moved. */
function keptHops(hops: readonly Hop[], isWanted: (hop: Hop) => boolean): Hop[] {
  const wanted = new Set<number>();
  for (const [index, hop] of hops.entries()) {
    if (!isWanted(hop)) continue;
    for (let at: number | undefined = index; at !== undefined && !wanted.has(at); at = hops[at]?.why.from)
      wanted.add(at);
  }
  const kept = [...wanted].sort((a, b) => a - b);
  return kept.flatMap((index) => {
    const hop = hops[index];
    if (!hop) return [];
    const from = hop.why.from === undefined ? -1 : kept.indexOf(hop.why.from);
    return from < 0 ? hop : { ...hop, why: { ...hop.why, from } };
  });
}

function hopsOfCitations(answer: Answer): Hop[] {
  const ids = [...new Set(answer.citations.map((citation) => citation.passageId))];
  return ids.flatMap((id) => {
    const passage = answer.passages.find((candidate) => candidate.id === id);
    return passage ? [{ passage, score: 0, why: { kind: 'question', terms: [] } satisfies Hop['why'] }] : [];
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
    .map((hit) => ({ passage: hit.passage, score: hit.score, why: { kind: 'question', terms: [] } }));
}
