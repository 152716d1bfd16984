import { baseName, folderOf, remembered, stemOf } from '#base';
import type { ReferenceKind, ReferenceRelation } from '../domain/reference-answer.ts';
import type { UseKind } from '../domain/references.ts';
import { codeLanguageOf } from '../reading/code/language-of.ts';
import { isWithoutGrammar, roleOf } from '../reading/file-role.ts';
import { type Meaning, NameJoin, plainly } from './join-names.ts';
import { isFilled, unlikeness } from './likeness.ts';
import {
  heirOf,
  isCalled,
  isClassLike,
  isInheriting,
  lastOf,
  type PlacedDefinition,
  type PlacedUse,
  type Program,
  type ProgramFile,
} from './program.ts';

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

/** Relations that a question's kind takes in; all that programs do where it is not here. */
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

/** Sources stand before what is made of them, shows them and tests them. */
const ROLES = 'source completion generated example translation test history licence credits tools-own'.split(' ');

/** Files by what they are for, then by path; places by line. */
function inOrder(a: Edge, b: Edge): number {
  if (a.path === b.path) return a.line - b.line;
  return ROLES.indexOf(roleOf(a.path)) - ROLES.indexOf(roleOf(b.path)) || (a.path < b.path ? -1 : 1);
}

const edgeAt = (
  { file, line, passageId }: Pick<PlacedUse, 'file' | 'line' | 'passageId'>,
  relation: ReferenceRelation,
  from: PlacedDefinition | undefined,
  to: PlacedDefinition,
  confidence = 1,
): Edge => ({ relation, path: file.path, line, passageId, from, to, confidence });

/** Who refers to whom in a workspace. Made of what an index holds at one moment; names are joined when asked. */
export class ReferenceGraph {
  readonly program: Program;
  /** Programs that no grammar here reads. */
  readonly unread: readonly string[];
  readonly #join: NameJoin;

  /** @param paths Of all files that are indexed. */
  constructor(program: Program, paths: readonly string[]) {
    this.program = program;
    this.unread = paths.filter(isWithoutGrammar);
    this.#join = new NameJoin(program, paths);
  }

  /** What a name may mean: `merge`, `Store.merge`, `Store::merge()`, and settings by their whole path. */
  definitionsOf(symbol: string): PlacedDefinition[] {
    const parts = partsOf(symbol);
    const name = parts.pop() ?? '';
    const above = parts.join('.');
    const all = this.program.definitions.get(name) ?? [];
    const exact = all.filter(({ container }) => above === '' || `.${container}`.endsWith(`.${above}`));
    const isFile = exact.length === 0 && this.program.filesCalled(symbol).length > 0; // `main.c`, and no `c` in it
    const behind = exact.length > 0 || isFile ? exact : all.filter((one) => isBehindModule(one, above));
    // `parse_context.new_tokenizer` is asked by people who read it at a call.
    const last = plainly(parts.at(-1) ?? '');
    const loose = behind.length > 0 || isFile ? behind : all.filter((one) => plainly(lastOf(one.container)) === last);
    return [...sourcesIn(loose), ...this.settingsOf(symbol)];
  }

