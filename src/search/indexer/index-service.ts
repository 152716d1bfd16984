import { z } from 'zod';
import { fileReport, indexReport, indexState } from '../domain/index-state.ts';
import { passage } from '../domain/passage.ts';
import type { Port, Requests } from '../domain/request.ts';
import { workspaceRoot } from '../domain/source-file.ts';

const text = z.string();
const texts = z.array(text).readonly();
const nothing = z.tuple([]);

const embedderChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bundled') }),
  z.object({ kind: z.literal('folder'), path: text.min(1) }), // an ONNX model in transformers.js layout
  z.object({
    kind: z.literal('endpoint'),
    baseUrl: z.url({ protocol: /^https?$/ }),
    model: text.min(1),
    apiKey: text.optional(),
  }),
]);
/** Which embedding model to use. */
export type EmbedderChoice = z.infer<typeof embedderChoice>;

export const indexConfig = z.object({
  roots: z.array(workspaceRoot).readonly(),
  /** Folder path, `s3://…`, `gs://…`, `az://…` or `db://…`. */
  indexUri: text.min(1),
  /** Options for remote storage (region, keys), never from a workspace's settings. */
  storageOptions: z.record(text, text).optional(),
  embedder: embedderChoice,
  excludeGlobs: texts,
  useGitignore: z.boolean(),
  maxFileBytes: z.number().positive(),
  /** See ReadingOptions.encoding. */
  encoding: text.optional(),
  /** Vectors are made while the machine is idle and has mains power; what is edited gets its own at once. */
  whenIdle: z.literal(true).optional(),
  /**
   * For an index in object storage: a person says that this machine writes it from now on. The writer of before notices
   * within ten seconds, and only reads from then on.
   */
  takeOver: z.literal(true).optional(),
});
/** How to open an index. */
export type IndexConfig = z.infer<typeof indexConfig>;

const indexHints = z.object({ openUris: texts });
/** Files to read first. */
export type IndexHints = z.infer<typeof indexHints>;

const updateOptions = z.object({
  /** Write everything anew, beside what answers meanwhile. */
  rebuild: z.boolean().optional(),
  /**
   * Folders that are empty or gone are meant to be: what the index knows of them goes. Without it that is kept, and the
   * update rejects.
   */
  emptied: z.boolean().optional(),
  hints: indexHints.optional(),
  /** Whoever asks watches the folders, and tells of each change from now on: a window. */
  watched: z.literal(true).optional(),
  /**
   * For a question: resolves when words are searchable and few vectors are missing, or when waiting is not worth it.
   * The update goes on.
   */
  soon: z.literal(true).optional(),
});
/** How to bring an index up to date. */
export type UpdateOptions = z.infer<typeof updateOptions>;

const unsavedText = z.object({
  uri: text.startsWith('file:'),
  /** What the editor shows; null: what lies on disk counts again. */
  text: text.nullable(),
});

export const indexRequests = {
  /** Opens (or makes) the index, to write it where nobody else does. */
  open: { args: z.tuple([indexConfig]), reply: indexState },
  /**
   * Brings the index up to date with the folders; resolves when text and vectors are done. Safe to call again at any
   * time. Where another machine writes, it only reports what there is, and a rebuild rejects with NotTheWriterError.
   */
  update: { args: z.tuple([updateOptions]), reply: indexReport },
  /** Files or folders that changed, appeared or vanished; resolves when they are searchable by words. */
  filesChanged: { args: z.tuple([texts]), reply: z.void() },
  /**
   * What editors show and have not saved; those that are not named stay as they are. It is read in place of the files
   * until it is given up for them, or the index is closed. Resolves when its words are searchable. A process that only
   * reads keeps it until it writes.
   */
  unsaved: { args: z.tuple([z.array(unsavedText).readonly()]), reply: z.void() },
  /** Files that somebody opens now: while vectors are made, theirs come next, then those of what they link to. */
  shown: { args: z.tuple([texts]), reply: z.void() },
  /** Makes these passages the whole content of the index (no files behind them): for evaluation sets. */
  importPassages: { args: z.tuple([z.array(passage).readonly()]), reply: indexReport },
  pause: { args: nothing, reply: z.void() },
  resume: { args: nothing, reply: z.void() },
  state: { args: nothing, reply: indexState },
  /** What became of each file, as of the last update; where another machine writes, as the index has it. */
  report: { args: nothing, reply: fileReport },
  passagesOf: { args: z.tuple([text]), reply: z.array(passage) },
  /** Passages of other files with a link to this file, or to a place in it. */
  linkingTo: { args: z.tuple([text]), reply: z.array(passage) },
  close: { args: nothing, reply: z.void() },
} satisfies Requests;

/** Port: the writing side, as the engine sees it. Lives in the index process. */
export type IndexService = Port<typeof indexRequests>;
