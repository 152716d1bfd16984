import type { OperatorName, PlanOrigin } from '../domain/plan.ts';
import type { QuestionClassification } from '#search';
import type { OperatorContext, OperatorResult, OperatorTask } from '../operators/operator.ts';
import type { ResearchOptions } from '../context/research-options.ts';

/** How a run goes about its question. */
export type StrategyRoute =
  | { kind: 'operator'; operator: OperatorName }
  | { kind: 'plan'; debate: ResearchOptions['debate'] } // a plan, debated or the type's default
  // A graph of agents, say: these operators, each run once, in an order of its own.
  | {
      kind: 'custom';
      operators: readonly OperatorName[];
      /** Their answers are counted. */
      vote?: boolean;
      run(context: OperatorContext, task: OperatorTask): Promise<OperatorResult>;
    };

export interface StrategyChoice {
  /** Operator's name, a graph's notation, `belle`, `plan`. */
  strategy: string;
  /** One line on why, for people. */
  reason: string;
  /** Who chose it; where the route is a plan, whoever makes that is its origin. */
  origin: PlanOrigin;
  /** Cost relative to the cheapest that uses a model; undefined when unknown. */
  relativeCost?: number;
  route: StrategyRoute;
}

/** What a choice is made by. */
export type StrategyInput = Pick<
  OperatorContext,
  'runId' | 'question' | 'classification' | 'options' | 'model' | 'retriever' | 'signal'
>;

/** Port: who chooses the strategy; undefined leaves the choice to {@link defaultStrategy}. */
export type SelectStrategy = (input: StrategyInput) => Promise<StrategyChoice | undefined>;

/** Port: who is told of a strategy that a person fixed, before it runs, so as to learn from how it ends. */
export type NoteStrategy = (input: StrategyInput, choice: StrategyChoice) => Promise<void>;

/**
 * What is settled before anyone chooses: an operator that was asked for, or no model. undefined: the choice is open.
 */
export function settledStrategy({
  options,
  model,
  operators,
}: Pick<OperatorContext, 'options' | 'model' | 'operators'>): StrategyChoice | undefined {
  const asked =
    options.operator ?? (options.strategy.startsWith('fixed:') ? options.strategy.slice('fixed:'.length) : undefined);
  if (!model)
    return {
      strategy: 'extractive',
      reason: 'No language model is chosen: the answer is made of quotes.',
      origin: 'no-model',
      route: { kind: 'operator', operator: 'extractive' },
    };
  if (asked === 'belle')
    return {
      strategy: 'belle',
      reason: 'Asked for: a plan by debate.',
      origin: 'fixed',
      route: { kind: 'plan', debate: options.debate === 'off' ? 'full' : options.debate },
    };
  const operator = asked === undefined ? undefined : operators.get(asked)?.name;
  return (
    operator && { strategy: operator, reason: 'Asked for.', origin: 'fixed', route: { kind: 'operator', operator } }
  );
}

/**
 * The choice where nobody has learnt to make a better one: the debate that is asked for, else the type's default plan.
 */
export function defaultStrategy(classification: QuestionClassification, options: ResearchOptions): StrategyChoice {
  if (options.debate !== 'off' || options.strategy === 'thorough') {
    const debate = options.debate === 'off' ? 'fast' : options.debate;
    return {
      strategy: 'belle',
      reason: debate === 'full' ? 'The plan is debated.' : 'One call plans the steps.',
      origin: 'fixed',
      route: { kind: 'plan', debate },
    };
  }
  if (options.strategy === 'fast')
    return {
      strategy: 'single-step',
      reason: 'Fast was asked for: one retrieval.',
      origin: 'fixed',
      relativeCost: 1,
      route: { kind: 'operator', operator: 'single-step' },
    };
  return {
    strategy: 'plan',
    reason: `Looks like ${TYPE_IN_WORDS[classification.type]}: its usual plan, without a debate.`,
    origin: 'default',
    route: { kind: 'plan', debate: 'off' },
  };
}

/** What a question looks like, in a sentence about the plan for it. */
export const TYPE_IN_WORDS: Readonly<Record<QuestionClassification['type'], string>> = {
  inference: 'a question over several passages',
  comparison: 'a comparison',
  temporal: 'a question about time',
  lookup: 'a lookup',
  overview: 'a question over everything',
  null: 'a question that may have no answer here',
};
