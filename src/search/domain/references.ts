/** What a definition is, by the syntax that makes it. */
export const DEFINITION_KINDS = [
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
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** What a place in a program does with a name. New kinds come last: their numbers are stored. */
export const USE_KINDS = [
  'call', // also `new X()`, a decorator, a macro
  'extends',
  'implements',
  'type', // names a type
  'read', // names a value without calling it
  'set', // gives it a value
  'throw', // throws or raises it, or a text
  'key', // a string by which something is looked up: a setting, an environment variable, a route, an event
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
  /**
   * Of a function, a field or a variable the type that it gives, as far as the syntax tells; with `()` behind the name
   * of a function whose result it is.
   */
  type?: string;
}

/** A place that uses a name. */
export interface Use {
  kind: UseKind;
  /** Without what stands before it: `merge` of `store.merge`. */
  name: string;
  /**
   * What stands before the name: '' for nothing, `this` for the object itself, `?` where the syntax does not tell,
   * `^Store` for a value of that type and `^Store:lines` for a field of one, else as written with dots: `store`,
   * `this.store`. Of `implements` and `extends`, `^Store` is who does it, where that does not enclose the place.
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
