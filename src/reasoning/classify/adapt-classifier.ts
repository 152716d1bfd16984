import { fullFeatures, type ClassifierModel, type SoftmaxWeights } from './classifier-model.ts';
import type { LabelledQuestion } from './question-classifier.ts';
import { cueFeatures } from './question-cues.ts';
import { trainSoftmax } from './softmax-regression.ts';

/** A question whose type is known, with the encoder's vector of it. */
export interface TypedVector extends LabelledQuestion {
  vector: Float32Array;
}

/** Holds the weights near what was learnt from thousands of questions: a few dozen of one user's move what they speak about. */
const TRAINING = { lambda: 0.05, iterations: 300 };

/**
 * The classifier, learnt further from typed questions: the penalty pulls to the old weights instead of to zero, and as much weight as these
 * have is given to `rehearsed` ones of all types, so that what nobody asked lately is not forgotten. Deterministic; `model` is not changed.
 */
export function adaptClassifier(model: ClassifierModel, questions: readonly TypedVector[], rehearsed: readonly TypedVector[]): ClassifierModel {
  const usable = ({ vector, type }: TypedVector): boolean => vector.length === model.dimensions && model.classes.includes(type);
  const [fresh, old] = [questions.filter(usable), rehearsed.filter(usable)];
  if (fresh.length === 0) return model;
  const known = [...fresh.map((one) => ({ ...one, weight: 1 })), ...old.map((one) => ({ ...one, weight: fresh.length / old.length }))];
  const learn = (around: SoftmaxWeights, features: (one: TypedVector) => number[]): SoftmaxWeights =>
    trainSoftmax(known.map((one) => ({ features: features(one), label: model.classes.indexOf(one.type), weight: one.weight })), model.classes.length, { ...TRAINING, around });
  return {
    ...model,
    full: learn(model.full, ({ question, vector }) => fullFeatures(cueFeatures(question), vector, model.vectorScale)),
    cuesOnly: learn(model.cuesOnly, ({ question }) => cueFeatures(question)),
  };
}
