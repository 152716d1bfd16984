import { setImmediate as nextTurn } from 'node:timers/promises';
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
  /** In line order, those that hold others before these. */
  definitions: PlacedDefinition[];
  uses: PlacedUse[];
  imports: (ImportUse & { passageId: string })[];
  /** Not all of its references were read. */
  cut: boolean;
}

/** `Store.merge`. */
export const qualifiedName = ({ container, name }: Pick<Definition, 'container' | 'name'>): string =>
  container === '' ? name : `${container}.${name}`;

export const CLASS_LIKE: ReadonlySet<Definition['kind']> = new Set(['class', 'interface', 'enum', 'type', 'module']);
export const INHERITING: ReadonlySet<UseKind> = new Set(['extends', 'implements']);

/** The files of a workspace with their definitions and uses by name. Nothing here is resolved. */
export class Program {
  readonly files = new Map<string, ProgramFile>();
  readonly definitions = new Map<string, PlacedDefinition[]>();
  readonly uses = new Map<string, PlacedUse[]>();
  /** What names are called elsewhere: by imports that rename, and by modules that stand for a symbol. */
  readonly aliases = new Map<string, Set<string>>();

  /** Made at once; a large program is better read by {@link readProgram}. */
  constructor(rows: readonly ReferenceRow[]) {
    for (const row of inOrder(rows)) this.add(row);
    this.settle();
  }

  /** To be called when rows were added: definitions go in line order. */
  settle(): void {
    for (const file of this.files.values()) file.definitions.sort((a, b) => a.line - b.line || b.endLine - a.endLine);
  }

  /** Passages of one file come in line order. */
  add({ id, path, language, startLine, references }: ReferenceRow): void {
    const file = this.files.get(path) ?? { path, language, definitions: [], uses: [], imports: [], cut: false };
    this.files.set(path, file);
    const { definitions, uses, imports, cut } = decodeReferences(references, startLine);
    file.cut ||= cut ?? false;
    for (const definition of definitions) {
      const placed = { ...definition, file, passageId: id };
      file.definitions.push(placed);
      push(this.definitions, definition.name, placed);
    }
    for (const use of uses) {
      const placed = { ...use, file, passageId: id };
      file.uses.push(placed);
      push(this.uses, use.name, placed);
    }
    for (const one of imports) {
      file.imports.push({ ...one, passageId: id });
      for (const { name, local } of one.names)
        if (name !== local) this.aliases.set(name, (this.aliases.get(name) ?? new Set()).add(local));
    }
  }

  /** What a line stands in: the innermost definition around it, if any. */
  around(
    file: ProgramFile,
    line: number,
    accept: (definition: PlacedDefinition) => boolean = holds,
  ): PlacedDefinition | undefined {
    let found: PlacedDefinition | undefined;
    for (const definition of file.definitions) {
      if (definition.line > line) break;
      if (definition.endLine >= line && accept(definition)) found = definition;
    }
    return found;
  }
}

/** Rows decoded between two turns of the event loop. */
const SLICE = 500;

/** The program of many rows, read while other work gets its turn. */
export async function readProgram(rows: readonly ReferenceRow[]): Promise<Program> {
  const program = new Program([]);
  const sorted = inOrder(rows);
  for (let i = 0; i < sorted.length; i += SLICE) {
    for (const row of sorted.slice(i, i + SLICE)) program.add(row);
    await nextTurn();
  }
  program.settle();
  return program;
}

const inOrder = (rows: readonly ReferenceRow[]): ReferenceRow[] =>
  [...rows].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine));

/** A value of one line holds nothing: what stands on the line of a field belongs to its class. */
const holds = ({ kind, line, endLine }: PlacedDefinition): boolean =>
  !(kind === 'field' || kind === 'constant' || kind === 'variable') || endLine > line;

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
