import type { SubAnswer } from '../../model/answer.ts';
import type { PassageLedger } from '../passage-ledger.ts';
import type { KnownAnswer } from '../prompts/known-block.ts';

/** Sub-answers as prompts show them. */
export const knownAnswers = (subAnswers: readonly SubAnswer[], ledger: PassageLedger): KnownAnswer[] =>
  subAnswers.filter((one) => one.found).map(({ question, answer, passageIds }) => ({ question, answer, numbers: passageIds.flatMap((id) => ledger.numberOf(id) ?? []) }));
