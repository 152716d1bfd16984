/** What experiments see of this room, beyond what it offers to everybody. */
export * from './index.ts';
export { answerF1, normaliseAnswer } from './fine-tuning/answer-f1.ts';
export { penalisedCost } from './strategy/decision.ts';
export {
  generateGraphs,
  graphName,
  makeGraph,
  PAPER_AGENTS,
  type GraphEdge,
  type StrategyGraph,
} from './strategy/graph.ts';
export { argMax, LinUcb, rewardOf, type Policy } from './strategy/lin-ucb.ts';
export { PLANS, type PlanAction } from './strategy/plans.ts';
export type { MeasuredOutcome, StrategyPrior } from './strategy/prior.ts';
export {
  likeliestType,
  QUESTION_FEATURES,
  QUESTION_FEATURES_VERSION,
  questionFeatures,
} from './strategy/question-features.ts';
export {
  executeGraph,
  operatorAgents,
  type Agent,
  type AgentInput,
  type AgentReply,
  type Agents,
} from './strategy/run-graph.ts';
export { choosePlan } from './strategy/strategy-selector.ts';
