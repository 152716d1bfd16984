import path from 'node:path';
import { defaultResearchOptions, type OperatorName, planCost, planningCost, usualOperators } from '#research/lab';
import {
  type BanditState,
  operatorsOfWay,
  penalisedCost,
  type PlanAction,
  planActions,
  QUESTION_FEATURES,
  type QuestionFeature,
} from '#learning/lab';
import { remembered } from '#base';
import { DatasetError } from '../evaluation/dataset.ts';
import { root } from '../places.ts';
import { readOutcomes } from './outcome-log.ts';
import { planOutcomes } from './plan-outcomes.ts';
import { buildPrior, type PriorOutcome } from './prior-state.ts';

const KINDS = ['lookup', 'inference', 'comparison', 'temporal', 'overview'] as const;
type Kind = (typeof KINDS)[number];
type Qualities = Record<Kind, number>;
/** F1 with a large model, and with a small one. */
type BySize = Record<'large' | 'small', Qualities>;

/**
 * What is assumed of plans of one operator before a user's own runs say better: more retrieval costs more, helps a
 * large model where several passages are needed, and does not where one is enough. A small model on inference,
 * comparison and temporal questions is about what was measured (lab/bench/strategy-outcomes.jsonl, and the tables of
 * answers in lab/EXPERIMENTS.md and docs/methods.md): nothing is better than one look. Lookups, overviews and large
 * models are assumed. The bandit adds what it holds of a type to what it holds of a size, so that an operator which is
 * said to help a large model much on one type helps a small one there, too, unless it is said to harm that elsewhere. A
 * model fitted to the measured questions themselves says odd things about all that is not among them.
 */
const ASSUMED: Partial<Record<OperatorName, BySize>> = {
  'single-step': {
    large: { lookup: 0.75, inference: 0.45, comparison: 0.85, temporal: 0.45, overview: 0.45 },
    small: { lookup: 0.6, inference: 0.35, comparison: 0.8, temporal: 0.35, overview: 0.35 },
  },
  'iterative-step': {
    large: { lookup: 0.77, inference: 0.61, comparison: 0.87, temporal: 0.61, overview: 0.47 },
    small: { lookup: 0.4, inference: 0.325, comparison: 0.66, temporal: 0.325, overview: 0.25 },
  },
  'sub-step': {
    large: { lookup: 0.65, inference: 0.6, comparison: 0.85, temporal: 0.6, overview: 0.5 },
    small: { lookup: 0.45, inference: 0.33, comparison: 0.65, temporal: 0.33, overview: 0.35 },
  },
  'adaptive-step': {
    large: { lookup: 0.75, inference: 0.57, comparison: 0.85, temporal: 0.57, overview: 0.45 },
    small: { lookup: 0.57, inference: 0.335, comparison: 0.72, temporal: 0.335, overview: 0.32 },
  },
  'self-critical': {
    large: { lookup: 0.65, inference: 0.65, comparison: 0.8, temporal: 0.6, overview: 0.4 },
    small: { lookup: 0.4, inference: 0.3, comparison: 0.6, temporal: 0.3, overview: 0.3 },
  },
};

/** Of an operator of which nobody has assumed anything: as little as of any. */
const leastAssumed = (kind: Kind, size: 'large' | 'small'): number =>
  Math.min(...Object.values(ASSUMED).map((assumed) => assumed[size][kind]));

/** What a plan of the model's own is worth over the usual one: a large model chooses well, a small one does not. */
const PLANNED: Record<'fast' | 'full', Record<'large' | 'small', number>> = {
  fast: { large: 1, small: 0.95 },
  full: { large: 1.06, small: 0.95 },
};
/** Who sees a better answer mostly takes it over. */
const TAKEN_OVER = 0.95;
/**
 * Tokens as a multiple of what an operator is charged. Larger models think longer. Steps of a small one came to 0.70,
 * 1.02 and 0.84 of one look's tokens, with more calls (docs/methods.md): as much as one look is assumed.
 */
const LONGER: Record<'large' | 'small', Partial<Record<OperatorName, number>>> = {
  large: { 'iterative-step': 2.5, 'sub-step': 1.3, 'self-critical': 1.5 },
  small: { 'iterative-step': 1.3 },
};
/** Seconds a token: the small one on two cores without a GPU, as measured; a large hosted one. */
const SECONDS = { small: 0.0233, large: 0.006 };
const HOPS: Record<Kind, number> = { lookup: 0, inference: 0.5, comparison: 0.4, temporal: 0.4, overview: 1 };

