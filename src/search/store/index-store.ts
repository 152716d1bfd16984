import { realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withoutTrailingSlashes } from '#base';
import type { IndexCoverage } from '../domain/index-state.ts';
import type { WorkspaceRoot } from '../domain/source-file.ts';
import { FileTable, MetaTable, metaSchema, KeptVectors } from './file-table.ts';
import { isOfThisVersion, type Generation } from './index-layout.ts';
import { openTable } from './lance-connection.ts';
import { LancePassageIndex } from './lance-passage-index.ts';
import { PassageTable } from './passage-table.ts';
import { fileSchema, keptVectorSchema, passageSchema } from './schema.ts';
import { IndexDamagedError, stored, OtherRootsError } from './storage-errors.ts';
import { createIndices } from './table-upkeep.ts';

/** The tables that hold vectors. */
export interface VectorTables {
  readonly passages: PassageTable;
  readonly kept: KeptVectors;
  close(): void;
}

/** The tables of one build of an index. */
export interface IndexStore extends VectorTables {
  readonly generation: Generation;
  readonly files: FileTable;
  readonly meta: MetaTable;
  readonly index: LancePassageIndex;
  /** Its coverage, as its tables tell it. */
  counted(): Promise<IndexCoverage>;
}

interface OpenStoreOptions {
  /** Length of the vectors for a build that is to be made; one that exists keeps its own. */
  dimensions: number;
  /** True makes what is missing; false (another window writes) takes what is there. */
  writable: boolean;
  now: () => number;
  /** What the writer knows; left out, coverage is counted. */
  coverage?: () => Promise<IndexCoverage>;
}

type OpenTable = (name: string, schema: Parameters<typeof openTable>[2]) => ReturnType<typeof openTable>;

/** Makes something of a generation's tables. Where nothing comes of it, they and their connection are closed. */
async function overTables<T>(
  { connection, tablePrefix }: Generation,
  mayCreate: boolean,
  make: (open: OpenTable, close: () => void) => Promise<T | undefined>,
): Promise<T | undefined> {
  const tables: { close(): void }[] = [];
  const close = (): void => {
    for (const table of tables) table.close();
    connection.close();
  };
  let made: T | undefined;
  try {
    made = await make(async (name, schema) => {
      const table = await openTable(connection, `${tablePrefix}${name}`, schema, mayCreate);
      if (table) tables.push(table);
      return table;
    }, close);
    return made;
  } finally {
    if (made === undefined) close();
  }
}

/**
 * Opens a build; undefined when it is not there (yet) and may not be made. Its connection is closed with it. Throws
 * IndexDamagedError when it cannot be used.
 */
export async function openStore(generation: Generation, options: OpenStoreOptions): Promise<IndexStore | undefined> {
  return overTables(generation, options.writable, async (open, close) => {
    const passageTable = await open('passages', passageSchema(options.dimensions));
    const fileTable = await open('files', fileSchema);
    const dimensions = passageTable ? await vectorLength(passageTable) : options.dimensions;
    const keptTable = await open('kept_vectors', keptVectorSchema(dimensions));
    const metaTable = await open('meta', metaSchema);
    if (!passageTable || !fileTable || !keptTable || !metaTable) return undefined;
    if (options.writable) await createIndices(passageTable);

    const passages = new PassageTable(passageTable, dimensions);
    const files = new FileTable(fileTable);
    const meta = new MetaTable(metaTable);
    const counted = async (): Promise<IndexCoverage> => {
      const [fileCount, passageCount, embedded, wordsOnly] = await Promise.all([
        files.count(),
        passages.count(),
        passages.countEmbedded(),
        meta.get('words-only'),
      ]);
      return {
        files: fileCount,
        passages: passageCount,
        embedded,
        indexing: embedded + Number(wordsOnly ?? 0) < passageCount,
      };
    };
    return {
      generation,
      passages,
      files,
      kept: new KeptVectors(keptTable, dimensions, options.now),
      meta,
      index: new LancePassageIndex(
        passageTable,
        dimensions,
        options.coverage ?? counted,
        isOfThisVersion(generation.name),
      ),
      counted,
      close,
    };
  });
}

/**
 * Only what vectors can be taken from, for a build whose other tables may be damaged; undefined when they are not there
 * or of another length.
 */
export async function openVectors(
  generation: Generation,
  dimensions: number,
  now: () => number,
): Promise<VectorTables | undefined> {
  return overTables(generation, false, async (open, close) => {
    const passages = await open('passages', passageSchema(dimensions));
    const kept = await open('kept_vectors', keptVectorSchema(dimensions));
    if (!passages || !kept || (await vectorLength(passages)) !== dimensions) return undefined;
    return { passages: new PassageTable(passages, dimensions), kept: new KeptVectors(kept, dimensions, now), close };
  });
}

async function vectorLength(table: { schema(): Promise<ReturnType<typeof passageSchema>> }): Promise<number> {
  const schema = await stored('read its columns', () => table.schema());
  const type: { listSize?: number } | undefined = schema.fields.find((field) => field.name === 'vector')?.type;
  if (typeof type?.listSize !== 'number') throw new IndexDamagedError('its table of passages has no vectors');
  return type.listSize;
}

/**
 * Why this index is not one for these folders: it holds passages, and was made for folders of which none is among them.
 * A workspace to which folders were added, or from which some were taken, is the same one; so are folders in another
 * order.
 */
export async function rootsConflict(
  store: IndexStore,
  roots: readonly WorkspaceRoot[],
): Promise<OtherRootsError | undefined> {
  const madeFor = await storedRoots(store);
  const wanted = rootUris(roots);
  if (!madeFor || madeFor.length + wanted.length === 0) return undefined;
  const places = new Set(wanted.map(placeOf));
  if (madeFor.some((uri) => places.has(placeOf(uri)))) return undefined;
  return (await store.passages.count()) > 0 ? new OtherRootsError(madeFor.map(shown), wanted.map(shown)) : undefined;
}

/** Notes for which folders this index is. */
export async function noteRoots(store: IndexStore, roots: readonly WorkspaceRoot[]): Promise<void> {
  const value = JSON.stringify(rootUris(roots));
  if ((await store.meta.get('roots')) !== value) await store.meta.set('roots', value);
}

/** Undefined where nothing was noted yet. */
async function storedRoots(store: IndexStore): Promise<string[] | undefined> {
  const value = await store.meta.get('roots');
  if (value === undefined) return undefined;
  try {
    return (JSON.parse(value) as unknown[]).map(String);
  } catch (error) {
    throw new IndexDamagedError('its list of folders cannot be read', error);
  }
}

/** Sorted, and spelt in one way: editors write a drive's colon and letter differently from Node. */
function rootUris(roots: readonly WorkspaceRoot[]): string[] {
  const spelt = (uri: string): string =>
    withoutTrailingSlashes(pathToFileURL(fileURLToPath(uri)).href).replace(/^file:\/\/\/[A-Z]:/, (drive) =>
      drive.toLowerCase(),
    );
  return roots.map((root) => spelt(root.uri)).sort();
}

/** Where a folder is that may be named by way of a link; one that is not there, on an unmounted drive, is its name. */
function placeOf(uri: string): string {
  try {
    return realpathSync.native(fileURLToPath(uri));
  } catch {
    return uri;
  }
}

const shown = (uri: string): string => fileURLToPath(uri === 'file://' ? 'file:///' : uri);
