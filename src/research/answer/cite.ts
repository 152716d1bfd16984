import { contentStems, type Passage } from '#search';
import type { Citation } from '../domain/answer.ts';
import { type CitedPlace, type Mark, placeOf } from '../evidence/citations.ts';
import { type EvidenceLedger, uniquePassages } from '../evidence/ledger.ts';

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
