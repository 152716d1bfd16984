import { z } from 'zod';
import { type IndexCoverage, indexCoverage } from './index-state.ts';

const text = z.string();
const line = z.number().int().nonnegative();

/** Steps of a way from one symbol to another, at most: longer ones say nothing of the two any more. */
export const MOST_STEPS = 6;

export const referenceKind = z.enum([
  'uses', // all of the others that programs do
  'calls',
  'imports',
  'implements', // also what extends it
  'overrides',
  'types', // where it is named as a type
  'reads',
  'sets',
  'throws',
  'keys', // strings by which it is looked up
  'tests', // any use in a test
  'documents', // pages that name it
  'definitions',
  'callees', // what it calls itself
  'reaches', // how it leads to another symbol
]);
/** What is asked of a symbol. */
export type ReferenceKind = z.infer<typeof referenceKind>;

export const referenceQuery = z.object({
  /** A name, as `merge`, `Store.merge` or `Store::merge`; a file's path for `imports`; a string for `keys`. */
  symbol: text.min(1).max(300),
  kind: referenceKind,
  /** For `reaches`: the other end, named as `symbol` is; both may be files. */
  to: text.min(1).max(300).optional(),
  /** Only in files at or below these paths. */
  paths: z.array(text).optional(),
});
export type ReferenceQuery = z.infer<typeof referenceQuery>;

const referenceRelation = z.enum([
  'calls',
  'imports',
  'extends',
  'implements',
  'overrides',
  'types',
  'reads',
  'sets',
  'throws',
  'keys',
  'defines',
  'documents',
]);
/** What the place does with the name. */
export type ReferenceRelation = z.infer<typeof referenceRelation>;

const place = z.object({
  path: text,
  line,
  /** The line's text, without the blanks around it. */
  text,
  passageId: text,
});

const foundReference = place.extend({
  relation: referenceRelation,
  /** The function or class that the place stands in, as `Store.merge`; '' at the top of a file. */
  from: text,
  /** What is meant there: `Store.merge`. */
  to: text,
  /** 0..1; under 0.5 it is only a possible one. */
  confidence: z.number(),
});
export type FoundReference = z.infer<typeof foundReference>;

const foundDefinition = place.extend({
  name: text,
  kind: text,
  endLine: line,
  /** Of what has a body: all before it, on one line. */
  signature: text.optional(),
});
export type FoundDefinition = z.infer<typeof foundDefinition>;

const route = z.object({
  /** Which of the two leads to the other. */
  found: z.enum(['forwards', 'backwards', 'none']),
  /** So many definitions lie on the ways that were gone. */
  reached: z.number().int(),
  /** Definitions of either name that the way does not touch. */
  ambiguous: z.array(foundDefinition),
});

export const referenceAnswer = z.object({
  query: referenceQuery,
  /**
   * What the symbol may be. None: no file defines it. Of a way: what lies on it, in its order, or both ends.
   */
  definitions: z.array(foundDefinition),
  /** By path and line; at most as many as `limits` allow. Of a way: its steps in order. */
  references: z.array(foundReference),
  /** How one symbol leads to another; only where that is asked for, and both are known. */
  route: route.optional(),
  /** All that were found. */
  total: z.number().int(),
  files: z.number().int(),
  /** Places where the name alone says that it may be meant. */
  possible: z.array(foundReference),
  possibleTotal: z.number().int(),
  /** Of what is asked who calls it: places that name it as a value, to be called from elsewhere. */
  named: z.number().int().optional(),
  /** The name is so common that places of which nothing tells what they mean are not counted. */
  isCommon: z.boolean(),
  /** Names like it, where no file defines it. */
  near: z.array(text),
  /** Files of which not all references were read. */
  cutFiles: z.array(text),
  /** So many programs are in a language that no grammar here reads. */
  unread: z.number().int().default(0),
  /** False for an index of an earlier version, and while files are still being read. */
  complete: z.boolean(),
  coverage: indexCoverage,
});
/** A list of places, complete as far as `complete`, `cutFiles`, `possible` and `isCommon` say. */
export type ReferenceAnswer = z.infer<typeof referenceAnswer>;

/** The answer to a query of which nothing was found, or nothing is known yet. */
export const noReferences = (query: ReferenceQuery, coverage: IndexCoverage): ReferenceAnswer => ({
  query,
  definitions: [],
  references: [],
  total: 0,
  files: 0,
  possible: [],
  possibleTotal: 0,
  isCommon: false,
  near: [],
  cutFiles: [],
  unread: 0,
  complete: false,
  coverage,
});
