import {
  ALONE,
  type OperatorName,
  operatorCalled,
  type ResearchOptions,
  type StrategyChoice,
  type StrategyRoute,
  usualOperators,
} from '#research';
import type { QuestionType } from '#search';
import { inEnglish } from '#search/notices';
import { type AgentName, ALL_AGENTS, describeAgent, PAPER_AGENTS } from './agent.ts';
import {
  describeGraph,
  generateGraphs,
  graphName,
  parseGraphName,
  type StrategyGraph,
  usesEachAnswerOnce,
  votersOf,
} from './graph.ts';
import type { BanditAction } from './bandit/policy.ts';

/** How a plan comes about. */
type PlanWay =
  | { kind: 'usual' } // the usual operators of the question's type
  | { kind: 'operator'; operator: OperatorName }
  | { kind: 'planned'; debate: 'fast' | 'full' } // the model proposes it, in one call or by debate
  | { kind: 'graph'; graph: StrategyGraph };

/** What `auto` chooses among: a plan that looks into the files. */
export interface PlanAction extends BanditAction {
  /** In a sentence about a choice: "one look". */
  title: string;
  way: PlanWay;
}

/**
 * Version of what the names of plans stand for: `usual` was step by step for questions of several steps in the first.
 */
export const PLANS_VERSION = 2;

/** Features that plans have in common, in the order of {@link PlanAction.structure}. */
const PARTS = [
  'constant',
  'usual',
  ...ALONE.map(({ operator }) => operator),
  'planned',
  'debated',
  'votes',
  'passes-on',
] as const;
type Part = (typeof PARTS)[number];

const structureOf = (...parts: Part[]): Float64Array =>
  Float64Array.from(PARTS, (part) => (part === 'constant' || parts.includes(part) ? 1 : 0));

/** Whether an agent looks into the files: a graph of such agents alone gives no answer from memory. */
function looksUp(agent: AgentName): boolean {
  const { operator } = describeAgent(agent);
  return operator !== undefined && operatorCalled(operator).retrieves;
}

const asksModel = (name: OperatorName): boolean => operatorCalled(name).needsModel;

/**
 * The product's actions, in order: of equals the first is chosen. The usual plan of the question's type; one for each
 * operator that retrieves; a plan by one call, and by debate; and AQA's graphs of several agents that retrieve, those
 * that use each answer once (an answer that is both seen and counted counts twice, at the same cost).
 */
export const planActions = (): PlanAction[] => [
  { name: 'usual', title: 'the usual plan', structure: structureOf('usual'), way: { kind: 'usual' } },
  ...ALONE.map(({ name, operator, title }): PlanAction => ({
    name,
    title: title(inEnglish),
    structure: structureOf(operator),
    way: { kind: 'operator', operator },
  })),
  planned('planned', 'a plan made in one call', 'fast'),
  planned('debate', 'a debated plan', 'full'),
  ...generateGraphs(PAPER_AGENTS.filter(looksUp))
    .filter((graph) => graph.agents.length > 1 && usesEachAnswerOnce(graph))
    .map((graph) => graphAction(graph, titleOfGraph(graph))),
];

/**
 * A graph that is none of {@link planActions} and that a person had run, as an action for `auto`; undefined for what is
 * no graph, for one with an agent that answers from memory, which is no answer to a question about files, and for
 * quotes alone: `auto` always asks a model.
 */
export function setGraphAction(name: string): PlanAction | undefined {
  const graph = parseGraphName(name);
  return graph?.agents.every(looksUp) && operatorsOf(graph).some(asksModel)
    ? graphAction(graph, describeGraph(graph))
    : undefined;
}

/**
 * Name under which it is learnt how a strategy that a person fixed has ended: that of the action which goes the same
 * way where there is one, else that of its graph. undefined for quotes alone: no choice is among them.
 * @param usual Operators of the usual plan of the question's type: who fixed these alone went its way.
 */
export function learntAs(
  { route, strategy }: Pick<StrategyChoice, 'route' | 'strategy'>,
  usual: readonly OperatorName[],
): string | undefined {
  switch (route.kind) {
    case 'operator':
      if (!asksModel(route.operator)) return undefined;
      if (isAlone(route.operator, usual)) return 'usual';
      return (
        ALONE.find(({ operator }) => operator === route.operator)?.name ??
        ALL_AGENTS.find((agent) => describeAgent(agent).operator === route.operator) ??
        strategy
      );
    case 'plan':
      return route.debate === 'off' ? 'usual' : route.debate === 'full' ? 'debate' : 'planned';
    case 'custom': {
      const graph = parseGraphName(strategy);
      return graph ? graphName(graph) : strategy;
    }
  }
}

