import { type Answer, answerF1, exactMatch } from '#research/lab';
import type { DatasetQuestion } from './dataset.ts';

/** More words than this beside the gold answer, and what was offered is no short answer any more. */
const MOST_WORDS_BESIDE = 8;

/** A question that the corpus cannot answer: refusing is right. */
export const isUnanswerable = (question: Pick<DatasetQuestion, 'type'>): boolean => question.type === 'null';

/**
 * What people see of an answer, scored against what is right. Of questions that can be answered: `seen`: the answer
 * stands in what is shown (of a list: all of it); `kept`: it was not refused; `refusedAbove`: a refusal stands above
 * it; `offered`: an answer line is shown, `precision`: and is right, `em` and `f1` of the short answer. Of those that
 * cannot: `refused`. A failed run shows nothing, which is no refusal.
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
    ...(question.items && answer && { items: share(question.items, refused ? '' : shownText(answer)) }),
    kept: Number(answer !== undefined && !refused),
    refusedAbove: Number(visible && refused),
    offered: Number(line !== undefined),
    ...(line !== undefined && { precision: Number(isRight(line, gold) || (isBrief(line, gold) && holds(line))) }),
  };
}

/**
 * Whether a text holds the right answer, of a list all of it. “No” stands in any text: a verdict counts where the
 * answer line gives it.
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
function shownText({ text, short, abstained, statements }: Answer): string {
  const marks = /(?<=^|[\s\]])\[\d{1,3}\]/gmu;
  return [abstained ? '' : short, text.replace(marks, ' '), ...statements.map((statement) => statement.text)].join(
    '\n',
  );
}

const isRight = (line: string, gold: readonly string[]): boolean => exactMatch(line, gold) === 1;

const isBrief = (line: string, gold: readonly string[]): boolean =>
  wordsOf(line).length <= Math.max(...gold.map((answer) => wordsOf(answer).length)) + MOST_WORDS_BESIDE;

function holdsAll(text: string, { items }: DatasetQuestion, gold: readonly string[]): boolean {
  return gold.some((answer) => says(text, answer)) || (items !== undefined && share(items, text) === 1);
}

function share(items: NonNullable<DatasetQuestion['items']>, text: string): number {
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
