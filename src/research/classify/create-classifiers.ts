import { join } from 'node:path';
import type { LanguageModel } from '../language-model/language-model.ts';
import type { Retriever, QuestionClassification } from '#search';
import type { ResearchOptions } from '../context/research-options.ts';
import {
  type ClassifierModel,
  readClassifierModel,
  readQuestionExamples,
  type QuestionClassifier,
  PREDICTED_TYPES,
  questionFeatures,
  softmaxProbabilities,
  toClassification,
} from './classifier-model.ts';
import { ExamplesClassifier, ZeroShotClassifier } from './model-classifier.ts';
import { lazy, throwIfAborted, throwIfCancelled } from '#base';

/** The classifier of that name; without a language model the embedded one stands in, and its classifications say so. */
export type ClassifierByName = (
  name: ResearchOptions['classifier'],
  model: LanguageModel | undefined,
) => QuestionClassifier;

/**
 * The three classifiers over the files in the models folder, read at first use and kept. A classifier of a missing or
 * damaged file rejects with ClassifierModelError.
 */
export function createClassifiers(modelsDirectory: string, retriever: Pick<Retriever, 'embed'>): ClassifierByName {
  const embed: Retriever['embed'] = (texts, signal) => retriever.embed(texts, signal);
  const weights = lazy(() => readClassifierModel(join(modelsDirectory, 'question-classifier.json')));
  const examples = lazy(() => readQuestionExamples(join(modelsDirectory, 'question-examples.json')));
  const embedded: QuestionClassifier = {
    classify: async (text, signal) => new EmbeddedClassifier(await weights(), embed).classify(text, signal),
  };
  // One per model: the examples' vectors are kept between questions.
  const byExamples = new WeakMap<LanguageModel, QuestionClassifier>();
  return (name, model) => {
    if (!model || name === 'embedded') return embedded;
    if (name === 'zero-shot') return new ZeroShotClassifier(model);
    const known = byExamples.get(model) ?? later(async () => new ExamplesClassifier(model, await examples(), embed));
    byExamples.set(model, known);
    return known;
  };
}

/** A classifier that is made when it is first asked. */
function later(make: () => Promise<QuestionClassifier>): QuestionClassifier {
  const made = lazy(make);
  return { classify: async (...question) => (await made()).classify(...question) };
}

const evenly = Object.fromEntries(PREDICTED_TYPES.map((type) => [type, 1 / PREDICTED_TYPES.length]));

/**
 * Classifies by the bundled encoder's vector and the question's forms, without a language model. Another encoder's
 * vectors mean nothing to the weights: with those, and when the encoder fails, any type is as likely as the others, and
 * the question is taken for one over several passages.
 */
class EmbeddedClassifier implements QuestionClassifier {
  readonly #model: ClassifierModel;
  readonly #embed: Retriever['embed'];

  constructor(model: ClassifierModel, embed: Retriever['embed']) {
    this.#model = model;
    this.#embed = embed;
  }

  async classify(text: string, signal?: AbortSignal): Promise<QuestionClassification> {
    throwIfAborted(signal);
    const { classes, dimensions, vectorScale } = this.#model;
    const vector = await this.#vector(text, signal);
    const told =
      vector?.length === dimensions
        ? toClassification(classes, softmaxProbabilities(this.#model, questionFeatures(text, vector, vectorScale)))
        : { type: 'inference' as const, probabilities: evenly };
    return { ...told, classifier: 'embedded' };
  }

  /** Undefined when the encoder fails: the run will meet that failure where it matters, in its retrieval. */
  async #vector(text: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
    try {
      const [vector] = await this.#embed([text], signal);
      return vector;
    } catch (error) {
      throwIfCancelled(error, signal);
      return undefined;
    }
  }
}
