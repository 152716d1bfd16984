import { setImmediate as nextTurn } from 'node:timers/promises';
import { addTo, remembered } from '#base';
import { type Definition, type ImportUse, type Use, type UseKind, decodeReferences } from '../domain/references.ts';
import { firstWhere } from '../reading/text/source-text.ts';

/** A passage that says something of names, as the index keeps it. */
export interface ReferenceRow {
  id: string;
  path: string;
  language: string;
  startLine: number;
  references: string;
}

interface Placed {
  file: ProgramFile;
  passageId: string;
  /** The innermost definition around it. */
  within?: PlacedDefinition;
}
export type PlacedDefinition = Definition & Placed;
export type PlacedUse = Use & Placed;
export type PlacedImport = ImportUse & Placed;

/** All that the passages of one file say of names. */
export interface ProgramFile {
  path: string;
  language: string;
  /** In line order; a definition that holds others comes before them. */
  definitions: PlacedDefinition[];
  /** In line order. */
  uses: PlacedUse[];
  imports: PlacedImport[];
  /** Not all of its references were read. */
  cut: boolean;
  /** What it was read from: the passages with the checksums of their references, in line order. */
  readonly rows: readonly string[];
}

/** Names that are used or defined more often join everything with everything: a logger, a helper. */
const HUB = 60;

/** Whether a file's path is this one, or ends with it. */
export const isCalled = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`);

/** `merge` of `Store.merge`. */
export const lastOf = (dotted: string): string => dotted.slice(dotted.lastIndexOf('.') + 1);

/** `Store.merge`. */
export const qualifiedName = ({ container, name }: Pick<Definition, 'container' | 'name'>): string =>
  container === '' ? name : `${container}.${name}`;

export const isClassLike = ({ kind }: Pick<Definition, 'kind'>): boolean =>
  kind === 'class' || kind === 'interface' || kind === 'enum' || kind === 'type' || kind === 'module';

export const isInheriting = ({ kind }: { kind: UseKind }): boolean => kind === 'extends' || kind === 'implements';

/** Name of the class that extends or implements, of a use that says so. */
export function heirOf({ receiver, within }: PlacedUse): string | undefined {
  if (receiver.startsWith('^')) return lastOf(receiver.slice(1));
  let heir = within;
  while (heir && !isClassLike(heir)) heir = heir.within;
  return heir?.name;
}

/** The files of a workspace with their definitions and uses by name. Nothing here is joined. */
export class Program {
  readonly files = new Map<string, ProgramFile>();
  readonly definitions = new Map<string, PlacedDefinition[]>();
  /** Keys of files of settings by their path, apart from what programs define: only strings mean them. */
  readonly settings = new Map<string, PlacedDefinition[]>();
  readonly uses = new Map<string, PlacedUse[]>();
  /** Imports by the names that they bring in. */
  readonly imports = new Map<string, PlacedImport[]>();
  /** Links of pages to lines of files. */
  readonly lineLinks: PlacedUse[] = [];

  add(file: ProgramFile): void {
    this.files.set(file.path, file);
    for (const one of file.definitions) addTo(one.kind === 'setting' ? this.settings : this.definitions, one.name, one);
    for (const use of file.uses)
      if (use.kind === 'mention' && use.receiver.startsWith('#')) this.lineLinks.push(use);
      else addTo(this.uses, use.name, use);
    for (const one of file.imports) for (const { name } of one.names) addTo(this.imports, name, one);
  }

  isHub(name: string): boolean {
    return [this.uses, this.definitions, this.settings].some((places) => (places.get(name)?.length ?? 0) > HUB);
  }

  /** Files that are called so, by their path or the end of one. */
  filesCalled(name: string): ProgramFile[] {
    return [...this.files.values()].filter(({ path }) => isCalled(path, name));
  }

  /** Uses from the first line of a definition to its last. */
  usesIn({ file: { uses }, line, endLine }: PlacedDefinition): readonly PlacedUse[] {
    return uses.slice(firstFrom(uses, line), firstFrom(uses, endLine + 1));
  }
}

/** Where those at or behind a line begin, of what goes in line order. */
const firstFrom = (placed: readonly { line: number }[], line: number): number =>
  firstWhere(placed.length, (at) => (placed[at]?.line ?? Infinity) >= line);

/** Rows decoded between two turns of the event loop: a few milliseconds, which a search beside it waits. */
const SLICE = 50;

/**
 * The program of many rows, read while other work gets its turn. Files whose rows are as they were in the program
 * `before` are taken over from it: nothing of theirs is decoded again, and both programs share their memory.
 */
export async function readProgram(rows: readonly ReferenceRow[], before?: Program): Promise<Program> {
  const program = new Program();
  const byPath = new Map<string, ReferenceRow[]>();
  for (const row of rows) addTo(byPath, row.path, row);
  const texts = new Map<string, string>(); // the same few thousand names are used hundreds of thousands of times
  const one = (text: string): string => remembered(texts, text, () => text);
  let added = 0;
  for (const [path, own] of [...byPath].sort(([a], [b]) => (a < b ? -1 : 1))) {
    own.sort((a, b) => a.startLine - b.startLine);
    // The checksum stands before the references.
    const from = own.map(({ id, language, references }) => `${id} ${language} ${references.split(':', 1).join('')}`);
    const known = before?.files.get(path);
    const isSame = known?.rows.length === from.length && from.every((row, i) => row === known.rows[i]);
    const language = own[0]?.language ?? '';
    const file: ProgramFile = { path, language, definitions: [], uses: [], imports: [], cut: false, rows: from };
    for (const { id: passageId, startLine, references } of isSame ? [] : own) {
      if (++added % SLICE === 0) await nextTurn();
      const { definitions, uses, imports, cut } = decodeReferences(references, startLine);
      file.cut ||= cut ?? false;
      for (const { name, container, ...rest } of definitions)
        file.definitions.push({ ...rest, name: one(name), container: one(container), file, passageId });
      for (const { name, receiver, ...rest } of uses)
        file.uses.push({ ...rest, name: one(name), receiver: one(receiver), file, passageId });
      for (const each of imports) file.imports.push({ ...each, file, passageId });
    }
    if (isSame && ++added % SLICE === 0) await nextTurn();
    program.add(isSame ? known : nested(file));
  }
  return program;
}

/** In line order, each told what it stands in. */
function nested(file: ProgramFile): ProgramFile {
  const { definitions, uses } = file;
  definitions.sort((a, b) => a.line - b.line || b.endLine - a.endLine);
  uses.sort((a, b) => a.line - b.line);
  const open: PlacedDefinition[] = [];
  let next = 0;
  for (const place of [...uses, { line: Infinity }])
    for (;;) {
      const definition = definitions[next];
      const opened = definition && definition.line <= place.line ? definition : undefined;
      const at: { line: number; within?: PlacedDefinition } = opened ?? place;
      while ((open.at(-1)?.endLine ?? Infinity) < at.line) open.pop();
      const within = open.at(-1);
      if (within) at.within = within;
      if (!opened) break;
      next += 1;
      if (holds(opened)) open.push(opened);
    }
  return file;
}

/** A value of one line holds nothing: what stands on the line of a field belongs to its class. */
const holds = ({ kind, line, endLine }: Definition): boolean =>
  !(kind === 'field' || kind === 'constant' || kind === 'variable' || kind === 'setting') || endLine > line;
