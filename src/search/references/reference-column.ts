import { crc32 } from 'node:zlib';
import {
  type Definition,
  DEFINITION_KINDS,
  type ImportUse,
  type References,
  type Use,
  USE_KINDS,
} from '../domain/references.ts';

/** A passage's references as they are stored; lines are counted from the passage's first. */
interface Column {
  /** Number of the kind, line, lines that follow, name, what it stands in, type. */
  d?: [number, number, number, string, string?, string?][];
  /** Number of the kind, line, name, receiver. */
  u?: [number, number, string, string?][];
  /** Line, module, what the whole is called or 0, then name and local name in turn. */
  i?: [number, string, string | 0, ...string[]][];
  /** Not all of the file's were read. */
  x?: 1;
}

/** A column that was written by no version of this program, or was damaged. */
export class ReferenceColumnError extends Error {}

/** '' for a passage that has none. */
export function encodeReferences({ definitions, uses, imports, cut }: References, startLine: number): string {
  const column: Column = {};
  if (definitions.length > 0)
    column.d = definitions.map(
      ({ kind, line, endLine, name, container, type }) =>
        [
          DEFINITION_KINDS.indexOf(kind),
          line - startLine,
          endLine - line,
          name,
          ...(container === '' && type === undefined ? [] : ([container] as const)),
          ...(type === undefined ? [] : ([type] as const)),
        ] as NonNullable<Column['d']>[number],
    );
  if (uses.length > 0)
    column.u = uses.map(({ kind, line, name, receiver }) =>
      receiver === ''
        ? [USE_KINDS.indexOf(kind), line - startLine, name]
        : [USE_KINDS.indexOf(kind), line - startLine, name, receiver],
    );
  if (imports.length > 0)
    column.i = imports.map(({ line, module, namespace, names }) => [
      line - startLine,
      module,
      namespace ?? 0,
      ...names.flatMap(({ name, local }) => [name, local]),
    ]);
  if (cut) column.x = 1;
  if (Object.keys(column).length === 0) return '';
  const json = JSON.stringify(column);
  return `${crc32(json).toString(36)}:${json}`;
}

/** @throws ReferenceColumnError for a text that fails its checksum */
export function decodeReferences(stored: string, startLine: number): References {
  if (stored === '') return { definitions: [], uses: [], imports: [] };
  const colon = stored.indexOf(':');
  const json = stored.slice(colon + 1);
  if (crc32(json).toString(36) !== stored.slice(0, colon))
    throw new ReferenceColumnError('references fail their checksum');
  const { d = [], u = [], i = [], x } = JSON.parse(json) as Column;
  return {
    definitions: d.map(([kind, line, length, name, container = '', type]): Definition => ({
      kind: DEFINITION_KINDS[kind] ?? 'variable',
      name,
      container,
      line: startLine + line,
      endLine: startLine + line + length,
      ...(type !== undefined && { type }),
    })),
    uses: u.map(([kind, line, name, receiver = '']): Use => ({
      kind: USE_KINDS[kind] ?? 'read',
      name,
      receiver,
      line: startLine + line,
    })),
    imports: i.map(([line, module, namespace, ...names]): ImportUse => ({
      line: startLine + line,
      module,
      names: pairs(names),
      ...(namespace !== 0 && { namespace }),
    })),
    ...(x && { cut: true as const }),
  };
}

function pairs(names: readonly string[]): ImportUse['names'] {
  const found: ImportUse['names'] = [];
  for (let at = 0; at + 1 < names.length; at += 2) found.push({ name: names[at] ?? '', local: names[at + 1] ?? '' });
  return found;
}
