import { setImmediate as nextTurn } from 'node:timers/promises';
import { addTo, remembered, folderOf } from '#base';
import { type Definition, type ImportUse, type Use, type UseKind, decodeReferences } from '../domain/references.ts';

/** A passage that says something of names, as the index keeps it. */
export interface ReferenceRow {
  id: string;
  path: string;
  language: string;
  startLine: number;
  references: string;
}

/** A definition and where it stands. */
export interface PlacedDefinition extends Definition {
  file: ProgramFile;
  passageId: string;
}

/** A use and where it stands. */
export interface PlacedUse extends Use {
  file: ProgramFile;
  passageId: string;
}

/** All that the passages of one file say of names. */
export interface ProgramFile {
  path: string;
  language: string;
  /** In line order; a definition that holds others comes before them. */
  definitions: PlacedDefinition[];
  /** In line order. */
  uses: PlacedUse[];
  imports: (ImportUse & { passageId: string })[];
  /** Not all of its references were read. */
  cut: boolean;
  /** What it was read from: the passages with the checksums of their references, in line order. */
  readonly rows: readonly { id: string; checksum: string }[];
}

const HUB = 60;

/** Whether a file's path is this one, or ends with it. */
export const isCalled = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`);

/** `Store.merge`. */
export const qualifiedName = ({ container, name }: Pick<Definition, 'container' | 'name'>): string =>
  container === '' ? name : `${container}.${name}`;

export const CLASS_LIKE: ReadonlySet<Definition['kind']> = new Set(['class', 'interface', 'enum', 'type', 'module']);
export const INHERITING: ReadonlySet<UseKind> = new Set(['extends', 'implements']);

/** The files of a workspace with their definitions and uses by name. Nothing here is resolved. */
export class Program {
  readonly files = new Map<string, ProgramFile>();
  readonly definitions = new Map<string, PlacedDefinition[]>();
  /** Keys of files of settings by their path, apart from what programs define: only strings mean them. */
  readonly settings = new Map<string, PlacedDefinition[]>();
  readonly uses = new Map<string, PlacedUse[]>();
  /** What names are called elsewhere: by imports that rename, and by modules that stand for a symbol. */
  readonly aliases = new Map<string, Set<string>>();
  /** By the id of a passage. */
  readonly fileOf = new Map<string, ProgramFile>();
  /** Texts that are thrown, of those uses whose name is one and not a class's. */
  readonly thrown = new Map<string, PlacedUse[]>();
  /** Definitions by name and then by path or folder, grouped when first asked for. */
  readonly #inFiles = new Map<string, ReadonlyMap<string, PlacedDefinition[]>>();
  readonly #inFolders = new Map<string, ReadonlyMap<string, PlacedDefinition[]>>();
  /** See {@link longerBefore}: generated files have thousands of definitions and of uses. */
  readonly #longer = new Map<ProgramFile, readonly number[]>();

  /** Made at once; a large program is better read by {@link readProgram}. */
  constructor(rows: readonly ReferenceRow[]) {
    for (const ofFile of byFile(rows)) this.add(atOnce(readFile(ofFile, new Texts())));
  }

  add(file: ProgramFile): void {
    this.files.set(file.path, file);
    for (const { id } of file.rows) this.fileOf.set(id, file);
    for (const one of file.definitions) addTo(one.kind === 'setting' ? this.settings : this.definitions, one.name, one);
    for (const use of file.uses) {
      addTo(this.uses, use.name, use);
      if (use.kind === 'throw' && use.name.includes(' ')) addTo(this.thrown, use.name, use);
    }
    for (const { names } of file.imports)
      for (const { name, local } of names)
        if (name !== local) this.aliases.set(name, (this.aliases.get(name) ?? new Set()).add(local));
  }

  /** Definitions of a name in one file: a name like `id` stands in thousands. */
  inFile(name: string, { path }: ProgramFile): readonly PlacedDefinition[] {
    return this.#grouped(this.#inFiles, name, (one) => one.file.path).get(path) ?? [];
  }

  /** Definitions of a name in the files of one folder, not in those below it. */
  inFolder(name: string, folder: string): readonly PlacedDefinition[] {
    return this.#grouped(this.#inFolders, name, (one) => folderOf(one.file.path)).get(folder) ?? [];
  }

  #grouped(
    known: Map<string, ReadonlyMap<string, PlacedDefinition[]>>,
    name: string,
    placeOf: (definition: PlacedDefinition) => string,
  ): ReadonlyMap<string, PlacedDefinition[]> {
    return remembered(known, name, () => {
      const groups = new Map<string, PlacedDefinition[]>();
      for (const definition of this.definitions.get(name) ?? []) addTo(groups, placeOf(definition), definition);
      return groups;
    });
  }

  /** Names that are used or defined so often are hubs (a logger, a helper): they join everything with everything. */
  isHub(name: string): boolean {
    return [this.uses, this.definitions, this.settings].some((places) => (places.get(name)?.length ?? 0) > HUB);
  }

  /** Files that are called so, by their path or the end of one. */
  filesCalled(name: string): ProgramFile[] {
    return [...this.files.values()].filter(({ path }) => isCalled(path, name));
  }

  /** What a line stands in: the innermost definition around it, if any. */
  around(
    file: ProgramFile,
    line: number,
    accept: (definition: PlacedDefinition) => boolean = holds,
  ): PlacedDefinition | undefined {
    const { definitions } = file;
    const longer = remembered(this.#longer, file, () => longerBefore(definitions));
    for (let at = firstAfter(definitions, line) - 1; at >= 0;) {
      const definition = definitions[at];
      const isAround = definition !== undefined && definition.endLine >= line;
      if (isAround && accept(definition)) return definition;
      at = isAround ? at - 1 : (longer[at] ?? -1);
    }
    return undefined;
  }

  /** Uses from one line of a file to another, that one included. */
  usesIn({ uses }: ProgramFile, from: number, to: number): readonly PlacedUse[] {
    return uses.slice(firstAfter(uses, from - 1), firstAfter(uses, to));
  }
}

/** Where those behind a line begin, of what goes in line order. */
function firstAfter(placed: readonly { line: number }[], line: number): number {
  let [low, high] = [0, placed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placed[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** For each definition the place of the nearest one before it that ends later; -1 where none does. */
function longerBefore(definitions: readonly PlacedDefinition[]): number[] {
  const longer: number[] = [];
  for (const [at, { endLine }] of definitions.entries()) {
    let before = at - 1;
    while (before >= 0 && (definitions[before]?.endLine ?? 0) <= endLine) before = longer[before] ?? -1;
    longer.push(before);
  }
  return longer;
}

/** Rows decoded between two turns of the event loop: a few milliseconds, which a search beside it waits. */
const SLICE = 50;

/**
 * The program of many rows, read while other work gets its turn. Files whose rows are as they were in the program
 * `before` are taken over from it: nothing of theirs is decoded again, and both programs share their memory.
 */
export async function readProgram(rows: readonly ReferenceRow[], before?: Program): Promise<Program> {
  const program = new Program([]);
  const texts = new Texts();
  let added = 0;
  for (const ofFile of byFile(rows)) {
    const known = before?.files.get(ofFile[0].path);
    const reading = known && isFrom(known, ofFile) ? takenOver(known) : readFile(ofFile, texts);
    let step = reading.next();
    for (; !step.done; step = reading.next()) if (++added % SLICE === 0) await nextTurn();
    program.add(step.value);
  }
  return program;
}

/** A file that is read passage by passage. */
type FileReading = Generator<undefined, ProgramFile>;

function atOnce(reading: FileReading): ProgramFile {
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

function* takenOver(file: ProgramFile): FileReading {
  yield undefined;
  return file;
}

/** Equal texts as one: the same few thousand names are used hundreds of thousands of times. */
class Texts {
  readonly #known = new Map<string, string>();

  one(text: string): string {
    return remembered(this.#known, text, () => text);
  }
}

/** Of a file's rows in line order. */
function* readFile(ofFile: FileRows, texts: Texts): FileReading {
  const [{ path, language }] = ofFile;
  const rows = ofFile.map((row) => ({ id: row.id, checksum: checksumOf(row) }));
  const file: ProgramFile = { path, language, definitions: [], uses: [], imports: [], cut: false, rows };
  for (const { id, startLine, references } of ofFile) {
    const { definitions, uses, imports, cut } = decodeReferences(references, startLine);
    file.cut ||= cut ?? false;
    for (const { name, container, ...rest } of definitions)
      file.definitions.push({ ...rest, name: texts.one(name), container: texts.one(container), file, passageId: id });
    for (const { kind, name, receiver, line } of uses)
      file.uses.push({ kind, name: texts.one(name), receiver: texts.one(receiver), line, file, passageId: id });
    for (const one of imports) file.imports.push({ ...one, passageId: id });
    yield undefined;
  }
  file.definitions.sort((a, b) => a.line - b.line || b.endLine - a.endLine);
  file.uses.sort((a, b) => a.line - b.line);
  return file;
}

/** What `encodeReferences` puts before them. */
const checksumOf = ({ references }: ReferenceRow): string => references.slice(0, references.indexOf(':'));

const isFrom = ({ rows, language }: ProgramFile, ofFile: FileRows): boolean =>
  rows.length === ofFile.length &&
  ofFile.every((row, i) => row.id === rows[i]?.id && row.language === language && checksumOf(row) === rows[i].checksum);

/** A file's rows, at least one. */
type FileRows = readonly [ReferenceRow, ...ReferenceRow[]];

/** Rows of each file in line order, by path. */
function* byFile(rows: readonly ReferenceRow[]): Generator<FileRows> {
  const files = new Map<string, ReferenceRow[]>();
  for (const row of rows) addTo(files, row.path, row);
  for (const path of [...files.keys()].sort()) {
    const [first, ...others] = (files.get(path) ?? []).sort((a, b) => a.startLine - b.startLine);
    if (first) yield [first, ...others];
  }
}

/** A value of one line holds nothing: what stands on the line of a field belongs to its class. */
const holds = ({ kind, line, endLine }: PlacedDefinition): boolean =>
  !(kind === 'field' || kind === 'constant' || kind === 'variable' || kind === 'setting') || endLine > line;
