import { z } from 'zod';
import type { Answer, CritiqueVerdict, Usage } from '#research';
import { MODEL_CLASSES } from './question-features.ts';

/** A quality or a cost. */
const share = z.number().min(0).max(1);

/** One run and what is known of it: kept so that a later word about the answer corrects what was learnt. */
export const decisionShape = z.object({
  runId: z.string(),
  /** Milliseconds since the epoch. */
  time: z.number(),
  /** Name of its plan. */
  strategy: z.string(),
  /** Class of the model that answered. */
  class: z.enum(MODEL_CLASSES),
  features: z.array(share),
  learnt: z.object({ quality: share, cost: share }),
  /** The answer's quality by the machine's own checks. */
  checked: share,
  thumb: z.enum(['up', 'down']).optional(),
  thinkHarder: z.boolean().optional(),
  edit: z.enum(['kept', 'changed', 'removed']).optional(),
});

/** A run that taught something. */
export type TaughtDecision = z.infer<typeof decisionShape>;

/** Tokens and seconds at which each is penalised by one half. */
const COST_SCALE = { tokens: 8000, seconds: 40 };

/**
 * T, the penalised cost, 0..1: the mean of tokens and seconds, each as x / (x + scale), so that no run is infinitely
 * bad.
 */
export const penalisedCost = ({ tokens, seconds }: { tokens: number; seconds: number }): number =>
  (saturated(tokens, COST_SCALE.tokens) + saturated(seconds, COST_SCALE.seconds)) / 2;

const saturated = (value: number, scale: number): number => Math.max(0, value) / (Math.max(0, value) + scale);

/** The same of a run; tokens from a prompt cache cost a tenth. */
export const costOfUsage = ({ inputTokens, outputTokens, cachedTokens = 0, seconds }: Usage): number =>
  penalisedCost({ tokens: inputTokens - 0.9 * cachedTokens + outputTokens, seconds });

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
 * P, the quality of an answer, 0..1: a person's word before a person's deeds before the machine's own checks, which are
 * the share of statements that the citation check upholds and the critique's verdict.
 */
export function onlineQuality({ answer, critique, thumb, thinkHarder, edit }: QualitySigns): number {
  if (thumb) return PERSON[thumb];
  if (thinkHarder) return PERSON.thinkHarder;
  if (edit) return PERSON[edit];
  if (!answer) return 0;
  if (answer.abstained) return ABSTAINED;
  const isKept = critique === undefined || critique.verdict === 'keep';
  if (answer.by === 'extractive') return isKept ? QUOTES.kept : QUOTES.doubted;
  const upheld = answer.statements.filter((statement) => statement.support !== 'unsupported').length;
  const stated = Math.max(answer.statements.length, upheld + answer.unsupportedCount);
  const citations = answer.citations.length === 0 ? 0 : stated === 0 ? 1 : upheld / stated;
  return critique ? 0.5 * citations + (isKept ? 0.4 : 0) : 0.8 * citations;
}

/** P by what is known now: a person's word or deed, else the checks made at the end of the run. */
export const qualityOf = ({
  checked,
  ...signs
}: Pick<TaughtDecision, 'checked' | 'thumb' | 'thinkHarder' | 'edit'>): number =>
  signs.thumb || signs.thinkHarder || signs.edit ? onlineQuality({ answer: undefined, ...signs }) : checked;
