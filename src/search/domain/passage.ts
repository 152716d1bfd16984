import { z } from 'zod';
import { isProseLanguage } from './languages.ts';
import { unit } from './unit.ts';

const text = z.string();
/** 1-based, or 0 where nothing is known. */
const line = z.number().int().nonnegative();

export const passageKind = z.enum([
  'function', // function or method with its doc comment
  'class', // a small class as a whole
  'outline', // a class's or module's skeleton: signatures and fields around separately indexed members
  'code', // other code: top-level statements, imports
  'section', // prose under one heading path
  'paragraph', // prose without headings
  'front-matter',
  'table', // CSV rows, Markdown tables on their own
  'data', // JSON, YAML, TOML subtrees
  'cell', // notebook cell
  'page', // PDF page or part of one
  'block', // lines of a text nothing else is known about
]);
/** What a passage is, by its shape in the source. */
export type PassageKind = z.infer<typeof passageKind>;

const NO_PROSE = new Set<PassageKind>(['function', 'class', 'outline', 'code', 'data', 'table']);

/** Prose is read and quoted as sentences, anything else as code. */
export const isProsePassage = ({ kind, language }: { kind: PassageKind; language: string }): boolean =>
  !NO_PROSE.has(kind) && isProseLanguage(language);

const linkKind = z.enum([
  'import', // import, include, require, use
  'call', // a called or used symbol
  'define', // a symbol that this passage defines: what others' links resolve to
  'wikilink',
  'markdown',
  'path', // a file path or file name named in the text
  'url', // kept for display; never followed
]);
/** What a link says about its target. */
export type LinkKind = z.infer<typeof linkKind>;

/** Links that a writer sets by hand in place of a name; what code imports or calls says less. */
export const WRITTEN_LINKS: ReadonlySet<LinkKind> = new Set(['wikilink', 'markdown', 'path']);

const passageLink = z.object({
  kind: linkKind,
  /**
   * As written: `Store.merge`, `Ferry Decision#Costs`; for an import the module and what is taken from it:
   * `./store.ts#Store`.
   */
  target: text,
  /** 1-based line on which it is written. */
  line,
  /**
   * Workspace path (as in {@link Passage.path}) when the target resolves to an indexed file; undefined when unresolved.
   */
  path: text.optional(),
  /** Heading or symbol within `path` that is meant, when one is named. */
  anchor: text.optional(),
  /**
   * For calls: the import of the same file that the called name comes from, with its name there:
   * `./store.ts#Store.merge`.
   */
  via: text.optional(),
});
/** Something a passage points at, or (kind `define`) offers to be pointed at. */
export type PassageLink = z.infer<typeof passageLink>;

export const passage = z.object({
  /** Stable over runs: hash of uri, position and content. */
  id: text.min(1),
  uri: text,
  /** Shown path, see SourceFile.path. */
  path: text,
  /** 1-based, inclusive. For PDF and DOCX: lines of the extracted text. */
  startLine: line,
  endLine: line,
  /** 1-based first column and exclusive last column, only when the passage is a part of one over-long line. */
  startColumn: line.optional(),
  endColumn: line.optional(),
  /** 1-based page, for PDF. */
  page: line.optional(),
  kind: passageKind,
  /** VS Code language id where there is one (`typescript`, `markdown`, …), else `plaintext`. */
  language: text,
  /**
   * Symbol path (`Store > merge`) or heading path (`Decisions > Costs`), topped by the document's title; '' when there
   * is none.
   */
  title: text,
  /** Exact text of the lines. */
  text,
  /** Hash of title, path's base name and text as embedded: equal hashes share one vector. */
  contentHash: text,
  links: z.array(passageLink),
  /**
   * Its units in order, as the file's parser found them; offsets into `text`. Only where passages are made and kept:
   * what leaves the index process goes without.
   */
  units: z.array(unit).optional(),
  /**
   * What it says of names, if it is of a program: see `encodeReferences`. As with units, only where passages are made
   * and kept.
   */
  references: text.optional(),
});
/**
 * The unit of retrieval: consecutive whole lines of one file (or, for a line longer than a passage may be, a part of it
 * with its columns), at most the embedding model's input (512 tokens with title).
 */
export type Passage = z.infer<typeof passage>;
