import {
  Bool,
  type Data,
  DataType,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  List,
  makeBuilder,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  type Vector,
} from 'apache-arrow';

/** Values of one column, row by row; null for none. */
export type ColumnValues = readonly (string | number | boolean | readonly string[] | Float32Array | null)[];

/** An Arrow table of one record batch. Vectors are copied as one block, which is what makes inserts fast. */
export function arrowTable(schema: Schema, columns: Record<string, ColumnValues>): Table {
  const length = Object.values(columns)[0]?.length ?? 0;
  const children = schema.fields.map((field) => {
    const values = columns[field.name];
    if (!values) throw new Error(`No values for the column ${field.name}`);
    return DataType.isFixedSizeList(field.type) ? vectorData(field.type, values) : builtData(field.type, values);
  });
  return new Table(schema, [new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, children }))]);
}

function builtData(type: DataType, values: ColumnValues): Data {
  const builder = makeBuilder({ type, nullValues: [null] });
  for (const value of values) builder.append(value);
  return builder.finish().flush();
}

function vectorData(type: FixedSizeList, values: ColumnValues): Data {
  const flat = new Float32Array(values.length * type.listSize);
  const valid = new Uint8Array(Math.ceil(values.length / 8));
  let nullCount = 0;
  values.forEach((value, row) => {
    if (value instanceof Float32Array) {
      flat.set(value, row * type.listSize);
      valid[row >> 3] = (valid[row >> 3] ?? 0) | (1 << (row & 7));
    } else nullCount += 1;
  });
  const child = makeData({ type: new Float32(), data: flat, length: flat.length });
  return makeData({ type, length: values.length, nullCount, nullBitmap: valid, child });
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * A value as it was written: Arrow's decoder drops a byte order mark that a text begins with. Lists and vectors are
 * copied, so that the batch that they came in can be freed. They may come from another copy of Arrow than ours, so that
 * their class tells nothing.
 */
function valueAt(column: Vector, row: number): unknown {
  const value: unknown = column.get(row);
  if (typeof value === 'string') return beginsWithMark(column, row) ? BYTE_ORDER_MARK + value : value;
  if (typeof value !== 'object' || value === null || !('toArray' in value)) return value;
  const list = (value as Vector).toArray() as ArrayLike<unknown>;
  return list instanceof Float32Array ? Float32Array.from(list) : Array.from(list);
}

/** Whether a text's bytes begin with a byte order mark: EF BB BF. */
function beginsWithMark({ data }: Vector, row: number): boolean {
  for (const { length, values, valueOffsets } of data as readonly Data<Utf8>[]) {
    const start = row < length ? valueOffsets[row] : undefined;
    if (start !== undefined) {
      const end = valueOffsets[row + 1] ?? 0;
      return end - start >= 3 && values[start] === 0xef && values[start + 1] === 0xbb && values[start + 2] === 0xbf;
    }
    row -= length;
  }
  return false;
}

/** Rows of a result, by the names of its columns; those that were not selected are left out. */
export function rowsOf<Row extends object>(table: Table | RecordBatch): Row[] {
  const columns = table.schema.fields.map(({ name }) => [name, table.getChild(name)] as const);
  return Array.from({ length: table.numRows }, (_, row) => {
    const read: Record<string, unknown> = {};
    for (const [name, column] of columns) if (column) read[name] = valueAt(column, row);
    return read as Row;
  });
}

/**
 * Changes whenever a column or the meaning of one changes: an index of another version is rebuilt beside the old one.
 */
export const SCHEMA_VERSION = 15;

const text = (name: string, nullable = false): Field => new Field(name, new Utf8(), nullable);
const integer = (name: string, nullable = false): Field => new Field(name, new Int32(), nullable);
const real = (name: string): Field => new Field(name, new Float64(), false);
const texts = (name: string): Field => new Field(name, new List(new Field('item', new Utf8(), true)), false);
const vectorField = (dimensions: number, nullable: boolean): Field =>
  new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), nullable);

/**
 * One row per passage. `checksum` covers all of a row but its vector, `vector_checksum` the vector and the row's
 * content hash.
 */
export function passageSchema(dimensions: number): Schema {
  return new Schema([
    text('id'),
    text('uri'),
    text('path'),
    integer('start_line'),
    integer('end_line'),
    integer('start_column', true),
    integer('end_column', true),
    integer('page', true),
    text('kind'),
    text('language'),
    text('title'),
    text('text'),
    text('identifiers'),
    text('parts'),
    text('content_hash'),
    text('links'),
    text('units'),
    text('references'),
    texts('name_keys'),
    texts('link_keys'),
    integer('checksum'),
    vectorField(dimensions, true),
    integer('vector_checksum', true),
  ]);
}

/**
 * The columns that change when a row's vector arrives; the others, and the full-text index over them, stay as they are.
 */
export function vectorUpdateSchema(dimensions: number): Schema {
  return new Schema([text('id'), vectorField(dimensions, true), integer('vector_checksum', true)]);
}

/**
 * One row per file that was read, whether it gave passages or was left out because of what is in it. `detail` says why,
 * as JSON of a FileCause; earlier versions of Hoptrail wrote it in English, and show this as it is.
 */
export const fileSchema: Schema = new Schema([
  text('uri'),
  text('path'),
  text('root_uri'),
  real('size'),
  real('mtime_ms'),
  text('stamp'),
  text('hash'),
  text('language'),
  integer('passages'),
  text('digest'),
  new Field('skipped', new Bool(), false),
  text('skip_reason', true),
  text('detail', true),
]);

/**
 * Vectors of passages that are gone, kept for a while: a file that moves or a branch that is switched back costs no
 * inference.
 */
export function keptVectorSchema(dimensions: number): Schema {
  return new Schema([
    text('content_hash'),
    vectorField(dimensions, false),
    integer('vector_checksum'),
    real('kept_at'),
  ]);
}
