/** What experiments see of this room, beyond what it offers to everybody. */
export * from './index.ts';
export { exactMatch, setF1 } from './answer/answer-metrics.ts';
export {
  PREDICTED_TYPES,
  questionFeatures,
  toClassification,
  softmaxProbabilities,
  type SoftmaxWeights,
} from './classify/classifier-model.ts';
export { emptyChain } from './operators/operator.ts';
