import { z } from 'zod';
import type { ChatMessage, LanguageModel } from '../language-model/language-model.ts';
import {
  type LabelledQuestion,
  type OnUsage,
  PREDICTED_TYPES,
  type PredictedType,
  type QuestionClassifier,
} from './classifier-model.ts';
import { cosine, lazy, throwIfAborted } from '#base';
import { requestStructured } from '../language-model/structured-reply.ts';
import type { QuestionClassification, Retriever } from '#search';

const CLASSIFY_TOKENS = 60;

/** The clue is asked for first: a type written after its reason follows from it. */
export const classifySchema = z.object({ clue: z.string(), type: z.enum(PREDICTED_TYPES) });

/** BELLE's types (arXiv 2505.11811, §3.1) and two of ours, in our own words. */
const TYPES = `lookup: one fact that stands in one place, asked for by its own name
inference: the answer is reached over a step in between, by something described rather than named ("the firm that …", "X's father", "described in … and …")
comparison: two or more things are held against each other: which one, the same or different, do they agree
temporal: the order of events, a change or consistency over time, or what was true before, after or at a certain time
overview: a summary, a list of everything, how a whole thing works`;

/** A question to be typed, zero-shot. */
export function classifyPrompt(question: string): ChatMessage[] {
  return [system(), { role: 'user', content: ask(question) }];
}

/** The same with examples, least alike first: what stands last weighs most with small models. */
export function classifyByExamplesPrompt(question: string, examples: readonly LabelledQuestion[]): ChatMessage[] {
  const shown = examples.map((example) => `Question: ${example.question}\nType: ${example.type}`).join('\n\n');
  return [system(), { role: 'user', content: `Examples:\n\n${shown}\n\nNow this one.\n${ask(question)}` }];
}

function system(): ChatMessage {
  return {
    role: 'system',
    content:
      `You sort questions by what answering them takes. You do not answer them. Types:\n${TYPES}\nReply with ` +
      `JSON: {"clue": "<the words of the question that decide, at most 8>", "type": ` +
      `"${PREDICTED_TYPES.join('|')}"}`,
  };
}

/** The question is data: quoted, so that one which gives orders is sorted like any other. */
const ask = (question: string): string => `Question: ${JSON.stringify(question)}`;

/** A reply in words carries no probabilities: the rest is shared out evenly. */
const SAID = 0.8;
/** Nearest examples shown. */
const NEIGHBOURS = 8;
/** Of which at most so many of one type, so that the prompt does not give the answer away by its weight. */
const PER_TYPE = 4;
const DEADLINE_SECONDS = 120;

/** Asks a language model, without examples. */
export class ZeroShotClassifier implements QuestionClassifier {
  readonly #model: LanguageModel;

  constructor(model: LanguageModel) {
    this.#model = model;
  }

  async classify(text: string, signal?: AbortSignal, onUsage?: OnUsage): Promise<QuestionClassification> {
    return said(await askType(this.#model, classifyPrompt(text), signal, onUsage), 'zero-shot');
  }
}

async function askType(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal | undefined,
  onUsage: OnUsage | undefined,
): Promise<PredictedType> {
  const { value, usage, calls } = await requestStructured(model, {
    messages,
    name: 'question_type',
    schema: classifySchema,
    options: { signal, maxTokens: CLASSIFY_TOKENS, deadlineSeconds: DEADLINE_SECONDS },
  });
  onUsage?.(usage, calls);
  return value.type;
}

/**
 * Asks a language model with the nearest labelled examples by embedding (BELLE, arXiv 2505.11811, §3.1: in-context
 * examples beat zero-shot).
 */
export class ExamplesClassifier implements QuestionClassifier {
  readonly #model: LanguageModel;
  readonly #examples: readonly LabelledQuestion[];
  readonly #embed: Retriever['embed'];
  /** Embedded once, at the first question; not under its signal, since later questions wait for them too. */
  readonly #exampleVectors = lazy(() => this.#embed(this.#examples.map((example) => example.question)));

  constructor(model: LanguageModel, examples: readonly LabelledQuestion[], embed: Retriever['embed']) {
    this.#model = model;
    this.#examples = examples;
    this.#embed = embed;
  }

  async classify(text: string, signal?: AbortSignal, onUsage?: OnUsage): Promise<QuestionClassification> {
    throwIfAborted(signal);
    const messages = classifyByExamplesPrompt(text, (await this.nearest(text, signal)).reverse());
    return said(await askType(this.#model, messages, signal, onUsage), 'examples');
  }

  /** The nearest examples, nearest first; a question that is an example itself is not shown its own label. */
  async nearest(text: string, signal?: AbortSignal): Promise<LabelledQuestion[]> {
    const vectors = await this.#exampleVectors();
    const [asked] = await this.#embed([text], signal);
    if (!asked) return [];
    const ranked = this.#examples
      .map((example, i) => ({ example, similarity: cosine(asked, vectors[i]) }))
      .filter(({ example }) => example.question.trim() !== text.trim())
      .sort((a, b) => b.similarity - a.similarity);
    const taken = new Map<PredictedType, number>();
    return ranked
      .filter(({ example: { type } }) => {
        const count = (taken.get(type) ?? 0) + 1;
        taken.set(type, count);
        return count <= PER_TYPE;
      })
      .slice(0, NEIGHBOURS)
      .map(({ example }) => example);
  }
}

function said(type: PredictedType, classifier: 'zero-shot' | 'examples'): QuestionClassification {
  const rest = (1 - SAID) / (PREDICTED_TYPES.length - 1);
  return {
    type,
    probabilities: Object.fromEntries(PREDICTED_TYPES.map((name) => [name, name === type ? SAID : rest])),
    classifier,
  };
}
