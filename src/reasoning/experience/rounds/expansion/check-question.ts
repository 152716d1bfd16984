import { complete } from '../../../../llm/complete.ts';
import type { LanguageModel } from '../../../../llm/language-model.ts';
import type { Passage } from '../../../../model/passage.ts';
import type { Reading, Retriever } from '../../../../retrieval/retriever.ts';
import { ANSWER_TOKENS, answerPrompt } from '../../../prompts/answer.ts';
import { readAnswer } from '../../../prompts/read-answer.ts';
import { normaliseVote } from '../../../strategy/normalise-answer.ts';
import type { Bridge } from './find-bridges.ts';
import type { MadeQuestion } from './question-templates.ts';

/** Why a question is not used. */
export type Rejection = 'not-answerable' | 'hop-not-needed' | 'not-new';

/** Port: how well passages carry the answer of a question, 0..1. */
export type CarryAnswer = (made: MadeQuestion, passages: readonly Passage[], signal: AbortSignal) => Promise<number>;

/** Both passages must carry the answer this well, and either alone must not … */
const ANSWERABLE = 0.5;
/** … and must be worse by this much. */
const LOSS = 0.1;

/** undefined when the question can be answered from both passages and from neither alone: dropping a hop must lose the answer. */
export async function checkHops(made: MadeQuestion, { from, to }: Bridge, carries: CarryAnswer, signal: AbortSignal): Promise<Rejection | undefined> {
  const both = await carries(made, [from, to], signal);
  if (both < ANSWERABLE) return 'not-answerable';
  for (const passage of [from, to]) {
    const alone = await carries(made, [passage], signal);
    if (alone >= ANSWERABLE || alone > both - LOSS) return 'hop-not-needed';
  }
  return undefined;
}

/** By the extractive reader: its probability that the passages carry an answer, nothing when they do not hold the expected one. */
export const carriesByReader = (retriever: Pick<Retriever, 'read'>): CarryAnswer => async ({ question, answer }, passages, signal) => {
  if (!passages.some((passage) => plain(passage.text).includes(plain(answer)) || plain(passage.title).includes(plain(answer)))) return 0;
  const reading: Reading = await retriever.read(question, passages.map((passage) => passage.id), signal);
  return reading.answerability;
};

/** By a language model: 1 when it gives the expected answer from these passages, else 0. */
export const carriesByModel = (model: LanguageModel): CarryAnswer => async ({ question, answer }, passages, signal) => {
  const shown = passages.map(({ path, title, text }, i) => ({ number: i + 1, path, title, text }));
  const reply = await complete(model, answerPrompt({ question, passages: shown, known: [], style: 'brief' }), { signal, maxTokens: ANSWER_TOKENS.brief });
  const [given, wanted] = [normaliseVote(readAnswer(reply.text)?.short ?? ''), normaliseVote(answer)];
  return given !== '' && (given === wanted || ` ${given} `.includes(` ${wanted} `) || ` ${wanted} `.includes(` ${given} `)) ? 1 : 0;
};

const plain = (text: string): string => text.replace(/\s+/gu, ' ').toLowerCase();
