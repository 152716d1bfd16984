import { type AgentName, ALL_AGENTS, describeAgent, PAPER_AGENTS } from './agent.ts';
import { generateGraphs, graphName, singleAgent, type StrategyGraph, votersOf } from './graph.ts';
import type { OperatorName, ResearchOptions } from '#research';

/** One arm of the bandit. */
export interface StrategyAction {
  name: string;
  graph: StrategyGraph;
}

const toAction = (graph: StrategyGraph): StrategyAction => ({ name: graphName(graph), graph });

/** The paper's actions: every graph over these agents; 97 over its three. */
export const paperActions = (agents: readonly AgentName[] = PAPER_AGENTS): StrategyAction[] =>
  generateGraphs(agents).map(toAction);

/** No agent sees another's answer: each is asked once, and votes of them cost no further call. 7 of the 97 graphs. */
export const answersApart = (graph: StrategyGraph): boolean => graph.edges.every(([, to]) => to === 'vote');

/** Every agent alone, and the votes over the paper's agents that answer apart: what can be gathered with few calls. */
export function apartActions(): StrategyAction[] {
  const others = ALL_AGENTS.filter((agent) => !(PAPER_AGENTS as readonly AgentName[]).includes(agent));
  return [...generateGraphs(PAPER_AGENTS).filter(answersApart), ...others.map(singleAgent)].map(toAction);
}

/**
 * Every answer is used once: each agent speaks to one other agent or to the vote. The rule that leaves 28 of 97 graphs.
 */
export const usesEachAnswerOnce = (graph: StrategyGraph): boolean => graph.edges.length === graph.agents.length;

/**
 * A vote of two decides nothing: where they disagree the stronger wins, who would have said the same alone, for less.
 * (Where the stronger finds nothing the weaker would stand in: a guess where a refusal is due.)
 */
export const voteDecides = (graph: StrategyGraph): boolean => votersOf(graph).length !== 2;

/**
 * The product's actions, 21 of them. Three rules: of the graphs over the paper's agents those that use each answer once
 * (an answer that is both seen and counted counts twice, at the same cost) and whose vote decides something; the agents
 * that the paper does not have run alone (BELLE's plan votes inside itself already, and quotes are what a vote cannot
 * count).
 */
export function defaultActions(): StrategyAction[] {
  const alone = ALL_AGENTS.filter((agent) => !(PAPER_AGENTS as readonly AgentName[]).includes(agent));
  return [
    ...generateGraphs(PAPER_AGENTS).filter((graph) => usesEachAnswerOnce(graph) && voteDecides(graph)),
    ...alone.map(singleAgent),
  ].map(toAction);
}

/**
 * Places of the strategies that a run may choose among: every agent's operator can run here and is among those that
 * plans may use (quotes are not, by default: who has a model wants its answer); BELLE's plan always may. The product's
 * choice and its replay both ask here.
 */
export function openActions(
  actions: readonly StrategyAction[],
  { operators }: Pick<ResearchOptions, 'operators'>,
  canRun: (name: OperatorName) => boolean,
): number[] {
  return actions.flatMap(({ graph }, place) =>
    graph.agents.every((agent) => allows(describeAgent(agent).operator, operators, canRun)) ? [place] : [],
  );
}

const allows = (
  name: OperatorName | undefined,
  operators: readonly OperatorName[],
  canRun: (name: OperatorName) => boolean,
): boolean => name === undefined || (operators.includes(name) && canRun(name));
