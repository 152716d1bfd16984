import {
  ANSWER_TOKENS,
  answerPrompt,
  BadReplyError,
  type ChatMessage,
  complete,
  type LanguageModel,
  passageBlock,
  PASSAGES_ARE_DATA,
  readAnswer,
  requestStructured,
} from '#research';
import type { Passage, Reading, Retriever } from '#search';
import { normaliseVote } from '../strategy/execute-graph.ts';
import { type Bridge, findBridges, type MadeQuestion, namesLink, templateQuestions } from './made-questions.ts';
import { z } from 'zod';
import { cosine, type JsonFile, shuffled, throwIfAborted } from '#base';
import { speaksToModel } from '../experience/find-poison.ts';
import { CircuitBreaker } from './model-calls.ts';

/** Why a question is not used. */
type Rejection = 'not-answerable' | 'hop-not-needed' | 'not-new';

/** Port: how well passages carry the answer of a question, 0..1. */
type CarryAnswer = (made: MadeQuestion, passages: readonly Passage[], signal: AbortSignal) => Promise<number>;

/** Both passages must carry the answer this well, and either alone must not … */
const ANSWERABLE = 0.5;
/** … and must be worse by this much. */
const LOSS = 0.1;

/**
 * undefined when the question can be answered from both passages and from neither alone: dropping a hop must lose the
 * answer.
 */
async function checkHops(
  made: MadeQuestion,
  { from, to }: Bridge,
  carries: CarryAnswer,
  signal: AbortSignal,
): Promise<Rejection | undefined> {
  const both = await carries(made, [from, to], signal);
  if (both < ANSWERABLE) return 'not-answerable';
  for (const passage of [from, to]) {
    const alone = await carries(made, [passage], signal);
    if (alone >= ANSWERABLE || alone > both - LOSS) return 'hop-not-needed';
  }
  return undefined;
}

/**
 * By the extractive reader: its probability that the passages carry an answer, nothing when they do not hold the
 * expected one.
 */
const carriesByReader =
  (retriever: Pick<Retriever, 'read'>): CarryAnswer =>
  async ({ question, answer }, passages, signal) => {
    if (
      !passages.some(
        (passage) => plain(passage.text).includes(plain(answer)) || plain(passage.title).includes(plain(answer)),
      )
    )
      return 0;
    const reading: Reading = await retriever.read(
      question,
      passages.map((passage) => passage.id),
      signal,
    );
    return reading.answerability;
  };

/** By a language model: 1 when it gives the expected answer from these passages, else 0. */
const carriesByModel =
  (model: LanguageModel): CarryAnswer =>
  async ({ question, answer }, passages, signal) => {
    const shown = passages.map(({ path, title, text }, i) => ({ number: i + 1, path, title, text }));
    const reply = await complete(model, answerPrompt({ question, passages: shown, known: [], style: 'brief' }), {
      signal,
      maxTokens: ANSWER_TOKENS.brief,
    });
    const [given, wanted] = [normaliseVote(readAnswer(reply.text)?.short ?? ''), normaliseVote(answer)];
    return given !== '' &&
      (given === wanted || ` ${given} `.includes(` ${wanted} `) || ` ${wanted} `.includes(` ${given} `))
      ? 1
      : 0;
  };

const plain = (text: string): string => text.replace(/\s+/gu, ' ').toLowerCase();

const replySchema = z.object({ question: z.string(), answer: z.string() });
const TOKENS = 150;

/** Asks for one question over both passages of a bridge that does not name the link. */
function writeQuestionPrompt({ from, to, names }: Bridge): ChatMessage[] {
  const shown = [from, to].map(({ path, title, text }, i) => ({ number: i + 1, path, title, text }));
  return [
    { role: 'system', content: `You write exam questions about the user's files. ${PASSAGES_ARE_DATA}` },
    {
      role: 'user',
      content:
        `${passageBlock(shown)}\n\nPassage 1 points at passage 2. Write one question whose answer stands in ` +
        `passage 2 and that can only be answered by reading passage 1 first. Describe what passage 1 points at ` +
        `by what passage 1 says of it; never write ${names.map((name) => `"${name}"`).join(' or ')}. Answer it ` +
        `in as few words as possible, copied from passage 2.\nReply with JSON: {"question": "...", "answer": ` +
        `"..."}`,
    },
  ];
}

/**
 * A question by a language model; undefined when it names the link or its answer does not stand in the second passage.
 */
