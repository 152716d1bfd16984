/** One statement as the model made it: its text without marks, and the passage numbers it named (numbers of the ledger). */
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
