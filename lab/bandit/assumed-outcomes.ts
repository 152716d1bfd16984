import {
  type AgentName,
  type BanditState,
  buildPrior,
  defaultActions,
  penalisedCost,
  predecessorsOf,
  type PriorOutcome,
  QUESTION_FEATURES,
  type QuestionFeature,
  type StrategyGraph,
  votersOf,
} from '#learning/lab';

type Kind = 'lookup' | 'inference' | 'comparison' | 'temporal' | 'overview';

type Qualities = Record<Kind, number>;

interface Assumption {
  /** Tokens and seconds of one answer. */
  tokens: number;
  seconds: number;
  /** F1 with a large model, and with a small one. */
  large: Qualities;
  small: Qualities;
}

const QUOTES: Qualities = { lookup: 0.4, inference: 0.15, comparison: 0.85, temporal: 0.4, overview: 0.25 };

/**
 * What is assumed before a user's own runs say better: more retrieval costs more, helps where several passages are
 * needed, and does not where one is enough. Quotes, and a small model on inference and comparison, are about what
 * lab/bench/strategy-outcomes.jsonl measured (60 questions, 1.5 billion parameters: yes-or-no questions and choices
 * apart from the others); lookups, overviews and large models are assumed, and so is that larger ones think longer
 * (ircot is given three times the tokens). A model fitted to those 60 questions themselves says odd things about all
 * that is not among them.
 */
const ASSUMED: Record<AgentName, Assumption> = {
  'no-retrieval': {
    tokens: 200,
    seconds: 3,
    large: { lookup: 0.15, inference: 0.15, comparison: 0.25, temporal: 0.15, overview: 0.1 },
    small: { lookup: 0.1, inference: 0.1, comparison: 0.1, temporal: 0.1, overview: 0.05 },
  },
  'beam-extractive': { tokens: 0, seconds: 0.3, large: QUOTES, small: QUOTES },
  'one-retrieval': {
    tokens: 1400,
    seconds: 8,
    large: { lookup: 0.75, inference: 0.45, comparison: 0.85, temporal: 0.45, overview: 0.45 },
    small: { lookup: 0.6, inference: 0.35, comparison: 0.8, temporal: 0.35, overview: 0.35 },
  },
  ircot: {
    tokens: 2500,
    seconds: 12,
    large: { lookup: 0.7, inference: 0.65, comparison: 0.85, temporal: 0.6, overview: 0.4 },
    small: { lookup: 0.5, inference: 0.35, comparison: 0.75, temporal: 0.35, overview: 0.3 },
  },
  belle: {
    tokens: 12_000,
    seconds: 60,
    large: { lookup: 0.75, inference: 0.7, comparison: 0.85, temporal: 0.65, overview: 0.6 },
    small: { lookup: 0.5, inference: 0.35, comparison: 0.7, temporal: 0.35, overview: 0.4 },
  },
};

/** Who sees a better answer mostly takes it over. */
const TAKEN_OVER = 0.95;
/** What a vote of three adds to its best voter: 0.461 against 0.449 on those questions. */
const OF_THREE = 0.01;
const HOPS: Record<Kind, number> = { lookup: 0, inference: 0.5, comparison: 0.4, temporal: 0.4, overview: 1 };

/**
 * One outcome per strategy and kind of question, at two sizes of model, in notes and in code, with a first search that
 * found much or little.
 */
export function assumedOutcomes(): PriorOutcome[] {
  const outcomes: PriorOutcome[] = [];
  for (const { name, graph } of defaultActions()) {
    for (const kind of Object.keys(HOPS) as Kind[]) {
      for (const large of [true, false]) {
        for (const code of [true, false]) {
          for (const found of [true, false])
            outcomes.push({
              strategy: name,
              features: featuresOf(kind, large, code, found),
              outcome: { quality: qualityOf(graph, kind, large), cost: costOf(graph) },
            });
        }
      }
    }
  }
  return outcomes;
}

/** The prior that ships. */
export const assumedPrior = (): BanditState =>
  buildPrior(assumedOutcomes(), 'measurements on 60 questions with a small model, and assumptions for others');

function qualityOf(graph: StrategyGraph, kind: Kind, large: boolean): number {
  const of = (agent: AgentName): number =>
    Math.max(
      ASSUMED[agent][large ? 'large' : 'small'][kind],
      ...predecessorsOf(graph, agent).map((seen) => TAKEN_OVER * of(seen)),
    );
  const voters = votersOf(graph).map(of);
  const best = Math.max(...voters);
  return voters.length > 2 ? best + OF_THREE : best; // two that disagree leave it to the stronger
}

function costOf(graph: StrategyGraph): number {
  return penalisedCost({ tokens: sum(graph.agents, 'tokens'), seconds: sum(graph.agents, 'seconds') });
}

const sum = (agents: readonly AgentName[], what: 'tokens' | 'seconds'): number =>
  agents.reduce((total, agent) => total + ASSUMED[agent][what], 0);

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
