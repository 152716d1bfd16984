import { createHash } from 'node:crypto';
import { z } from 'zod';

const passageShape = z.object({ id: z.string(), path: z.string(), startLine: z.number(), endLine: z.number(), title: z.string(), text: z.string() });
const exchangeShape = z.object({ question: z.string(), answer: z.string() });

const common = {
  version: z.literal(1),
  /** Hash of what is asked, not of what is answered: a newer record replaces an older one. */
  id: z.string(),
  /** The run's question: records of one question are never split between training and held-out. */
  runQuestion: z.string(),
  source: z.object({ runId: z.string(), stepId: z.string().nullable(), /** Milliseconds since the epoch. */ time: z.number(), /** Model id; null without one. */ model: z.string().nullable() }),
  /** Why the run counts as having ended well. */
  outcome: z.array(z.enum(['citations', 'critique', 'thumb', 'gold'])),
  /** `local`: never leaves this machine; `upload`: a person agreed that it may. */
  consent: z.enum(['local', 'upload']),
};

const decompositionShape = z.object({
  kind: z.literal('decomposition'), ...common,
  history: z.array(exchangeShape),
  /** Sub-questions that were tried at this place and rejected. */
  rejected: z.array(z.object({ question: z.string(), reason: z.string() })),
  /** The sub-question that was kept; null: stop, enough is known. */
  next: z.string().nullable(),
});

const readingShape = z.object({
  kind: z.literal('reading'), ...common,
  question: z.string(),
  passages: z.array(passageShape),
  answer: z.string(),
  /** Passages that the answer rests on, of those above. */
  passageIds: z.array(z.string()),
});

const critiqueShape = z.object({
  kind: z.literal('critique'), ...common,
  history: z.array(exchangeShape),
  node: z.object({ question: z.string(), answer: z.string(), /** What it rests on, quoted. */ evidence: z.string() }),
  verdict: z.enum(['keep', 'redundant', 'irrelevant', 'unsupported']),
  reason: z.string(),
});

/** One line of the experience store: RISE's D_d, D_r or D_c (He et al. 2025). */
export const experienceShape = z.discriminatedUnion('kind', [decompositionShape, readingShape, critiqueShape]);

export type DecompositionRecord = z.infer<typeof decompositionShape>;
export type ReadingRecord = z.infer<typeof readingShape>;
export type CritiqueRecord = z.infer<typeof critiqueShape>;
export type ExperienceRecord = z.infer<typeof experienceShape>;
export type ExperienceKind = ExperienceRecord['kind'];

/** Id of a record by what is asked in it: case and spaces do not count. */
export function experienceId(kind: ExperienceKind, asked: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify([kind, ...asked]).toLowerCase().replace(/\s+/gu, ' ')).digest('hex').slice(0, 24);
}
