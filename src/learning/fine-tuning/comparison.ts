import { z } from 'zod';
import { mean, readJsonLines } from '#base';
import {
  ANSWER_TOKENS,
  answerF1,
  type ChatMessage,
  complete,
  escapeForPrompt,
  isOfOneReply,
  type LanguageModel,
  readAnswer,
  requestStructured,
  withoutThoughts,
} from '#research';
import type { ScoredPair } from '../gate.ts';

/** What RISE compares decompositions on (He et al. 2025). */
export const DIMENSIONS = ['conciseness', 'rationality', 'sequencing', 'goal-orientation'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Which of two is better; `tie` when neither is. */
export type Preference = 'first' | 'second' | 'tie';
export type Preferences = Record<Dimension, Preference>;

/** A question and its sub-questions, in order. */
export interface Decomposition {
  question: string;
  steps: readonly string[];
}

const OPPOSITE: Readonly<Record<Preference, Preference>> = { first: 'second', second: 'first', tie: 'tie' };

const JUDGE_TOKENS = 200;
const verdict = z.enum(['A', 'B', 'tie']);
const judgeSchema = z.object({
  reason: z.string(),
  conciseness: verdict,
  rationality: verdict,
  sequencing: verdict,
  goalOrientation: verdict,
});
export type JudgeReply = z.infer<typeof judgeSchema>;

const stepsOf = (steps: readonly string[]): string =>
  steps.length === 0 ? '(none)' : steps.map((step, i) => `${i + 1}. ${escapeForPrompt(step)}`).join('\n');

const FORM =
  '{"reason": "<at most 25 words>", "conciseness": "A|B|tie", "rationality": "A|B|tie", "sequencing": "A|B|tie", ' +
  '"goalOrientation": "A|B|tie"}';

/** Compares two decompositions of one question on the four dimensions of RISE (He et al. 2025). */
export function judgePrompt(question: string, a: readonly string[], b: readonly string[]): ChatMessage[] {
  return [
    {
      role: 'system',
      content: `You compare two ways to split a question into sub-questions. Judge each point on its own:
conciseness: no step is superfluous or says the same as another
rationality: each step makes sense and can be looked up
sequencing: each step comes after those whose answers it needs
goalOrientation: together the steps lead to what is asked
Say "tie" where neither is better. The order in which they are shown means nothing. Reply with JSON: ${FORM}`,
    },
    { role: 'user', content: `Question: ${escapeForPrompt(question)}\n\nA:\n${stepsOf(a)}\n\nB:\n${stepsOf(b)}` },
  ];
}

export interface PairVerdict {
  /** A preference only where both orders agree; a tie otherwise. */
  preferences: Preferences;
  /** What was said with the first shown first, and with the second shown first (turned back). */
  orders: [Preferences, Preferences];
  tokens: number;
}

/** Port: who compares two decompositions of a question. Rejects with AbortError and the model's errors. */
export type PairJudge = (
  question: string,
  first: readonly string[],
  second: readonly string[],
  signal: AbortSignal,
) => Promise<PairVerdict>;

/**
 * A language model as judge: asked twice with the order swapped, because models prefer a place (Zheng et al. 2023,
 * §3.3).
 */
export const modelJudge =
  (model: LanguageModel): PairJudge =>
  async (question, first, second, signal) => {
    const ask = async (a: readonly string[], b: readonly string[]): Promise<{ value: JudgeReply; tokens: number }> => {
      const { value, usage } = await requestStructured(model, {
        messages: judgePrompt(question, a, b),
        name: 'comparison',
        schema: judgeSchema,
        options: { signal, maxTokens: JUDGE_TOKENS },
      });
      return { value, tokens: usage.inputTokens + usage.outputTokens };
    };
    const straight = await ask(first, second);
    const swapped = await ask(second, first);
    const orders: [Preferences, Preferences] = [
      readPreferences(straight.value),
      mapDimensions((dimension) => OPPOSITE[readPreferences(swapped.value)[dimension]]),
    ];
    return { orders, preferences: agreed(orders), tokens: straight.tokens + swapped.tokens };
  };

/** What both orders say; a tie where they differ. */
const agreed = ([straight, swapped]: readonly [Preferences, Preferences]): Preferences =>
  mapDimensions((dimension) => (straight[dimension] === swapped[dimension] ? straight[dimension] : 'tie'));

export function mapDimensions<T>(of: (dimension: Dimension) => T): Record<Dimension, T> {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, of(dimension)])) as Record<Dimension, T>;
}

