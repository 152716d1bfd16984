import type { ReferenceKind, ReferenceRelation } from '../domain/reference-answer.ts';
import type { UseKind } from '../domain/references.ts';
import { addTo, baseName, remembered, stemOf, folderOf } from '#base';
import { FilledTexts } from './filled-texts.ts';
import { codeLanguageOf } from '../reading/code/language-of.ts';
import type { ProjectFile } from '../reading/code/project-reader.ts';
import { roleOf, Modules } from './modules.ts';
import {
  CLASS_LIKE,
  INHERITING,
  isCalled,
  type PlacedDefinition,
  type PlacedUse,
  type Program,
  type ProgramFile,
} from './program.ts';
import { CERTAIN, isLineLink, NameResolver, sortOf, SURE } from './resolve-names.ts';

/** From a place to the definition that is meant there. */
export interface Edge {
  relation: ReferenceRelation;
  path: string;
  line: number;
  passageId: string;
  /** What the place stands in; undefined at the top of a file. */
  from: PlacedDefinition | undefined;
  to: PlacedDefinition;
  confidence: number;
}

/** Of a place that means a definition. */
const edgeAt = (
  { file, line, passageId }: { file: ProgramFile; line: number; passageId: string },
  relation: ReferenceRelation,
  from: PlacedDefinition | undefined,
  to: PlacedDefinition,
  confidence: number,
): Edge => ({ relation, path: file.path, line, passageId, from, to, confidence });

/** An import, with the file that it stands in. */
type PlacedImport = ProgramFile['imports'][number] & { file: ProgramFile };

export const importEdge = (one: PlacedImport, to: PlacedDefinition): Edge =>
  edgeAt(one, 'imports', undefined, to, SURE.import);

export const RELATIONS: Readonly<Record<UseKind, ReferenceRelation>> = {
  call: 'calls',
  extends: 'extends',
  implements: 'implements',
  type: 'types',
  read: 'reads',
  set: 'sets',
  throw: 'throws',
  key: 'keys',
  mention: 'documents',
};

/** Relations that a question's kind takes in. */
const ASKED: Readonly<Partial<Record<ReferenceKind, readonly ReferenceRelation[]>>> = {
  calls: ['calls'],
  imports: ['imports'],
  implements: ['implements', 'extends'],
  overrides: ['overrides'],
  types: ['types', 'extends', 'implements'],
  reads: ['reads'],
  sets: ['sets'],
  throws: ['throws'],
  documents: ['documents'],
};
/** Whether a question about definitions asks for a relation; `uses` and `tests` take in all that programs do. */
function asksFor(targets: readonly PlacedDefinition[], kind: ReferenceKind): (relation: ReferenceRelation) => boolean {
  const calls =
    kind === 'reads' &&
    targets.some((one) => one.kind === 'field' && codeLanguageOf(one.file.language)?.callsFields === true);
  const wanted = ASKED[kind];
  if (!wanted) return (relation) => relation !== 'documents';
  return (relation) => wanted.includes(relation) || (calls && relation === 'calls');
}

const MOST_HEIRS = 2_000;
/** Sources stand before what is made of them, shows them and tests them. */
const ROLES = [
  'source',
  'completion',
  'generated',
  'example',
  'translation',
  'test',
  'history',
  'licence',
  'credits',
  'tools-own',
];

/** Files by what they are for, then by path; places by line. */
function inOrder(a: Edge, b: Edge): number {
  if (a.path === b.path) return a.line - b.line;
  return ROLES.indexOf(roleOf(a.path)) - ROLES.indexOf(roleOf(b.path)) || (a.path < b.path ? -1 : 1);
}

/** A method that is called through what it overrides is less surely meant. */
const THROUGH_BASE = 0.6;
const OVERRIDES = 0.9;
/** A type that has all methods of an interface, where that is enough; surer where the interface has several. */
const COVERS = { several: 0.9, one: 0.7 };

