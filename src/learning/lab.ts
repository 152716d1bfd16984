/** What experiments see of this room, beyond what it offers to everybody. */
export * from './index.ts';
export type { DecompositionRecord } from './experience/experience-record.ts';
export { RunCollector } from './experience/run-collector.ts';
export {
  DIMENSIONS,
  mapDimensions,
  modelJudge,
  type Decomposition,
  type Dimension,
  type PairJudge,
  type PairVerdict,
  type Preference,
  type Preferences,
} from './fine-tuning/comparison.ts';
export { decideGate, type ScoredPair } from './gate.ts';
export { decompositionExamples, type DecompositionExample } from './rounds/example-pool.ts';
export { decompositionNearness } from './rounds/example-pool-trainer.ts';
export {
  generateGraphs,
  graphName,
  makeGraph,
  predecessorsOf,
  votersOf,
  type GraphEdge,
  type StrategyGraph,
} from './strategy/graph.ts';
export { likeliestType } from './strategy/strategy-report.ts';
export { openPlans, operatorsOfWay, planActions, type PlanAction } from './strategy/plan-actions.ts';
export { PAPER_AGENTS, type Agent, type AgentInput, type AgentReply, type Agents } from './strategy/agent.ts';
export { decodeParts, freshBandit, remadeBandit, sizeOf, type BanditState } from './strategy/bandit/bandit-state.ts';
export {
  ACTION_FEATURES_VERSION,
  annealedExploration,
  argMax,
  constantExploration,
  rewardOf,
  upperBounds,
  type ActionEstimate,
  type BanditAction,
  type Beta,
  type Exploration,
  type Policy,
} from './strategy/bandit/policy.ts';
export { RidgeModel, type StrategyOutcome } from './strategy/bandit/ridge-model.ts';
export { SharedLinUcb } from './strategy/bandit/shared-lin-ucb.ts';
export { bestOf, productExploration } from './strategy/strategy-selector.ts';
export { LEAST_MEASURED } from './strategy/strategy-memory.ts';
export { executeGraph } from './strategy/execute-graph.ts';
export { operatorAgents } from './strategy/operator-agents.ts';
export {
  firstLook,
  QUESTION_FEATURES,
  QUESTION_FEATURES_VERSION,
  questionFeatures,
  type QuestionFeature,
} from './strategy/question-features.ts';
export { penalisedCost } from './strategy/decision.ts';
