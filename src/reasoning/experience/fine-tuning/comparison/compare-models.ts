import { z } from 'zod';
import { isAbortError } from '../../../../llm/abort.ts';
import { complete } from '../../../../llm/complete.ts';
import { BadReplyError, ContextTooLongError, RefusedError } from '../../../../llm/errors.ts';
import type { ChatMessage, LanguageModel } from '../../../../llm/language-model.ts';
import type { ScoredPair } from '../../gate.ts';
import { answerF1 } from '../../../answer/answer-metrics.ts';
import { ANSWER_TOKENS } from '../../../prompts/answer.ts';
import { readAnswer } from '../../../prompts/read-answer.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { PairJudge } from './judge-pair.ts';

/** Tokens that a held-out reply may have: as many as the longest form gets in a run. */
const REPLY_TOKENS = ANSWER_TOKENS.outline;

const lineShape = z.object({ messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(2) });

/** What models are compared on (see export-chat.ts). */
export interface HeldOutLines {
  /** Chat-format JSON lines, each one's last message being the reply that ended well. */
  lines: string;
  /** The question that each line belongs to; lines beyond the list count as one question more. */
  questions: readonly string[];
}

export interface ModelComparison {
  before: LanguageModel;
  after: LanguageModel;
  /** Compares the sub-questions of both where they differ, on RISE's four dimensions; undefined: by words alone. */
  judge?: PairJudge;
}

/**
 * Scores two models on lines that neither was trained on: a pair for each, named by its question. A verdict counts when it is the same;
 * an answer by token F1 of its short form; sub-questions by token F1 and, in equal parts, by the judge. All scores are 0..1. @throws the models' errors but those of a single reply: a model's counts 0, a judge's is left out
 */
export async function compareModels(heldOut: HeldOutLines, { before, after, judge }: ModelComparison, signal: AbortSignal, progress: (done: number, total: number) => void = () => undefined): Promise<ScoredPair[]> {
  const lines = heldOut.lines.split('\n').filter((line) => line !== '');
  const pairs: ScoredPair[] = [];
  for (const [i, line] of lines.entries()) {
    signal.throwIfAborted();
    const { messages } = lineShape.parse(JSON.parse(line));
    const wanted = messages.at(-1)?.content ?? '';
    const asked = messages.slice(0, -1);
    const [old, fresh] = [await replyOf(before, asked, signal), await replyOf(after, asked, signal)];
    const score = { before: likeness(old, wanted), after: likeness(fresh, wanted) };
    const preferred = judge && partsOf(wanted).steps && (await preference(judge, asked, old, fresh, signal));
    pairs.push({ id: heldOut.questions[i] ?? '', before: preferred === undefined ? score.before : (score.before + 1 - preferred) / 2, after: preferred === undefined ? score.after : (score.after + preferred) / 2 });
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
  /** Sub-questions, none to stop; undefined for replies of other kinds. */
  steps?: readonly string[];
}

const jsonShape = z.object({ verdict: z.string().optional(), question: z.string().optional(), questions: z.array(z.string()).optional() });

function partsOf(reply: string): ReplyParts {
  const [opens, closes] = [reply.indexOf('{'), reply.lastIndexOf('}')];
  const json = opens >= 0 && closes > opens ? reply.slice(opens, closes + 1) : undefined;
  if (json !== undefined) {
    try {
      const { verdict, question, questions } = jsonShape.parse(JSON.parse(json));
      if (verdict !== undefined) return { text: reply, verdict };
      const steps = questions ?? (question === undefined ? undefined : [question].filter(Boolean));
      if (steps) return { text: steps.length === 0 ? 'stop' : steps.join('\n'), steps };
    } catch {
      // no JSON of ours: its words count
    }
  }
  return { text: readAnswer(reply)?.short ?? '' };
}

/** How far the second's sub-questions are preferred, 0..1; undefined where there is nothing to judge, or the judge's word cannot be read. */
async function preference(judge: PairJudge, asked: readonly ChatMessage[], old: string, fresh: string, signal: AbortSignal): Promise<number | undefined> {
  const [first, second] = [partsOf(old).steps, partsOf(fresh).steps];
  if (!first || !second || sameWords(first, second)) return undefined;
  const judged = await judge(questionOf(asked), first, second, signal).catch((error: unknown) => {
    if (isOfOneReply(error)) return undefined;
    throw error;
  });
  if (!judged) return undefined;
  const { preferences } = judged;
  return DIMENSIONS.reduce((sum, dimension) => sum + (preferences[dimension] === 'second' ? 1 : preferences[dimension] === 'tie' ? 0.5 : 0), 0) / DIMENSIONS.length;
}

/** The question of a prompt for sub-questions: a line of its last message (next-sub-question.ts), or all of it (decompose.ts). */
function questionOf(asked: readonly ChatMessage[]): string {
  const last = asked.at(-1)?.content ?? '';
  return /^Question: (.+)$/mu.exec(last)?.[1] ?? last;
}

const sameWords = (first: readonly string[], second: readonly string[]): boolean => formOf(first) === formOf(second);
const formOf = (steps: readonly string[]): string => steps.map((step) => step.trim().toLowerCase()).join('\n');
