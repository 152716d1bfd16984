import type { IndexCoverage } from '../domain/index-state.ts';
import { FileTable } from './file-table.ts';
import { isOfThisVersion, type Generation } from './index-layout.ts';
import { KeptVectors } from './kept-vectors.ts';
import { openTable } from './lance-connection.ts';
import { LancePassageIndex } from './lance-passage-index.ts';
import { MetaTable, metaSchema } from './meta-table.ts';
import { PassageTable } from './passage-table.ts';
import { fileSchema, keptVectorSchema, passageSchema } from './schema.ts';
import { IndexDamagedError, stored } from './storage-errors.ts';
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
}

export interface OpenStoreOptions {
  /** Length of the vectors for a build that is to be made; one that exists keeps its own. */
  dimensions: number;
  /** True makes what is missing; false (another window writes) takes what is there. */
  writable: boolean;
  now: () => number;
  /** What the writer knows; left out, coverage is counted. */
  coverage?: () => Promise<IndexCoverage>;
}

/**
 * Opens a build; undefined when it is not there (yet) and may not be made. Throws IndexDamagedError when it cannot be
 * used.
 */
export async function openStore(generation: Generation, options: OpenStoreOptions): Promise<IndexStore | undefined> {
  const { connection, tablePrefix } = generation;
  const open = (name: string, schema: Parameters<typeof openTable>[2]) =>
    openTable(connection, `${tablePrefix}${name}`, schema, options.writable);
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
    close: () => {
      for (const table of [passageTable, fileTable, keptTable, metaTable]) table.close();
      connection.close();
    },
  };
}

/**
 * Only what vectors can be taken from, for a build whose other tables may be damaged; undefined when they are not there
 * or of another length.
 */
export async function openVectors(
  { connection, tablePrefix }: Generation,
  dimensions: number,
  now: () => number,
): Promise<VectorTables | undefined> {
  const passages = await openTable(connection, `${tablePrefix}passages`, passageSchema(dimensions), false);
  const kept = await openTable(connection, `${tablePrefix}kept_vectors`, keptVectorSchema(dimensions), false);
  if (!passages || !kept || (await vectorLength(passages)) !== dimensions) return undefined;
  return {
    passages: new PassageTable(passages, dimensions),
    kept: new KeptVectors(kept, dimensions, now),
    close: () => {
      passages.close();
      kept.close();
      connection.close();
    },
  };
}

async function vectorLength(table: { schema(): Promise<ReturnType<typeof passageSchema>> }): Promise<number> {
  const schema = await stored('read its columns', () => table.schema());
  const type: { listSize?: number } | undefined = schema.fields.find((field) => field.name === 'vector')?.type;
  if (typeof type?.listSize !== 'number') throw new IndexDamagedError('its table of passages has no vectors');
  return type.listSize;
}
