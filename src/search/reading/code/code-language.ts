import type { PathTable } from '../links/path-table.ts';
import type { ImportedModule } from './imports.ts';

/** What a declaration is cut as. */
export type DeclarationRole = 'function' | 'class' | 'namespace' | 'value';

/** Where an import leads. */
export interface ResolvedImport {
  path: string;
  /** The imported name was itself the module (`from flask import json`), so that it names no symbol inside it. */
  nameIsModule?: boolean;
  /** The import names a whole package of files: which of them defines a symbol is not known. */
  isPackage?: boolean;
}

/**
 * A programming language that is read by its grammar: which files it has, what its grammar calls things (node types
 * that a grammar lacks do no harm), and what an import says and where it leads. One stands in a file of `languages`
 * and in the list of `code-languages.ts`; everything else follows from that.
 */
export interface CodeLanguage {
  /** VS Code's language id. */
  id: string;
  /** Without the dot, in lower case. */
  extensions: readonly string[];
  /** Files that are known by their whole name, in lower case. */
  names?: readonly string[];
  /** Programs that a `#!` line names, without their version. */
  interpreters?: readonly string[];
  /** As in `tree-sitter-<grammar>.wasm`. */
  grammar: string;
  declarations: Readonly<Record<string, DeclarationRole>>;
  /** Wrappers whose declarations stand on the same level: exports, decorators, conditional compilation. */
  transparent: readonly string[];
  /** Where a class or namespace keeps its members. */
  bodies: readonly string[];
  /** Siblings that belong to the declaration right below them, besides comments. */
  prefixes: readonly string[];
  /** Calls: node type to the field up to which the text names what is called ('' for the first child). */
  calls: Readonly<Record<string, string>>;
  /** Nodes that name a type or another symbol in use. */
  uses: readonly string[];
  /** Node types of imports, read by `importsOf`. */
  imports: readonly string[];
  comments: readonly string[];
  strings: readonly string[];
  /** Reads one import statement's text, at most 20,000 characters of it. Unknown shapes give nothing. */
  importsOf?(statement: string): ImportedModule[];
  /** Functions that are called to load a module, as far as they are called by one of these names. */
  loaders?: RegExp;
  /** A module's symbols are named with `::` behind it: `basin.fill()` is a method of a variable. */
  membersByColons?: true;
  /**
   * Finds the file of an import as the language does, as far as names alone can tell. `name` is the first imported
   * symbol.
   */
  resolveImport?(module: string, name: string | undefined, from: string, table: PathTable): ResolvedImport | undefined;
  /**
   * Patterns that find definitions and uses of names, in the style of `tags.scm`; see `references/read-references.ts`.
   */
  references?: string;
  /** Languages without a grammar here whose imports lead where this one's would. */
  resolvesFor?: readonly string[];
}

/** What grammars call comments. */
export const COMMENTS = ['comment', 'line_comment', 'block_comment', 'multiline_comment'];
