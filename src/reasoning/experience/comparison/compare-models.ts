import { z } from 'zod';
import { isAbortError } from '../../../llm/abort.ts';
import { complete } from '../../../llm/complete.ts';
import { BadReplyError, ContextTooLongError, RefusedError } from '../../../llm/errors.ts';
import type { ChatMessage, LanguageModel } from '../../../llm/language-model.ts';
import type { ScoredPair } from '../gate.ts';
import { answerF1 } from '../../answer/answer-metrics.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { PairJudge } from './judge-pair.ts';

/** Tokens that a held-out reply may have: all of them are short. */
const REPLY_TOKENS = 200;

const lineShape = z.object({ messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(2) });

export interface ModelComparison {
  before: LanguageModel;
  after: LanguageModel;
  /** Compares the sub-questions of both where they differ, on RISE's four dimensions; undefined: by words alone. */
  judge?: PairJudge;
}

/**
 * Scores two models on chat-format lines that neither was trained on (see export-chat.ts), each line's last message being the reply that
 * ended well. A verdict counts when it is the same; an answer by token F1; a sub-question by token F1 and, in equal parts, by the judge.
 * All scores are 0..1. @throws the models' errors but those of a single reply: a model's counts 0, a judge's is left out
 */
export async function compareModels(heldOut: string, { before, after, judge }: ModelComparison, signal: AbortSignal, progress: (done: number, total: number) => void = () => undefined): Promise<ScoredPair[]> {
  const lines = heldOut.split('\n').filter((line) => line !== '');
  const pairs: ScoredPair[] = [];
  for (const [i, line] of lines.entries()) {
    signal.throwIfAborted();
    const { messages } = lineShape.parse(JSON.parse(line));
    const wanted = messages.at(-1)?.content ?? '';
    const asked = messages.slice(0, -1);
    const [old, fresh] = [await replyOf(before, asked, signal), await replyOf(after, asked, signal)];
    const score = { before: likeness(old, wanted), after: likeness(fresh, wanted) };
    const preferred = judge && (await preference(judge, asked, old, fresh, signal));
    pairs.push({ id: String(i), before: preferred === undefined ? score.before : (score.before + 1 - preferred) / 2, after: preferred === undefined ? score.after : (score.after + preferred) / 2 });
    progress(i + 1, lines.length);
  }
  return pairs;
}

/** '' for a reply that cannot be had. */
async function replyOf(model: LanguageModel, messages: readonly ChatMessage[], signal: AbortSignal): Promise<string> {
  try {
    return (await complete(model, messages, { maxTokens: REPLY_TOKENS, temperature: 0, signal })).text.trim();
  } catch (error) {
    if (!isOfOneReply(error)) throw error;
    return '';
  }
}

/** What one reply fails of says nothing about the others. */
const isOfOneReply = (error: unknown): boolean => !isAbortError(error) && (error instanceof BadReplyError || error instanceof RefusedError || error instanceof ContextTooLongError);

/** How much a reply says what the wanted one says: 1 for the same verdict, token F1 for words. */
function likeness(reply: string, wanted: string): number {
  const [said, right] = [partsOf(reply), partsOf(wanted)];
  if (right.verdict !== undefined) return said.verdict === right.verdict ? 1 : 0;
  return answerF1(said.text, [right.text]);
}

interface ReplyParts {
  text: string;
  verdict?: string;
  /** A next sub-question, '' to stop; undefined for replies of other kinds. */
  subQuestion?: string;
}

const jsonShape = z.object({ verdict: z.string().optional(), question: z.string().optional() });

function partsOf(reply: string): ReplyParts {
  const json = /\{[\s\S]*\}/u.exec(reply)?.[0];
  if (json !== undefined) {
    try {
      const { verdict, question } = jsonShape.parse(JSON.parse(json));
      if (verdict !== undefined) return { text: reply, verdict };
      if (question !== undefined) return { text: question === '' ? 'stop' : question, subQuestion: question };
    } catch {
      // no JSON of ours: its words count
    }
  }
  return { text: reply.replace(/^answer:\s*/iu, '').replace(/\[\d+\]/gu, '').trim() };
}

/** How far the second sub-question is preferred, 0..1; undefined where there is nothing to judge, or the judge's word cannot be read. */
async function preference(judge: PairJudge, asked: readonly ChatMessage[], old: string, fresh: string, signal: AbortSignal): Promise<number | undefined> {
  const [first, second] = [partsOf(old).subQuestion, partsOf(fresh).subQuestion];
  const question = /^Question: (.+)$/mu.exec(asked.at(-1)?.content ?? '')?.[1];
  if (first === undefined || second === undefined || question === undefined || first.trim().toLowerCase() === second.trim().toLowerCase()) return undefined;
  const judged = await judge(question, first === '' ? [] : [first], second === '' ? [] : [second], signal).catch((error: unknown) => {
    if (isOfOneReply(error)) return undefined;
    throw error;
  });
  if (!judged) return undefined;
  const { preferences } = judged;
  return DIMENSIONS.reduce((sum, dimension) => sum + (preferences[dimension] === 'second' ? 1 : preferences[dimension] === 'tie' ? 0.5 : 0), 0) / DIMENSIONS.length;
}
