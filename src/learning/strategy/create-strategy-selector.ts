import { HoptrailError } from '#base';
import type {
  Operator,
  OperatorName,
  ResearchEvent,
  ResearchOptions,
  SelectStrategy,
  StrategyChoice,
  StrategyInput,
  StrategyRoad,
} from '#research';
import { defaultActions, openActions, type StrategyAction } from './action-set.ts';
import { type ActionEstimate, annealedExploration, argMax, type Exploration } from './bandit/policy.ts';
import { upperBounds } from './bandit/lin-ucb.ts';
import { PriorBeliefs, type PriorBelief } from './bandit/prior-belief.ts';
import type { TaughtDecision } from './decision.ts';
import { costRatio, describeChoice, type StrategyReport, usesModel } from './strategy-report.ts';
import { describeAgent } from './agent.ts';
import { describeGraph, parseGraphName, type StrategyGraph } from './graph.ts';
import { operatorAgents, runGraph } from './operator-agents.ts';
import { questionFeatures } from './question-features.ts';
import { betaOf } from './reward.ts';
import { StrategyMemory, type StrategyFeedback } from './strategy-memory.ts';
import type { StrategyStore } from './strategy-store.ts';

/** A setting names a strategy that does not exist. */
export class UnknownStrategyError extends HoptrailError {
  readonly code = 'strategy-unknown';
}

export interface StrategySelectorPorts {
  store: StrategyStore;
  /** A state to start from (models/bandit-prior.json, parsed); undefined to start knowing nothing. */
  prior?: unknown;
  /** Operators by name; undefined for one that cannot run here. */
  operator(name: OperatorName): Operator | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Told of a state that could not be read or written: the choice goes on without it. */
  onProblem(error: unknown): void;
  actions?: readonly StrategyAction[];
  exploration?: Exploration;
}

export interface StrategySelector {
  /** The port of the researcher. Leaves a run to others when a debate was asked for and no strategy is fixed. */
  select: SelectStrategy;
  /** To be given every event of every run: a run that ends is learnt from. */
  observe(event: ResearchEvent): void;
  /** A word about a run's answer, whenever it comes. Unknown runs are ignored: they were not this selector's choice. */
  feedback(runId: string, feedback: StrategyFeedback): Promise<void>;
  /** What was learnt, for the view. */
  report(): Promise<StrategyReport>;
  /** Runs that taught something. */
  taught(): Promise<TaughtDecision[]>;
  /** How far the prior is believed from now on; undefined: as it came. */
  believe(belief: PriorBelief | undefined): Promise<void>;
  /** Beliefs in this selector's prior; undefined when it started knowing nothing. */
  beliefs(): PriorBeliefs | undefined;
  /** Forgets what was learnt from this user and starts from the prior again. */
  reset(): Promise<void>;
  /** Resolves when everything that was learnt is stored. */
  settled(): Promise<void>;
}

/**
 * How curious the product is: α = 2/√(1 + n/2), where n counts outcomes, the prior's own among them. The prior that
 * ships counts as 1,000, so that the first choice is made at α = 0.089 and not at the paper's 2, which is where a
 * bandit without a prior starts: a user's tokens pay for what is tried out, and starting higher costs reward in replay
 * and in simulation (lab/EXPERIMENTS.md).
 */
export const productExploration = (): Exploration => annealedExploration(2, 2);
/** Hits of the search whose scores are features. */
const FIRST_SEARCH = 10;

