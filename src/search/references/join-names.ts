import { addTo, baseName, folderOf, remembered, stemOf } from '#base';
import { codeLanguageOf, familyOf } from '../reading/code/language-of.ts';
import { isCommonName } from '../reading/code/symbol-links.ts';
import { roleOf } from '../reading/file-role.ts';
import { joinPath, nearest, PathTable } from '../reading/links/path-table.ts';
import {
  heirOf,
  isClassLike,
  isInheriting,
  lastOf,
  type PlacedDefinition,
  type PlacedImport,
  type PlacedUse,
  type Program,
  type ProgramFile,
  qualifiedName,
} from './program.ts';

/** What a use means, and how sure that is. */
export interface Meaning {
  targets: readonly PlacedDefinition[];
  confidence: number;
}

/** Said by an import, a container or the same file; or nothing else is called so; or nothing tells. */
const SAID = 0.9;
const ALONE = 0.5;
const POSSIBLE = 0.1;
export const isCertain = ({ confidence }: Pick<Meaning, 'confidence'>): boolean => confidence >= ALONE;

/** Definitions of one name in one family of languages: at the top of files, and in something by its last name. */
interface Named {
  all: PlacedDefinition[];
  byFile: Map<string, PlacedDefinition[]>;
  byHolder: Map<string, PlacedDefinition[]>;
  top: PlacedDefinition[];
  members: PlacedDefinition[];
}

/**
 * Joins uses with definitions by name: what the same file defines, what an import brings, what stands in the
 * container that is named before it, else the only one that is called so. No types are followed, and of modules that
 * pass names on one.
 */
export class NameJoin {
  readonly #program: Program;
  readonly #table: PathTable;
  readonly #named = new Map<string, Named>();
  readonly #known = new Map<PlacedUse, Meaning | null>();
  readonly #alone = new Map<PlacedDefinition[], Meaning | null>();
  readonly #files = new Map<string, readonly string[]>();
  readonly #bases = new Map<string, Set<string>>();
  readonly #heirs = new Map<string, Set<string>>();