/** Who refers to whom in a workspace. Made of what an index holds at one moment; edges are resolved when asked. */
export class ReferenceGraph {
  readonly program: Program;
  readonly #names: NameResolver;
  #importers: Map<string, PlacedImport[]> | undefined;
  #filled: FilledTexts | undefined;
  #lines: ReadonlyMap<PlacedDefinition, PlacedUse[]> | undefined;
  #standards: Map<string, Set<string>> | undefined;
  readonly #overridden = new Map<PlacedDefinition, PlacedDefinition[]>();
  readonly #covered = new Map<PlacedDefinition, Edge[]>();
  readonly #overriding = new Map<string, ReadonlyMap<PlacedDefinition, readonly PlacedDefinition[]>>();
  readonly #asked = new Map<string, ReadonlyMap<PlacedDefinition, ReadonlySet<PlacedDefinition | undefined>>>();

  /** @param paths Of all files that are indexed. */
  constructor(program: Program, paths: readonly string[], projectFiles: readonly ProjectFile[]) {
    this.program = program;
    this.#names = new NameResolver(this.program, new Modules(paths, projectFiles));
  }

  /** What a name may mean: `merge`, `Store.merge`, `Store::merge()`, and settings by their whole path. */
  definitionsOf(symbol: string): PlacedDefinition[] {
    return [...this.#programmed(symbol), ...this.settingsOf(symbol)];
  }

  /** Keys of files of settings: `cache.size`, `PORT`. */
  settingsOf(symbol: string): readonly PlacedDefinition[] {
    return sourcesIn(this.program.settings.get(symbol.replace(/^[`'"]|[`'"]$/g, '')) ?? []);
  }

  #programmed(symbol: string): readonly PlacedDefinition[] {
    const parts = partsOf(symbol);
    const name = parts.pop() ?? '';
    const above = parts.join('.');
    const all = this.program.definitions.get(name) ?? [];
    const exact = all.filter(({ container }) => above === '' || container === above || container.endsWith(`.${above}`));
    // `parse_context.new_tokenizer` is asked by people who read it at a call.
    const loose = plainly(above);
    const inside =
      exact.length > 0 ? exact : all.filter(({ container }) => plainly(container.split('.').at(-1) ?? '') === loose);
    const behind =
      inside.length > 0 || this.program.filesCalled(symbol).length > 0 // `main.c` is the file, and no `c` in it
        ? inside
        : all.filter((one) => isBehindModule(one, above));
    return sourcesIn(behind);
  }

  /** Edges that end at these definitions, as far as they are of a kind. */
  usesOf(targets: readonly PlacedDefinition[], kind: ReferenceKind): Edge[] {
    const asks = asksFor(targets, kind);
    const meant = new Set(targets);
    const through = new Map(targets.flatMap((target) => this.#overriddenBy(target).map((base) => [base, target])));
    const edges: Edge[] = [];
    const lines = asks('documents') ? this.#linesNamed([...targets, ...through.keys()]) : [];
    const uses = [...this.#named(targets), ...lines];
    for (const use of uses) {
      const relation = RELATIONS[use.kind];
      if (!asks(relation)) continue;
      const resolved = this.#names.resolve(use, meant);
      const to = resolved?.targets.find((one) => meant.has(one));
      const base = to ? undefined : resolved?.targets.find((one) => through.has(one));
      const target = to ?? (base && through.get(base));
      if (!resolved || !target || (isOwnLine(use, target) && !(kind === 'sets' && use.kind === 'set'))) continue;
      edges.push(
        this.#edge(use, relation, target, base ? Math.min(THROUGH_BASE, resolved.confidence) : resolved.confidence),
      );
    }
    if (asks('imports')) edges.push(...targets.flatMap((target) => this.#importsOf(target)));
    if (asks('implements')) edges.push(...targets.flatMap((target) => this.#coveredBy(target)));
    if (kind === 'implements') edges.push(...this.#heirsOf(edges));
    if (asks('overrides')) edges.push(...targets.flatMap((target) => this.#overridesOf(target)));
    const settings = targets.filter(isSetting);
    if (asks('reads')) edges.push(...settings.flatMap((setting) => this.#readersOf(setting)));
    if (kind === 'sets') edges.push(...settings.map((setting) => edgeAt(setting, 'sets', undefined, setting, 1)));
    const tests = kind === 'tests' ? edges.filter(({ path, line }) => this.isInTest(path, line)) : edges;
    return tests.sort(inOrder);
  }

  /** What extends or implements those that do so themselves, all the way down. */
  #heirsOf(edges: readonly Edge[]): Edge[] {
    const found: Edge[] = [];
    const seen = new Set<PlacedDefinition>();
    const waiting = edges.filter(isCertain).flatMap(({ from }) => from ?? []);
    for (let heir = waiting.pop(); heir && seen.size < MOST_HEIRS; heir = waiting.pop()) {
      if (seen.has(heir)) continue;
      seen.add(heir);
      for (const use of this.#named([heir])) {
        const resolved = INHERITING.has(use.kind) ? this.#names.resolve(use) : undefined;
        if (!resolved?.targets.includes(heir) || resolved.confidence < CERTAIN) continue;
        const edge = this.#edge(use, RELATIONS[use.kind], heir, resolved.confidence);
        found.push(edge);
        if (edge.from) waiting.push(edge.from);
      }
    }
    return found;
  }

  /** Uses of the name of which nothing tells whether they mean these definitions. */
  possibleUsesOf(targets: readonly PlacedDefinition[], kind: ReferenceKind): Edge[] {
    const asks = asksFor(targets, kind);
    const sorts = new Map<string, PlacedDefinition>();
    for (const target of targets) if (!sorts.has(sortOf(target))) sorts.set(sortOf(target), target);
    return [...this.#named(targets)].flatMap((use): Edge[] => {
      const relation = RELATIONS[use.kind];
      if (!asks(relation)) return [];
      if (kind === 'tests' && !this.isInTest(use.file.path, use.line)) return [];
      const target = [...sorts.values()].find((one) => this.#names.mayMean(use, one));
      return target && !isOwnLine(use, target) ? [this.#edge(use, relation, target, 0.1)] : [];
    });
  }

  /** Whether a place is in a file of tests, or in those that a program keeps beside what they test. */
  isInTest(path: string, line: number): boolean {
    if (roleOf(path) === 'test') return true;
    const file = this.program.files.get(path);
    const tests = file && codeLanguageOf(file.language)?.testModules;
    if (!tests) return false;
    return this.program.around(file, line, ({ kind, name }) => kind === 'module' && tests.test(name)) !== undefined;
  }

  /** What a definition calls, in line order. */
  calleesOf(definition: PlacedDefinition): Edge[] {
    return this.program
      .usesIn(definition.file, definition.line, definition.endLine)
      .filter(({ kind }) => kind === 'call')
      .flatMap((use) => this.edgesOf(use));
  }

  /** What may run in place of a method that is called: what overrides it, else what covers its interface. */
  dispatchedTo(method: PlacedDefinition): Edge[] {
    return coversInterfaces(method.file) ? this.#methodsFor(method) : this.#overridesOf(method);
  }

  /** Methods of the types that cover an interface, in place of its own. */
  #methodsFor(method: PlacedDefinition): Edge[] {
    const holder = this.program.around(method.file, method.line, (one) => one.kind === 'interface');
    const covering = holder ? this.#coveredBy(holder) : [];
    return covering.flatMap((edge): Edge[] => {
      const [from] = edge.from ? this.#names.members(edge.from, method.name) : [];
      return from ? [edgeAt(from, edge.relation, from, method, edge.confidence)] : [];
    });
  }

  /** What a use leads to. */
  edgesOf(use: PlacedUse): Edge[] {
    const resolved = this.#names.resolve(use);
    const [target] = resolved?.targets ?? [];
    if (!resolved || !target || isOwnLine(use, target)) return [];
    return [this.#edge(use, RELATIONS[use.kind], target, resolved.confidence)];
  }

  /** Places that look up what a file of settings gives a value. */
  #readersOf(setting: PlacedDefinition): Edge[] {
    return (this.program.uses.get(setting.name) ?? [])
      .filter(({ kind }) => kind === 'key')
      .map((use) => edgeAt(use, 'reads', this.program.around(use.file, use.line), setting, SURE.folder));
  }

  /** Places where a string is used to look something up, or is thrown, be it with values filled in. */
  keyUses(key: string): PlacedUse[] {
    const exact = (this.program.uses.get(key) ?? []).filter(({ kind }) => kind === 'key' || kind === 'throw');
    if (exact.length > 0) return exact;
    this.#filled ??= new FilledTexts(this.program);
    return this.#filled.find(key);
  }

  /** The first passage of files that are called so, with a part of their path or without. */
  headOfFile(name: string): { passageId: string; path: string }[] {
    if (!/\.\w+$/.test(name)) return [];
    return this.program.filesCalled(name).flatMap(({ path, definitions, uses, imports }) => {
      const [head] = [...imports, ...definitions, ...uses].sort((a, b) => a.line - b.line);
      return head ? [{ passageId: head.passageId, path }] : [];
    });
  }

  /** Imports of a file, by its path or the end of one. */
  importsOfFile(path: string): { target: string; file: string; line: number; passageId: string }[] {
    return [...this.program.files.values()].flatMap((file) =>
      file.imports.flatMap(({ module, names, line, passageId }) => {
        // Of `from . import a, b` each name may be a file.
        const asked = names.length > 0 ? names.map(({ name }) => name) : [undefined];
        const files = asked.flatMap((name) => this.#names.importedFiles(module, name, file));
        return [...new Set(files)]
          .filter((target) => isCalled(target, path) && target !== file.path)
          .map((target) => ({ target, file: file.path, line, passageId }));
      }),
    );
  }

  /** What an import names; none for something outside of the workspace. */
  importedSymbol(module: string, name: string, file: ProgramFile): PlacedDefinition[] {
    return this.#names.importedSymbol(module, name, file);
  }

  /** Names that look like one that no file defines, the most alike first. */
  near(symbol: string, most = 5): string[] {
    const asked = (partsOf(symbol).at(-1) ?? '').toLowerCase();
    return [...this.program.definitions.keys()]
      .map((known) => ({ known, distance: unlikeness(asked, known.toLowerCase()) }))
      .filter(({ distance }) => distance <= 2)
      .sort((a, b) => a.distance - b.distance || a.known.length - b.known.length || (a.known < b.known ? -1 : 1))
      .slice(0, most)
      .map(({ known }) => known);
  }

  /** Links of pages to lines of these definitions. */
  #linesNamed(definitions: readonly PlacedDefinition[]): PlacedUse[] {
    this.#lines ??= this.#linksByLine();
    return [...new Set(definitions)].flatMap((one) => this.#lines?.get(one) ?? []);
  }

  #linksByLine(): Map<PlacedDefinition, PlacedUse[]> {
    const found = new Map<PlacedDefinition, PlacedUse[]>();
    for (const { uses } of this.program.files.values())
      for (const use of uses) {
        const [target] = isLineLink(use) ? (this.#names.resolve(use)?.targets ?? []) : [];
        if (target) addTo(found, target, use);
      }
    return found;
  }

  *#named(targets: readonly PlacedDefinition[]): Generator<PlacedUse> {
    const { aliases } = this.program;
    const names = new Set(targets.flatMap((target) => [...this.#namesOf(target), ...(aliases.get(target.name) ?? [])]));
    for (const name of names) yield* this.program.uses.get(name) ?? [];
  }

  /** What a definition may be called where it is imported: a default export is called as an import likes. */
  #namesOf({ name, file }: PlacedDefinition): string[] {
    this.#standards ??= this.#namesOfDefaults();
    return [name, ...(this.#standards.get(`${file.path}\n${name}`) ?? [])];
  }

  /** What imports call the default exports of files, by path and own name. */
  #namesOfDefaults(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    const own = new Map<string, string>();
    for (const { path, imports } of this.program.files.values())
      for (const { module, names } of imports) if (module === '' && names[0]) own.set(path, names[0].name);
    if (own.size === 0) return found;
    for (const file of this.program.files.values())
      for (const { module, names } of file.imports) {
        if (module === '') continue;
        for (const { name } of names)
          for (const path of this.#names.importedFiles(module, name, file)) {
            const standard = own.get(path);
            if (standard === undefined || standard === name) continue;
            const key = `${path}\n${standard}`;
            found.set(key, (found.get(key) ?? new Set()).add(name));
          }
      }
    return found;
  }

  #edge(use: PlacedUse, relation: ReferenceRelation, to: PlacedDefinition, confidence: number): Edge {
    const from = INHERITING.has(use.kind) ? this.#names.heir(use) : this.program.around(use.file, use.line);
    return edgeAt(use, relation, from, to, confidence);
  }

  #importsOf(target: PlacedDefinition): Edge[] {
    if (!this.#importers) {
      this.#importers = new Map();
      for (const file of this.program.files.values())
        for (const one of file.imports)
          for (const { name } of one.names) addTo(this.#importers, name, { ...one, file });
    }
    return this.#namesOf(target).flatMap((name) =>
      (this.#importers?.get(name) ?? [])
        .filter(
          ({ file, module }) => file !== target.file && this.#names.importedSymbol(module, name, file).includes(target),
        )
        .map((one) => importEdge(one, target)),
    );
  }

  /** Types that implement an interface by having its methods. */
  #coveredBy(target: PlacedDefinition): Edge[] {
    return remembered(this.#covered, target, () => this.#typesCovering(target));
  }

  #typesCovering(target: PlacedDefinition): Edge[] {
    if (target.kind !== 'interface' || !coversInterfaces(target.file)) return [];
    const { language } = target.file;
    const wanted = target.file.definitions.filter(
      ({ container, kind }) => container === target.name && kind === 'method',
    );
    const [first] = wanted;
    if (!first) return [];
    const candidates = (this.program.definitions.get(first.name) ?? []).filter(
      ({ file, container }) => file.language === language && container !== '' && container !== target.name,
    );
    return candidates.flatMap((method): Edge[] => {
      const folder = folderOf(method.file.path);
      const has = (name: string): boolean =>
        this.program
          .inFolder(name, folder)
          .some(({ container, file }) => container === method.container && file.language === language);
      const type = this.program.inFolder(method.container, folder).find(({ kind }) => CLASS_LIKE.has(kind));
      if (!type || type.kind === 'interface' || !wanted.every(({ name }) => has(name))) return [];
      return [edgeAt(type, 'implements', type, target, wanted.length > 1 ? COVERS.several : COVERS.one)];
    });
  }

  /** Methods of a name that interfaces ask for, with those of the types that cover them. */
  #interfaceMethods(name: string): ReadonlyMap<PlacedDefinition, ReadonlySet<PlacedDefinition | undefined>> {
    return remembered(this.#asked, name, () => {
      const found = new Map<PlacedDefinition, ReadonlySet<PlacedDefinition | undefined>>();
      for (const one of this.program.definitions.get(name) ?? []) {
        const having = coversInterfaces(one.file) ? this.#methodsFor(one) : [];
        if (having.length > 0) found.set(one, new Set(having.map(({ from }) => from)));
      }
      return found;
    });
  }

  /** Methods of a name by what they override: a name like `toString` has thousands, each of which may be asked for. */
  #overridingCalled(name: string): ReadonlyMap<PlacedDefinition, readonly PlacedDefinition[]> {
    return remembered(this.#overriding, name, () => {
      const found = new Map<PlacedDefinition, PlacedDefinition[]>();
      for (const method of this.program.definitions.get(name) ?? [])
        for (const base of this.#overriddenBy(method)) addTo(found, base, method);
      return found;
    });
  }

  #overridesOf(target: PlacedDefinition): Edge[] {
    if (target.container === '') return [];
    const overriding = this.#overridingCalled(target.name).get(target) ?? [];
    return overriding.map((method) => edgeAt(method, 'overrides', method, target, OVERRIDES));
  }

  /** Methods of the same name in what a method's class inherits from. */
  #overriddenBy(method: PlacedDefinition): PlacedDefinition[] {
    return remembered(this.#overridden, method, () => this.#lookUpOverridden(method));
  }

  #lookUpOverridden(method: PlacedDefinition): PlacedDefinition[] {
    const found = new Set<PlacedDefinition>();
    if (coversInterfaces(method.file))
      for (const [asked, having] of this.#interfaceMethods(method.name)) if (having.has(method)) found.add(asked);
    const around = this.program.around(method.file, method.line, (one) => CLASS_LIKE.has(one.kind) && one !== method);
    // Rust and C++ write methods outside of what they belong to, be it in a module.
    const holder = around && around.kind !== 'module' ? around : (this.#names.classAround(method) ?? around);
    const waiting = holder && method.container !== '' ? [...this.#names.bases(holder)] : [];
    for (let base = waiting.pop(); base && found.size < 50; base = waiting.pop()) {
      for (const one of this.#names.members(base, method.name)) if (one !== method) found.add(one);
    }
    return [...found];
  }
}

/** `Store::merge()` is made of `Store` and `merge`. */
const partsOf = (symbol: string): string[] =>
  symbol
    .replace(/\(\)?$|[`'"]/g, '')
    .split(/\.|::|#|->|\\/)
    .filter((part) => part !== '');

/** Whether what stands before a name ends with the name of its file or folder: `App\Models\User`, `shop.store.open`. */
function isBehindModule({ container, file }: PlacedDefinition, above: string): boolean {
  const whole = `.${above}`;
  if (container !== '' && !whole.endsWith(`.${container}`)) return false;
  const modules = container === '' ? whole : whole.slice(0, -container.length - 1);
  const module = plainly(modules.split('.').at(-1) ?? '');
  return module !== '' && [stemOf(file.path), baseName(folderOf(file.path))].some((name) => plainly(name) === module);
}

const plainly = (name: string): string => name.replaceAll('_', '').toLowerCase();

const isSetting = ({ kind }: PlacedDefinition): boolean => kind === 'setting';

/** Sources alone, as far as there are some. */
function sourcesIn(definitions: readonly PlacedDefinition[]): readonly PlacedDefinition[] {
  const sources = definitions.filter(({ file }) => roleOf(file.path) === 'source');
  return sources.length > 0 ? sources : definitions;
}

/** Whether types implement interfaces by having their methods. */
const coversInterfaces = ({ language }: ProgramFile): boolean => codeLanguageOf(language)?.implicitInterfaces === true;

/** The line on which a name is defined does not use it. */
const isOwnLine = (use: PlacedUse, target: PlacedDefinition): boolean =>
  use.file === target.file && use.line === target.line && use.kind !== 'call' && !INHERITING.has(use.kind);

export const isCertain = ({ confidence }: Pick<Edge, 'confidence'>): boolean => confidence >= CERTAIN;

/** 0 for the same, 1 or 2 for one that begins or ends with it or differs in so many characters, more for others. */
function unlikeness(asked: string, known: string): number {
  if (asked === known) return 0;
  if (asked.length < 4 || known.length < 3) return Infinity;
  if (Math.abs(asked.length - known.length) <= 2) {
    const edits = editDistance(asked, known);
    if (edits <= 2) return edits;
  }
  return known.startsWith(asked) || known.endsWith(asked) ? 2 : Infinity;
}

/** Levenshtein's. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row.at(-1) ?? 0;
}