  /** Keys of files of settings: `cache.size`, `PORT`. */
  settingsOf(symbol: string): readonly PlacedDefinition[] {
    return sourcesIn(this.program.settings.get(symbol.replace(/^[`'"]|[`'"]$/g, '')) ?? []);
  }

  /** Edges that end at these definitions, sure and possible ones, as far as they are of a kind. */
  usesOf(targets: readonly PlacedDefinition[], kind: ReferenceKind): Edge[] {
    const wanted = ASKED[kind];
    const asks = (relation: ReferenceRelation): boolean => wanted?.includes(relation) ?? relation !== 'documents';
    const edges = this.#usesOf(targets, asks);
    for (let next = edges; kind === 'implements' && next.length > 0; edges.push(...next)) {
      // What extends or implements those that do so themselves, all the way down.
      const heirs = new Set(next.flatMap(({ from }) => from ?? []));
      const known = new Set(edges.map(({ to }) => to));
      next = this.#usesOf(
        [...heirs].filter((heir) => !known.has(heir)),
        asks,
      );
    }
    for (const target of targets) {
      if (asks('imports')) edges.push(...this.#importsOf(target));
      if (asks('overrides')) edges.push(...this.overridesOf(target));
      if (target.kind !== 'setting') continue;
      for (const use of asks('reads') ? (this.program.uses.get(target.name) ?? []) : [])
        if (use.kind === 'key') edges.push(edgeAt(use, 'reads', use.within, target));
      if (kind === 'sets') edges.push(edgeAt(target, 'sets', undefined, target));
    }
    return edges.filter((edge) => kind !== 'tests' || this.isInTest(edge)).sort(inOrder);
  }

  #usesOf(targets: readonly PlacedDefinition[], asks: (relation: ReferenceRelation) => boolean): Edge[] {
    const meant = new Set(targets);
    const names = new Set(targets.flatMap((target) => [target.name, ...this.#aliasesOf(target)]));
    const uses = [...names].flatMap((name) => this.program.uses.get(name) ?? []);
    const fields = asks('reads') && targets.some(({ kind }) => kind === 'field'); // some languages read them by a call
    // What is called by the name of a class above may run what an heir has.
    const through = new Map<string, PlacedDefinition>();
    for (const target of targets)
      for (const base of this.#join.basesOf(lastOf(target.container))) through.set(`${base}.${target.name}`, target);
    const known = new Map<Meaning['targets'], { target?: PlacedDefinition; isSure: boolean }>();
    const look = (all: Meaning['targets']): { target?: PlacedDefinition; isSure: boolean } => {
      const target = all.find((one) => meant.has(one));
      if (target) return { target, isSure: true };
      const heir = all.flatMap(({ container, name }) => through.get(`${lastOf(container)}.${name}`) ?? [])[0];
      return { ...(heir && { target: heir }), isSure: false };
    };
    return [...uses, ...(asks('documents') ? this.program.lineLinks : [])].flatMap((use): Edge[] => {
      const relation = RELATIONS[use.kind];
      const meaning = asks(relation) || (fields && relation === 'calls') ? this.#join.meaning(use) : undefined;
      const { target, isSure } = meaning ? remembered(known, meaning.targets, () => look(meaning.targets)) : NONE;
      if (!meaning || !target || (isOwnLine(use, target) && (use.kind !== 'set' || asks('reads')))) return [];
      // A page that names one of several means all that are asked for, if it means no others.
      const isAll = use.kind === 'mention' && meaning.targets.every((one) => meant.has(one));
      return [this.#edge(use, target, isAll ? 1 : isSure ? meaning.confidence : 0)];
    });
  }

  /** Methods of a name in what extends or implements the class of one. */
  overridesOf(target: PlacedDefinition): Edge[] {
    return this.#join.overridesOf(target).map((one) => edgeAt(one, 'overrides', one, target));
  }

  #importsOf(target: PlacedDefinition): Edge[] {
    const imports = [target.name, ...this.#defaultsOf(target)].flatMap((name) =>
      (this.program.imports.get(name) ?? []).filter(
        ({ file, module }) => file !== target.file && this.importedSymbol(module, name, file).includes(target),
      ),
    );
    return imports.map((one) => edgeAt(one, 'imports', undefined, target));
  }

  /** What a definition may be called where it is imported. */
  #aliasesOf(target: PlacedDefinition): string[] {
    const imports = this.program.imports.get(target.name) ?? [];
    const names = imports.flatMap((one) => one.names.filter(({ name }) => name === target.name));
    return [...names.map(({ local }) => local), ...this.#defaultsOf(target)];
  }

  /** What imports call the default export of a file, which is as they like. */
  #defaultsOf({ name, file }: PlacedDefinition): string[] {
    if (!file.imports.some(({ module, names }) => module === '' && names[0]?.name === name)) return [];
    const leads = (called: string, { module, file: from }: ProgramFile['imports'][number]): boolean =>
      module !== '' && this.#join.filesOf(module, called, from).includes(file.path);
    return [...this.program.imports]
      .filter(([called, imports]) => called !== name && imports.some((one) => leads(called, one)))
      .map(([called]) => called);
  }

  /** Whether a place is in a file of tests, or in those that a program keeps beside what they test. */
  isInTest({ path, from }: Pick<Edge, 'path' | 'from'>): boolean {
    const tests = from && codeLanguageOf(from.file.language)?.testModules;
    for (let one = from; tests && one; one = one.within) if (one.kind === 'module' && tests.test(one.name)) return true;
    return roleOf(path) === 'test';
  }

  /** What a definition uses, in line order. */
  edgesFrom(definition: PlacedDefinition): Edge[] {
    return this.program.usesIn(definition).flatMap((use) => this.edgesOf(use));
  }

  /** What a use leads to. */
  edgesOf(use: PlacedUse): Edge[] {
    const meaning = this.#join.meaning(use);
    const [target] = meaning?.targets ?? [];
    return meaning && target && !isOwnLine(use, target) ? [this.#edge(use, target, meaning.confidence)] : [];
  }

  #edge(use: PlacedUse, to: PlacedDefinition, confidence: number): Edge {
    const heir = isInheriting(use) ? heirOf(use) : undefined;
    const named = heir === undefined ? [] : (this.program.definitions.get(heir) ?? []).filter(isClassLike);
    const from = named.find(({ file }) => file === use.file) ?? named[0] ?? use.within;
    return edgeAt(use, RELATIONS[use.kind], from, to, confidence);
  }

  /** Edges of the imports of a file. */
  importsIn(file: ProgramFile): Edge[] {
    return file.imports.flatMap((one) => {
      const targets = one.names.flatMap(({ name }) => this.importedSymbol(one.module, name, file));
      return targets.map((to) => edgeAt(one, 'imports', undefined, to));
    });
  }

  /** What an import names; none for something outside of the workspace. */
  importedSymbol(module: string, name: string, file: ProgramFile): PlacedDefinition[] {
    return module === '' ? [] : this.#join.offered(module, name, file);
  }

  /** Imports of a file, by its path or the end of one. */
  importsOfFile(path: string): { target: string; path: string; line: number; passageId: string }[] {
    return [...this.program.files.values()].flatMap((file) =>
      file.imports.flatMap(({ module, names, line, passageId }) => {
        // Of `from . import a, b` each name may be a file.
        const asked = names.length > 0 ? names.map(({ name }) => name) : [undefined];
        const files = module === '' ? [] : asked.flatMap((name) => this.#join.filesOf(module, name, file));
        const found = [...new Set(files)].filter((target) => isCalled(target, path) && target !== file.path);
        return found.map((target) => ({ target, path: file.path, line, passageId }));
      }),
    );
  }

  /** Places where a string is used to look something up, or is thrown, be it with values filled in. */
  keyUses(key: string): PlacedUse[] {
    const isString = ({ kind }: PlacedUse): boolean => kind === 'key' || kind === 'throw';
    // Some libraries write the dashes of an option themselves.
    const names = key.startsWith('-') ? [key, key.replace(/^-+/, '')] : [key];
    const exact = names.flatMap((name) => this.program.uses.get(name) ?? []).filter(isString);
    if (exact.length > 0 || !key.includes(' ')) return exact;
    return [...this.program.uses].flatMap(([text, uses]) =>
      text.includes(' ') && isFilled(text, key) ? uses.filter(isString) : [],
    );
  }

  /** Names that look like one that no file defines, the most alike first. */
  near(symbol: string, most = 5): string[] {
    const asked = (partsOf(symbol).at(-1) ?? '').toLowerCase();
    return [...this.program.definitions.keys()]
      .map((name) => ({ name, far: unlikeness(asked, name.toLowerCase()) }))
      .filter(({ far }) => far <= 2)
      .sort((a, b) => a.far - b.far || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
      .slice(0, most)
      .map(({ name }) => name);
  }
}

const NONE: { target?: PlacedDefinition; isSure: boolean } = { isSure: false };

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
  const module = plainly(lastOf(container === '' ? whole : whole.slice(0, -container.length - 1)));
  return module !== '' && [stemOf(file.path), baseName(folderOf(file.path))].some((name) => plainly(name) === module);
}

/** Sources alone, as far as there are some. */
function sourcesIn(definitions: readonly PlacedDefinition[]): readonly PlacedDefinition[] {
  const sources = definitions.filter(({ file }) => roleOf(file.path) === 'source');
  return sources.length > 0 ? sources : definitions;
}

/** The line on which a name is defined does not use it. */
const isOwnLine = (use: PlacedUse, target: PlacedDefinition): boolean =>
  use.file === target.file && use.line === target.line && use.kind !== 'call' && !isInheriting(use);
