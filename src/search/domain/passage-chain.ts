import { z } from 'zod';
import { passage, passageKind } from './passage.ts';
import { textSpan } from './unit.ts';

export type { TextSpan } from './unit.ts';

const text = z.string();
const texts = z.array(text);
/** Also −Infinity: the logarithm of a probability may be. */
export const score = z.custom<number>((value) => typeof value === 'number');

const hopReasonKind = z.enum([
  'question', // matches the question itself (hop 1, or the other side of a comparison)
  'link', // the previous passage links to it
  'backlink', // it links to the previous passage
  'title', // its title is named in the previous passage (or the other way round)
  'term', // a rare name shared with the previous passage, not in the question
  'meaning', // nearest in meaning to question and chain together
  'sub-question', // found for a sub-question
  'chosen', // somebody chose it to begin with
]);
/** What led to a hop. */
export type HopReasonKind = z.infer<typeof hopReasonKind>;

const hopReason = z.object({
  kind: hopReasonKind,
  /** One short sentence: `links to "incidents/2024-03 outage" from line 12`. */
  text,
  /** The words that connect: term, name, link target, or the question's words. */
  terms: texts,
  /** Index in the chain of the hop that led here; undefined when the question did. */
  from: z.number().optional(),
  /** Where the linking words stand in that earlier passage, and in this one. */
  fromSpan: textSpan.optional(),
  toSpan: textSpan.optional(),
});
/** Why a passage stands in the chain, checkable by a person. */
export type HopReason = z.infer<typeof hopReason>;

const hop = z.object({
  passage,
  /** The head's logit for this hop given the question and the hops before. */
  score,
  why: hopReason,
});
/** One hop of a chain. */
export type Hop = z.infer<typeof hop>;

export const passageChain = z.object({
  hops: z.array(hop),
  /** Sum of the hops' log-probabilities; comparable between chains of one question only. */
  score,
  /** Probability (0..1) that the chain holds all the evidence needed. */
  completeness: score,
});
/**
 * A trail: passages in the order they were found, each seeing the ones before (Beam Retrieval, arXiv 2308.08973, §3).
 */
export type PassageChain = z.infer<typeof passageChain>;

const searchPart = z.enum(['text', 'vector', 'link', 'anchor', 'beam']);
/** The lists that fusion joins; `beam` when the chain put it there. */
export type SearchPart = z.infer<typeof searchPart>;

export const searchHit = z.object({
  passage,
  score,
  /** Passages folded into this hit because they overlap it or nearly equal it. */
  folded: z.array(passage),
  /** Rank (1-based) and raw score per list that held it; for `--explain`. */
  parts: z.partialRecord(searchPart, z.object({ rank: z.number(), score })),
});
/** One passage of a ranked list with the parts of its score. */
export type SearchHit = z.infer<typeof searchHit>;

/** Strict: a restriction that were dropped on the way would widen a search. */
export const passageFilter = z.strictObject({
  /** Path prefixes (folders) or exact paths; any of them matches. */
  paths: texts.optional(),
  languages: texts.optional(),
  kinds: z.array(passageKind).optional(),
  /** Only these passages: the evaluation's distractor setting, or a fixed set of candidates. */
  ids: texts.optional(),
  /** None of these passages: evidence taken away, to see whether its lack is noticed. */
  excludeIds: texts.optional(),
});
/** Which passages a search may return; undefined fields do not restrict. */
export type PassageFilter = z.infer<typeof passageFilter>;

export const retrieverName = z.enum(['text', 'vector', 'hybrid', 'beam']);
export type RetrieverName = z.infer<typeof retrieverName>;
