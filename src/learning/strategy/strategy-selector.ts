import { HoptrailError } from '#base';
import {
  type NoteStrategy,
  type Operator,
  type OperatorName,
  type SelectStrategy,
  type StrategyChoice,
  type StrategyInput,
  usualOperators,
} from '#research';
import { AGENTS, describeGraph, operatorsOf, parseGraphName, votersOf } from './graph.ts';
import { BETA, highest, LinUcb } from './lin-ucb.ts';
import { learntAs, openPlans, type PlanAction } from './plans.ts';
import type { MeasuredOutcome } from './prior.ts';
import { likeliestType, modelClass, QUESTION_FEATURES, questionFeatures } from './question-features.ts';
import { operatorAgents, runGraph } from './run-graph.ts';
import { type MemoryPorts, StrategyMemory } from './strategy-memory.ts';
import { costRatio, describeChoice } from './strategy-report.ts';

/** A setting names a strategy that does not exist. */
export class UnknownStrategyError extends HoptrailError {
  readonly code = 'strategy-unknown';
}

interface SelectorPorts extends MemoryPorts {
  /** Operators by name; undefined for one that cannot run here. */
  operator(name: OperatorName): Operator | undefined;
}

/** Outcomes on questions of a type from which on a plan counts as measured. */
export const LEAST_MEASURED = 10;
/** How curious the product is. The paper's 2 is for a bandit that starts knowing nothing; here a user pays for it. */
const PRODUCT_ALPHA = 0.1;

/**
 * Chooses plans by LinUCB (AQA) among those that were measured with the model's class on questions of this type, and
 * learns from how runs end. The default's own runs teach as well, so that it is measured in time.
 */
export class StrategySelector extends StrategyMemory {
  readonly #ports: SelectorPorts;

  constructor(ports: SelectorPorts) {
    super(ports);
    this.#ports = ports;
  }

  /**
   * The port of the researcher. undefined where fewer than two plans were measured with a model of this class: the
   * type's plan runs. @throws UnknownStrategyError for a fixed strategy that is no graph
   */
  readonly select: SelectStrategy = async (input) => {
    const { options, model, runId } = input;
    if (options.strategy.startsWith('fixed:'))
      return fixedGraph(options.strategy.slice('fixed:'.length), this.#ports.operator);
    if (!model) return undefined;
    const features = featuresOf(input);
    const size = modelClass(model);
    const chosen = choosePlan(
      await this.outcomesOf(size),
      features,
      openPlans(options, (name) => this.#ports.operator(name) !== undefined),
    );
    if (options.record)
      this.begun(runId, {
        class: size,
        features,
        plan: (strategy) => chosen?.plan.name ?? defaultPlan(strategy, input),
      });
    if (!chosen) return undefined;
    const { plan, estimate, cheapest, measured } = chosen;
    return {
      strategy: plan.name,
      reason: describeChoice(input.classification.type, plan, size, measured),
      origin: 'chosen',
      relativeCost: Math.round(10 * costRatio(estimate, cheapest)) / 10,
      route: plan.route,
    };
  };

  /** The port of the researcher for what a person fixed: its outcome teaches as well. */
  readonly note: NoteStrategy = async (input, { route }) => {
    const { runId, classification, options, model } = input;
    const plan = learntAs(route, usualOperators(classification.type, options.operators));
    if (!model || !options.record || plan === undefined) return;
    await Promise.resolve();
    this.begun(runId, { class: modelClass(model), features: featuresOf(input), plan: () => plan });
  };
}

const featuresOf = ({ question, classification }: StrategyInput): number[] =>
  questionFeatures({ question: question.text, historyLength: question.history.length, classification });

/** What runs where nobody chose: adaptive-step for a plain lookup, else a plan as the options say. */
function defaultPlan(strategy: string, { classification, options }: StrategyInput): string | undefined {
  const usual = usualOperators(classification.type, options.operators);
  return strategy === 'adaptive-step'
    ? learntAs({ kind: 'operator', operator: strategy }, usual)
    : learntAs({ kind: 'plan', debate: options.debate }, usual);
}

/**
 * The plan whose reward may be highest, of those that are measured on questions of this type; undefined for fewer than
 * two of them.
 */
export function choosePlan(
  outcomes: readonly MeasuredOutcome[],
  features: readonly number[],
  open: readonly PlanAction[],
  { beta = BETA, alpha = PRODUCT_ALPHA } = {},
) {
  const type = likeliestType(features);
  const ofType = outcomes.filter((outcome) => likeliestType(outcome.features) === type);
  const countOf = (name: string): number => ofType.filter(({ strategy }) => strategy === name).length;
  const plans = open.filter(({ name }) => countOf(name) >= LEAST_MEASURED);
  if (plans.length < 2) return undefined;
  const bandit = new LinUcb(plans.length, QUESTION_FEATURES.length);
  for (const { strategy, features: own, outcome } of outcomes) {
    const place = plans.findIndex(({ name }) => name === strategy);
    if (place >= 0) bandit.learn(own, place, outcome);
  }
  const estimates = bandit.estimate(features);
  const place = highest(estimates, beta, alpha);
  const [plan, estimate] = [plans[place], estimates[place]];
  if (!plan || !estimate) throw new RangeError('No plan was chosen.');
  const cheapest = estimates.reduce((low, other) => (other.expected.cost < low.expected.cost ? other : low));
  return { plan, estimate, cheapest, measured: countOf(plan.name) };
}

function fixedGraph(name: string, operator: SelectorPorts['operator']): StrategyChoice {
  const graph = parseGraphName(name);
  if (!graph)
    throw new UnknownStrategyError(`There is no strategy called "${name}".`, {
      advice:
        'Set hoptrail.strategy to auto, fast, balanced, thorough, an operator, belle, or a graph such as ' +
        'no-retrieval>ircot,ircot>vote.',
      action: 'open-settings',
    });
  const [only, ...others] = graph.agents;
  return {
    strategy: name,
    reason: `Asked for: ${describeGraph(graph)}.`,
    origin: 'fixed',
    route:
      only && others.length === 0
        ? { kind: 'operator', operator: AGENTS[only].operator } // a lone agent's answer is streamed
        : {
            kind: 'custom',
            operators: operatorsOf(graph),
            vote: votersOf(graph).length > 1,
            run: (context, task) => runGraph(graph, operatorAgents(context, task, operator), context, task),
          },
  };
}
