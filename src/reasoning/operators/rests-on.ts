import type { Passage } from '../../model/passage.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import { checkCitations } from '../answer/check-citations.ts';
import type { OperatorContext } from './operator.ts';

/** Passages that a draft rests on once its citations have been checked; those that it named, when the check found none. */
export function restsOn(context: OperatorContext, draft: AnswerDraft, evidence: readonly Passage[]): string[] {
  const passageOf = (number: number): Passage | undefined => context.ledger.passage(number);
  const { statements } = checkCitations(draft.statements, { passageOf, evidence, question: context.question.text });
  const found = statements.filter((statement) => statement.support !== 'unsupported').flatMap((statement) => statement.citations.map((citation) => citation.passage.id));
  const named = draft.statements.flatMap((statement) => statement.numbers.flatMap((number) => passageOf(number)?.id ?? []));
  return [...new Set(found.length > 0 ? found : named)];
}
