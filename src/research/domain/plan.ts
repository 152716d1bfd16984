import type { Translate } from '#search';

type Title = (t: Translate) => string;

/** What lists, plans and the panel say of an operator. It loads nothing, so that the panel may have it. */
interface OperatorTitles {
  title: Title;
  /** As a plan of its own that `auto` may choose: the name under which it is learnt, and its title in a sentence. */
  alone?: { name: string; title: Title };
}

/** In the order of lists. Two are learnt under the names that AQA's agents have, as earlier runs were. */
const TITLES = {
  'chain-of-thought': { title: (t) => t('chain of thought') },
  'single-step': { title: (t) => t('single step'), alone: { name: 'one-retrieval', title: (t) => t('one look') } },
  'iterative-step': { title: (t) => t('iterative step'), alone: { name: 'ircot', title: (t) => t('step by step') } },
  'sub-step': { title: (t) => t('sub-step'), alone: { name: 'sub-step', title: (t) => t('sub-questions') } },
  'adaptive-step': {
    title: (t) => t('adaptive step'),
    alone: { name: 'adaptive-step', title: (t) => t('one look, and more where that is not enough') },
  },
  'self-critical': {
    title: (t) => t('self-critical'),
    alone: { name: 'self-critical', title: (t) => t('steps that check themselves') },
  },
  extractive: { title: (t) => t('quotes') },
} as const satisfies Record<string, OperatorTitles>;

export type OperatorName = keyof typeof TITLES;
export const OPERATORS = Object.keys(TITLES) as readonly OperatorName[];
export const isOperator = (name: string): name is OperatorName => Object.hasOwn(TITLES, name);

/** What an operator is called, in the language of `t`; one of another version by its name. */
export const operatorTitle = (name: OperatorName, t: Translate): string =>
  (TITLES as Partial<Record<string, OperatorTitles>>)[name]?.title(t) ?? name;

/** Operators that `auto` may choose as a plan of their own, in order. */
export const ALONE = OPERATORS.flatMap((operator) => {
  const { alone }: OperatorTitles = TITLES[operator];
  return alone ? [{ operator, ...alone }] : [];
});

export interface PlanStep {
  operator: OperatorName;
  purpose: string;
  /** For sub-step: what it asks, in order; `dependsOn` counts from 0 and points backwards. */
  subQuestions?: readonly { question: string; dependsOn: readonly number[] }[];
}

/**
 * Who proposed a plan: the question's type (`default`), the bandit (`chosen`), the model in one call (`fast`, or
 * `repaired` without idle steps), a debate whose judge was content or not (`debate-hard`, `debate-soft`), the person by
 * a setting or a flag (`fixed`); nobody where no language model is there.
 */
export type PlanOrigin =
  'debate-hard' | 'debate-soft' | 'fast' | 'repaired' | 'default' | 'chosen' | 'fixed' | 'no-model';

/** What the steps of a plan may cost. What was spent on making it is in the turns of its debate. */
export interface PlanCost {
  /** Model calls; `most` is absent where only the run's budget ends it. A reply asked for again counts once. */
  calls: { least: number; most?: number };
  /** Input and output tokens together, about. */
  tokens: number;
}

/** A validated sequence of operators, or several that vote. */
export interface Plan {
  steps: PlanStep[];
  /** Search queries of the planning model: likely identifiers, terms of the field, a line as a file may have it. */
  queries?: readonly string[];
  /** The steps' answers are counted, and what most of them say is the answer; absent: one step after the other. */
  vote?: true;
  origin: PlanOrigin;
  reason: string;
  /** Absent in runs of earlier versions. */
  cost?: PlanCost;
}
