import { HoptrailError, throwIfCancelled } from '#base';
import {
  type NoteStrategy,
  type Operator,
  type OperatorName,
  type ResearchOptions,
  type SelectStrategy,
  type StrategyChoice,
  type StrategyInput,
  type StrategyRoute,
  usualOperators,
} from '#research';
import { type ActionEstimate, annealedExploration, argMax, type Exploration, rewardOf } from './bandit/policy.ts';
import { PriorBeliefs } from './bandit/prior-belief.ts';
import { betaOf } from './decision.ts';
import { costRatio, describeChoice } from './strategy-report.ts';
import { describeAgent } from './agent.ts';
import { describeGraph, parseGraphName, type StrategyGraph, votersOf } from './graph.ts';
import { operatorAgents, runGraph } from './operator-agents.ts';
import {
  learntAs,
  type OpenOptions,
  openPlans,
  operatorsOf,
  type PlanAction,
  planActions,
  routeOfPlan,
} from './plan-actions.ts';
import { firstLook } from './question-features.ts';
import { StrategyMemory } from './strategy-memory.ts';
import type { StrategyStore } from './strategy-store.ts';

/** A setting names a strategy that does not exist. */
export class UnknownStrategyError extends HoptrailError {
  readonly code = 'strategy-unknown';
}

interface StrategySelectorPorts {
  store: StrategyStore;
  /** A state to start from (models/bandit-prior.json, parsed); undefined to start knowing nothing. */
  prior?: unknown;
  /** Operators by name; undefined for one that cannot run here. */
  operator(name: OperatorName): Operator | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Told of a state that could not be read or written: the choice goes on without it. */
  onProblem(error: unknown): void;
  actions?: readonly PlanAction[];
  exploration?: Exploration;
}

/**
 * How curious the product is: α = 0.7/√(1 + n/2), where n counts outcomes, the prior's own among them. The prior that
 * ships counts as 500, so that the first choice is made at α = 0.044 and not at the paper's 2, which is where a
 * bandit without a prior starts: a user's tokens pay for what is tried out. At twice as much, the first hundred choices
 * of `fast` cost more than steps alone in replay (lab/EXPERIMENTS.md).
 */
export const productExploration = (): Exploration => annealedExploration(0.7, 2, 0.02);

/**
 * Chooses plans by LinUCB (AQA), and learns from how their runs end: a memory of outcomes that chooses by them. Graphs
 * run where a person names one; one that looks into the files may be chosen once ten of its outcomes are known.
 */
export class StrategySelector extends StrategyMemory {
  readonly #ports: StrategySelectorPorts;
  readonly #actions: readonly PlanAction[];

  constructor(ports: StrategySelectorPorts) {
    const actions = ports.actions ?? planActions();
    super({ ...ports, actions, exploration: ports.exploration ?? productExploration() });
    this.#ports = ports;
    this.#actions = actions;
  }

