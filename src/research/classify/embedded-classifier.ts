import { isAbortError, throwIfAborted } from '#base';
import type { QuestionClassification } from '#search';
import { fullFeatures, softmaxProbabilities, toClassification, type ClassifierModel } from './classifier-model.ts';
import { cueFeatures } from './question-cues.ts';
import type { QuestionClassifier } from './question-classifier.ts';

/** L2-normalised vectors of texts embedded as queries. */
export type EmbedQueries = (texts: readonly string[], signal?: AbortSignal) => Promise<Float32Array[]>;

/**
 * Classifies by the bundled encoder's vector and by cue words, without a language model. Another encoder's vectors mean
 * nothing to the weights: with those, and when the encoder fails, the cues alone decide.
 */
export class EmbeddedClassifier implements QuestionClassifier {
  readonly #model: ClassifierModel;
  readonly #embed: EmbedQueries;

  constructor(model: ClassifierModel, embed: EmbedQueries) {
    this.#model = model;
    this.#embed = embed;
  }

  async classify(text: string, signal?: AbortSignal): Promise<QuestionClassification> {
    throwIfAborted(signal);
    const { classes, full, cuesOnly, dimensions, vectorScale } = this.#model;
    const cues = cueFeatures(text);
    const vector = await this.#vector(text, signal);
    const probabilities =
      vector?.length === dimensions
        ? softmaxProbabilities(full, fullFeatures(cues, vector, vectorScale))
        : softmaxProbabilities(cuesOnly, cues);
    return { ...toClassification(classes, probabilities), classifier: 'embedded' };
  }

  /** Undefined when the encoder fails: the run will meet that failure where it matters, in its retrieval. */
  async #vector(text: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
    try {
      const [vector] = await this.#embed([text], signal);
      return vector;
    } catch (error) {
      if (isAbortError(error) || signal?.aborted) throw error;
      return undefined;
    }
  }
}
