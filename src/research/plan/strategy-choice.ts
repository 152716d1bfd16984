import type { QuestionClassification } from '#search';
import type { ResearchOptions } from '../context/research-options.ts';
import { isOperator, type OperatorName, type PlanOrigin } from '../domain/plan.ts';
import type { OperatorContext, OperatorResult, OperatorTask } from '../operators/operator.ts';

export type StrategyRoute =
  | { kind: 'operator'; operator: OperatorName }
  | { kind: 'plan'; debate: ResearchOptions['debate'] } // a plan, debated, made in one call, or the type's usual one
  // A graph of agents, say: these operators, each run once, in an order of its own.
  | {
      kind: 'custom';
      operators: readonly OperatorName[];
      vote?: boolean;
      run(context: OperatorContext, task: OperatorTask): Promise<OperatorResult>;
    };

export interface StrategyChoice {
  /** Operator's name, a graph's notation, `belle`, `plan`. */
  strategy: string;
  reason: string;
  /** Who chose it; where the route is a plan, whoever makes that is its origin. */
  origin: PlanOrigin;
  /** Cost relative to the cheapest that uses a model; undefined when unknown. */
  relativeCost?: number;
  route: StrategyRoute;
}

export type StrategyInput = Pick<
  OperatorContext,
  'runId' | 'question' | 'classification' | 'options' | 'model' | 'retriever' | 'signal'
>;

/** Port: chooses the strategy by what was measured with models of this class (AQA); undefined where nothing was. */
export type SelectStrategy = (input: StrategyInput) => Promise<StrategyChoice | undefined>;

/** Port: who is told of a strategy that a person fixed, before it runs, so as to learn from how it ends. */
export type NoteStrategy = (input: StrategyInput, choice: StrategyChoice) => Promise<void>;

const alone = (operator: OperatorName, origin: PlanOrigin, reason: string): StrategyChoice => ({
  strategy: operator,
  reason,
  origin,
  route: { kind: 'operator', operator },
});

const debated = (reason: string, debate: 'fast' | 'full'): StrategyChoice => ({
  strategy: 'belle',
  reason,
  origin: 'fixed',
  route: { kind: 'plan', debate },
});

/** What is settled before anyone chooses: no model, an operator or a debate that was asked for; else undefined. */
export function settledStrategy(run: Pick<OperatorContext, 'options' | 'model'>): StrategyChoice | undefined {
  const { options, model } = run;
  const { strategy, effort, debate } = options;
  const asked = options.operator ?? (strategy.startsWith('fixed:') ? strategy.slice('fixed:'.length) : undefined);
  if (!model) return alone('extractive', 'no-model', 'No language model is chosen: the answer is made of quotes.');
  if (asked !== undefined && isOperator(asked)) return alone(asked, 'fixed', 'Asked for.');
  if (asked === 'belle') return debated('Asked for: a plan by debate.', debate === 'fast' ? 'fast' : 'full');
  if (asked !== undefined) return undefined; // a graph
  if (strategy === 'thorough' || effort === 'harder' || debate === 'full')
    return debated('The plan is debated.', 'full');
  if (strategy !== 'fast') return undefined;
  return { ...alone('single-step', 'fixed', 'Fast was asked for: one retrieval.'), relativeCost: 1 };
}

/** The choice where nothing was measured: a plan of the question's own, or the type's usual one. */
export function defaultStrategy(
  classification: QuestionClassification,
  { debate }: ResearchOptions,
  isPlainLookup: boolean,
): StrategyChoice {
  const like = `Looks like ${TYPE_IN_WORDS[classification.type]}`;
  const sure = 'the first search is sure of its place: one look, and more where that is not enough.';
  if (isPlainLookup) return alone('adaptive-step', 'default', `${like}, and ${sure}`);
  const how = debate === 'off' ? 'the type’s usual plan' : 'one call plans the steps';
  const reason = `${like}: ${how}. No plan was measured with this model yet.`;
  return { strategy: 'plan', reason, origin: 'default', route: { kind: 'plan', debate } };
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