  /** @param paths Of all files that are indexed. */
  constructor(program: Program, paths: readonly string[]) {
    this.#program = program;
    this.#table = new PathTable([...paths].sort());
    for (const { uses } of program.files.values())
      for (const use of uses) {
        const heir = isInheriting(use) ? heirOf(use) : undefined;
        if (heir === undefined) continue;
        remembered(this.#bases, heir, () => new Set<string>()).add(use.name);
        remembered(this.#heirs, use.name, () => new Set<string>()).add(heir);
      }
  }

  /** Undefined for what no definition of the workspace is meant by. */
  meaning(use: PlacedUse): Meaning | undefined {
    const known = this.#known.get(use);
    const meant = known === undefined ? (this.#meant(use) ?? null) : known;
    this.#known.set(use, meant);
    return meant ?? undefined;
  }

  #meant(use: PlacedUse): Meaning | undefined {
    if (use.kind === 'key') return undefined;
    if (use.kind === 'mention') return this.#mentioned(use);
    const named = this.#namedIn(use.name, use.file);
    const found =
      use.receiver === '' || use.receiver.startsWith('^') ? this.#bare(use, named) : this.#behind(use, named);
    if (!found?.targets.some(isDeclared)) return found;
    // In place of what is only declared, as in a header, what is defined for it.
    const bodies = (found.targets.every(isDeclared) ? named.all : found.targets).filter((one) => !isDeclared(one));
    return bodies.length > 0 ? { ...found, targets: bodies } : found;
  }

  /** Names of all that a class extends or implements, by name alone. */
  basesOf = (name: string): string[] => allBehind(name, this.#bases);

  /** Definitions of the same name in what extends or implements the class of one. */
  overridesOf({ name, container, file }: PlacedDefinition): PlacedDefinition[] {
    const { byHolder } = this.#namedIn(name, file);
    return container === ''
      ? []
      : allBehind(lastOf(container), this.#heirs).flatMap((heir) => byHolder.get(heir) ?? []);
  }

  /** What an import brings in by a name; none for something outside of the workspace. */
  offered(module: string, name: string, file: ProgramFile, passes = 1): PlacedDefinition[] {
    const named = this.#namedIn(name, file);
    const found = this.filesOf(module, name, file).flatMap((path) => {
      const all = named.byFile.get(path) ?? [];
      const top = all.filter(({ container }) => container === '');
      const target = this.#program.files.get(path);
      if (all.length > 0 || !target) return top.length > 0 ? top : all;
      const passed = passes > 0 ? target.imports.flatMap((one) => this.#passed(one, name, target, passes - 1)) : [];
      const own = target.imports.find((one) => one.module === '')?.names[0]?.name;
      return passed.length > 0 || own === undefined ? passed : (this.#namedIn(own, file).byFile.get(path) ?? []);
    });
    if (found.length > 0 || module.startsWith('.')) return found;
    // A module that only project files know is called as its file or folder is.
    const words = module.split(/[/\\.:]+/).filter((word) => word !== '' && word !== name);
    return named.top.filter((one) => isOfModule(one, words.at(-1) ?? ''));
  }

  #passed({ module, names, namespace }: PlacedImport, name: string, file: ProgramFile, passes: number) {
    const own = names.find(({ local }) => local === name)?.name;
    const isWhole = names.length === 0 && namespace === undefined;
    return module !== '' && (own !== undefined || isWhole) ? this.offered(module, own ?? name, file, passes) : [];
  }

  /** The files of an import, by what its language says, else the one that is called so. */
  filesOf(module: string, name: string | undefined, { path, language }: ProgramFile): readonly string[] {
    return remembered(this.#files, `${path}\n${module}\n${name ?? ''}`, () => {
      const found = codeLanguageOf(language)?.resolveImport?.(module, name, path, this.#table);
      if (found?.isPackage) {
        const extension = found.path.slice(found.path.lastIndexOf('.'));
        return this.#table.filesIn(folderOf(found.path)).filter((file) => file.endsWith(extension));
      }
      const stem = /^[@#~$]\W?([\w-]+(?:\/[\w-]+)*)$/.exec(module)?.[1];
      const called = found?.path ?? (stem === undefined ? undefined : nearest(this.#table.endingWithStem(stem), path));
      return called === undefined ? [] : [called];
    });
  }

  #namedIn(name: string, { language }: ProgramFile): Named {
    const family = familyOf(language);
    return remembered(this.#named, `${family}\n${name}`, () => {
      const all = (this.#program.definitions.get(name) ?? []).filter(({ file }) => familyOf(file.language) === family);
      const named: Named = { all, byFile: new Map(), byHolder: new Map(), top: [], members: [] };
      for (const one of all) {
        const { container } = one;
        addTo(named.byFile, one.file.path, one);
        if (container !== '') addTo(named.byHolder, lastOf(container), one);
        (container === '' ? named.top : named.members).push(one);
      }
      return named;
    });
  }

  /** A name with nothing before it. */
  #bare({ file, name, within }: PlacedUse, named: Named): Meaning | undefined {
    const around = within ? `${qualifiedName(within)}.` : '';
    const sharesNames = codeLanguageOf(file.language)?.namesAreShared ?? false;
    const visible = (named.byFile.get(file.path) ?? []).filter(
      ({ container, kind }) =>
        container === '' ||
        (around.startsWith(`${container}.`) && (sharesNames || (kind !== 'method' && kind !== 'field'))),
    );
    const deepest = Math.max(...visible.map(({ container }) => container.length));
    if (visible.length > 0) return said(visible.filter(({ container }) => container.length === deepest));
    const [module, own] = importedAs(file, name) ?? [];
    const top = own === undefined ? named.top : this.#namedIn(own, file).top;
    const nowhere = sharesNames ? this.#onlyOne(top.length > 0 ? top : named.members) : this.#possible(top);
    if (module !== undefined && own !== undefined) return said(this.offered(module, own, file)) ?? nowhere;
    if (!sharesNames || named.all.length === 0) return nowhere;
    const whole = file.imports.filter(({ names, namespace }) => names.length === 0 && namespace === undefined);
    return (
      this.#held(classesOf(within), file, named) ??
      said(whole.flatMap((one) => this.offered(one.module, name, file))) ??
      said(named.top.filter((one) => folderOf(one.file.path) === folderOf(file.path))) ??
      nowhere
    );
  }

  /** A name behind another: of the class that is called so, or of a module. */
  #behind({ file, name, receiver, within }: PlacedUse, named: Named): Meaning | undefined {
    const classes = classesOf(within);
    if (receiver === 'this' || receiver === 'super')
      return this.#held(receiver === 'this' ? classes : [], file, named, classes) ?? this.#onlyOne(named.members);
    const last = importedAs(file, receiver)?.[1] ?? lastOf(receiver);
    const held = this.#held([last], file, named);
    if (held) return held;
    const [module, own] = importedAs(file, receiver.split('.', 1)[0] ?? '') ?? [];
    const whole = file.imports.find(
      ({ namespace }) => namespace !== undefined && `${receiver}.`.startsWith(`${namespace}.`),
    );
    // `from . import lines` may bring a module.
    const inFiles =
      module === undefined ? [] : this.filesOf(module, own, file).flatMap((path) => named.byFile.get(path) ?? []);
    const brought = whole
      ? this.offered(whole.module, name, file)
      : inFiles.filter(({ container }) => container === '');
    if (brought.length > 0) return said(brought);
    const isModule = whole !== undefined || module !== undefined || codeLanguageOf(file.language)?.namesAreShared;
    const inModule = isModule ? named.top.filter((one) => isOfModule(one, last)) : [];
    if (inModule.length > 0 || this.#isClosed(last, file)) return said(inModule);
    if (whole) return this.#possible(named.top);
    const isImported = module !== undefined && !receiver.includes('.');
    return isImported ? this.#possible(named.members) : this.#onlyOne(named.members);
  }

  /** What the first of some classes has that has the name, else what one above them has. */
  #held(classes: readonly string[], file: ProgramFile, { byHolder }: Named, above = classes): Meaning | undefined {
    if (byHolder.size === 0) return undefined;
    const holder = [...classes, ...above.flatMap(this.basesOf)].find((name) => byHolder.has(name));
    const held = byHolder.get(holder ?? '') ?? [];
    const [module, own] = (held.length > 1 && importedAs(file, holder ?? '')) || [];
    const paths = module === undefined ? [file.path] : [file.path, ...this.filesOf(module, own, file)];
    const near = held.filter((one) => paths.includes(one.file.path));
    return said(near.length > 0 ? near : held);
  }

  /** Whether a class has no other members than are known: those above it are defined here too, or it is of no file. */
  #isClosed(name: string, file: ProgramFile): boolean {
    const isKnown = (base: string): boolean => this.#namedIn(base, file).all.length > 0;
    return /^[A-Z]/.test(name) && this.#namedIn(name, file).all.every(isClassLike) && this.basesOf(name).every(isKnown);
  }

  /** The one thing that is called so, else all as possible ones. */
  #onlyOne(all: PlacedDefinition[]): Meaning | undefined {
    const known = this.#alone.get(all);
    if (known !== undefined) return known ?? undefined;
    const sources = all.filter(({ file }) => roleOf(file.path) === 'source');
    const targets = (sources.length > 0 ? sources : all).filter((one) => lastOf(one.container) !== one.name);
    const isOne = new Set(targets.map(thingOf)).size === 1 && !isCommonName(targets[0]?.name ?? '');
    const found = isOne ? { targets, confidence: ALONE } : this.#possible(all);
    this.#alone.set(all, found ?? null);
    return found;
  }

  #possible(targets: readonly PlacedDefinition[]): Meaning | undefined {
    const [first] = targets;
    return first && !isCommonName(first.name) ? { targets, confidence: POSSIBLE } : undefined;
  }

  /** What a page names, in any language: one thing, or what stands in what is named before it. */
  #mentioned({ name, receiver, file }: PlacedUse): Meaning | undefined {
    if (receiver.startsWith('#')) {
      const path = this.#table.findFirst([joinPath(folderOf(file.path), name), name]);
      const ends = path === undefined ? this.#program.filesCalled(name) : [this.#program.files.get(path)];
      const line = Number(receiver.slice(1));
      const definitions = ends.length === 1 ? (ends[0]?.definitions ?? []) : [];
      const target = definitions.findLast((one) => one.line <= line && one.endLine >= line);
      return target && said([target]);
    }
    const named = this.#program.definitions.get(name) ?? [];
    const sources = named.filter((one) => roleOf(one.file.path) === 'source');
    const holder = plainly(lastOf(receiver));
    const targets = (sources.length > 0 ? sources : named).filter(
      (one) => holder === '' || plainly(lastOf(one.container)) === holder || isOfModule(one, holder),
    );
    const isOne = new Set(targets.map(thingOf)).size === 1;
    return targets.length > 0 ? { targets, confidence: isOne ? ALONE : POSSIBLE } : undefined;
  }
}

const isDeclared = ({ kind }: PlacedDefinition): boolean => kind === 'declaration';

/** The module and the own name of what a file calls so. */
function importedAs({ imports }: ProgramFile, local: string): [module: string, name: string] | undefined {
  for (const { module, names } of imports)
    for (const one of module === '' ? [] : names) if (one.local === local) return [module, one.name];
  return undefined;
}

/** All that a name leads to, and what that does. */
function allBehind(name: string, next: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found = new Set([name]);
  for (const one of found) for (const another of next.get(one) ?? []) found.add(another);
  return [...found].slice(1);
}

/** Names of what a place stands in, the innermost first. */
const classesOf = (within: PlacedDefinition | undefined): string[] =>
  within === undefined ? [] : qualifiedName(within).split('.').toReversed();

const said = (targets: readonly PlacedDefinition[]): Meaning | undefined =>
  targets.length > 0 ? { targets, confidence: SAID } : undefined;

/** A class may be written in several files of a folder, or of a module. */
function thingOf(one: PlacedDefinition): string {
  const { path } = one.file;
  return `${isClassLike(one) ? (one.container === '' ? folderOf(path) : '') : path} ${qualifiedName(one)}`;
}

export const plainly = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();

/** Whether the file of a definition, or a folder around it, is called as a module is. */
function isOfModule({ file: { path }, container }: PlacedDefinition, module: string): boolean {
  const folder = folderOf(path);
  const names = [stemOf(path), baseName(folder), baseName(folderOf(folder))];
  return container === '' && module !== '' && names.some((name) => plainly(name) === plainly(module));
}
