import { defaultActions } from '../action-set.ts';
import type { AgentName } from '../agent.ts';
import { predecessorsOf, votersOf, type StrategyGraph } from '../graph.ts';
import { QUESTION_FEATURES, type QuestionFeature } from '../question-features.ts';
import { penalisedCost } from '../reward.ts';
import type { BanditState } from './bandit-state.ts';
import { buildPrior, type PriorOutcome } from './build-prior.ts';

type Kind = 'lookup' | 'inference' | 'comparison' | 'temporal' | 'overview';

interface Assumption {
  /** Tokens and seconds of one answer. */
  tokens: number;
  seconds: number;
  quality: Record<Kind, number>;
}

/**
 * What is assumed before anything was measured: more retrieval costs more, helps where several passages are needed, and does not
 * where one is enough. Of the order of what docs/evaluation.md measured with one small model (which thinks less than larger ones do: ircot is
 * given three times its tokens); they weigh little and are there so that the first questions are not answered by chance.
 */
const ASSUMED: Record<AgentName, Assumption> = {
  'no-retrieval': { tokens: 200, seconds: 3, quality: { lookup: 0.15, inference: 0.15, comparison: 0.25, temporal: 0.15, overview: 0.1 } },
  'beam-extractive': { tokens: 0, seconds: 0.3, quality: { lookup: 0.4, inference: 0.25, comparison: 0.2, temporal: 0.2, overview: 0.25 } },
  'one-retrieval': { tokens: 1400, seconds: 8, quality: { lookup: 0.75, inference: 0.45, comparison: 0.5, temporal: 0.45, overview: 0.45 } },
  ircot: { tokens: 2500, seconds: 12, quality: { lookup: 0.7, inference: 0.65, comparison: 0.65, temporal: 0.6, overview: 0.4 } },
  belle: { tokens: 12_000, seconds: 60, quality: { lookup: 0.75, inference: 0.7, comparison: 0.7, temporal: 0.65, overview: 0.6 } },
};

/** What seeing an earlier answer, or another vote, adds at most. */
const COMPANY = 0.02;
const HOPS: Record<Kind, number> = { lookup: 0, inference: 0.5, comparison: 0.4, temporal: 0.4, overview: 1 };

/** One outcome per strategy and kind of question, at two sizes of model, in notes and in code, with a first search that found much or little. */
export function assumedOutcomes(): PriorOutcome[] {
  const outcomes: PriorOutcome[] = [];
  for (const { name, graph } of defaultActions()) {
    for (const kind of Object.keys(HOPS) as Kind[]) {
      for (const large of [true, false]) {
        for (const code of [true, false]) {
          for (const found of [true, false]) outcomes.push({ strategy: name, features: featuresOf(kind, large, code, found), outcome: { quality: qualityOf(graph, kind) * (large ? 1 : 0.75), cost: costOf(graph) } });
        }
      }
    }
  }
  return outcomes;
}

/** The prior that stands until the evaluation has gathered outcomes. */
export const assumedPrior = (): BanditState => buildPrior(assumedOutcomes(), 'assumed costs and qualities; nothing measured yet');

function qualityOf(graph: StrategyGraph, kind: Kind): number {
  const voters = votersOf(graph);
  const best = Math.max(...voters.map((agent) => ASSUMED[agent].quality[kind] + (predecessorsOf(graph, agent).length > 0 ? COMPANY : 0)));
  const mean = voters.reduce((sum, agent) => sum + ASSUMED[agent].quality[kind], 0) / voters.length;
  return voters.length > 2 ? (best + mean) / 2 + COMPANY : best; // two that disagree leave it to the stronger
}

function costOf(graph: StrategyGraph): number {
  return penalisedCost({ tokens: sum(graph.agents, 'tokens'), seconds: sum(graph.agents, 'seconds') });
}

const sum = (agents: readonly AgentName[], what: 'tokens' | 'seconds'): number => agents.reduce((total, agent) => total + ASSUMED[agent][what], 0);

/** A typical question of its kind. */
function featuresOf(kind: Kind, large: boolean, code: boolean, found: boolean): Float64Array {
  const values: Partial<Record<QuestionFeature, number>> = {
    constant: 1, [kind]: 1, length: found ? 0.5 : 0.3, names: found ? 0.5 : 0.2, hops: HOPS[kind],
    'top-score': found ? 0.8 : 0.2, 'score-spread': found ? 0.5 : 0.1, 'lists-agree': found ? 1 : 0, 'terms-covered': found ? 1 : 0.5,
    'names-covered-first': found ? 1 : 0.3, 'names-covered-all': found ? 1 : 0.5, files: found ? 0.5 : 1, code: code ? 0.8 : 0.1, notes: code ? 0.2 : 0.9,
    'model-context': large ? 0.9 : 0.3, 'model-size': large ? 1 : 0.1, 'model-local': large ? 0 : 1,
  };
  return Float64Array.from(QUESTION_FEATURES, (name) => values[name] ?? 0);
}
