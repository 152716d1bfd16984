/** What experiments see of this room, beyond what it offers to everybody. */
export * from './index.ts';
export {
  PREDICTED_TYPES,
  questionFeatures,
  toClassification,
  softmaxProbabilities,
  type SoftmaxWeights,
} from './classify/classifiers.ts';
export { jsonSchemaOf, readStructured, repairMessages } from './language-model/structured-reply.ts';
export { emptyChain } from './operators/operator.ts';
