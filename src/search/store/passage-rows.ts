import type { Query, Table as LanceTable } from '@lancedb/lancedb';
import { hashOf, slicesOf, wordList } from '#base';
import { crc32 } from 'node:zlib';
import type { Passage, PassageKind, PassageLink } from '../domain/passage.ts';
import type { RecordBatch, Schema, Table } from 'apache-arrow';
import { linkKeys, nameKeys } from '../domain/link-keys.ts';
import { IDS_PER_QUERY, isIn } from './lance-connection.ts';
import type { IndexedPassage, PassageRef } from './passage-index.ts';
import { arrowTable, type ColumnValues, stringsAt, textAt, vectorAt } from './schema.ts';
import { decodeUnits, encodeUnits } from '../domain/unit.ts';
import { IndexDamagedError, stored } from './storage-errors.ts';

/** CRC-32 as a signed 32-bit integer, which is what an Arrow Int32 column holds. */
const signed = (value: number): number => value | 0;

/**
 * Over everything of a passage that is stored but its references, which have one of their own, so that a flipped bit,
 * which LanceDB does not notice, is seen.
 */
function passageChecksum(passage: Passage, linksJson: string, units: string): number {
  const head = [
    passage.id,
    passage.uri,
    passage.path,
    passage.startLine,
    passage.endLine,
    passage.startColumn ?? '',
    passage.endColumn ?? '',
    passage.page ?? '',
    passage.kind,
    passage.language,
    passage.title,
    passage.contentHash,
  ].join('\u0000');
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
const WORD = /[\p{L}\p{N}_$]+/gu;
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

/**
 * What the second full-text column holds: words of path and title, whole and in parts, and the parts of the text's
 * identifiers.
 */
export function identifiersColumn(passage: { path: string; title: string; text: string }): string {
  const names = `${passage.path} ${passage.title}`;
  const words = new Set<string>();
  for (const [word] of names.matchAll(WORD)) {
    words.add(word.toLowerCase());
    for (const part of identifierParts(word)) words.add(part);
  }
  for (const part of splitIdentifiers(passage.text)) words.add(part);
  return [...words].join(' ');
}

/** Columns that make up a passage; the vector only where it is wanted, because it is most of a row's bytes. */
export const PASSAGE_COLUMNS = wordList(`
  id uri path start_line end_line start_column end_column page kind language title text content_hash links units
  checksum
`);
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
  const each = (value: (passage: IndexedPassage) => ColumnValues[number]): ColumnValues =>
    rows.map((passage) => value(passage));
  return arrowTable(schema, {
    id: each((p) => p.id),
    uri: each((p) => p.uri),
    path: each((p) => p.path),
    start_line: each((p) => p.startLine),
    end_line: each((p) => p.endLine),
    start_column: each((p) => p.startColumn ?? null),
    end_column: each((p) => p.endColumn ?? null),
    page: each((p) => p.page ?? null),
    kind: each((p) => p.kind),
    language: each((p) => p.language),
    title: each((p) => p.title),
    text: each((p) => p.text),
    identifiers: each(identifiersColumn),
    content_hash: each((p) => p.contentHash),
    links,
    units,
    references: each((p) => p.references ?? ''),
    name_keys: each(nameKeys),
    link_keys: each(linkKeys),
    checksum: rows.map((row, i) => passageChecksum(row, links[i] ?? '[]', units[i] ?? '')),
    vector: each((p) => p.vector ?? null),
    vector_checksum: each((p) => (p.vector ? vectorChecksum(p.vector, p.contentHash) : null)),
  });
}

/**
 * Rows of a result that selected PASSAGE_COLUMNS (and VECTOR_COLUMNS when vectors are wanted). Every row is checked
 * against its checksums; one that does not fit throws IndexDamagedError. Only the vectors are where `checked` is false:
 * for a build of another version, whose checksums cover other columns.
 */
