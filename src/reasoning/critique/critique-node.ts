import { BadReplyError } from '../../llm/errors.ts';
import type { CritiqueVerdict, SubAnswer } from '../../model/answer.ts';
import { nameForm } from '../../retrieval/text/names.ts';
import { inlineText } from '../answer/format-quote.ts';
import { askStructured } from '../ask-model.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { knownAnswers } from '../operators/known-answers.ts';
import { CRITIQUE_TOKENS, critiqueNodePrompt, critiqueSchema } from '../prompts/critique-node.ts';
import { evidenceCritique, type CriticisedNode } from './evidence-critique.ts';

/** From here on, the evidence speaks for itself and a model's opinion is not paid for. */
const BEYOND_DOUBT = 0.6;

/**
 * RISE's critique of a node (He et al. 2025). The evidence judges first, for nothing; only where it leaves a doubt is the model asked.
 * A reply that cannot be used leaves the evidence's verdict standing.
 */
export async function critiqueNode(context: OperatorContext, node: CriticisedNode, evidence: string): Promise<CritiqueVerdict> {
  const whole = nameForm(node.question) === nameForm(context.question.text);
  const kept: readonly SubAnswer[] = whole ? [] : context.subAnswers; // the whole question may be answered in more than one way
  const byEvidence = evidenceCritique(node, kept);
  const sure = byEvidence.verdict !== 'keep' || (node.answerability ?? 1) >= BEYOND_DOUBT;
  if (sure || !context.model || context.budget.exhausted() !== undefined) return byEvidence;
  try {
    const known = knownAnswers(kept, context.ledger);
    const messages = critiqueNodePrompt({ question: context.question.text, known, subQuestion: node.question, answer: node.answer, evidence });
    const { value } = await askStructured(context, { messages, name: 'critique', schema: critiqueSchema, maxTokens: CRITIQUE_TOKENS });
    return { verdict: value.verdict, reason: inlineText(value.reason) || byEvidence.reason, by: 'model' };
  } catch (error) {
    if (error instanceof BadReplyError) return byEvidence;
    throw error;
  }
}
