import { z } from 'zod';
import { parsedJson, readJsonLines } from '#base';
import { type ChatMessage, complete, isOfOneReply, type LanguageModel, withoutThoughts } from '#research';
import { messageShape } from '../experience/experience-record.ts';
import type { ScoredPair } from './gate.ts';
import { answerF1 } from './answer-f1.ts';

/** Tokens that a held-out reply may have, as in a run. */
const REPLY_TOKENS = 2000;

/** A line of what a model is trained or compared on. */
export const chatLine = z.object({ messages: z.array(messageShape.pick({ role: true, content: true })).min(2) });

/** What models are compared on (see export-chat.ts). */
export interface HeldOutLines {
  /** Chat-format JSON lines; the last message of each is the reply that ended well. */
  lines: string;
  /** The question that each line belongs to. */
  questions: readonly string[];
}

/**
 * Scores two models on lines that neither was trained on: a pair for each, named by its question. A verdict counts when
 * it is the same, an answer by token F1 of its short form, sub-questions by token F1. All scores are 0..1.
 * @throws the models' errors but those of a single reply, which counts 0
 */
export async function compareModels(
  { lines, questions }: HeldOutLines,
  { before, after }: { before: LanguageModel; after: LanguageModel },
  signal: AbortSignal,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<ScoredPair[]> {
  const { values: examples, damaged } = readJsonLines(lines, chatLine);
  if (damaged[0]) throw damaged[0].problem;
  const pairs: ScoredPair[] = [];
  for (const [i, { messages }] of examples.entries()) {
    signal.throwIfAborted();
    const wanted = partsOf(messages.at(-1)?.content ?? '');
    const score = async (model: LanguageModel): Promise<number> =>
      likeness(await replyOf(model, messages.slice(0, -1), signal), wanted);
    pairs.push({ id: questions[i] ?? '', before: await score(before), after: await score(after) });
    progress(i + 1, examples.length);
  }
  return pairs;
}

/** '' for a reply that cannot be had. */
async function replyOf(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<ReplyParts> {
  try {
    return partsOf((await complete(model, messages, { maxTokens: REPLY_TOKENS, temperature: 0, signal })).text);
  } catch (error) {
    if (!isOfOneReply(error)) throw error;
    return { text: '' };
  }
}

/** How much a reply says what the wanted one says: 1 for the same verdict, token F1 for words. */
function likeness(said: ReplyParts, right: ReplyParts): number {
  if (right.verdict !== undefined) return said.verdict === right.verdict ? 1 : 0;
  return answerF1(said.text, [right.text]);
}

interface ReplyParts {
  text: string;
  verdict?: string;
}

const step = z.union([z.string(), z.object({ question: z.string() }).transform(({ question }) => question)]);
/** The replies of planning, decomposing and judging that the research room asks for. */
const jsonShape = z.object({
  verdict: z.string().optional(),
  question: z.string().nullish(),
  subQuestions: z.array(step).optional(),
});

function partsOf(said: string): ReplyParts {
  const reply = withoutThoughts(said, 'removed').trim();
  const json = parsedJson(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));
  const read = json instanceof SyntaxError ? undefined : jsonShape.safeParse(json.value).data;
  if (read?.verdict !== undefined) return { text: reply, verdict: read.verdict };
  const steps = read?.subQuestions ?? (read?.question === undefined ? undefined : [read.question ?? '']);
  if (steps) return { text: steps.filter((one) => one.trim() !== '').join('\n') || 'stop' };
  return { text: /^[\s>*_#-]{0,8}Short\W{1,8}(.*)$/imu.exec(reply)?.[1]?.trim() ?? reply };
}
