import { ALL_AGENTS } from '../agent.ts';
import { predecessorsOf, votersOf, type StrategyGraph } from '../graph.ts';

/** Version of {@link actionFeatures}: states learnt with another one are not read. */
export const ACTION_FEATURES_VERSION = 1;

/**
 * What graphs have in common, so that they can learn from one another: a constant, which agents run, how many answers are counted
 * beyond the first, how many are passed on, and how long the longest path is.
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
  for (const agent of graph.agents) depth.set(agent, Math.max(0, ...predecessorsOf(graph, agent).map((before) => 1 + (depth.get(before) ?? 0))));
  return Math.max(0, ...depth.values());
}
