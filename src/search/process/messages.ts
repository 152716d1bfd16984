import { z } from 'zod';
import type { ErrorReport } from '#base';
import type { IndexState } from '../domain/index-state.ts';
import { chainScorerShape } from '../retrieval/chain-scorer.ts';

/**
 * What the extension (or command line) and the index process say to one another. Requests are checked where they
 * arrive; replies come from our own code and are checked for their envelope only.
 */

const text = z.string();
const texts = z.array(text);

const embedder = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bundled') }),
  z.object({ kind: z.literal('folder'), path: text.min(1) }),
  z.object({
    kind: z.literal('endpoint'),
    baseUrl: z.url({ protocol: /^https?$/ }),
    model: text.min(1),
    apiKey: text.optional(),
  }),
]);

const indexConfig = z.object({
  roots: z.array(z.object({ uri: text.startsWith('file:'), name: text })),
  indexUri: text.min(1),
  storageOptions: z.record(text, text).optional(),
  embedder,
  excludeGlobs: texts,
  useGitignore: z.boolean(),
  maxFileBytes: z.number().positive(),
  follow: z.literal(true).optional(),
  takeOver: z.literal(true).optional(),
});

const passageKind = z.enum([
  'function',
  'class',
  'outline',
  'code',
  'section',
  'paragraph',
  'front-matter',
  'table',
  'data',
  'cell',
  'page',
  'block',
]);
const linkKind = z.enum(['import', 'call', 'define', 'wikilink', 'markdown', 'path', 'url']);
const line = z.number().int().nonnegative();

const passage = z.object({
  id: text.min(1),
  uri: text,
  path: text,
  startLine: line,
  endLine: line,
  startColumn: line.optional(),
  endColumn: line.optional(),
  page: line.optional(),
  kind: passageKind,
  language: text,
  title: text,
  text,
  contentHash: text,
  links: z.array(
    z.object({
      kind: linkKind,
      target: text,
      line,
      path: text.optional(),
      anchor: text.optional(),
      via: text.optional(),
    }),
  ),
});

// Strict: a restriction that were dropped on the way would widen a search.
const filter = z.strictObject({
  paths: texts.optional(),
  languages: texts.optional(),
  kinds: z.array(passageKind).optional(),
  ids: texts.optional(),
  excludeIds: texts.optional(),
});
const limit = z.number().int().positive().max(10_000);

const searchOptions = z.object({
  retriever: z.enum(['text', 'vector', 'hybrid', 'beam']),
  limit,
  filter: filter.optional(),
});
const chainOptions = z.object({
  maxHops: z.number().int().positive().max(20).optional(),
  beam: z.number().int().positive().max(50).optional(),
  stop: z.enum(['model', 'threshold']).optional(),
  threshold: z.number().optional(),
  filter: filter.optional(),
  startFrom: texts.optional(),
});

const trails = z.array(z.object({ id: text, question: text, passageIds: texts.min(1) }));

/** Arguments of every request, by method. */
export const requestShapes = {
  'index.open': z.tuple([indexConfig]),
  'index.update': z.tuple([
    z.object({
      rebuild: z.boolean().optional(),
      emptied: z.boolean().optional(),
      hints: z.object({ openUris: texts }).optional(),
    }),
  ]),
  'index.filesChanged': z.tuple([texts]),
  'index.importPassages': z.tuple([z.array(passage)]),
  'index.pause': z.tuple([]),
  'index.resume': z.tuple([]),
  'index.state': z.tuple([]),
  'index.report': z.tuple([]),
  'index.passagesOf': z.tuple([text]),
  'index.close': z.tuple([]),
  'retriever.search': z.tuple([text, searchOptions]),
  'retriever.chains': z.tuple([text, chainOptions]),
  'retriever.connect': z.tuple([text, text, chainOptions]),
  'retriever.passages': z.tuple([texts]),
  'retriever.embed': z.tuple([texts]),
  'retriever.read': z.tuple([text, texts]),
  'learner.train': z.tuple([trails, z.number().int()]),
  'learner.score': z.tuple([chainScorerShape.nullable(), trails]),
  'learner.use': z.tuple([chainScorerShape.nullable()]),
} as const;

export type Method = keyof typeof requestShapes;
export type Arguments<M extends Method> = z.infer<(typeof requestShapes)[M]>;

const methods = Object.keys(requestShapes) as [Method, ...Method[]];

/** To the index process. */
export const toIndexProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), modelsDir: text.min(1), wasmDir: text.min(1) }),
  z.object({ type: z.literal('request'), id: z.number().int(), method: z.enum(methods), args: z.array(z.unknown()) }),
  z.object({ type: z.literal('cancel'), id: z.number().int() }),
  z.object({ type: z.literal('exit') }),
]);
export type ToIndexProcess = z.infer<typeof toIndexProcess>;

const logLevel = z.enum(['debug', 'info', 'warn', 'error']);
export type LogLevel = z.infer<typeof logLevel>;

/** From the index process. */
export const fromIndexProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('result'), id: z.number().int(), value: z.unknown() }),
  z.object({
    type: z.literal('failure'),
    id: z.number().int(),
    aborted: z.boolean(),
    error: z.custom<ErrorReport>((value) => typeof (value as Partial<ErrorReport> | null)?.code === 'string'),
  }),
  z.object({
    type: z.literal('state'),
    state: z.custom<IndexState>((value) => typeof (value as Partial<IndexState> | null)?.phase === 'string'),
  }),
  z.object({ type: z.literal('log'), level: logLevel, text }),
]);
export type FromIndexProcess = z.infer<typeof fromIndexProcess>;
