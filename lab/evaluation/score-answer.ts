import { answerF1 } from '#learning/lab';
import type { Answer } from '#research/lab';
import { exactMatch } from './answer-metrics.ts';
import type { DatasetQuestion } from './dataset.ts';

/** More words than this beside the gold answer, and what was offered is no short answer any more. */
const MOST_WORDS_BESIDE = 8;

/** A question that the corpus cannot answer: refusing is right. */
export const isUnanswerable = (question: Pick<DatasetQuestion, 'type'>): boolean => question.type === 'null';

/**
 * Scores what people see. Answerable questions: `seen`: what is shown holds the answer (of a list, all of it); `kept`:
 * it was not refused; `refusedAbove`: a refusal stands above the answer; `offered`: there is an answer line,
 * `precision`: it is right; `em` and `f1` of the short answer. Unanswerable ones: `refused`. A failed run shows nothing
 * and is no refusal.
 */
export function scoreAnswer(question: DatasetQuestion, answer: Answer | undefined): Record<string, number> {
  const refused = answer?.abstained ?? false;
  if (isUnanswerable(question)) return { refused: Number(refused) };
  const gold = [question.answer, ...question.aliases];
  const short = answer?.short ?? '';
  const line = answer && offersLine(answer) ? short : undefined;
  const holds = (text: string): boolean => givesAnswer(question, text, line);
  const visible = answer !== undefined && holds(shownText(answer));
  return {
    em: exactMatch(short, gold),
    f1: answerF1(short, gold),
    abstained: Number(refused),
    seen: Number(visible && !refused),
    ...(question.items && answer && { items: itemsIn(question.items, refused ? '' : shownText(answer)) }),
    kept: Number(answer !== undefined && !refused),
    refusedAbove: Number(visible && refused),
    offered: Number(line !== undefined),
    ...(line !== undefined && { precision: Number(isRight(line, gold) || (isBrief(line, gold) && holds(line))) }),
  };
}

/**
 * Whether a text holds the right answer; of a list, all of it. A yes or no counts only in the answer line, because any
 * text has a “no”.
 */
export function givesAnswer(question: DatasetQuestion, text: string, line: string | undefined): boolean {
  const gold = [question.answer, ...question.aliases];
  const verdict = gold.map(polarity).find((one) => one !== undefined);
  return verdict === undefined ? holdsAll(text, question, gold) : line !== undefined && polarity(line) === verdict;
}

/** An answer line, and not a quote that stands in its place. */
const offersLine = ({ abstained, short, by, lead }: Answer): boolean =>
  !abstained && short !== '' && (by === 'model' || lead?.kind === 'answer');

/** Everything that is said, without the numbers of its citations. */
export function shownText({ text, short, abstained, statements }: Answer): string {
  const marks = /(?<=^|[\s\]])\[\d{1,3}\]/gmu;
  return [abstained ? '' : short, text.replace(marks, ' '), ...statements.map((statement) => statement.text)].join(
    '\n',
  );
}

const isRight = (line: string, gold: readonly string[]): boolean => exactMatch(line, gold) === 1;

const isBrief = (line: string, gold: readonly string[]): boolean =>
  wordsOf(line).length <= Math.max(...gold.map((answer) => wordsOf(answer).length)) + MOST_WORDS_BESIDE;

function holdsAll(text: string, { items }: DatasetQuestion, gold: readonly string[]): boolean {
  return gold.some((answer) => says(text, answer)) || (items !== undefined && itemsIn(items, text) === 1);
}

/** Share of a list's items that a text names. */
export function itemsIn(items: NonNullable<DatasetQuestion['items']>, text: string): number {
  const found = items.filter((item) => [item].flat().some((name) => says(text, name)));
  return items.length === 0 ? 0 : found.length / items.length;
}

export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !/^(?:a|an|the)$/u.test(word));

/** Whether a text has these words, whole and in order; signs and articles do not count. */
export function says(text: string, part: string): boolean {
  const words = wordsOf(part);
  return words.length > 0 && ` ${wordsOf(text).join(' ')} `.includes(` ${words.join(' ')} `);
}

/** `yes` of `Yes, 3000`. */
const polarity = (text: string): string | undefined =>
  /^\s*(yes|no)\s*(?:[\p{P}\p{S}]|$)/iu.exec(text)?.[1]?.toLowerCase();
