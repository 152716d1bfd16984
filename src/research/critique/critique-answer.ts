import type { ChatMessage } from '../language-model/language-model.ts';
import { escapeForPrompt } from '../operators/prompts/blocks.ts';
import { BadReplyError } from '../language-model/errors.ts';
import type { Answer, CritiqueVerdict } from '../domain/answer.ts';
import { inlineText } from '../answer/passage-lines.ts';
import { type AskingContext, askStructured } from '../run/ask-model.ts';
import { CRITIQUE_TOKENS, critiqueSchema } from './critique-node.ts';

/** The last critique of the whole; same reply as critique-node.ts. */
export function critiqueAnswerPrompt(question: string, short: string, statements: readonly string[]): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'You check an answer. Verdicts:\nkeep: it answers what was asked, and the reasons lead to it\nirrelevant: it answers something else\nunsupported: the reasons do not lead to it\nReply with JSON: {"reason": "<at most 15 words>", "verdict": "..."}',
    },
    {
      role: 'user',
      content: `Question: ${question}\nAnswer: ${escapeForPrompt(short)}\nReasons:\n${statements.map((statement) => `- ${escapeForPrompt(statement)}`).join('\n')}`,
    },
  ];
}

/** Answerability from which an answer whose statements all hold is not discussed any more. */
const BEYOND_DOUBT = 0.6;

/** The last critique of the whole: by the citation check where that is clear, by the model where it is in doubt. */
export async function critiqueAnswer(
  context: AskingContext,
  question: string,
  answer: Answer,
  answerability: number | undefined,
): Promise<CritiqueVerdict> {
  const total = answer.statements.length;
  const marked = answer.statements.filter((statement) => statement.support === 'unsupported').length;
  if (total === 0 || marked === total)
    return { verdict: 'unsupported', reason: 'No statement of it holds up against its passages.', by: 'evidence' };
  const held: CritiqueVerdict = {
    verdict: 'keep',
    reason: `${total - marked} of ${total} statements hold up against their passages.`,
    by: 'evidence',
  };
  const sure = marked === 0 && (answerability ?? 0) >= BEYOND_DOUBT;
  if (sure || !context.model || context.budget.exhausted() !== undefined) return held;
  try {
    const messages = critiqueAnswerPrompt(
      question,
      answer.short,
      answer.statements.map((statement) => statement.text),
    );
    const { value } = await askStructured(context, {
      messages,
      name: 'critique',
      schema: critiqueSchema,
      maxTokens: CRITIQUE_TOKENS,
    });
    return {
      verdict: value.verdict === 'redundant' ? 'keep' : value.verdict,
      reason: inlineText(value.reason) || held.reason,
      by: 'model',
    };
  } catch (error) {
    if (error instanceof BadReplyError) return held;
    throw error;
  }
}
