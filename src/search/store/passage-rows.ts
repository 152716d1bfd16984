import type { Query, Table as LanceTable } from '@lancedb/lancedb';
import { hashOf, slicesOf } from '#base';
import { crc32 } from 'node:zlib';
import type { Passage, PassageLink } from '../domain/passage.ts';
import type { RecordBatch, Schema, Table } from 'apache-arrow';
import { linkKeys, nameKeys } from '../domain/link-keys.ts';
import { IDS_PER_QUERY, isIn } from './lance-connection.ts';
import type { IndexedPassage, PassageRef } from './passage-index.ts';
import { arrowTable, rowsOf } from './schema.ts';
import { wordParts } from '../text/word-parts.ts';
import { decodeUnits, encodeUnits } from '../domain/unit.ts';
import { IndexDamagedError, stored } from './storage-errors.ts';

/** CRC-32 as a signed 32-bit integer, which is what an Arrow Int32 column holds. */
const signed = (value: number): number => value | 0;

/** Columns that hold a field of a passage as it is; one without a value is null. */
const FIELDS = {
  id: 'id',
  uri: 'uri',
  path: 'path',
  startLine: 'start_line',
  endLine: 'end_line',
  startColumn: 'start_column',
  endColumn: 'end_column',
  page: 'page',
  kind: 'kind',
  language: 'language',
  title: 'title',
  contentHash: 'content_hash',
  text: 'text',
} as const satisfies Partial<Record<keyof Passage, string>>;
const fields = Object.entries(FIELDS) as [keyof typeof FIELDS, string][];

/**
 * Over everything of a passage that is stored but its references, which have one of their own, so that a flipped bit,
 * which LanceDB does not notice, is seen.
 */
function passageChecksum(passage: Passage, linksJson: string, units: string): number {
  const head = fields.flatMap(([field]) => (field === 'text' ? [] : [passage[field] ?? ''])).join('\u0000');
  return signed(crc32(units, crc32(linksJson, crc32(passage.text, crc32(head)))));
}

/** Over a vector and the content hash that it belongs to. */
export function vectorChecksum(vector: Float32Array, contentHash: string): number {
  return signed(crc32(contentHash, crc32(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))));
}

/** Tells which passages a file has, whatever their order: an id follows from the place and the content. '' for none. */
export function idsDigest(ids: readonly string[]): string {
  return ids.length === 0 ? '' : hashOf([...ids].sort().join('\n'), 32);
}

/** Words of letters, digits and underscores, dots left out: what an identifier is in most languages. */
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Where camelCase, PascalCase, ACRONYMWord, and letters beside digits part. */
const BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|[_$]/u;
const COMPOUND = /[_$]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u;

