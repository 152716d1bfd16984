import { BadReplyError } from '../../llm/errors.ts';
import { nameForm } from '../../retrieval/text/names.ts';
import { askStructured } from '../ask-model.ts';
import { knownAnswers } from '../operators/known-answers.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { NEXT_SUB_QUESTION_TOKENS, nextSubQuestionPrompt, nextSubQuestionSchema, type RejectedSubQuestion } from '../prompts/next-sub-question.ts';

/** RISE's step back (He et al. 2025): another sub-question in the place of a rejected one. undefined: nothing else to ask, or no room to. */
export async function stepBack(context: OperatorContext, rejected: RejectedSubQuestion): Promise<string | undefined> {
  if (!context.options.critique || context.budget.nodesLeft === 0 || context.budget.exhausted() !== undefined) return undefined;
  try {
    const messages = nextSubQuestionPrompt(context.question.text, knownAnswers(context.subAnswers, context.ledger), [rejected]);
    const { value } = await askStructured(context, { messages, name: 'sub-question', schema: nextSubQuestionSchema, maxTokens: NEXT_SUB_QUESTION_TOKENS });
    const question = value.question.trim();
    return question === '' || nameForm(question) === nameForm(rejected.question) ? undefined : question;
  } catch (error) {
    if (error instanceof BadReplyError) return undefined; // the step back is worth one try, not a failed run
    throw error;
  }
}
