/** What this room offers to the others. */
export { hostOf, provenanceOf, type ExperienceRecord, type Provenance } from './experience/experience-record.ts';
export { ExperienceStore } from './experience/experience-store.ts';
export { EQUAL_WEIGHTS, readLossWeights, type LossWeights } from './fine-tuning/export-chat.ts';
export { fineTunedModel, openFineTuning } from './fine-tuning/fine-tuned-model.ts';
export { FineTuningError } from './fine-tuning/fine-tuning-api.ts';
export type { FineTuning, RoundRequest } from './fine-tuning/fine-tuning.ts';
export {
  isAtService,
  standingModel,
  storedRound,
  withPrice,
  type LearningRound,
} from './fine-tuning/learning-round.ts';
export type { GateVerdict } from './gate.ts';
export { openLearning, type Learning } from './open-learning.ts';
export { answerMade, CALLS_PER_MADE, type AnsweredQuestions } from './rounds/made-questions.ts';
export { mostCalls } from './rounds/model-calls.ts';
export type { LearningProgress } from './rounds/offline-learning.ts';
export type { OfflineRoundState, TrainerResult } from './rounds/offline-round.ts';
export { ALL_AGENTS, type AgentName } from './strategy/agent.ts';
export { parseGraphName } from './strategy/graph.ts';
export type { QualitySigns } from './strategy/decision.ts';
export { describeStrategy, type StrategyRecord } from './strategy/strategy-report.ts';
