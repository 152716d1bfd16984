import type { SubAnswer } from '../../model/answer.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import type { PassageLedger } from '../passage-ledger.ts';

/** An answer made of the sub-answers alone: the last is the answer, all are the reasons. */
export function draftOf(context: { ledger: PassageLedger }, kept: readonly SubAnswer[]): AnswerDraft {
  const statements = kept.map(({ question, answer, passageIds }) => ({ text: `${question.replace(/\?\s*$/u, '')}: ${answer}.`, numbers: passageIds.flatMap((id) => context.ledger.numberOf(id) ?? []) }));
  return { short: kept.at(-1)?.answer ?? '', statements, conflicts: [] };
}
