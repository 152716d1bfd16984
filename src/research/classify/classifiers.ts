import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { cosine, HoptrailError, lazy, sum, throwIfAborted, throwIfCancelled } from '#base';
import type { QuestionClassification, QuestionType, Retriever } from '#search';
import { promptOf } from '../context/ask-model.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import type { ChatMessage, LanguageModel, TokenUsage } from '../language-model/language-model.ts';
import { requestStructured } from '../language-model/structured-reply.ts';

export function softmaxProbabilities({ weights, bias }: SoftmaxWeights, features: readonly number[]): number[] {
  const scoreOf = (row: number[], k: number): number =>
    row.reduce((score, weight, i) => score + weight * (features[i] ?? 0), bias[k] ?? 0);
  const scores = weights.map(scoreOf);
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

/** Types that a question can be told from its words. `null` is not among them: it is a verdict after looking. */
export const PREDICTED_TYPES = [
  'inference',
  'comparison',
  'temporal',
  'lookup',
  'overview',
] as const satisfies readonly QuestionType[];

export type PredictedType = (typeof PREDICTED_TYPES)[number];

/** Port: the type of a question, told from its text alone. Rejects with AbortError on abort; never predicts `null`. */
export interface QuestionClassifier {
  /** @param onUsage Told what a language model took for it, so that the run's budget can count it. */
  classify(
    text: string,
    signal?: AbortSignal,
    onUsage?: (usage: TokenUsage, calls: number) => void,
  ): Promise<QuestionClassification>;
}

export interface LabelledQuestion {
  question: string;
  type: PredictedType;
}

/** The trained classifier's file is missing or damaged, or belongs to another version. */
export class ClassifierModelError extends HoptrailError {
  readonly code = 'classifier-model';

  constructor(file: string, problem: string, options?: ErrorOptions) {
    const advice = { advice: 'Install Hoptrail again.', action: 'show-log' } as const;
    super(`The question classifier ${file} cannot be used: ${problem}`, { ...options, ...advice });
  }
}

const modelSchema = z.object({
  version: z.literal(2),
  classes: z.array(z.enum(PREDICTED_TYPES)).min(2),
  /** One row of weights per class, in the order of `classes`; features in order. */
  weights: z.array(z.array(z.number())),
  bias: z.array(z.number()),
  /** Length of the encoder's vectors, and the factor that they are multiplied by before the weights. */
  dimensions: z.number().int().positive(),
  vectorScale: z.number().positive(),
});

/** Multinomial logistic regression over a question's forms and the bundled encoder's vector of it. */
export type ClassifierModel = z.infer<typeof modelSchema>;
export type SoftmaxWeights = Pick<ClassifierModel, 'weights' | 'bias'>;

/** @throws ClassifierModelError */
export async function readClassifierModel(file: string): Promise<ClassifierModel> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new ClassifierModelError(file, 'it cannot be read.', { cause });
  }
  return parseClassifierModel(parsed, file);
}

/** A model that was read from `file`, checked against what this version computes. @throws ClassifierModelError */
export function parseClassifierModel(parsed: unknown, file: string): ClassifierModel {
  const checked = modelSchema.safeParse(parsed);
  if (!checked.success)
    throw new ClassifierModelError(file, 'it does not have the expected form.', { cause: checked.error });
  const model = checked.data;
  const { classes, weights, bias, dimensions } = model;
  const features = formFeatures('').length + dimensions;
  const fits = [bias, weights].every(({ length }) => length === classes.length);
  if (!fits || weights.some((row) => row.length !== features))
    throw new ClassifierModelError(file, 'its weights do not fit its features.');
  return model;
}

const NAMES = /(?<=[^.?!]\s)\p{Lu}[\p{L}\p{N}]{1,40}(?:\s\p{Lu}[\p{L}\p{N}]{1,40}){0,5}/gu;

