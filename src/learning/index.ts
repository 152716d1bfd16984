/** What this room offers to the others. */
export { hostOf, provenanceOf, type ExperienceRecord, type Provenance } from './experience/experience-record.ts';
export { ExperienceStore } from './experience/experience-store.ts';
export { EQUAL_WEIGHTS, readLossWeights, type LossWeights } from './fine-tuning/export-chat.ts';
export { fineTunedModel, openFineTuning } from './fine-tuning/fine-tuned-model.ts';
export { FineTuningError } from './fine-tuning/fine-tuning-api.ts';
export type { FineTuning, RoundRequest } from './fine-tuning/fine-tuning.ts';
export type { GateVerdict } from './fine-tuning/gate.ts';
export {
  isAtService,
  standingModel,
  storedRound,
  withPrice,
  type LearningRound,
} from './fine-tuning/learning-round.ts';
export { openLearning, type Learning } from './open-learning.ts';
export type { QualitySigns } from './strategy/decision.ts';
export { PAPER_AGENTS as ALL_AGENTS, parseGraphName, type AgentName } from './strategy/graph.ts';
export { modelClass, type ModelClass } from './strategy/question-features.ts';
export { describeStrategy, type StrategyRecord } from './strategy/strategy-report.ts';