  /** The port of the researcher. Leaves a run to others when a debate was asked for and no strategy is fixed. */
  readonly select: SelectStrategy = async (input) => {
    const { options } = input;
    if (options.strategy.startsWith('fixed:'))
      return fixedChoice(options.strategy.slice('fixed:'.length), options, this.#ports);
    return options.debate === 'off' ? choose(input, this.#actions, this, this.#ports) : undefined;
  };

  /**
   * The port of the researcher for what a person fixed: the question is looked up once, as for a choice, so that the
   * outcome can be learnt from. A search that fails costs that lesson, and not the run.
   */
  readonly note: NoteStrategy = async (input, choice) => {
    const { runId, question, classification, options, model, signal } = input;
    const strategy = learntAs(choice, usualOperators(classification.type, options.operators));
    if (!model || !options.record || strategy === undefined) return;
    try {
      const features = await firstLook(input, model);
      this.decided({ runId, question: question.text, strategy, beta: betaOf(options.strategy), features });
    } catch (error) {
      throwIfCancelled(error, signal);
      this.#ports.onProblem(error);
    }
  };

  /** Beliefs in this selector's prior; undefined when it started knowing nothing. */
  beliefs(): PriorBeliefs | undefined {
    return this.hasPrior ? new PriorBeliefs(this.#ports.prior, this.#actions) : undefined;
  }
}

function fixedChoice(name: string, options: ResearchOptions, ports: StrategySelectorPorts): StrategyChoice {
  const graph = parseGraphName(name);
  if (!graph)
    throw new UnknownStrategyError(`There is no strategy called "${name}".`, {
      advice:
        'Set hoptrail.strategy to auto, fast, balanced, thorough, an operator, belle, or a graph such as ' +
        'no-retrieval>ircot,ircot>vote.',
      action: 'open-settings',
    });
  return {
    strategy: name,
    reason: `Asked for: ${describeGraph(graph)}.`,
    origin: 'fixed',
    route: routeOf(graph, options, ports),
  };
}

async function choose(
  input: StrategyInput,
  always: readonly PlanAction[],
  memory: StrategyMemory,
  ports: StrategySelectorPorts,
): Promise<StrategyChoice | undefined> {
  const { question, classification, options, model, runId } = input;
  const { type } = classification;
  const openAmong = (actions: readonly PlanAction[], wanted: OpenOptions): number[] =>
    openPlans(actions, type, wanted, (name) => ports.operator(name) !== undefined);
  if (!model || openAmong(always, options).length === 0) return undefined;
  const features = await firstLook(input, model);
  const { bandit, alpha, actions, isMeasured, isOffered } = await memory.ready();
  const openTo = (wanted: OpenOptions): number[] =>
    openAmong(actions, wanted).filter((place) => isOffered((actions[place] as PlanAction).name));
  const open = openTo(options);
  const estimates = bandit.estimate(features);
  const beta = betaOf(options.strategy);
  const harder = options.effort === 'harder' ? memory.wanting(question.text) : undefined;
  const allowed =
    harder === undefined
      ? open
      : atLeastAsCostly(
          open,
          estimates,
          actions.findIndex((action) => action.name === harder),
        );
  const chosen = bestOf(allowed, estimates, beta, (place) =>
    isMeasured((actions[place] as PlanAction).name) ? alpha : 0,
  );
  const thorough = bestOf(openTo({ ...options, strategy: 'thorough' }), estimates, betaOf('thorough'), () => 0);
  const action = actions[chosen] as PlanAction;
  if (options.record) memory.decided({ runId, question: question.text, strategy: action.name, beta, features });
  const estimate = estimates[chosen] as ActionEstimate;
  const cheapest = open
    .map((place) => estimates[place] as ActionEstimate)
    .reduce((low, other) => (other.expected.cost < low.expected.cost ? other : low));
  return {
    strategy: action.name,
    reason: describeChoice(type, action, estimate, thorough === chosen ? undefined : estimates[thorough]),
    origin: 'chosen',
    relativeCost: Math.round(10 * costRatio(estimate, cheapest)) / 10,
    route: action.way.kind === 'graph' ? routeOf(action.way.graph, options, ports) : routeOfPlan(action.way),
  };
}

/**
 * Place of the action whose reward may be highest, among these: what is expected of it, and as much more as nobody
 * knows better, times its own α.
 */
export function bestOf(
  places: readonly number[],
  estimates: readonly ActionEstimate[],
  beta: number,
  alphaOf: (place: number) => number,
): number {
  const bounds = places.map((place) => {
    const { expected, width } = estimates[place] as ActionEstimate;
    return rewardOf(expected, beta) + alphaOf(place) * width;
  });
  return places[argMax(bounds)] as number;
}

/**
 * Who asks to think harder gets more than before: strategies that are expected to cost more than the one that did not
 * do.
 */
function atLeastAsCostly(
  open: readonly number[],
  estimates: readonly ActionEstimate[],
  before: number,
): readonly number[] {
  const floor = estimates[before]?.expected.cost ?? 0;
  const costlier = open.filter((i) => i !== before && (estimates[i]?.expected.cost ?? 0) > floor);
  return costlier.length > 0 ? costlier : open;
}

/** A lone agent takes the route that others take to it: its answer is streamed. Graphs run as a whole. */
function routeOf(graph: StrategyGraph, options: ResearchOptions, { operator }: StrategySelectorPorts): StrategyRoute {
  const [only] = graph.agents;
  if (only !== undefined && graph.agents.length === 1) {
    const name = describeAgent(only).operator;
    return name
      ? { kind: 'operator', operator: name }
      : { kind: 'plan', debate: options.debate === 'off' ? 'fast' : options.debate };
  }
  return {
    kind: 'custom',
    operators: operatorsOf(graph),
    vote: votersOf(graph).length > 1,
    run: (context, task) => runGraph(graph, operatorAgents(context, task, operator), context, task),
  };
}
