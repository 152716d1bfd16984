import { type AgentName, ALL_AGENTS, PAPER_AGENTS } from './agent.ts';
import { generateGraphs, graphName, singleAgent, type StrategyGraph } from './graph.ts';

/** A communication graph of AQA by its name. */
export interface GraphAction {
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
  return [...generateGraphs(PAPER_AGENTS).filter(answersApart), ...others.map(singleAgent)].map(toAction);
}

/**
 * Every answer is used once: each agent speaks to one other agent or to the vote. The rule that leaves 28 of 97 graphs.
 */
export const usesEachAnswerOnce = (graph: StrategyGraph): boolean => graph.edges.length === graph.agents.length;
