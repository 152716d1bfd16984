import { throwIfAborted } from '../../llm/abort.ts';
import type { LanguageModel } from '../../llm/language-model.ts';
import { requestStructured } from '../../llm/structured-reply.ts';
import type { QuestionClassification } from '../../model/question.ts';
import { CLASSIFY_TOKENS, classifyByExamplesPrompt, classifyPrompt, classifySchema } from '../prompts/classify-question.ts';
import type { EmbedQueries } from './embedded-classifier.ts';
import { PREDICTED_TYPES, type LabelledQuestion, type OnUsage, type PredictedType, type QuestionClassifier } from './question-classifier.ts';

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
    const reply = await requestStructured(this.#model, { messages: classifyPrompt(text), name: 'question_type', schema: classifySchema, options: { signal, maxTokens: CLASSIFY_TOKENS, deadlineSeconds: DEADLINE_SECONDS } });
    onUsage?.(reply.usage, reply.calls);
    return said(reply.value.type, 'zero-shot');
  }
}

/** Asks a language model with the nearest labelled examples by embedding (BELLE, arXiv 2505.11811, §3.1: in-context examples beat zero-shot). */
export class ExamplesClassifier implements QuestionClassifier {
  readonly #model: LanguageModel;
  readonly #examples: readonly LabelledQuestion[];
  readonly #embed: EmbedQueries;
  #vectors: Promise<Float32Array[]> | undefined;

  constructor(model: LanguageModel, examples: readonly LabelledQuestion[], embed: EmbedQueries) {
    this.#model = model;
    this.#examples = examples;
    this.#embed = embed;
  }

  async classify(text: string, signal?: AbortSignal, onUsage?: OnUsage): Promise<QuestionClassification> {
    throwIfAborted(signal);
    const messages = classifyByExamplesPrompt(text, (await this.nearest(text, signal)).reverse());
    const reply = await requestStructured(this.#model, { messages, name: 'question_type', schema: classifySchema, options: { signal, maxTokens: CLASSIFY_TOKENS, deadlineSeconds: DEADLINE_SECONDS } });
    onUsage?.(reply.usage, reply.calls);
    return said(reply.value.type, 'examples');
  }

  /** The nearest examples, nearest first; a question that is an example itself is not shown its own label. */
  async nearest(text: string, signal?: AbortSignal): Promise<LabelledQuestion[]> {
    const vectors = await this.#exampleVectors();
    const [asked] = await this.#embed([text], signal);
    if (!asked) return [];
    const ranked = this.#examples
      .map((example, i) => ({ example, similarity: dot(asked, vectors[i]) }))
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

  /** Embedded once, at the first question; not under its signal, since later questions wait for them too. */
  #exampleVectors(): Promise<Float32Array[]> {
    this.#vectors ??= this.#embed(this.#examples.map((example) => example.question)).catch((error: unknown) => {
      this.#vectors = undefined; // a failed attempt may be made again
      throw error;
    });
    return this.#vectors;
  }
}

function said(type: PredictedType, classifier: 'zero-shot' | 'examples'): QuestionClassification {
  const rest = (1 - SAID) / (PREDICTED_TYPES.length - 1);
  return { type, probabilities: Object.fromEntries(PREDICTED_TYPES.map((name) => [name, name === type ? SAID : rest])), classifier };
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  return b ? a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) : Number.NEGATIVE_INFINITY;
}
