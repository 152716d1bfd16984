import { z } from 'zod';
import type { ChatMessage, LanguageModel } from '../../../../llm/language-model.ts';
import { requestStructured } from '../../../../llm/structured-reply.ts';
import { passageBlock, PASSAGES_ARE_DATA } from '../../../prompts/passage-block.ts';
import type { Bridge } from './find-bridges.ts';
import { namesLink, type MadeQuestion } from './question-templates.ts';

const replySchema = z.object({ question: z.string(), answer: z.string() });
const TOKENS = 150;

/** Asks for one question over both passages of a bridge that does not name the link. */
export function writeQuestionPrompt({ from, to, names }: Bridge): ChatMessage[] {
  const shown = [from, to].map(({ path, title, text }, i) => ({ number: i + 1, path, title, text }));
  return [
    { role: 'system', content: `You write exam questions about the user's files. ${PASSAGES_ARE_DATA}` },
    {
      role: 'user',
      content: `${passageBlock(shown)}\n\nPassage 1 points at passage 2. Write one question whose answer stands in passage 2 and that can only be answered by reading passage 1 first. Describe what passage 1 points at by what passage 1 says of it; never write ${names.map((name) => `"${name}"`).join(' or ')}. Answer it in as few words as possible, copied from passage 2.\nReply with JSON: {"question": "...", "answer": "..."}`,
    },
  ];
}

/** A question by a language model; undefined when it names the link or its answer does not stand in the second passage. */
export async function writeQuestion(bridge: Bridge, model: LanguageModel, signal: AbortSignal): Promise<MadeQuestion | undefined> {
  const { value } = await requestStructured(model, { messages: writeQuestionPrompt(bridge), name: 'question', schema: replySchema, options: { signal, maxTokens: TOKENS, justification: 'Hoptrail makes practice questions from passages of this workspace.' } });
  const question = value.question.replace(/\s+/gu, ' ').trim();
  const answer = value.answer.replace(/\s+/gu, ' ').trim();
  const held = bridge.to.text.replace(/\s+/gu, ' ').toLowerCase().includes(answer.toLowerCase());
  return question.endsWith('?') && answer !== '' && held && !namesLink(question, bridge) ? { question, answer } : undefined;
}