/** Lower-case parts of one identifier: `HTTPServer2` gives http, server, 2; a plain word gives itself. */
export function identifierParts(word: string): string[] {
  return word
    .split(BOUNDARY)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

/** Distinct parts of all compound identifiers in a text, in order of appearance. */
export function splitIdentifiers(text: string): string[] {
  const parts = new Set<string>();
  for (const [word] of text.matchAll(WORD)) {
    if (!COMPOUND.test(word)) continue;
    for (const part of identifierParts(word)) if (part.length > 1) parts.add(part);
  }
  return [...parts];
}

/** Marks of where a word may part, or not, and of how it is shown: no part of it. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Nothing below is written in two ways. */
const MAY_DIFFER = /[^\s -\u00ac\u00ae-\u02ff]/;

/** A word that a line ends in, as pages are set; a compound whose own hyphen stands there is found by its parts. */
const PARTED = /([\p{L}\p{M}]{1,40})[-\u2010]\r?\n[ \t]{0,20}(?=\p{Ll})/gu;

/**
 * Words of a text that people type otherwise: parted at the ends of lines or by what is unseen, decomposed, with
 * ligatures or wide letters.
 */
function otherwiseTyped(text: string): string[] {
  const joined = text.replace(PARTED, '$1');
  const typed = MAY_DIFFER.test(text) ? joined.replace(UNSEEN, '').normalize('NFKC') : joined;
  if (typed === text) return [];
  const written = new Set(text.match(WORD));
  return (typed.match(WORD) ?? []).filter((word) => !written.has(word)).map((word) => word.toLowerCase());
}

/**
 * What the second full-text column holds: words of path and title, whole and in parts, the parts of the text's
 * identifiers, and its words as they are typed where they are written otherwise.
 */
export function identifiersColumn(passage: { path: string; title: string; text: string }): string {
  const names = `${passage.path} ${passage.title}`.normalize('NFC');
  const words = new Set<string>();
  for (const [word] of names.matchAll(WORD)) {
    words.add(word.toLowerCase());
    for (const part of identifierParts(word)) words.add(part);
  }
  for (const part of splitIdentifiers(passage.text)) words.add(part);
  for (const word of otherwiseTyped(passage.text)) words.add(word);
  return [...words].join(' ');
}

/** Columns that make up a passage; the vector only where it is wanted, because it is most of a row's bytes. */
export const PASSAGE_COLUMNS: readonly string[] = [...Object.values(FIELDS), 'links', 'units', 'checksum'];
/** Those of a row that is written anew: searches do without what is read for all passages at once. */
export const WRITTEN_COLUMNS = [...PASSAGE_COLUMNS, 'references'];
/** What a build of another version has of them: it answers until this version's is done. */
export const PASSAGE_COLUMNS_BEFORE = PASSAGE_COLUMNS.filter((name) => name !== 'units');
export const VECTOR_COLUMNS = ['vector', 'vector_checksum'];
/** Columns that say which passage a row is, of which file, and whether it has its vector. */
export const REF_COLUMNS = ['id', 'path', 'vector_checksum'];

/** Rows as LanceDB takes them. */
export function rowsToArrow(rows: readonly IndexedPassage[], schema: Schema): Table {
  const links = rows.map((passage) => JSON.stringify(passage.links));
  const units = rows.map((passage) => encodeUnits(passage.units));
  return arrowTable(schema, {
    ...Object.fromEntries(fields.map(([field, column]) => [column, rows.map((passage) => passage[field] ?? null)])),
    identifiers: rows.map(identifiersColumn),
    parts: rows.map(({ title, text }) => wordParts(`${title}\n${text}`).join(' ')),
    links,
    units,
    references: rows.map(({ references }) => references ?? ''),
    name_keys: rows.map(nameKeys),
    link_keys: rows.map(linkKeys),
    checksum: rows.map((row, i) => passageChecksum(row, links[i] ?? '[]', units[i] ?? '')),
    vector: rows.map(({ vector }) => vector ?? null),
    vector_checksum: rows.map(({ vector, contentHash }) => (vector ? vectorChecksum(vector, contentHash) : null)),
  });
}

/** What is selected of a row besides the fields of its passage. */
interface StoredRow {
  links: string;
  units?: string;
  references?: string;
  checksum: number;
  vector?: Float32Array | null;
  vector_checksum?: number | null;
}

/**
 * Rows of a result that selected PASSAGE_COLUMNS (and VECTOR_COLUMNS when vectors are wanted). Every row is checked
 * against its checksums; one that does not fit throws IndexDamagedError. Only the vectors are where `checked` is false:
 * for a build of another version, whose checksums cover other columns.
 */
export function rowsFromArrow(table: Table | RecordBatch, checked = true): IndexedPassage[] {
  return rowsOf<StoredRow & Record<string, unknown>>(table).map((row) => {
    const passage = { links: [] } as unknown as IndexedPassage;
    for (const [field, column] of fields) {
      const value = row[column];
      if (value === undefined) throw new IndexDamagedError(`the column ${column} is missing`);
      // Optional fields of a passage are absent, so that a stored passage equals the one that was read.
      if (value !== null) Object.assign(passage, { [field]: value });
    }
    const { links, units = '', references = '', vector, vector_checksum: sum } = row;
    if (checked && passageChecksum(passage, links, units) !== row.checksum)
      throw new IndexDamagedError(`a passage of ${passage.path} fails its checksum`);
    passage.links = JSON.parse(links) as PassageLink[];
    const decoded = decodeUnits(units);
    if (decoded) passage.units = decoded;
    if (references !== '') passage.references = references;
    if (vector || typeof sum === 'number') {
      if (!vector || vectorChecksum(vector, passage.contentHash) !== sum)
        throw new IndexDamagedError(`a vector of ${passage.path} fails its checksum`);
      passage.vector = vector;
    }
    return passage;
  });
}

/**
 * Rows by id, in no particular order; unknown ids are left out. Looks for places first, and reads these rows: a commit
 * of vectors takes its rows out of the index of ids, and of rows outside of it LanceDB would read all columns that are
 * asked for (200,000 rows, half of them outside: 1.2 s for 32 ids, and 0.2 s by their places).
 * @param columns As for {@link rowsFromArrow}
 */
export async function rowsByIds(
  table: LanceTable,
  ids: readonly string[],
  columns: readonly string[],
  checked = true,
): Promise<IndexedPassage[]> {
  const found: IndexedPassage[] = [];
  for (const slice of slicesOf(ids, IDS_PER_QUERY)) {
    const select = [...columns];
    const withIds = (): Query => table.query().where(isIn('id', slice));
    const atPlaces = async (): Promise<IndexedPassage[] | undefined> => {
      const known = await withIds().select(['id']).withRowId().toArrow();
      const places = [...((known.getChild('_rowid')?.toArray() ?? []) as Iterable<bigint>)];
      if (places.length === 0) return [];
      const rows = rowsFromArrow(await table.takeRowIds(places).select(select).toArrow(), checked);
      const wanted = new Set(slice);
      return rows.length === places.length && rows.every(({ id }) => wanted.delete(id)) ? rows : undefined;
    };
    // A compaction between the two looks moves rows, and a server may not know of places.
    const rows = await atPlaces().catch(() => undefined);
    const byIds = async (): Promise<IndexedPassage[]> =>
      rowsFromArrow(await withIds().select(select).toArrow(), checked);
    found.push(...(rows ?? (await stored('read passages', byIds))));
  }
  return found;
}

/** A row that selected REF_COLUMNS and its place. */
export interface RefRow {
  id: string;
  path?: string;
  vector_checksum?: number | null;
  _rowid?: unknown;
}

/** The passage that such a row is. */
export const refOf = ({ id, path, vector_checksum: sum, _rowid: row }: RefRow): PassageRef => ({
  id,
  embedded: typeof sum === 'number',
  ...(typeof row === 'bigint' && { row }),
  ...(path !== undefined && { path }),
});

/** Vectors that a table holds, by content hash; ones that fail their checksum count as unknown. */
export async function vectorsIn(
  table: LanceTable,
  contentHashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const slice of slicesOf(contentHashes, IDS_PER_QUERY)) {
    const rows = await table
      .query()
      .where(`${isIn('content_hash', slice)} AND vector_checksum IS NOT NULL`)
      .select(['content_hash', ...VECTOR_COLUMNS])
      .toArrow();
    for (const row of rowsOf<{ content_hash: string; vector: Float32Array | null; vector_checksum: number }>(rows))
      if (row.vector && vectorChecksum(row.vector, row.content_hash) === row.vector_checksum)
        found.set(row.content_hash, row.vector);
  }
  return found;
}
