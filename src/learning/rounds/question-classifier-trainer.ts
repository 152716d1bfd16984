import type { LabelledTrail, QuestionClassification, Retriever } from '#search';
import {
  adaptClassifier,
  type ClassifierModel,
  EmbeddedClassifier,
  type LabelledQuestion,
  parseClassifierModel,
  type PredictedType,
  type TypedVector,
} from '#research';
import { splitByQuestion, wholeOf, type Split } from '../gate.ts';
import type { LocalTrainer } from './offline-round.ts';

export const QUESTION_CLASSIFIER = 'question-classifier';

interface QuestionClassifierPorts {
  /** Trails that answered, the user's own and those of questions made from the workspace. */
  trails(signal?: AbortSignal): Promise<LabelledTrail[]>;
  /** The classifier that the product came with. */
  shipped(): Promise<ClassifierModel>;
  /** Questions of all types that are trained on again in each round, so that they are not forgotten. */
  rehearsed(): Promise<LabelledQuestion[]>;
  embed: Retriever['embed'];
  split: Split;
}

/**
 * Question types, learnt further from what it took to answer: a question that one passage answered was a lookup here,
 * one that took several was none, whatever its words suggested. Judged by how many held-out questions get the type that
 * their trail gives them.
 */
export function questionClassifierTrainer({
  trails,
  shipped,
  rehearsed,
  embed,
  split,
}: QuestionClassifierPorts): LocalTrainer {
  const typed = async (
    some: readonly LabelledTrail[],
    signal: AbortSignal,
  ): Promise<(TypedVector & { whole: string })[]> => {
    const teacher = new EmbeddedClassifier(await shipped(), embed);
    const vectors = await embed(
      some.map((trail) => trail.question),
      signal,
    );
    const questions: (TypedVector & { whole: string })[] = [];
    for (const [i, trail] of some.entries()) {
      const vector = vectors[i];
      if (vector)
        questions.push({
          question: trail.question,
          whole: wholeOf(trail),
          vector,
          type: typeByTrail(new Set(trail.passageIds).size, await teacher.classify(trail.question, signal)),
        });
    }
    return questions;
  };
  const sides = async (signal?: AbortSignal): Promise<{ training: LabelledTrail[]; heldOut: LabelledTrail[] }> =>
    splitByQuestion(await trails(signal), split);
  return {
    name: QUESTION_CLASSIFIER,
    least: 20,
    examples: async () => (await sides()).training.length,
    async train(signal) {
      const old = await rehearsed();
      const vectors = await embed(
        old.map(({ question }) => question),
        signal,
      );
      return adaptClassifier(
        await shipped(),
        await typed((await sides(signal)).training, signal),
        old.flatMap((one, i) => {
          const vector = vectors[i];
          return vector ? [{ ...one, vector }] : [];
        }),
      );
    },
    async compare({ before, after }, signal) {
      const [old, fresh] = [
        new EmbeddedClassifier(classifierOf(before) ?? (await shipped()), embed),
        new EmbeddedClassifier(classifierOf(after) ?? (await shipped()), embed),
      ];
      const pairs = [];
      for (const { question, whole, type } of await typed((await sides(signal)).heldOut, signal)) {
        const right = async (classifier: EmbeddedClassifier): Promise<number> =>
          (await classifier.classify(question, signal)).type === type ? 1 : 0;
        pairs.push({ id: whole, before: await right(old), after: await right(fresh) });
      }
      return pairs;
    },
  };
}

/** What is stored in the trainer's slot; undefined: what the product came with. */
export const classifierOf = (stored: unknown): ClassifierModel | undefined =>
  stored === undefined ? undefined : parseClassifierModel(stored, 'what was learnt');

const SEVERAL_PASSAGES = ['inference', 'comparison', 'temporal'] as const satisfies readonly PredictedType[];

/**
 * The type by the number of passages that the answer took, as far as that tells: it decides between lookup and the
 * types of several hops, and leaves to the wording which of those it is. A summary may rest on any number.
 */
export function typeByTrail(
  passages: number,
  { type, probabilities }: Pick<QuestionClassification, 'type' | 'probabilities'>,
): PredictedType {
  if (passages > 1 && type === 'lookup')
    return [...SEVERAL_PASSAGES].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0))[0] ?? 'inference';
  if (passages === 1 && type === 'inference') return 'lookup';
  return type === 'null' ? 'inference' : type;
}