/** Forms of a question that hold in any language, from 0 to 1: its length, names, quotations, numbers and signs. */
function formFeatures(text: string): number[] {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const upTo = (most: number, number: number): number => Math.max(0, Math.min(most, number)) / most;
  const words = count(/\S+/gu);
  const names = count(NAMES);
  const questions = count(/[?？]/gu);
  return [
    upTo(10, words),
    upTo(20, words - 10),
    upTo(1, names),
    upTo(3, names - 1),
    upTo(2, count(/["“«„‘`]/gu)),
    upTo(3, count(/\p{N}+/gu)),
    upTo(1, questions),
    upTo(1, questions - 1),
    upTo(3, count(/[,，、;:]/gu)),
  ];
}

export const questionFeatures = (text: string, vector: Float32Array, scale: number): number[] => [
  ...formFeatures(text),
  ...Array.from(vector, (value) => value * scale),
];

export function toClassification(
  classes: readonly PredictedType[],
  probabilities: readonly number[],
): { type: PredictedType; probabilities: Partial<Record<PredictedType, number>> } {
  let best = 0;
  probabilities.forEach((probability, k) => {
    if (probability > (probabilities[best] ?? 0)) best = k;
  });
  return {
    type: classes[best] ?? 'inference',
    probabilities: Object.fromEntries(classes.map((name, k) => [name, probabilities[k] ?? 0])),
  };
}

const examplesSchema = z.record(z.enum(PREDICTED_TYPES), z.array(z.string().min(1)).min(1));

/** The labelled examples that ship with Hoptrail. @throws ClassifierModelError */
export async function readQuestionExamples(file: string): Promise<LabelledQuestion[]> {
  try {
    const byType = examplesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return PREDICTED_TYPES.flatMap((type) => byType[type].map((question) => ({ question, type })));
  } catch (cause) {
    throw new ClassifierModelError(file, 'its examples cannot be read.', { cause });
  }
}

/** The classifier of that name; without a language model the embedded one stands in, and its classifications say so. */
export type ClassifierByName = (
  name: ResearchOptions['classifier'],
  model: LanguageModel | undefined,
) => QuestionClassifier;

const evenly = Object.fromEntries(PREDICTED_TYPES.map((type) => [type, 1 / PREDICTED_TYPES.length]));

/** The classifiers over the files in the models folder, read at first use. They reject with ClassifierModelError. */
export function createClassifiers(modelsDirectory: string, retriever: Pick<Retriever, 'embed'>): ClassifierByName {
  const embed: Retriever['embed'] = (texts, signal) => retriever.embed(texts, signal);
  const weights = lazy(() => readClassifierModel(join(modelsDirectory, 'question-classifier.json')));
  const examples = lazy(async () =>
    nearestExamples(await readQuestionExamples(join(modelsDirectory, 'question-examples.json')), embed),
  );
  const embedded: QuestionClassifier = {
    async classify(text, signal) {
      const model = await weights();
      throwIfAborted(signal);
      // The run will meet a failure of the encoder where it matters, in its retrieval.
      const [vector] = await embed([text], signal).catch((error: unknown) => {
        throwIfCancelled(error, signal);
        return [];
      });
      // Another encoder's vectors mean nothing to the weights: any type is as likely as the others then.
      if (vector?.length !== model.dimensions)
        return { type: 'inference', probabilities: evenly, classifier: 'embedded' };
      const features = questionFeatures(text, vector, model.vectorScale);
      return { ...toClassification(model.classes, softmaxProbabilities(model, features)), classifier: 'embedded' };
    },
  };
  return (name, model) => {
    if (!model || name === 'embedded') return embedded;
    return modelClassifier(model, name, async (text, signal) =>
      name === 'examples' ? (await examples())(text, signal) : [],
    );
  };
}

const CLASSIFY_TOKENS = 60;
const DEADLINE_SECONDS = 120;
/** A reply in words carries no probabilities: the rest is shared out evenly. */
const SAID = 0.8;
/** Nearest examples shown, and of one type, so that the prompt does not give the answer away by its weight. */
const NEIGHBOURS = { most: 8, ofOneType: 4 };

/** The clue is asked for first: a type written after its reason follows from it. */
const classifySchema = z.object({ clue: z.string(), type: z.enum(PREDICTED_TYPES) });

/** BELLE's types (arXiv 2505.11811, §3.1) and two of ours, in our own words. */
const TYPES = `lookup: one fact that stands in one place, asked for by its own name
inference: the answer is reached over a step in between, by something described rather than named ("the firm that …", "X's father", "described in … and …")
comparison: two or more things are held against each other: which one, the same or different, do they agree
temporal: the order of events, a change or consistency over time, or what was true before, after or at a certain time
overview: a summary, a list of everything, how a whole thing works`;

const SYSTEM =
  `You sort questions by what answering them takes. You do not answer them. Types:\n${TYPES}\nReply with ` +
  `JSON: {"clue": "<the words of the question that decide, at most 8>", "type": ` +
  `"${PREDICTED_TYPES.join('|')}"}`;

/** A question to be typed, quoted as data; the most alike example stands last, where it weighs most. */
export function classifyPrompt(question: string, examples: readonly LabelledQuestion[] = []): ChatMessage[] {
  const shown = examples.map((example) => `Question: ${example.question}\nType: ${example.type}`).join('\n\n');
  const before = shown === '' ? '' : `Examples:\n\n${shown}\n\nNow this one.\n`;
  return promptOf(SYSTEM, [`${before}Question: ${JSON.stringify(question)}`]);
}

type Examples = (text: string, signal?: AbortSignal) => Promise<LabelledQuestion[]>;

/** Asks a language model, with the examples that are nearest to a question or with none. */
const modelClassifier = (
  model: LanguageModel,
  classifier: 'zero-shot' | 'examples',
  nearest: Examples,
): QuestionClassifier => ({
  async classify(text, signal, onUsage) {
    throwIfAborted(signal);
    const { value, usage, calls } = await requestStructured(model, {
      messages: classifyPrompt(text, (await nearest(text, signal)).reverse()),
      name: 'question_type',
      schema: classifySchema,
      options: { signal, maxTokens: CLASSIFY_TOKENS, deadlineSeconds: DEADLINE_SECONDS },
    });
    onUsage?.(usage, calls);
    const rest = (1 - SAID) / (PREDICTED_TYPES.length - 1);
    const probabilities = PREDICTED_TYPES.map((name) => [name, name === value.type ? SAID : rest]);
    return { type: value.type, probabilities: Object.fromEntries(probabilities), classifier };
  },
});

/** The examples nearest to a question by embedding, nearest first, and never itself (BELLE §3.1). */
export function nearestExamples(examples: readonly LabelledQuestion[], embed: Retriever['embed']): Examples {
  // Embedded once, at the first question; not under its signal, since later questions wait for them too.
  const vectors = lazy(() => embed(examples.map(({ question }) => question)));
  return async (text, signal) => {
    const known = await vectors();
    const [asked] = await embed([text], signal);
    if (!asked) return [];
    const ranked = examples
      .map((example, i) => ({ example, similarity: cosine(asked, known[i]) }))
      .filter(({ example }) => example.question.trim() !== text.trim())
      .sort((a, b) => b.similarity - a.similarity);
    const taken = new Map<PredictedType, number>();
    return ranked
      .filter(({ example: { type } }) => {
        const count = (taken.get(type) ?? 0) + 1;
        taken.set(type, count);
        return count <= NEIGHBOURS.ofOneType;
      })
      .slice(0, NEIGHBOURS.most)
      .map(({ example }) => example);
  };
}