const readPreferences = (reply: JudgeReply): Preferences => ({
  conciseness: PREFERENCE[reply.conciseness],
  rationality: PREFERENCE[reply.rationality],
  sequencing: PREFERENCE[reply.sequencing],
  'goal-orientation': PREFERENCE[reply.goalOrientation],
});

const PREFERENCE = { A: 'first', B: 'second', tie: 'tie' } as const;

/** Tokens that a held-out reply may have: as many as the longest form gets in a run. */
const REPLY_TOKENS = ANSWER_TOKENS.outline;

/** A line of what a model is trained or compared on. */
export const chatLine = z.object({
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(2),
});

/** What models are compared on (see export-chat.ts). */
export interface HeldOutLines {
  /** Chat-format JSON lines, each one's last message being the reply that ended well. */
  lines: string;
  /** The question that each line belongs to; lines beyond the list count as one question more. */
  questions: readonly string[];
}

interface ModelComparison {
  before: LanguageModel;
  after: LanguageModel;
  /** Compares the sub-questions of both where they differ, on RISE's four dimensions; undefined: by words alone. */
  judge?: PairJudge;
}

/**
 * Scores two models on lines that neither was trained on: a pair for each, named by its question. A verdict counts when
 * it is the same; an answer by token F1 of its short form; sub-questions by token F1 and, in equal parts, by the judge.
 * All scores are 0..1. @throws the models' errors but those of a single reply: a model's counts 0, a judge's is left
 * out
 */
export async function compareModels(
  heldOut: HeldOutLines,
  { before, after, judge }: ModelComparison,
  signal: AbortSignal,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<ScoredPair[]> {
  const { values: examples, damaged } = readJsonLines(heldOut.lines, chatLine);
  if (damaged[0]) throw damaged[0].problem;
  const pairs: ScoredPair[] = [];
  for (const [i, { messages }] of examples.entries()) {
    signal.throwIfAborted();
    const wanted = messages.at(-1)?.content ?? '';
    const asked = messages.slice(0, -1);
    const [old, fresh] = [await replyOf(before, asked, signal), await replyOf(after, asked, signal)];
    const score = { before: likeness(old, wanted), after: likeness(fresh, wanted) };
    const preferred = judge && partsOf(wanted).steps && (await preference(judge, asked, old, fresh, signal));
    pairs.push({
      id: heldOut.questions[i] ?? '',
      before: preferred === undefined ? score.before : (score.before + 1 - preferred) / 2,
      after: preferred === undefined ? score.after : (score.after + preferred) / 2,
    });
    progress(i + 1, examples.length);
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

const jsonShape = z.object({
  verdict: z.string().optional(),
  question: z.string().optional(),
  questions: z.array(z.string()).optional(),
});

function partsOf(said: string): ReplyParts {
  const reply = withoutThoughts(said, 'removed');
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

/**
 * How far the second's sub-questions are preferred, 0..1; undefined where there is nothing to judge, or the judge's
 * word cannot be read.
 */
async function preference(
  judge: PairJudge,
  asked: readonly ChatMessage[],
  old: string,
  fresh: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [first, second] = [partsOf(old).steps, partsOf(fresh).steps];
  if (!first || !second || sameWords(first, second)) return undefined;
  const judged = await judge(questionOf(asked), first, second, signal).catch((error: unknown) => {
    if (isOfOneReply(error)) return undefined;
    throw error;
  });
  if (!judged) return undefined;
  const { preferences } = judged;
  return mean(DIMENSIONS.map((dimension) => PREFERS_SECOND[preferences[dimension]]));
}

const PREFERS_SECOND: Readonly<Record<Preference, number>> = { first: 0, second: 1, tie: 0.5 };

/**
 * The question of a prompt for sub-questions: a line of its last message (next-step.ts), or all of it
 * (decompose.ts).
 */
function questionOf(asked: readonly ChatMessage[]): string {
  const last = asked.at(-1)?.content ?? '';
  return /^Question: (.+)$/mu.exec(last)?.[1] ?? last;
}

const sameWords = (first: readonly string[], second: readonly string[]): boolean => formOf(first) === formOf(second);
const formOf = (steps: readonly string[]): string => steps.map((step) => step.trim().toLowerCase()).join('\n');
