import { nameForm, type Reading } from '#search';

/**
 * One statement as the model made it: its text without marks, and the passage numbers it named (numbers of the ledger).
 */
export interface DraftStatement {
  text: string;
  numbers: number[];
}

/** An answer before the citation check. */
export interface AnswerDraft {
  /** A few words: the answer itself. */
  short: string;
  statements: DraftStatement[];
  /** Where sources disagree, in the model's words, each naming at least two passages. */
  conflicts: DraftStatement[];
}

/**
 * Whether a text says a phrase as whole words, whatever its case, accents and punctuation; no text says an empty one.
 */
export function saysPhrase(text: string, phrase: string): boolean {
  const form = nameForm(phrase);
  return form !== '' && ` ${nameForm(text)} `.includes(` ${form} `);
}

/** Whether two texts are the same words. */
export const isSamePhrase = (one: string, other: string): boolean => nameForm(one) === nameForm(other);

/**
 * Which of two things is earlier is arithmetic: when both years stand in the passages and the draft says otherwise, the
 * years decide, and a statement with both of them says so. The draft itself when there is nothing to settle.
 *
 * @param numberOf Number under which the run cites a passage.
 */
export function settleByYears(
  draft: AnswerDraft,
  reading: Pick<Reading, 'byYears'> | undefined,
  numberOf: (passageId: string) => number | undefined,
): AnswerDraft {
  const years = reading?.byYears;
  if (!years || saysPhrase(draft.short, years.chosen)) return draft;
  const statement = {
    text: `By the years in these passages: ${years.chosen} ${years.year}, ${years.other} ${years.otherYear}.`,
    numbers: years.passageIds.flatMap((id) => numberOf(id) ?? []),
  };
  return { ...draft, short: years.chosen, statements: [statement, ...draft.statements] };
}