const isAlone = (name: OperatorName, operators: readonly OperatorName[]): boolean =>
  operators.length === 1 && operators[0] === name;

const planned = (name: string, title: string, debate: 'fast' | 'full'): PlanAction => ({
  name,
  title,
  structure: debate === 'full' ? structureOf('planned', 'debated') : structureOf('planned'),
  way: { kind: 'planned', debate },
});

function graphAction(graph: StrategyGraph, title: string): PlanAction {
  const parts: Part[] = operatorsOf(graph).filter((name) => PARTS.includes(name));
  if (votersOf(graph).length > 1) parts.push('votes');
  if (graph.edges.some(([, to]) => to !== 'vote')) parts.push('passes-on');
  return { name: graphName(graph), title, structure: structureOf(...parts), way: { kind: 'graph', graph } };
}

function titleOfGraph(graph: StrategyGraph): string {
  const titles = graph.agents.map((agent) => {
    const operator = describeAgent(agent).operator;
    return ALONE.find((one) => one.operator === operator)?.title(inEnglish) ?? agent;
  });
  return votersOf(graph).length > 1
    ? `a vote of ${titles.join(' and ')}`
    : `${titles.join(', then ')} with that answer in view`;
}

/** Operators of a graph's agents, in the order in which they may start. */
export const operatorsOf = ({ agents }: StrategyGraph): OperatorName[] =>
  agents.flatMap((agent) => describeAgent(agent).operator ?? []);

/** Operators that a plan is known to run before it is made; undefined: the model will say. */
export function operatorsOfWay(
  way: PlanWay,
  type: QuestionType,
  allowed: readonly OperatorName[],
): readonly OperatorName[] | undefined {
  switch (way.kind) {
    case 'usual':
      return usualOperators(type, allowed);
    case 'operator':
      return [way.operator];
    case 'graph':
      return operatorsOf(way.graph);
    case 'planned':
      return undefined;
  }
}

/** A choice of plans: what a person allows, and how much a plan may cost to make. */
export type OpenOptions = Pick<ResearchOptions, 'operators' | 'strategy' | 'effort'>;

/**
 * Places of the plans that a run may choose among: their operators can run here and are allowed. Only who asks for a
 * thorough answer, or to think harder, may get a debate; a fast answer waits for no plan of the model's. What the usual
 * plan of this type is anyway is not offered a second time. The product's choice and its replay both ask here.
 */
export function openPlans(
  actions: readonly PlanAction[],
  type: QuestionType,
  options: OpenOptions,
  canRun: (name: OperatorName) => boolean,
): number[] {
  const usual = usualOperators(type, options.operators);
  const allows = (name: OperatorName): boolean => options.operators.includes(name) && canRun(name);
  return actions.flatMap(({ way }, place) => {
    if (way.kind === 'planned') return mayPlan(way.debate, options) && options.operators.some(canRun) ? [place] : [];
    const operators = operatorsOfWay(way, type, options.operators) ?? [];
    const isTwin = way.kind === 'operator' && isAlone(way.operator, usual);
    // Quotes are no plan of their own; whoever set a graph with quotes in it wanted them there, and they call no model.
    const isOpen = (name: OperatorName): boolean =>
      way.kind === 'graph' && !asksModel(name) ? canRun(name) : allows(name);
    return operators.length > 0 && operators.every(isOpen) && !isTwin ? [place] : [];
  });
}

const mayPlan = (debate: 'fast' | 'full', { strategy, effort }: OpenOptions): boolean =>
  strategy === 'thorough' || effort === 'harder' || (debate === 'fast' && strategy !== 'fast');

/** The route of a plan but a graph's, which needs agents to run. */
export function routeOfPlan(way: Exclude<PlanWay, { kind: 'graph' }>): StrategyRoute {
  switch (way.kind) {
    case 'usual':
      return { kind: 'plan', debate: 'off' };
    case 'operator':
      return way;
    case 'planned':
      return { kind: 'plan', debate: way.debate };
  }
}
