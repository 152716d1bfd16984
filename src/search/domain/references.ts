import { crc32 } from 'node:zlib';

/** What a definition is, by the syntax that makes it. New kinds come last: their numbers are stored. */
const DEFINITION_KINDS = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'module',
  'constant',
  'variable',
  'field',
  'declaration', // says that another place defines it: a prototype of C
  'setting', // a key of a file of settings, by its whole path: `cache.size`; an environment variable by its name
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** What a place in a program does with a name. New kinds come last: their numbers are stored. */
const USE_KINDS = [
  'call', // also `new X()`, a decorator, a macro
  'extends',
  'implements',
  'type', // names a type
  'read', // names a value without calling it
  'set', // gives it a value
  'throw', // throws or raises it, or a text
  'key', // a string by which something is looked up: a setting, an environment variable, a route, an event
  'mention', // a page names it
] as const;
export type UseKind = (typeof USE_KINDS)[number];

/** A name that a file defines. */
export interface Definition {
  kind: DefinitionKind;
  name: string;
  /** What it stands in, dotted from the outermost: `Store` of `Store.merge`; '' at the top of a file. */
  container: string;
  /** 1-based; of the name, and the last of the whole definition. */
  line: number;
  endLine: number;
}

/** A place that uses a name. */
export interface Use {
  kind: UseKind;
  /** Without what stands before it: `merge` of `store.merge`. */
  name: string;
  /**
   * What stands before the name: '' for nothing, `this` for the object itself, `?` for a value of which the file says
   * nothing, `Store` for a value of which it says that type, else as written with dots: `store`, `this.store`. Of
   * `implements` and `extends`, `^Store` is who does it, where that does not enclose the place. Of a `mention` by a
   * link to a line of a file, `#12` with the file's path as the name.
   */
  receiver: string;
  /** 1-based. */
  line: number;
}

/**
 * What an import brings in; see ImportedModule of the reading side. With the module '' it is the file's own default
 * export: a name of the file that others call as they like.
 */
export interface ImportUse {
  line: number;
  module: string;
  /** Single names, with what they are called here. */
  names: { name: string; local: string }[];
  /** What the module as a whole is called here. */
  namespace?: string;
}

/** What the syntax tree of a file, or of the part of it that is one passage, says of names. */
export interface References {
  definitions: Definition[];
  uses: Use[];
  imports: ImportUse[];
  /** Not all were read: the file took too long, or has too many. */
  cut?: true;
}

/** A passage's references as they are stored; lines are counted from the passage's first. */
interface Column {
  /** Number of the kind, line, lines that follow, name, what it stands in. */
  d?: [number, number, number, string, string?][];
  /** Number of the kind, name, receiver if any, then the lines of all that are alike. */
  u?: [number, string, ...(string | number)[]][];
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
    column.d = definitions.map(({ kind, line, endLine, name, container }) => [
      DEFINITION_KINDS.indexOf(kind),
      line - startLine,
      endLine - line,
      name,
      ...(container === '' ? ([] as const) : ([container] as const)),
    ]);
  if (uses.length > 0) column.u = alike(uses, startLine);
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

/** Uses of the same name in the same way, with all of their lines: a field that is read ten times is named once. */
function alike(uses: readonly Use[], startLine: number): NonNullable<Column['u']> {
  const groups = new Map<string, NonNullable<Column['u']>[number]>();
  for (const { kind, line, name, receiver } of uses) {
    const key = `${kind}\n${name}\n${receiver}`;
    const known = groups.get(key);
    if (known) known.push(line - startLine);
    else groups.set(key, [USE_KINDS.indexOf(kind), name, ...(receiver === '' ? [] : [receiver]), line - startLine]);
  }
  return [...groups.values()];
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
    definitions: d.map(([kind, line, length, name, container = '']): Definition => ({
      kind: DEFINITION_KINDS[kind] ?? 'variable',
      name,
      container,
      line: startLine + line,
      endLine: startLine + line + length,
    })),
    uses: u
      .flatMap(([kind, name, ...rest]) => {
        const receiver = typeof rest[0] === 'string' ? rest[0] : '';
        return rest.flatMap((line): Use[] =>
          typeof line === 'number' ? [{ kind: USE_KINDS[kind] ?? 'read', name, receiver, line: startLine + line }] : [],
        );
      })
      .sort((a, b) => a.line - b.line),
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