/** Chooses strategies by LinUCB over communication graphs (AQA), and learns from how their runs end. */
export function createStrategySelector(ports: StrategySelectorPorts): StrategySelector {
  const actions = ports.actions ?? defaultActions();
  const memory = new StrategyMemory({ ...ports, actions, exploration: ports.exploration ?? productExploration() });
  return {
    async select(input) {
      const { options } = input;
      if (options.strategy.startsWith('fixed:'))
        return fixedChoice(options.strategy.slice('fixed:'.length), options, ports);
      if (options.debate !== 'off') return undefined;
      return choose(input, actions, memory, ports);
    },
    observe: (event) => memory.observe(event),
    feedback: (runId, feedback) => memory.feedback(runId, feedback),
    report: () => memory.report(),
    taught: () => memory.taught(),
    believe: (belief) => memory.believe(belief),
    beliefs: () => (memory.hasPrior ? new PriorBeliefs(ports.prior, actions) : undefined),
    reset: () => memory.reset(),
    settled: () => memory.settled(),
  };
}

function fixedChoice(name: string, options: ResearchOptions, ports: StrategySelectorPorts): StrategyChoice {
  const graph = parseGraphName(name);
  if (!graph)
    throw new UnknownStrategyError(`There is no strategy called "${name}".`, {
      advice:
        'Set hoptrail.strategy to auto, fast, balanced, thorough, an operator, belle, or a graph such as no-retrieval>ircot,ircot>vote.',
      action: 'open-settings',
    });
  return { strategy: name, reason: `Asked for: ${describeGraph(graph)}.`, road: roadOf(graph, options, ports) };
}

async function choose(
  input: StrategyInput,
  actions: readonly StrategyAction[],
  memory: StrategyMemory,
  ports: StrategySelectorPorts,
): Promise<StrategyChoice | undefined> {
  const { question, classification, options, model, retriever, signal, runId } = input;
  const open = openActions(actions, options, (name) => ports.operator(name) !== undefined);
  if (open.length === 0 || !model) return undefined;
  const { hits } = await retriever.search(
    question.text,
    { retriever: 'hybrid', limit: FIRST_SEARCH, ...(question.scope && { filter: question.scope }) },
    signal,
  );
  const features = questionFeatures({
    question: question.text,
    historyLength: question.history.length,
    classification,
    hits,
    model,
  });
  const { bandit, alpha } = await memory.ready();
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
  const best = (weight: number, curiosity: number): number =>
    allowed[
      argMax(
        upperBounds(
          allowed.map((i) => estimates[i] as ActionEstimate),
          weight,
          curiosity,
        ),
      )
    ] as number;
  const chosen = best(beta, alpha);
  const thorough = best(betaOf('thorough'), 0);
  const action = actions[chosen] as StrategyAction;
  memory.decided({ runId, question: question.text, strategy: action.name, beta, features });
  const estimate = estimates[chosen] as ActionEstimate;
  const cheapest = cheapestWithModel(open, actions, estimates);
  return {
    strategy: action.name,
    reason: describeChoice(
      classification.type,
      action,
      estimate,
      thorough === chosen ? undefined : estimates[thorough],
    ),
    ...(cheapest && { relativeCost: Math.round(10 * costRatio(estimate, cheapest)) / 10 }),
    road: roadOf(action.graph, options, ports),
  };
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

function cheapestWithModel(
  open: readonly number[],
  actions: readonly StrategyAction[],
  estimates: readonly ActionEstimate[],
): ActionEstimate | undefined {
  const known = open.flatMap((i) => (usesModel(actions[i] as StrategyAction) ? [estimates[i] as ActionEstimate] : []));
  return known.sort((a, b) => a.expected.cost - b.expected.cost)[0];
}

/** A lone agent takes the road that others take to it: its answer is streamed. Graphs run as a whole. */
function roadOf(graph: StrategyGraph, options: ResearchOptions, { operator }: StrategySelectorPorts): StrategyRoad {
  const [only] = graph.agents;
  if (only !== undefined && graph.agents.length === 1) {
    const name = describeAgent(only).operator;
    return name
      ? { kind: 'operator', operator: name }
      : { kind: 'plan', debate: options.debate === 'off' ? 'fast' : options.debate };
  }
  return {
    kind: 'custom',
    run: (context, task) => runGraph(graph, operatorAgents(context, task, operator), context, task),
  };
}
