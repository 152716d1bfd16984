import {
  emptyChain,
  type Operator,
  type OperatorContext,
  type OperatorName,
  type OperatorResult,
  type OperatorTask,
  type ResearchOptions,
  type SelectStrategy,
} from '#research/lab';
import {
  answerF1,
  type Agents,
  executeGraph,
  operatorAgents,
  QUESTION_FEATURES_VERSION,
  questionFeatures,
  type PlanAction,
  type StrategyGraph,
} from '#learning/lab';
import { eachAgent, shareCalls, type CallCache } from './share-calls.ts';
import { reportError, SerialQueue } from '#base';
import type { DatasetQuestion } from '../evaluation/dataset.ts';
import { runResearch, type AnswerRun } from '../evaluation/runs/answer-run.ts';
import { candidateFilter } from '../evaluation/runs/retrieval-run.ts';
import type { LoggedOutcome, OutcomeRecord } from './outcome-log.ts';

/** What a run that gathers is asked with: no debate, no critique, and room for every graph. */
const GATHERING: Partial<ResearchOptions> = {
  strategy: 'fixed:gather',
  debate: 'off',
  critique: false,
  record: false,
  budget: { calls: 100_000, tokens: 1e9, seconds: 1e9, nodes: 1e6 },
};

/** What is gathered: a graph of agents, which is tried inside one run, or what takes a run of its own. */
export interface GatheredAction {
  name: string;
  graph?: StrategyGraph;
  research?: Partial<ResearchOptions>;
}

/** A plan as something to gather. */
export const gatheredPlan = ({ name, route }: PlanAction): GatheredAction => ({
  name,
  research:
    route.kind === 'operator'
      ? { strategy: 'auto', operator: route.operator }
      : { strategy: 'auto', debate: route.debate },
});

interface Gathered {
  features: number[];
  strategies: Map<string, Omit<LoggedOutcome, 'f1'>>;
}

interface Gatherer {
  /** To be given to the engine as its port. */
  select: SelectStrategy;
  /** What the last run gathered; undefined when it did not come to that. */
  take(): Gathered | undefined;
}

/**
 * Runs every strategy on one question inside a single run, one call at a time so that seconds are each agent's own.
 * Calls with identical inputs are shared, and each strategy is charged for all it makes. Graphs whose agents are
 * not there are left out.
 */
export function createGatherer(
  actions: readonly GatheredAction[],
  operator: (name: OperatorName) => Operator | undefined,
): Gatherer {
  let gathered: Gathered | undefined;
  return {
    take() {
      const last = gathered;
      gathered = undefined;
      return last;
    },
    async select(input) {
      const { options, model } = input;
      if (!model || options.strategy !== GATHERING.strategy) return undefined; // a plan's own run
      const { question, classification } = input;
      const features = questionFeatures({
        question: question.text,
        historyLength: question.history.length,
        classification,
      });
      return {
        strategy: 'gather',
        reason: 'Every strategy is tried.',
        origin: 'fixed',
        route: {
          kind: 'custom',
          operators: [],
          run: async (context, task) => {
            gathered = { features, strategies: await tryAll(actions, context, task, operator) };
            return nothing(context);
          },
        },
      };
    },
  };
}

async function tryAll(
  actions: readonly GatheredAction[],
  context: OperatorContext,
  task: OperatorTask,
  operator: (name: OperatorName) => Operator | undefined,
): Promise<Gathered['strategies']> {
  const agents = shareCalls(oneAtATime(operatorAgents(context, task, operator)), new Map() as CallCache<unknown>);
  const strategies: Gathered['strategies'] = new Map();
  for (const { name, graph } of actions) {
    if (!graph?.agents.every((agent) => agents[agent])) continue;
    const { answer, winner, failures, cost } = await executeGraph(graph, agents, task.question, context.signal);
    strategies.set(name, {
      answer,
      ...cost,
      ...(winner === undefined && { problem: reportError([...failures.values()][0]).message }),
    });
  }
  return strategies;
}

/** Agents that wait for one another: on one machine, calls side by side would charge each other's seconds. */
function oneAtATime<Evidence>(agents: Agents<Evidence>): Agents<Evidence> {
  const queue = new SerialQueue();
  return eachAgent(agents, (agent) => (input, signal) => queue.run(() => agent(input, signal)));
}

const nothing = (context: OperatorContext): OperatorResult => ({
  operator: 'single-step',
  stepId: context.nextStepId(),
  chain: emptyChain,
  evidence: [],
});

/**
 * Every strategy's outcome on one question; undefined when the run broke off before its strategies were tried (no
 * model). The run's engine must have been made with `gatherer.select`.
 */
export async function gatherOutcomes(
  question: DatasetQuestion,
  actions: readonly GatheredAction[],
  gatherer: Gatherer,
  run: AnswerRun,
): Promise<OutcomeRecord | undefined> {
  const scope = candidateFilter(question, run.setting);
  const gold = [question.answer, ...question.aliases];
  await runResearch(question.question, scope, { ...run, research: { ...run.research, ...GATHERING } });
  const gathered = gatherer.take();
  if (!gathered) return undefined;
  const strategies: OutcomeRecord['strategies'] = {};
  for (const [name, outcome] of gathered.strategies)
    strategies[name] = { ...outcome, f1: answerF1(outcome.answer, gold) };
  for (const action of actions) {
    const { name } = action;
    const { research } = action;
    if (!research) continue;
    const { answer, usage, error } = await runResearch(question.question, scope, {
      ...run,
      research: { ...run.research, ...research },
    });
    const short = answer?.short ?? '';
    strategies[name] = {
      f1: answerF1(short, gold),
      calls: usage.calls,
      tokens: usage.inputTokens + usage.outputTokens,
      seconds: usage.seconds,
      answer: short,
      ...(error && { problem: error.message }),
    };
  }
  return {
    version: 1,
    id: question.id,
    dataset: question.dataset ?? '',
    question: question.question,
    featuresVersion: QUESTION_FEATURES_VERSION,
    features: gathered.features,
    model: run.engine.model?.id ?? '',
    strategies,
  };
}
