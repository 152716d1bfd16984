import { headerCells, type UnitContext } from '../../domain/unit.ts';
import { coverageOf } from '../features/chain-profile.ts';
import type { AnalysedQuestion } from '../question.ts';
import { splitSentences } from '../../text/sentences.ts';
import { contentStems } from '../../text/words.ts';
import type { ReadSentence } from './read-units.ts';

/** Characters from which on a row is no row to look at, but text in cells. */
const LONG_ROW = 300;
/** A longer first cell is no label. */
const LONGEST_LABEL = 100;

/** What is quoted of a unit; offsets into its passage's text. */
interface QuotedPart {
  start: number;
  end: number;
  kind: ReadSentence['kind'];
  context?: UnitContext;
}

/**
 * A unit as it is quoted. Of a row with long cells between bars that is the sentence of a cell that shares most words
 * with the question, below the row's label and the cell's header; any other unit is quoted whole.
 */
export function quotedPart(question: AnalysedQuestion, unit: ReadSentence): QuotedPart {
  const { start, end } = unit.sentence;
  const whole: QuotedPart = { start, end, kind: unit.kind, ...(unit.context && { context: unit.context }) };
  if (unit.kind !== 'row' || end - start <= LONG_ROW || !unit.text.includes('|')) return whole;
  const cells = cellsOf(unit.text);
  const label = cells.findIndex(({ text }) => text !== '');
  const name = cells[label]?.text ?? '';
  const candidates = cells.flatMap((cell, column) =>
    column === label && cells.length > 1
      ? []
      : splitSentences(cell.text).map((span) => ({
          column,
          start: start + cell.start + span.start,
          end: start + cell.start + span.end,
          covered: worthOf(question, cell.text.slice(span.start, span.end)),
        })),
  );
  const best = candidates.reduce<(typeof candidates)[number] | undefined>(
    (a, b) => (a === undefined || b.covered > a.covered ? b : a),
    undefined,
  );
  if (!best || best.covered === 0) return whole;
  const header = headerAbove(unit, best.column, cells);
  const above = [name.length <= LONGEST_LABEL ? name : '', header].filter(Boolean).join(' › ');
  return { start: best.start, end: best.end, kind: 'sentence', ...(above !== '' && { context: { text: above } }) };
}

/** The header cell of a column, where the header has as many cells as the row; else none is known, and '' it is. */
function headerAbove({ context }: ReadSentence, column: number, row: readonly { text: string }[]): string {
  const columns = withoutEdges(row.map((cell) => cell.text)).length;
  const header = headerCells(context?.text ?? '');
  return (header.length === columns ? header[column - (row[0]?.text === '' ? 1 : 0)] : undefined) ?? '';
}

/** Cells without those before the first bar and behind the last, where nothing stands there. */
const withoutEdges = (cells: readonly string[]): string[] =>
  cells.slice(cells[0] === '' ? 1 : 0, cells.length > 1 && cells.at(-1) === '' ? -1 : undefined);

const worthOf = (question: AnalysedQuestion, text: string): number => {
  const stems = new Set(contentStems(text));
  return coverageOf(question, (stem) => stems.has(stem));
};

/** Cells between bars, trimmed, with their offsets in the row; one behind a backslash belongs to its cell. */
function cellsOf(row: string): { text: string; start: number }[] {
  const cells: { text: string; start: number }[] = [];
  let from = 0;
  for (let at = 0; at <= row.length; at += 1) {
    if (at < row.length && (row[at] !== '|' || row[at - 1] === '\\')) continue;
    const cell = row.slice(from, at);
    cells.push({ text: cell.trim(), start: from + cell.length - cell.trimStart().length });
    from = at + 1;
  }
  return cells;
}
