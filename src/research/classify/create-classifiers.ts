import { join } from 'node:path';
import { z } from 'zod';
import { cosine, lazy, throwIfAborted, throwIfCancelled } from '#base';
import type { Retriever } from '#search';
import type { ResearchOptions } from '../context/research-options.ts';
import type { ChatMessage, LanguageModel } from '../language-model/language-model.ts';
import { requestStructured } from '../language-model/structured-reply.ts';
import {
  type LabelledQuestion,
  PREDICTED_TYPES,
  type PredictedType,
  type QuestionClassifier,
  questionFeatures,
  readClassifierModel,
  readQuestionExamples,
  softmaxProbabilities,
  toClassification,
} from './classifier-model.ts';

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
export const classifySchema = z.object({ clue: z.string(), type: z.enum(PREDICTED_TYPES) });

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
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `${before}Question: ${JSON.stringify(question)}` },
  ];
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
