import { z } from 'zod';
import { indexCoverage } from '../domain/index-state.ts';
import { passageChain, passageFilter, retrieverName, score, searchHit } from '../domain/passage-chain.ts';
import { passage } from '../domain/passage.ts';
import { referenceAnswer, referenceQuery } from '../domain/reference-answer.ts';
import type { Port, Requests } from '../domain/request.ts';
import { absentWord } from './absent-names.ts';
import { textSpan, unitContext, unitKind } from '../domain/unit.ts';

const text = z.string();
const texts = z.array(text);
const vector = z.custom<Float32Array>((value) => value instanceof Float32Array);

/**
 * Further wordings of what is searched for: likely identifiers, terms of the field, a line as it might stand in a file.
 * Their lists are fused with the question's by rank; `SearchHit.query` tells which one found a hit.
 */
const queries = z.array(text).max(12).optional();

const searchOptions = z.object({
  queries,
  retriever: retrieverName,
  limit: z.number().int().positive().max(10_000),
  filter: passageFilter.optional(),
  /**
   * Does not wait for lists that come late, as of an index that is still loading: for what is shown until something
   * better comes. Not with `beam`.
   */
  soon: z.boolean().optional(),
});
export type SearchOptions = z.infer<typeof searchOptions>;

const chainOptions = z.object({
  queries,
  /** Most hops of a chain; default 6. */
  maxHops: z.number().int().positive().max(20).optional(),
  /** B, chains kept per hop; default 2. */
  beam: z.number().int().positive().max(50).optional(),
  /** `model`: the completeness model decides; `threshold`: the paper's τ on the logit. Default `model`. */
  stop: z.enum(['model', 'threshold']).optional(),
  /** τ, default −1; only with `threshold`. */
  threshold: z.number().optional(),
  filter: passageFilter.optional(),
  /** Tells `unknown`, too: a look at the index for each word. */
  words: z.boolean().optional(),
});
export type ChainOptions = z.infer<typeof chainOptions>;

const chainResult = z.object({
  /** Best first; the first is the retriever's choice. Empty when nothing was found. */
  chains: z.array(passageChain),
  /** A ranked list whose head is the best chain, then the best of the rest. */
  hits: z.array(searchHit),
  /** Milliseconds per hop. */
  hopMilliseconds: z.array(z.number()),
  coverage: indexCoverage,
  /**
   * Names and exact identifiers of the question that no passage holds, in its order; only where there is a question.
   */
  absent: z.array(absentWord).optional(),
  /** These, and all other words of the query that no passage has, as written; only where `words` are asked for. */
  unknown: texts.optional(),
});
export type ChainResult = z.infer<typeof chainResult>;

const readUnit = textSpan.extend({
  passageId: text,
  text,
  score,
  kind: unitKind.optional(),
  /** What has to be read before it: header cells of a row, items above an item, the signature around a statement. */
  context: unitContext.optional(),
});
/** A unit of a passage with its score; offsets into the passage's text, those of the context too. */
export type ReadUnit = z.infer<typeof readUnit>;

const reading = z.object({
  /** All units, by the probability (0..1) that they answer the question, best first. */
  sentences: z.array(readUnit),
  /** Probability (0..1) that these passages have an answer. */
  answerability: score,
});
/** What the reader makes of some passages (Beam Retrieval §3.4, without spans). */
export type Reading = z.infer<typeof reading>;

export const retrieverRequests = {
  search: {
    args: z.tuple([text, searchOptions]),
    reply: z.object({ hits: z.array(searchHit), coverage: indexCoverage }),
  },
  chains: { args: z.tuple([text, chainOptions]), reply: chainResult },
  /** Best chains that lead from one file to another. */
  connect: { args: z.tuple([text, text, chainOptions]), reply: chainResult },
  /** By id, order kept, unknown ids left out. */
  passages: { args: z.tuple([texts.readonly()]), reply: z.array(passage) },
  /** All passages of a file, in their order. */
  passagesOf: { args: z.tuple([text]), reply: z.array(passage) },
  /** L2-normalised vectors of texts embedded as queries, for classifiers and novelty. */
  embed: { args: z.tuple([texts.readonly()]), reply: z.array(vector) },
  /**
   * Units of the passages with these ids, a chain's first, by how likely each answers the question. A passage that has
   * changed since it was found is read as it was found.
   */
  read: { args: z.tuple([text, texts.readonly()]), reply: reading },
  /** Where a symbol of the programs is used, or what it uses. */
  references: { args: z.tuple([referenceQuery]), reply: referenceAnswer },
} satisfies Requests;

/** Port: what reasoning sees of the index. Runs in the index process; every method rejects with AbortError on abort. */
export type Retriever = Port<typeof retrieverRequests>;