async function writeQuestion(
  bridge: Bridge,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<MadeQuestion | undefined> {
  const { value } = await requestStructured(model, {
    messages: writeQuestionPrompt(bridge),
    name: 'question',
    schema: replySchema,
    options: {
      signal,
      maxTokens: TOKENS,
      justification: 'Hoptrail makes practice questions from passages of this workspace.',
    },
  });
  const [question = '', answer = ''] = [value.question, value.answer].map((said) => said.replace(/\s+/gu, ' ').trim());
  const held = answer !== '' && plain(bridge.to.text).includes(plain(answer));
  return question.endsWith('?') && held && !namesLink(question, bridge) ? { question, answer } : undefined;
}

/** A question made from the workspace itself, with its gold answer and trail. */
export interface ExpandedQuestion extends MadeQuestion {
  /** The trail: both passages, in the order in which they are needed. */
  passageIds: [string, string];
  by: 'template' | 'model';
}

interface ExpansionPorts {
  /** Passages to make questions from. */
  passages: readonly Passage[];
  retriever: Pick<Retriever, 'read' | 'embed'>;
  /** undefined: questions by templates, checked by the extractive reader. */
  model?: LanguageModel;
  /** Questions that are known already: asked, kept, made before. */
  known: readonly string[];
  /** From 0 inclusive to 1 exclusive: which bridges are tried first. */
  random(): number;
  onProgress?(made: number, wanted: number): void;
}

export interface Expansion {
  questions: ExpandedQuestion[];
  bridges: number;
  rejected: Record<Rejection | 'unusable', number>;
  /** Why the model was not asked any more before there were enough; absent: it was, or there is none. */
  problem?: unknown;
}

/** Cosine with a known question from which on a question is not new. */
const KNOWN = 0.92;
/** Bridges tried per question wanted. */
const TRIES = 6;

/**
 * RISE's expansion of the question set (He et al. 2025), from chains of this workspace: at most `count` questions, each
 * answerable, each needing both of its passages, none like another or like a known one. The same input gives the same
 * questions.
 */
export async function expandQuestions(
  { passages, retriever, model, known, random, onProgress }: ExpansionPorts,
  count: number,
  signal: AbortSignal,
): Promise<Expansion> {
  const bridges = shuffled(
    findBridges(passages).filter(({ from, to }) => ![from, to].some((passage) => speaksToModel(passage.text))),
    random,
  );
  const carries = model ? carriesByModel(model) : carriesByReader(retriever);
  const vectors = known.length > 0 ? await retriever.embed(known, signal) : [];
  const expansion: Expansion = {
    questions: [],
    bridges: bridges.length,
    rejected: { 'not-answerable': 0, 'hop-not-needed': 0, 'not-new': 0, unusable: 0 },
  };
  const tryBridge = async (bridge: Bridge): Promise<true> => {
    const candidates = model ? await written(bridge, model, signal) : templateQuestions(bridge);
    if (candidates.length === 0) expansion.rejected.unusable += 1;
    for (const made of candidates) {
      const [vector = new Float32Array()] = await retriever.embed([made.question], signal);
      const rejection = vectors.some((other) => cosine(other, vector) >= KNOWN)
        ? 'not-new'
        : await checkHops(made, bridge, carries, signal);
      if (rejection) {
        expansion.rejected[rejection] += 1;
        continue;
      }
      vectors.push(vector);
      expansion.questions.push({
        ...made,
        passageIds: [bridge.from.id, bridge.to.id],
        by: model ? 'model' : 'template',
      });
      break; // one question a bridge
    }
    return true;
  };
  const breaker = new CircuitBreaker();
  for (const bridge of bridges.slice(0, count * TRIES)) {
    if (expansion.questions.length >= count || breaker.brokenBy !== undefined) break;
    throwIfAborted(signal);
    const tried = model ? await breaker.attempt(signal, () => tryBridge(bridge)) : await tryBridge(bridge);
    if (!tried) expansion.rejected.unusable += 1;
    onProgress?.(expansion.questions.length, count);
  }
  return { ...expansion, ...(breaker.brokenBy !== undefined && { problem: breaker.brokenBy }) };
}

/** A reply that breaks the form costs this bridge and no more. */
async function written(bridge: Bridge, model: LanguageModel, signal: AbortSignal): Promise<MadeQuestion[]> {
  try {
    const made = await writeQuestion(bridge, model, signal);
    return made ? [made] : [];
  } catch (error) {
    if (error instanceof BadReplyError) return [];
    throw error;
  }
}

const questionShape = z.object({
  question: z.string(),
  answer: z.string(),
  passageIds: z.tuple([z.string(), z.string()]),
  by: z.enum(['template', 'model']),
});
const madeShape = z.object({
  version: z.literal(1),
  lots: z.array(z.object({ round: z.number(), questions: z.array(questionShape) })),
});

type Lots = z.infer<typeof madeShape>['lots'];

/** Rounds whose questions are kept. */
const KEPT = 20;

/**
 * Questions that rounds have made, of all workspaces: none is made twice, and those whose passages are still there go
 * on teaching.
 */
export class MadeQuestions {
  readonly #store: JsonFile;
  readonly #onProblem: (error: unknown) => void;

  /** `onProblem` is told of a file that cannot be read: the next round writes it anew. */
  constructor(store: JsonFile, onProblem: (error: unknown) => void) {
    this.#store = store;
    this.#onProblem = onProblem;
  }

  /** Those whose passages are all among these, oldest first. */
  async over(passageIds: ReadonlySet<string>): Promise<ExpandedQuestion[]> {
    const all = (await this.#lots()).flatMap(({ questions }) => questions);
    return all.filter(
      (made) => made.passageIds.every((id) => passageIds.has(id)) && ![made.question, made.answer].some(speaksToModel),
    );
  }

  /** Whether this round has made its questions: one that goes on makes no others. */
  async madeIn(round: number): Promise<boolean> {
    return (await this.#lots()).some((lot) => lot.round === round);
  }

  /** How many rounds have made questions, of those that are kept. */
  async rounds(): Promise<number> {
    return (await this.#lots()).length;
  }

  async add(round: number, questions: readonly ExpandedQuestion[]): Promise<void> {
    const added = (lots: Lots): z.infer<typeof madeShape> => ({
      version: 1,
      lots: [...lots, { round, questions: questions.map((made) => ({ ...made })) }].slice(-KEPT),
    });
    if (await this.#stored()) await this.#store.change((stored) => added(lotsIn(stored)));
    else await this.#store.save(added([]));
  }

  async forget(): Promise<void> {
    await this.#store.save(undefined);
  }

  async #lots(): Promise<Lots> {
    return (await this.#stored()) ?? [];
  }

  /** Undefined where the file cannot be read, which is told. */
  async #stored(): Promise<Lots | undefined> {
    try {
      return lotsIn(await this.#store.load());
    } catch (error) {
      this.#onProblem(error);
      return undefined;
    }
  }
}

const lotsIn = (stored: unknown): Lots => (stored === undefined ? [] : madeShape.parse(stored).lots);