/** One outcome per plan and kind of question, at two sizes of model, in notes and in code, with a first search that
 * found much or little.
 */
function assumedOutcomes(): PriorOutcome[] {
  return planActions().flatMap((action) =>
    KINDS.flatMap((kind) =>
      (['large', 'small'] as const).flatMap((size) =>
        [true, false].flatMap((code) =>
          [true, false].map((found) => ({
            strategy: action.name,
            features: featuresOf(kind, size === 'large', code, found),
            outcome: { quality: qualityOf(action, kind, size), cost: costOf(action, kind, size) },
          })),
        ),
      ),
    ),
  );
}

/**
 * Plans measured in a table of lab/EXPERIMENTS.md, whose answers are not in a log: questions of each. Self-critical and
 * a plan made in one call, which docs/methods.md measures, are not among them: by these thirty they are no better than
 * the usual plan, and no replay can show that trying them out costs nobody anything.
 */
const IN_TABLES = { 'sub-step': 30, 'adaptive-step': 30 };

/** On how many questions each plan was measured: in the logs of outcomes, and in the table of answers. */
function measuredQuestions(): Record<string, number> {
  const asked = new Map<string, Set<string>>(); // the logs have questions in common
  for (const log of ['strategy-outcomes', 'graph-outcomes'].map((name) => path.join(root, `lab/bench/${name}.jsonl`))) {
    const records = readOutcomes(log);
    if (records.length === 0) throw new DatasetError(`${log} holds no outcomes.`);
    for (const record of records)
      for (const name of Object.keys(planOutcomes(record))) remembered(asked, name, () => new Set()).add(record.id);
  }
  return { ...IN_TABLES, ...Object.fromEntries([...asked].map(([name, ids]) => [name, ids.size])) };
}

/** The prior that ships. */
export const assumedPrior = (): BanditState =>
  buildPrior(assumedOutcomes(), 'measurements on 60 questions with a small model, and assumptions for others', {
    actions: planActions(),
    measured: measuredQuestions(),
  });

const allowed = defaultResearchOptions.operators;

function qualityOf({ way }: PlanAction, kind: Kind, size: 'large' | 'small'): number {
  const of = (name: OperatorName): number => ASSUMED[name]?.[size][kind] ?? leastAssumed(kind, size);
  const usual = Math.max(...usualOperators(kind, allowed).map(of));
  if (way.kind === 'planned') return PLANNED[way.debate][size] * usual;
  const operators = operatorsOfWay(way, kind, allowed) ?? [];
  if (way.kind !== 'graph') return Math.max(...operators.map(of));
  const last = of(operators.at(-1) ?? 'single-step');
  return Math.max(last, TAKEN_OVER * Math.max(...operators.map(of)));
}

function costOf({ way }: PlanAction, kind: Kind, size: 'large' | 'small'): number {
  const operators = operatorsOfWay(way, kind, allowed) ?? usualOperators(kind, allowed);
  const planning = way.kind === 'planned' ? planningCost(way.debate, defaultResearchOptions).tokens : 0;
  const tokens =
    planning +
    operators.reduce(
      (sum, name) => sum + planCost([name], defaultResearchOptions).tokens * (LONGER[size][name] ?? 1),
      0,
    );
  return penalisedCost({ tokens, seconds: tokens * SECONDS[size] });
}

/** A typical question of its kind. */
function featuresOf(kind: Kind, large: boolean, code: boolean, found: boolean): Float64Array {
  const values: Partial<Record<QuestionFeature, number>> = {
    constant: 1,
    [kind]: 1,
    length: found ? 0.5 : 0.3,
    names: found ? 0.5 : 0.2,
    hops: HOPS[kind],
    'top-score': found ? 0.8 : 0.2,
    'score-spread': found ? 0.5 : 0.1,
    'lists-agree': found ? 1 : 0,
    'terms-covered': found ? 1 : 0.5,
    'names-covered-first': found ? 1 : 0.3,
    'names-covered-all': found ? 1 : 0.5,
    files: found ? 0.5 : 1,
    code: code ? 0.8 : 0.1,
    notes: code ? 0.2 : 0.9,
    'model-context': large ? 0.9 : 0.3,
    'model-size': large ? 1 : 0.1,
    'model-local': large ? 0 : 1,
  };
  return Float64Array.from(QUESTION_FEATURES, (name) => values[name] ?? 0);
}
