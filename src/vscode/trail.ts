import type { Answer, Citation, SubAnswer } from '#research';
import type { Hop, PassageChain, PassageLink, SearchHit, Passage } from '#search';

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

/** A link of a trail that leads out of it, and the hop that it stands in. */
export interface OpenLink {
  link: PassageLink;
  /** The file it leads to. */
  path: string;
  hop: Hop;
}

/** Links to files that a trail does not enter, the end of the trail first. */
export function openLinks(hops: readonly Hop[]): OpenLink[] {
  const entered = new Set(hops.map((hop) => hop.passage.path));
  return hops.toReversed().flatMap((hop) =>
    hop.passage.links.flatMap((link): OpenLink[] => {
      const { path } = link;
      return path === undefined || entered.has(path) ? [] : [{ link, path, hop }];
    }),
  );
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

/** A longer one is cut: the passage behind it has the rest. */
const MOST_CHARACTERS = 160;

/** What was found on the way to an answer: one sub-question, its answer in one line. */
interface ShownSubAnswer extends Pick<SubAnswer, 'question' | 'passageIds'> {
  answer: string;
}

/**
 * The sub-answers that stand under an answer, each question once, in the order in which they were found. What a
 * critique rejected is left out, and so are the whole question and what the answer itself repeats word by word. None
 * for quotes, which are shown themselves.
 */
export function shownSubAnswers(question: string, answer: Answer): ShownSubAnswer[] {
  if (answer.by !== 'model') return [];
  const found = new Map<string, ShownSubAnswer>();
  for (const { question: asked, answer: text, found: isFound, passageIds, critique } of answer.subAnswers) {
    const line = text.split('\n', 1)[0]?.trim() ?? '';
    if (
      !isFound ||
      line === '' ||
      asked === question ||
      isRepeated(asked, answer.text) ||
      (critique && critique.verdict !== 'keep')
    )
      continue;
    found.set(asked, {
      question: asked,
      answer: line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1).trimEnd()}…` : line,
      passageIds,
    });
  }
  return [...found.values()];
}

/** Answers that were put together from the steps say their questions again. */
const isRepeated = (question: string, text: string): boolean => text.includes(question.replace(/\?$/, ''));

/** The place of a sub-answer's first passage: the line that is cited of it, else its beginning. */
export function placeOfSubAnswer(
  { passageIds }: Pick<ShownSubAnswer, 'passageIds'>,
  answer: Answer,
): { passage: Passage; line: number; citation: number | undefined } | undefined {
  const [id] = passageIds;
  const passage = [...answer.passages, ...answer.chain.hops.map((hop) => hop.passage)].find((one) => one.id === id);
  if (!passage) return undefined;
  const cited = answer.citations.find(({ passageId }) => passageId === id);
  return { passage, line: cited?.startLine ?? passage.startLine, citation: cited?.number };
}
