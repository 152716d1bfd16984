/** The bandit's prior as it ships: the graphs that it may choose among, and a state made of outcomes. */
import { ALL_AGENTS, type AgentName } from '#learning';
import {
  ACTION_FEATURES_VERSION,
  type BanditAction,
  type BanditState,
  constantExploration,
  decodeParts,
  type Exploration,
  freshBandit,
  generateGraphs,
  graphName,
  makeGraph,
  PAPER_AGENTS,
  predecessorsOf,
  QUESTION_FEATURES_VERSION,
  remadeBandit,
  type SharedLinUcb,
  sizeOf,
  type StrategyGraph,
  type StrategyOutcome,
  votersOf,
} from '#learning/lab';

/** A communication graph of AQA by its name. */
interface GraphAction {
  name: string;
  graph: StrategyGraph;
}

const toAction = (graph: StrategyGraph): GraphAction => ({ name: graphName(graph), graph });

/** The paper's actions: every graph over these agents; 97 over its three. A person may choose each of them. */
export const paperActions = (agents: readonly AgentName[] = PAPER_AGENTS): GraphAction[] =>
  generateGraphs(agents).map(toAction);

/** No agent sees another's answer: each is asked once, and votes of them cost no further call. 7 of the 97 graphs. */
const answersApart = (graph: StrategyGraph): boolean => graph.edges.every(([, to]) => to === 'vote');

/** Every agent alone, and the votes over the paper's agents that answer apart: what can be gathered with few calls. */
export function apartActions(): GraphAction[] {
  const others = ALL_AGENTS.filter((agent) => !(PAPER_AGENTS as readonly AgentName[]).includes(agent));
  return [
    ...generateGraphs(PAPER_AGENTS).filter(answersApart),
    ...others.flatMap((agent) => makeGraph([[agent, 'vote']]) ?? []),
  ].map(toAction);
}

/**
 * The structure of a graph, in features that all graphs share: an outcome of one also teaches about the others. They
 * are a constant, which agents run, how many answers are counted beyond the first, how many are passed on, and how long
 * the longest path is.
 */
export function actionFeatures(graph: StrategyGraph): Float64Array {
  const passed = graph.edges.filter(([, to]) => to !== 'vote').length;
  return Float64Array.from([
    1,
    ...ALL_AGENTS.map((agent) => (graph.agents.includes(agent) ? 1 : 0)),
    (votersOf(graph).length - 1) / 2,
    passed / 2,
    depthOf(graph) / 2,
  ]);
}

/** Edges on the longest path between agents. */
function depthOf(graph: StrategyGraph): number {
  const depth = new Map<string, number>();
  for (const agent of graph.agents)
    depth.set(agent, Math.max(0, ...predecessorsOf(graph, agent).map((before) => 1 + (depth.get(before) ?? 0))));
  return Math.max(0, ...depth.values());
}

/** The state as JSON. `f32` halves it: enough for a prior that ships. */
export function encodeBandit(
  bandit: SharedLinUcb,
  actions: readonly BanditAction[],
  learntFrom: string,
  encoding: BanditState['encoding'] = 'f64',
  measured: BanditState['measured'] = {},
): BanditState {
  const n = bandit.model.dimensions;
  const { covariance, moments } = bandit.model.parts();
  const values: number[] = [];
  for (let i = 0; i < n; i += 1) for (let j = i; j < n; j += 1) values.push(covariance[i * n + j] as number);
  values.push(...moments.quality, ...moments.cost);
  const bytes = Buffer.alloc(values.length * sizeOf(encoding));
  values.forEach((value, i) =>
    encoding === 'f64' ? bytes.writeDoubleLE(value, i * 8) : bytes.writeFloatLE(value, i * 4),
  );
  return {
    version: 1,
    questionFeatures: QUESTION_FEATURES_VERSION,
    actionFeatures: ACTION_FEATURES_VERSION,
    actions: actions.map((action) => action.name),
    steps: bandit.steps,
    encoding,
    parameters: bytes.toString('base64'),
    measured,
    learntFrom,
  };
}

/** @throws BanditStateError when the state is damaged or was learnt with other features or strategies. */
export function decodeBandit(
  stored: unknown,
  actions: readonly BanditAction[],
  exploration: Exploration,
): SharedLinUcb {
  const { parts, steps } = decodeParts(stored, actions);
  return remadeBandit(actions, exploration, parts, steps);
}

/** What a strategy did on a question: as gathered by the evaluation, or assumed. */
export interface PriorOutcome {
  features: Float64Array;
  /** Name of the strategy; those that are not among the actions are left out. */
  strategy: string;
  outcome: StrategyOutcome;
}

interface PriorOptions {
  actions: readonly BanditAction[];
  /** Questions on which each action was measured, by its name. */
  measured: BanditState['measured'];
}

/**
 * All outcomes together count as so many of a user's own, spread over all strategies and kinds of questions: each of
 * some 50 such cells starts with about ten, enough not to begin with chance, and soon overruled where it is wrong.
 */
const WEIGHT = 500;

/** A state to start from. The same outcomes give the same bytes. */
export function buildPrior(
  outcomes: readonly PriorOutcome[],
  learntFrom: string,
  { actions, measured }: PriorOptions,
): BanditState {
  const bandit = freshBandit(actions, constantExploration());
  const places = new Map(actions.map((action, i) => [action.name, i]));
  const known = outcomes.filter((entry) => places.has(entry.strategy));
  for (const { features, strategy, outcome } of known)
    bandit.learn(features, places.get(strategy) ?? 0, outcome, WEIGHT / known.length);
  return encodeBandit(bandit, actions, learntFrom, 'f32', measured);
}