export function rowsFromArrow(table: Table | RecordBatch, checked = true): IndexedPassage[] {
  if (table.numRows === 0) return []; // a result without rows comes without columns too
  const column = (name: string) => {
    const found = table.getChild(name);
    if (!found) throw new IndexDamagedError(`the column ${name} is missing`);
    return found;
  };
  const text = (name: string) => {
    const values = column(name);
    return (row: number): string => textAt(values, row);
  };
  const number = (name: string) => {
    const values = column(name);
    return (row: number): number | undefined => (values.get(row) as number | null) ?? undefined;
  };
  const [id, uri, path, kind, language] = [text('id'), text('uri'), text('path'), text('kind'), text('language')];
  const [title, body, contentHash, links] = [text('title'), text('text'), text('content_hash'), text('links')];
  const unitColumn = table.getChild('units');
  const referenceColumn = table.getChild('references');
  const [startLine, endLine, startColumn, endColumn] = [
    number('start_line'),
    number('end_line'),
    number('start_column'),
    number('end_column'),
  ];
  const [page, checksum] = [number('page'), number('checksum')];
  const vectors = table.getChild('vector');
  const vectorSums = vectors ? number('vector_checksum') : undefined;

  const rows: IndexedPassage[] = [];
  for (let i = 0; i < table.numRows; i++) {
    const linksJson = links(i);
    const unitsJson = unitColumn ? String(unitColumn.get(i)) : '';
    const passage: IndexedPassage = withoutUndefined({
      id: id(i),
      uri: uri(i),
      path: path(i),
      startLine: startLine(i) ?? 0,
      endLine: endLine(i) ?? 0,
      startColumn: startColumn(i),
      endColumn: endColumn(i),
      page: page(i),
      kind: kind(i) as PassageKind,
      language: language(i),
      title: title(i),
      text: body(i),
      contentHash: contentHash(i),
      links: [],
    });
    if (checked && passageChecksum(passage, linksJson, unitsJson) !== checksum(i))
      throw new IndexDamagedError(`a passage of ${passage.path} fails its checksum`);
    passage.links = JSON.parse(linksJson) as PassageLink[];
    const units = decodeUnits(unitsJson);
    if (units) passage.units = units;
    const references = referenceColumn ? String(referenceColumn.get(i)) : '';
    if (references !== '') passage.references = references;
    const vector = vectors ? vectorAt(vectors, i) : undefined;
    if (vector || vectorSums?.(i) !== undefined) {
      if (!vector || vectorChecksum(vector, passage.contentHash) !== vectorSums?.(i))
        throw new IndexDamagedError(`a vector of ${passage.path} fails its checksum`);
      passage.vector = vector;
    }
    rows.push(passage);
  }
  return rows;
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

/** Passages of a result that selected REF_COLUMNS and the places of rows. */
export function refsFromArrow(table: Table | RecordBatch): PassageRef[] {
  const [ids, sums, places] = [table.getChild('id'), table.getChild('vector_checksum'), table.getChild('_rowid')];
  const paths = table.getChild('path');
  return Array.from({ length: table.numRows }, (_, row): PassageRef => {
    const place: unknown = places?.get(row);
    return {
      id: String(ids?.get(row)),
      embedded: typeof sums?.get(row) === 'number',
      ...(typeof place === 'bigint' && { row: place }),
      ...(paths && { path: textAt(paths, row) }),
    };
  });
}

/** Optional fields of a passage are absent, not undefined, so that a stored passage equals the one that was read. */
function withoutUndefined(passage: Passage): Passage {
  if (passage.startColumn === undefined) delete passage.startColumn;
  if (passage.endColumn === undefined) delete passage.endColumn;
  if (passage.page === undefined) delete passage.page;
  return passage;
}

/** Strings of a list column for each row. */
export function listColumn(table: Table | RecordBatch, name: string): string[][] {
  const column = table.getChild(name);
  return column ? Array.from({ length: table.numRows }, (_, row) => stringsAt(column, row)) : [];
}

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
    const [hashes, vectors, sums] = ['content_hash', ...VECTOR_COLUMNS].map((name) => rows.getChild(name));
    for (let row = 0; row < rows.numRows; row++) {
      const vector = vectors ? vectorAt(vectors, row) : undefined;
      const hash = String(hashes?.get(row));
      if (vector && vectorChecksum(vector, hash) === sums?.get(row)) found.set(hash, vector);
    }
  }
  return found;
}
