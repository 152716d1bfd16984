import { z } from 'zod';
import type { Answer, CritiqueVerdict, StrategyName, Usage } from '#research';
import type { Beta } from './bandit/policy.ts';

const verdictShape = z.object({
  verdict: z.enum(['keep', 'redundant', 'irrelevant', 'unsupported']),
  reason: z.string(),
  by: z.enum(['model', 'evidence']),
});

/** A quality or a cost. */
const share = z.number().min(0).max(1);

/** One choice and what is known of it: kept so that a later word about the answer can correct what was learnt. */
export const decisionShape = z.object({
  runId: z.string(),
  /** Hash of the question: to know it again, not to read it. */
  question: z.string(),
  /** Milliseconds since the epoch. */
  time: z.number(),
  strategy: z.string(),
  beta: z.number(),
  /** Each about 0..1: one of another size would leave no model that can be fitted. */
  features: z.array(z.number().min(-10).max(10)),
  /** What was learnt from it; undefined while the run goes on. */
  learnt: z.object({ quality: share, cost: share }).optional(),
  /** The answer's quality by the machine's own checks. */
  checked: share.optional(),
  critique: verdictShape.optional(),
  thumb: z.enum(['up', 'down']).optional(),
  thinkHarder: z.boolean().optional(),
  edit: z.enum(['kept', 'changed', 'removed']).optional(),
});

export type Decision = z.infer<typeof decisionShape>;

/**
 * The place of its strategy among these actions. −1 for one that may be run and not chosen: its outcomes are kept and
 * told, and no choice rests on them.
 */
export const placeOf = ({ strategy }: Decision, actions: readonly { name: string }[]): number =>
  actions.findIndex(({ name }) => name === strategy);

/** A run that taught something. */
export type TaughtDecision = Decision & { learnt: NonNullable<Decision['learnt']> };

/** β of the settings: how much an answer's quality weighs against its cost. 0.5 is AQA's. */
export const betaOf = (strategy: StrategyName): Beta =>
  strategy === 'fast' ? 0.3 : strategy === 'thorough' ? 0.8 : 0.5;

/** Tokens and seconds at which each is penalised by one half. */
interface CostScale {
  tokens: number;
  seconds: number;
}

/** A handful of retrievals with their prompts, and as long as a person waits before turning to something else. */
const DEFAULT_COST_SCALE: CostScale = { tokens: 8000, seconds: 40 };

/**
 * T, the penalised cost, 0..1: the mean of tokens and seconds, each as x / (x + scale), so that no run is infinitely
 * bad.
 */
export function penalisedCost(
  used: { tokens: number; seconds: number },
  scale: CostScale = DEFAULT_COST_SCALE,
): number {
  return (saturated(used.tokens, scale.tokens) + saturated(used.seconds, scale.seconds)) / 2;
}

const saturated = (value: number, scale: number): number => Math.max(0, value) / (Math.max(0, value) + scale);

export const costOfUsage = (usage: Usage): number =>
  penalisedCost({ tokens: usage.inputTokens + usage.outputTokens, seconds: usage.seconds });

/** What is known of an answer without knowing the right one. */
export interface QualitySigns {
  answer: Pick<Answer, 'abstained' | 'statements' | 'unsupportedCount' | 'citations' | 'by'> | undefined;
  /** The last critique of the whole; undefined when it was not made. */
  critique?: CritiqueVerdict;
  thumb?: 'up' | 'down';
  /** The reader asked for more effort on the same question. */
  thinkHarder?: boolean;
  /** What the reader did with the text: took it over as it is, changed it before, or took it out again. */
  edit?: 'kept' | 'changed' | 'removed';
}

/** What an answer is worth when a person has said so, or has shown it. */
const PERSON = { up: 1, down: 0, kept: 0.95, changed: 0.5, removed: 0.1, thinkHarder: 0.2 } as const;
/** A refusal may be right; it was no help either way. */
const ABSTAINED = 0.3;
/** Quotes pass the citation check by being quotes: the check says nothing of whether they answer. */
const QUOTES = { kept: 0.5, doubted: 0.2 } as const;

/**
 * P, the quality of an answer, 0..1, from what is known at the time: a person's word before a person's deeds before the
 * machine's own checks, which are the share of statements that the citation check upholds and the critique's verdict.
 */
export function onlineQuality({ answer, critique, thumb, thinkHarder, edit }: QualitySigns): number {
  if (thumb) return PERSON[thumb];
  if (thinkHarder) return PERSON.thinkHarder;
  if (edit) return PERSON[edit];
  if (!answer) return 0;
  if (answer.abstained) return ABSTAINED;
  if (answer.by === 'extractive')
    return critique === undefined || critique.verdict === 'keep' ? QUOTES.kept : QUOTES.doubted;
  const upheld = answer.statements.filter((statement) => statement.support !== 'unsupported').length;
  const stated = Math.max(answer.statements.length, upheld + answer.unsupportedCount);
  const citations = answer.citations.length === 0 ? 0 : stated === 0 ? 1 : upheld / stated;
  if (!critique) return 0.8 * citations;
  return 0.5 * citations + (critique.verdict === 'keep' ? 0.4 : 0);
}
