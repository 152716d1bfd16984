import { DataType, Float32, makeBuilder, makeData, RecordBatch, Struct, Table, type Data, type FixedSizeList, type Schema, type Vector } from 'apache-arrow';

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

/** Reads one column of a result as plain values; undefined when the column was not selected. */
export function columnOf(table: Table | RecordBatch, name: string): Vector | undefined {
  return table.getChild(name) ?? undefined;
}

/** The value of a list column's row. It may come from another copy of Arrow than ours, so its class tells nothing. */
function listAt(column: Vector, row: number): Pick<Vector, 'toArray'> & Iterable<unknown> | undefined {
  const value: unknown = column.get(row);
  return typeof value === 'object' && value !== null && 'toArray' in value ? (value as Vector) : undefined;
}

/** Strings of a list column's row. */
export function stringsAt(column: Vector, row: number): string[] {
  return [...(listAt(column, row) ?? [])].filter((item): item is string => typeof item === 'string');
}

/** A copy of a vector column's row, so that the batch that it came in can be freed; undefined for null. */
export function vectorAt(column: Vector, row: number): Float32Array | undefined {
  const value = listAt(column, row);
  return value && Float32Array.from(value.toArray() as Float32Array);
}
