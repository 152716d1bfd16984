/** What this room offers to the others. */
export { provenanceOf, type ExperienceRecord, type Provenance } from './experience/experience-record.ts';
export { ExperienceStore } from './experience/experience-store.ts';
export { EQUAL_WEIGHTS, readLossWeights, type LossWeights } from './fine-tuning/export-chat.ts';
export { fineTunedModel, openFineTuning } from './fine-tuning/fine-tuned-model.ts';
export { FineTuningError } from './fine-tuning/fine-tuning-api.ts';
export type { FineTuning } from './fine-tuning/fine-tuning.ts';
export { isAtService, standingModel, storedRound, type LearningRound } from './fine-tuning/learning-round.ts';
export { openLearning, shippedStrategies, type Learning } from './open-learning.ts';
export type { QualitySigns } from './strategy/decision.ts';
export { PAPER_AGENTS as ALL_AGENTS, parseGraphName, type AgentName } from './strategy/graph.ts';
export { modelClass } from './strategy/question-features.ts';
