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

/** Two by name, one of which does something to the other. */
const pairCode = z.enum([
  'calls', // what a program does with a name, as the index resolved it
  'imports',
  'extends',
  'implements',
  'names-type',
  'reads',
  'sets',
  'throws',
  'links', // what a link says, by its target
  'uses',
  'links-back', // the same of a link back to an earlier passage
  'imports-of',
  'uses-of',
  'names', // an earlier passage names this one
  'shares', // this passage has a name in common with an earlier one
]);

const because = z.discriminatedUnion('code', [
  z.object({
    code: pairCode,
    /** Who does it: `serveStatic`, or the title of the earlier passage. */
    who: text,
    /** What it is done to: `getMimeType`, a link's target, a name. */
    what: text,
    /** Where it is done (1-based), and in which file, where that is not plain from the trail. */
    line: z.number().optional(),
    path: text.optional(),
  }),
  // The subject of an earlier passage is named here; what was asked for is defined here.
  z.object({ code: z.enum(['names-subject', 'defines-asked']), what: text }),
  // The question has these words; it asks about them besides.
  z.object({ code: z.enum(['matches', 'asks-also']), terms: texts }),
  // Nearest in meaning to an earlier passage, and to the question as well.
  z.object({ code: z.enum(['near-passage', 'near-both']), who: text }),
  z.object({ code: z.literal('found-for'), question: text }),
  z.object({ code: z.enum(['near-question', 'found', 'chosen']) }),
]);
/** Why a hop follows, as data: `reasonInWords` makes a sentence of it. */
export type Because = z.infer<typeof because>;

const hopReason = z.object({
  kind: hopReasonKind,
  /** Undefined where nothing is said, and in runs that an earlier version kept. */
  because: because.optional(),
  /** What those runs have in its place: a sentence in English. Nothing writes it any more. */
  text: text.optional(),
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

const searchPart = z.enum(['text', 'vector', 'link', 'anchor', 'exact', 'beam']);
/** The lists that fusion joins; `beam` when the chain put it there. */
export type SearchPart = z.infer<typeof searchPart>;

export const searchHit = z.object({
  passage,
  score,
  /** Passages folded into this hit because they overlap it or nearly equal it. */
  folded: z.array(passage),
  /** The further query (`queries` of a search) that ranked it highest; undefined where the question itself did. */
  query: text.optional(),
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
