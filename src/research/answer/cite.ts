import { contentStems, type Hop, type Passage, type PassageChain } from '#search';
import type { Answer, Citation } from '../domain/answer.ts';
import { type CitedPlace, type Mark, placeOf } from '../evidence/citations.ts';
import { type EvidenceLedger, uniquePassages } from '../evidence/ledger.ts';
import type { OperatorContext } from '../operators/operator.ts';

/** Lines and characters of a citation whose text is kept with it. */
const QUOTED = { lines: 3, characters: 500 };

/** Citations by order of first appearance; one number for each passage and lines. */
export class CitationList {
  readonly citations: Citation[] = [];
  readonly #passages: Passage[] = [];
  readonly #ledger: EvidenceLedger;

  constructor(ledger: EvidenceLedger) {
    this.#ledger = ledger;
  }

  get passages(): Passage[] {
    return uniquePassages(this.#passages);
  }

  /** The number of what a statement cites by a mark; undefined where no passage has these lines. */
  numberOf(mark: Mark, statement: string): number | undefined {
    const place = placeOf(mark, this.#ledger);
    const passage = place && passageAt(this.#ledger, place);
    if (!passage) return undefined;
    const lines = place.exact ? clipped(place, passage) : bestLines(place, passage, statement);
    return this.add(passage, lines.from, lines.to);
  }

  add(passage: Passage, startLine: number, endLine: number): number {
    const known = this.citations.find(
      (one) => one.passageId === passage.id && one.startLine === startLine && one.endLine === endLine,
    );
    if (known) return known.number;
    const number = this.citations.length + 1;
    const quote = endLine - startLine < QUOTED.lines ? textOf(passage, startLine, endLine) : '';
    this.citations.push({
      number,
      passageId: passage.id,
      ...(quote !== '' && quote.length <= QUOTED.characters && { quote }),
      startLine,
      endLine,
    });
    this.#passages.push(passage);
    return number;
  }
}

/** The passage with most of the cited lines, the first in its file among equals. */
export function passageAt(ledger: EvidenceLedger, place: CitedPlace): Passage | undefined {
  const shared = ({ startLine, endLine }: Passage): number =>
    Math.min(endLine, place.to) - Math.max(startLine, place.from) + 1;
  const passages = ledger.passagesIn(place);
  return passages.reduce<Passage | undefined>(
    (best, passage) => (best && shared(best) >= shared(passage) ? best : passage),
    undefined,
  );
}

const clipped = ({ from, to }: CitedPlace, { startLine, endLine }: Passage): { from: number; to: number } => ({
  from: Math.max(from, startLine),
  to: Math.min(to, endLine),
});

/** Of a stretch that is cited as a whole, the line with most words of the statement; else all of its passage. */
function bestLines(place: CitedPlace, passage: Passage, statement: string): { from: number; to: number } {
  const { from, to } = clipped(place, passage);
  if (passage.startColumn !== undefined) return { from, to };
  const words = new Set(contentStems(statement));
  const lines = passage.text.split('\n').map((text, i) => ({
    line: passage.startLine + i,
    score: new Set(contentStems(text).filter((stem) => words.has(stem))).size,
  }));
  const best = lines
    .filter(({ line }) => line >= from && line <= to)
    .reduce((top, one) => (one.score > top.score ? one : top), { line: 0, score: 1 });
  return best.line > 0 ? { from: best.line, to: best.line } : { from, to };
}

function textOf({ text, startLine, startColumn }: Passage, from: number, to: number): string {
  if (startColumn !== undefined) return '';
  return text
    .split('\n')
    .slice(from - startLine, to - startLine + 1)
    .join('\n')
    .trim();
}

export type AnswerContext = Pick<OperatorContext, 'question' | 'ledger' | 'subAnswers' | 'coverage'>;

/** What every answer tells beside its words and statements: what it cites, and how that was found. */
export function foundBy(
  { question, ledger, subAnswers, coverage }: AnswerContext,
  list: CitationList,
  by: Answer['by'],
) {
  return {
    citations: list.citations,
    passages: list.passages,
    chain: answerChain(list.passages, ledger, question.text),
    subAnswers: [...subAnswers],
    unsupportedCount: 0,
    conflicts: [],
    by,
    coverage,
  } satisfies Partial<Answer>;
}

/** The passages that an answer cites, with what led to each: the retrieved trail, what is linked, then the others. */
function answerChain(cited: readonly Passage[], ledger: EvidenceLedger, question: string): PassageChain {
  const known = new Map(ledger.trails.flatMap(({ hops }) => hops.map((hop) => [hop.passage.id, hop] as const)));
  const trail = ledger.trails[0]?.hops.map(({ passage }) => passage.id) ?? [];
  const left = [...cited].sort((a, b) => placeIn(trail, a) - placeIn(trail, b));
  const hops: Hop[] = [];
  while (left.length > 0) {
    const linked = left.findIndex((passage) => trail.includes(passage.id) || linkTo(passage, hops));
    const [passage] = left.splice(Math.max(0, linked), 1) as [Passage];
    hops.push(
      retrievedHop(known.get(passage.id), hops, ledger) ?? linkTo(passage, hops) ?? foundHop(passage, ledger, question),
    );
  }
  const [first] = ledger.trails;
  return { hops, score: first?.score ?? 0, completeness: first?.completeness ?? 0 };
}

const placeIn = (trail: readonly string[], { id }: Passage): number =>
  trail.includes(id) ? trail.indexOf(id) : trail.length;

/** A hop as a trail has it, where what led to it is in the answer, too. */
function retrievedHop(hop: Hop | undefined, before: readonly Hop[], ledger: EvidenceLedger): Hop | undefined {
  if (hop?.why.from === undefined) return hop;
  const { from } = hop.why;
  const trail = ledger.trails.find(({ hops }) => hops.includes(hop));
  const place = before.findIndex(({ passage }) => passage.id === trail?.hops[from]?.passage.id);
  return place < 0 ? undefined : { ...hop, why: { ...hop.why, from: place } };
}

function linkTo(passage: Passage, before: readonly Hop[]): Hop | undefined {
  for (const [from, { passage: earlier }] of before.entries()) {
    const link = earlier.links.find(({ path }) => path === passage.path && path !== earlier.path);
    if (!link) continue;
    const because = { code: 'links' as const, who: earlier.title || earlier.path, what: link.target, line: link.line };
    return { passage, score: 0, why: { kind: 'link', because, terms: [link.target], from } };
  }
  return undefined;
}

function foundHop(passage: Passage, ledger: EvidenceLedger, question: string): Hop {
  const query = ledger.queryOf(passage.id);
  if (query === undefined || query === question)
    return { passage, score: 0, why: { kind: 'question', because: { code: 'found' }, terms: [] } };
  return {
    passage,
    score: 0,
    why: { kind: 'sub-question', because: { code: 'found-for', question: query }, terms: [] },
  };
}
