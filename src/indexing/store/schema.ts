import { Bool, Field, FixedSizeList, Float32, Float64, Int32, List, Schema, Utf8 } from 'apache-arrow';

/** Changes whenever a column or the meaning of one changes: an index of another version is rebuilt beside the old one. */
export const SCHEMA_VERSION = 2;

const text = (name: string, nullable = false): Field => new Field(name, new Utf8(), nullable);
const integer = (name: string, nullable = false): Field => new Field(name, new Int32(), nullable);
const real = (name: string): Field => new Field(name, new Float64(), false);
const texts = (name: string): Field => new Field(name, new List(new Field('item', new Utf8(), true)), false);
const vectorField = (dimensions: number, nullable: boolean): Field =>
  new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), nullable);

/** One row per passage. `checksum` covers all of a row but its vector, `vector_checksum` the vector and the row's content hash. */
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
    text('content_hash'),
    text('links'),
    texts('name_keys'),
    texts('link_keys'),
    integer('checksum'),
    vectorField(dimensions, true),
    integer('vector_checksum', true),
  ]);
}

/** The columns that change when a row's vector arrives; the others, and the full-text index over them, stay as they are. */
export function vectorUpdateSchema(dimensions: number): Schema {
  return new Schema([text('id'), vectorField(dimensions, true), integer('vector_checksum', true)]);
}

/** One row per file that was read, whether it gave passages or was left out because of what is in it. */
export const fileSchema: Schema = new Schema([
  text('uri'),
  text('path'),
  text('root_uri'),
  real('size'),
  real('mtime_ms'),
  text('hash'),
  text('language'),
  integer('passages'),
  text('digest'),
  new Field('skipped', new Bool(), false),
  text('skip_reason', true),
  text('detail', true),
]);

/** Vectors of passages that are gone, kept for a while: a file that moves or a branch that is switched back costs no inference. */
export function keptVectorSchema(dimensions: number): Schema {
  return new Schema([text('content_hash'), vectorField(dimensions, false), integer('vector_checksum'), real('kept_at')]);
}
