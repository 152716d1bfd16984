import { codeLanguageOf, familyOf } from '../reading/code/language-of.ts';
import { isCommonName } from '../reading/code/symbol-links.ts';
import { addTo, baseName, stemOf, folderOf } from '#base';
import { joinPath } from '../reading/links/path-table.ts';
import type { ModuleFiles } from '../reading/code/project-reader.ts';
import { roleOf, type Modules } from './modules.ts';
import {
  CLASS_LIKE,
  INHERITING,
  type PlacedDefinition,
  type PlacedUse,
  type Program,
  type ProgramFile,
  qualifiedName,
} from './program.ts';

/** What a use means, and how sure that is: 0..1. */
interface Resolution {
  targets: readonly PlacedDefinition[];
  confidence: number;
}

/** What is known of a use or of a name before one; `outside`: it is of no file here. Undefined: nothing tells. */
type Meaning = Resolution | 'outside' | undefined;
type Holder = PlacedDefinition | { paths: string[] } | 'outside' | undefined;

/** How sure each way of finding a definition is. */
export const SURE = {
  scope: 1,
  import: 0.95,
  folder: 0.9,
  type: 0.9,
  inherited: 0.8,
  uniqueName: 0.5,
  fewNames: 0.2,
} as const;
/** From here on a use counts; below it is only a possible one. */
export const CERTAIN = 0.5;
/** So many definitions of one name are told apart by nothing: none of them is meant. */
const MOST_NAMESAKES = 3;
const DEEPEST = 8;

interface Place {
  file: ProgramFile;
  line: number;
}

/**
 * Finds the definitions that names mean (scope, imports, folders, types of values, inheritance), else by a name that
 * only one definition of the workspace has. Resolved when asked, and kept.
 */
export class NameResolver {
  readonly #program: Program;
  readonly #modules: Modules;
  readonly #known = new Map<PlacedUse, Meaning>();
  readonly #basesKnown = new Map<PlacedDefinition, PlacedDefinition[]>();
  readonly #alone = new Map<string, Resolution | undefined>();
  #bySubject: Map<string, PlacedUse[]> | undefined;
  /** How often a search ended since it had gone too deep. */
  #ends = 0;

  constructor(program: Program, modules: Modules) {
    this.#program = program;
    this.#modules = modules;
  }

  /**
   * Undefined for what no definition of the workspace is meant by, or nobody can tell.
   * @param asked All that a person asks for by one name: who names one of these, be it unclear which, is meant.
   */
  resolve(use: PlacedUse, asked?: ReadonlySet<PlacedDefinition>): Resolution | undefined {
    if (use.kind === 'mention') return this.#mentioned(use, asked);
    const known = this.#known.has(use) ? this.#known.get(use) : this.#resolveNow(use);
    return known === 'outside' ? undefined : known;
  }

  /**
   * What a page names: in any language, as it says nothing of one. A name alone must be of one thing, or be all that is
   * asked for; what stands before it must hold it.
   */
  #mentioned(use: PlacedUse, asked: ReadonlySet<PlacedDefinition> | undefined): Resolution | undefined {
    if (isLineLink(use)) return this.#lineMeant(use);
    const named = this.#program.definitions.get(use.name) ?? [];
    const sources = named.filter(({ file }) => roleOf(file.path) === 'source');
    const all = sources.length > 0 ? sources : named;
    const holder = use.receiver.split('.').at(-1)?.toLowerCase() ?? '';
    const inside = all.filter(
      ({ container, file }) =>
        container.split('.').at(-1)?.toLowerCase() === holder ||
        (container === '' &&
          (stemOf(file.path).toLowerCase() === holder || baseName(folderOf(file.path)).toLowerCase() === holder)),
    );
    const meant = use.receiver === '' ? all : inside;
    if (meant.length > 0 && asked && meant.every((one) => asked.has(one)))
      return { targets: meant, confidence: SURE.folder };
    const things = new Set(meant.map((one) => `${one.file.path} ${qualifiedName(one)}`));
    if (things.size === 1)
      return {
        targets: meant,
        confidence: use.receiver !== '' || meant[0]?.container === '' ? SURE.folder : SURE.uniqueName,
      };
    return meant.length > 0 ? { targets: meant, confidence: SURE.fewNames } : undefined;
  }

  /** The innermost definition around a line that a page links to. */
  #lineMeant({ name, receiver, file }: PlacedUse): Resolution | undefined {
    const { files } = this.#program;
    const source =
      files.get(joinPath(folderOf(file.path), name) ?? '') ?? files.get(name) ?? this.#onlyEndingWith(name);
    const target = source && this.#program.around(source, Number(receiver.slice(1)));
    return target && { targets: [target], confidence: SURE.import };
  }

  #onlyEndingWith(name: string): ProgramFile | undefined {
    const ends = this.#program.filesCalled(name);
    return ends.length === 1 ? ends[0] : undefined;
  }

  #resolveNow(use: PlacedUse): Meaning {
    if (use.kind === 'key') return undefined;
    this.#known.set(use, undefined); // what leads back to itself means nothing
    const meant = this.#meaning(use, use, 0);
    const found = typeof meant === 'object' ? { ...meant, targets: this.#defined(meant.targets) } : meant;
    this.#known.set(use, found);
    return found;
  }

  /**
   * In place of what is only declared, as in a header, what is defined for it: where that header is included, if any.
   */
  #defined(targets: readonly PlacedDefinition[]): readonly PlacedDefinition[] {
    if (!targets.some(isDeclared)) return targets;
    const known = targets.filter((one) => !isDeclared(one));
    if (known.length > 0) return known;
    return targets.flatMap((one) => {
      const bodies = this.#named(one.name, one.file).filter(
        (body) => body.container === one.container && !isDeclared(body),
      );
      const including = bodies.filter(({ file }) =>
        file.imports.some(({ module }) => this.importedFiles(module, undefined, file).includes(one.file.path)),
      );
      return including.length > 0 ? including : bodies.length === 1 ? bodies : [one];
    });
  }

  /**
   * Whether a use may mean a definition of its name for all that is known: nothing tells what it means, neither here
   * nor outside, and such a definition can be named so. Of a definition that depends on its {@link sortOf} alone.
   */
  mayMean(use: PlacedUse, target: PlacedDefinition): boolean {
    if (use.kind === 'key' || use.kind === 'mention' || isCommonName(use.name)) return false;
    const { language } = use.file;
    if (familyOf(language) !== familyOf(target.file.language)) return false;
    if (this.resolve(use) !== undefined || this.#known.get(use) === 'outside') return false;
    const isMember = target.container !== '';
    if (isBare(use)) return !isMember || namesMembersBarely(use.file);
    if (isMember || use.receiver === '?') return isMember;
    const holder = this.#holder(use.receiver, use, 0);
    return typeof holder === 'object' && 'paths' in holder;
  }

  #meaning(use: Pick<PlacedUse, 'kind' | 'name' | 'receiver'>, at: Place, depth: number): Meaning {
    if (this.#isTooDeep(depth)) return undefined;
    const { name, receiver } = use;
    if (isBare(use)) return this.#bare(name, at, depth);
    if (receiver === '?') return this.#byNameAlone(name, at, true);
    if (receiver === 'super' && hasParent(at.file)) return this.#inherited(name, at, depth);
    const holder = this.#holder(receiver, at, depth);
    if (holder === 'outside') return 'outside';
    if (holder === undefined) return this.#byNameAlone(name, at, true);
    if ('paths' in holder)
      return found(
        holder.paths.flatMap((path) => this.#exported(path, name, depth)),
        SURE.import,
      );
    const members = this.members(holder, name, depth);
    if (members.length > 0) return { targets: members, confidence: SURE.type };
    if (this.#isOpen(holder, depth)) return this.#byNameAlone(name, at, true);
    return this.#isWhole(holder, receiver) ? 'outside' : undefined;
  }

  /** What the class around a place has from the first of those that it inherits from, and that have such a member. */
  #inherited(name: string, at: Place, depth: number): Meaning {
    const around = this.classAround(at);
    if (!around) return this.#byNameAlone(name, at, true);
    const bases = this.bases(around, depth);
    const members = bases.map((base) => this.members(base, name, depth + 1)).find(({ length }) => length > 0);
    if (members) return { targets: members, confidence: SURE.type };
    const isOutside = this.#inherits(around).every((use) => this.#meaning(use, use, depth + 1) === 'outside');
    if (isOutside) return 'outside';
    return bases.some((base) => this.#isOpen(base, depth)) ? this.#byNameAlone(name, at, true) : undefined;
  }

  /** True for a class that inherits from something outside of the workspace, or is no class at all. */
  #isOpen(holder: PlacedDefinition, depth: number): boolean {
    return !CLASS_LIKE.has(holder.kind) || this.#inherits(holder).length > this.bases(holder, depth).length;
  }

  /** True where a class has no other members than those that are known. */
  #isWhole({ kind, file }: PlacedDefinition, receiver: string): boolean {
    // A module is written in several files, a type names others, and what an object calls its own may be of an heir.
    if (kind === 'module' || kind === 'type') return false;
    const members = codeLanguageOf(file.language)?.classMembers;
    return members === 'whole' || (members === 'heirs-add' && receiver !== 'this');
  }

  #bare(name: string, at: Place, depth: number): Meaning {
    const { file } = at;
    const own = this.#inScope(name, at);
    if (own.length > 0) return { targets: own, confidence: SURE.scope };
    if (namesMembersBarely(file)) {
      const around = this.classAround(at);
      const members = around ? this.members(around, name, depth) : [];
      if (members.length > 0) return { targets: members, confidence: SURE.inherited };
    }
    const imported = this.#imported(file, name, depth, bringsAll(file));
    if (imported === 'outside') return 'outside';
    if (imported) return imported.length > 0 ? { targets: imported, confidence: SURE.import } : undefined;
    if (codeLanguageOf(file.language)?.sharesFolder) {
      const beside = this.#beside(name, file).filter(
        (one) => one.container === '' && one.file.language === file.language,
      );
      if (beside.length > 0) return { targets: beside, confidence: SURE.folder };
    }
    const alone = codeLanguageOf(file.language)?.namesAreShared ? this.#byNameAlone(name, at, false) : undefined;
    return alone ?? (this.#isNowhere(name, file) ? 'outside' : undefined);
  }

  /** True for the name of a class or a constant that no file defines; of others not all definitions are read. */
  #isNowhere(name: string, file: ProgramFile): boolean {
    const isParameterOfType = /^[A-Z]\d?$|^T[A-Z]/.test(name);
    return /^[A-Z]/.test(name) && !isParameterOfType && this.#named(name, file).length === 0;
  }

  /** Definitions of the same file that a name without anything before it can mean: the innermost first. */
  #inScope(name: string, { file, line }: Place): PlacedDefinition[] {
    const candidates = this.#program.inFile(name, file);
    if (candidates.length === 0) return [];
    const around = this.#program.around(file, line);
    const path = around ? qualifiedName(around) : '';
    const visible = candidates.filter(
      ({ container, kind }) =>
        container === '' ||
        ((path === container || path.startsWith(`${container}.`)) && kind !== 'method' && kind !== 'field'),
    );
    const deepest = Math.max(...visible.map(({ container }) => container.length));
    return visible.filter(({ container }) => container.length === deepest);
  }

  /**
   * What an import of the file calls so; [] where its file is known and has no such name, undefined where no import has
   * it.
   * @param whole An import without names may bring all that a file offers.
   */
  #imported(file: ProgramFile, name: string, depth: number, whole = true): PlacedDefinition[] | 'outside' | undefined {
    let failed: [] | 'outside' | undefined;
    for (const { module, names, namespace } of file.imports) {
      const named = names.find(({ local }) => local === name);
      if (named) {
        const files = this.#filesOf(module, named.name, file);
        const paths = files?.paths ?? [];
        const targets = paths.flatMap((path) => this.#exported(path, named.name, depth + 1));
        if (targets.length > 0) return targets;
        const standard = paths.flatMap((path) => this.#standard(path, depth + 1));
        if (standard.length > 0) return standard;
        // What a namespace's folder should hold and does not may still be found by other means.
        if (files?.paths.length !== 0 && (failed === undefined || files)) failed = files ? [] : 'outside';
      } else if (whole && names.length === 0 && namespace === undefined) {
        const targets = this.importedFiles(module, undefined, file)
          .filter((path) => path !== file.path)
          .flatMap((path) => this.#exported(path, name, depth + 1));
        if (targets.length > 0) return targets;
      }
    }
    return failed;
  }

  /** What a file exports as its default: an import calls it as it likes. */
  #standard(path: string, depth: number): PlacedDefinition[] {
    const file = this.#program.files.get(path);
    const name = file?.imports.find(({ module }) => module === '')?.names[0]?.name;
    return name === undefined ? [] : this.#exported(path, name, depth);
  }

  /** What an import names; none for something outside of the workspace. */
  importedSymbol(module: string, name: string, file: ProgramFile): PlacedDefinition[] {
    const paths = this.importedFiles(module, name, file);
    const named = paths.flatMap((path) => this.#exported(path, name, 1));
    return named.length > 0 ? named : paths.flatMap((path) => this.#standard(path, 1));
  }

  /** The files that an import names. */
  importedFiles(module: string, name: string | undefined, file: ProgramFile): readonly string[] {
    return this.#filesOf(module, name, file)?.paths ?? [];
  }

  #filesOf(module: string, name: string | undefined, { path, language }: ProgramFile): ModuleFiles | undefined {
    return this.#modules.find(module, name, path, language);
  }

  /** What a file offers by a name: its own, else what it passes on. */
  #exported(path: string, name: string, depth: number): PlacedDefinition[] {
    const file = this.#program.files.get(path);
    if (!file || this.#isTooDeep(depth)) return [];
    const all = this.#program.inFile(name, file);
    const own = all.filter(({ container }) => container === '');
    if (own.length > 0) return own;
    const passed = this.#imported(file, name, depth + 1);
    if (passed !== undefined && passed !== 'outside' && passed.length > 0) return passed;
    const declared = codeLanguageOf(file.language)?.typesFile?.(file.path);
    const typed = declared === undefined ? [] : this.#exported(declared, name, depth + 1);
    if (typed.length > 0) return typed;
    // In C++ and Rust, and in namespaces, what is offered may stand in something.
    return codeLanguageOf(file.language)?.holdsMembersInside ? [] : [...all];
  }

  /** What stands before a name: a class, the files of a module, or nothing that is known. */
  #holder(receiver: string, at: Place, depth: number): Holder {
    if (receiver.startsWith('^')) {
      const [type = '', ...fields] = receiver.slice(1).split(':');
      const start = type === 'Self' || type === 'self' ? this.classAround(at) : this.#typeNamed(type, at, depth + 1);
      return this.#along(start, fields, depth);
    }
    const parts = receiver.split('.');
    const [first = '', ...rest] = parts;
    if (first === 'this') return this.#along(this.classAround(at), rest, depth);
    if (first === 'super' && hasParent(at.file)) {
      const around = this.classAround(at);
      return around && this.bases(around, depth)[0];
    }
    const module = this.#moduleCalled(parts, at.file);
    if (module === 'outside') return 'outside';
    if (module) {
      if (module.rest.length === 0) return { paths: module.paths };
      const [symbol = '', ...further] = module.rest;
      const target = module.paths.flatMap((path) => this.#exported(path, symbol, depth + 1))[0];
      return target && this.#along(this.#typeOf(target, depth + 1), further, depth);
    }
    const meant = this.#bare(first, at, depth + 1);
    if (meant === 'outside') return 'outside';
    const target = meant?.targets[0];
    return target && this.#along(this.#typeOf(target, depth + 1), rest, depth);
  }

  /** The module that the beginning of a dotted name stands for. */
  #moduleCalled(
    parts: readonly string[],
    file: ProgramFile,
  ): { paths: string[]; rest: readonly string[] } | 'outside' | undefined {
    for (const { module, names, namespace } of file.imports) {
      const spaces = namespace?.split('.') ?? [];
      if (namespace !== undefined && spaces.every((part, i) => part === parts[i])) {
        const files = this.#filesOf(module, undefined, file);
        return files ? { paths: files.paths, rest: parts.slice(spaces.length) } : 'outside';
      }
      const named = names.find(({ local }) => local === parts[0]);
      if (!named) continue;
      const files = this.#filesOf(module, named.name, file);
      if (files?.nameIsModule) return { paths: files.paths, rest: parts.slice(1) };
      if (!files) return 'outside';
    }
    const words = codeLanguageOf(file.language)?.modulePaths;
    return words && this.#moduleByPath(parts, words, file);
  }

  /** `crate::output::print()` needs no import: the longest beginning that is a module. */
  #moduleByPath(
    parts: readonly string[],
    words: readonly string[],
    file: ProgramFile,
  ): { paths: string[]; rest: readonly string[] } | undefined {
    const [first = ''] = parts;
    const isOwn = words.includes(first);
    const isNamed = !isOwn && this.#modules.names(first, file.path, file.language);
    if (!isNamed && !isOwn) return undefined;
    for (let length = parts.length; length >= 2; length--) {
      const files = this.#filesOf(parts.slice(0, length - 1).join('::'), parts[length - 1], file);
      if (files?.nameIsModule) return { paths: files.paths, rest: parts.slice(length) };
    }
    const root = isNamed ? this.#filesOf(first, undefined, file) : undefined;
    return root && { paths: root.paths, rest: parts.slice(1) };
  }

  /** From a class over its fields: `store.lines` is of the type that `lines` has. */
  #along(
    start: PlacedDefinition | 'outside' | undefined,
    fields: readonly string[],
    depth: number,
  ): PlacedDefinition | 'outside' | undefined {
    let current = start;
    for (const field of fields) {
      if (current === 'outside') return current;
      const called = field.endsWith('()');
      const member = current && this.members(current, called ? field.slice(0, -2) : field, depth)[0];
      current = member && this.#typeOf(member, depth + 1);
    }
    return current;
  }

  /** The class of a value: a class itself, else what a field, a variable or a function gives. */
  #typeOf(definition: PlacedDefinition, depth: number): PlacedDefinition | 'outside' | undefined {
    if (CLASS_LIKE.has(definition.kind)) return definition;
    if (definition.type === undefined || this.#isTooDeep(depth)) return undefined;
    if (definition.type === 'Self' || definition.type === 'this') return this.classAround(definition);
    return this.#typeNamed(definition.type, definition, depth + 1);
  }

  /** `Store`, `shop.Store`, or `openStore()` for what that gives. */
  #typeNamed(type: string, at: Place, depth: number): PlacedDefinition | 'outside' | undefined {
    if (this.#isTooDeep(depth)) return undefined;
    const path = type.endsWith('()') ? type.slice(0, -2) : type;
    const dot = path.lastIndexOf('.');
    const name = path.slice(dot + 1);
    const receiver = dot < 0 ? '' : path.slice(0, dot).replace(/^(?:self|cls|this)\b/, 'this');
    const target = this.#meaning({ kind: 'type', name, receiver }, at, depth + 1);
    if (target === 'outside') return 'outside';
    const [first] = target && target.confidence >= CERTAIN ? target.targets : [];
    return first && this.#typeOf(first, depth + 1);
  }

  #isTooDeep(depth: number): boolean {
    if (depth <= DEEPEST) return false;
    this.#ends += 1;
    return true;
  }

  /** Members of a class by name, else those of the first class above it that has some, however far up. */
  members(holder: PlacedDefinition, name: string, depth = 0): PlacedDefinition[] {
    const seen = new Set<PlacedDefinition>();
    const waiting = [holder];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      const own = this.#ownMembers(one, name);
      if (own.length > 0 || this.#isTooDeep(depth)) return own;
      waiting.push(...this.bases(one, depth + 1).toReversed());
    }
    return [];
  }

  #ownMembers(holder: PlacedDefinition, name: string): PlacedDefinition[] {
    const whole = qualifiedName(holder);
    const { file } = holder;
    const isInside = codeLanguageOf(file.language)?.holdsMembersInside === true;
    const near = isInside ? this.#program.inFile(name, file) : this.#beside(name, file);
    const own = near.filter(({ container }) => container === whole || container === holder.name);
    if (!mayReopen(file)) return own;
    return this.#named(name, file).filter((one) => one.container === whole || own.includes(one));
  }

  /** Classes and interfaces that a class names as what it extends or implements. */
  bases(holder: PlacedDefinition, depth = 0): PlacedDefinition[] {
    const known = this.#basesKnown.get(holder);
    if (known) return known;
    this.#basesKnown.set(holder, []); // what inherits from itself inherits nothing
    const ends = this.#ends;
    const found = this.#inherits(holder).flatMap((use) => {
      const meant = this.#meaning(use, use, depth + 1);
      return typeof meant === 'object' ? meant.targets : [];
    });
    if (depth === 0 || this.#ends === ends) this.#basesKnown.set(holder, found);
    else this.#basesKnown.delete(holder); // a look from nearer by sees more
    return found;
  }

  #inherits(holder: PlacedDefinition): PlacedUse[] {
    const inside = this.#program
      .usesIn(holder.file, holder.line, holder.endLine)
      .filter((use) => INHERITING.has(use.kind) && this.heir(use) === holder);
    this.#bySubject ??= subjects(this.#program);
    const elsewhere = (this.#bySubject.get(holder.name) ?? []).filter((use) => this.heir(use) === holder);
    return [...inside.filter((use) => !use.receiver.startsWith('^')), ...elsewhere];
  }

  /** Who extends or implements, of a use that says so. */
  heir(use: PlacedUse): PlacedDefinition | undefined {
    if (use.receiver.startsWith('^')) {
      const meant = this.#bare(use.receiver.slice(1), use, 1);
      return typeof meant === 'object' ? meant.targets.find(isClass) : undefined;
    }
    return this.#program.around(use.file, use.line, isClass);
  }

  /** The class that a place belongs to. */
  classAround({ file, line }: Place): PlacedDefinition | undefined {
    const around = this.#program.around(file, line, isClass);
    if (around) return around;
    // Go, C++ and Rust write methods outside of what they belong to.
    const method = this.#program.around(file, line, ({ container }) => container !== '');
    const name = method?.container.split('.').at(-1);
    return name === undefined ? undefined : this.#beside(name, file).find(isClass);
  }

  /** A name that one definition of the workspace has, or so few that each may be meant. */
  #byNameAlone(name: string, at: Place, member: boolean): Resolution | undefined {
    if (isCommonName(name) || name.length < 3) return undefined;
    // In a source the place tells nothing more: one search through a name's definitions is enough for all its uses.
    if (roleOf(at.file.path) !== 'source') return this.#aloneAt(name, at, member);
    const key = `${at.file.language} ${member ? 'member' : 'name'} ${name}`;
    if (!this.#alone.has(key)) this.#alone.set(key, this.#aloneAt(name, at, member));
    return this.#alone.get(key);
  }

  #aloneAt(name: string, at: Place, member: boolean): Resolution | undefined {
    const all = this.#named(name, at.file).filter(({ container, kind }) =>
      member
        ? container !== '' && (kind === 'method' || kind === 'field' || kind === 'function')
        : container === '' || namesMembersBarely(at.file),
    );
    const sources = all.filter((one) => roleOf(one.file.path) === 'source' || one.file === at.file);
    const within = (sources.length > 0 ? sources : all).filter((one) => !isConstructor(one));
    const named = within.every(isDeclared) ? within : within.filter((one) => !isDeclared(one));
    if (named.length === 1 || areOfOneClass(named)) return { targets: named, confidence: SURE.uniqueName };
    return named.length > 0 && named.length <= MOST_NAMESAKES
      ? { targets: named, confidence: SURE.fewNames }
      : undefined;
  }

  #named(name: string, file: ProgramFile): PlacedDefinition[] {
    return (this.#program.definitions.get(name) ?? []).filter(isOfFamily(file));
  }

  /** The same in the folder of the file. */
  #beside(name: string, file: ProgramFile): PlacedDefinition[] {
    return this.#program.inFolder(name, folderOf(file.path)).filter(isOfFamily(file));
  }
}

/** A page's link to a line of a file, whose path is the name. */
export const isLineLink = ({ kind, receiver }: Pick<PlacedUse, 'kind' | 'receiver'>): boolean =>
  kind === 'mention' && receiver.startsWith('#');

/** What a definition is to a use of which nothing is known: of which languages, and whether it is a member. */
export const sortOf = ({ file, container }: PlacedDefinition): string =>
  `${familyOf(file.language)} ${container === '' ? 'alone' : 'member'}`;

function isOfFamily({ language }: ProgramFile): (definition: PlacedDefinition) => boolean {
  const family = familyOf(language);
  return ({ file }) => familyOf(file.language) === family;
}

/** Where `super` stands for what the object inherits from; elsewhere it is the module above, or any name. */
function hasParent({ language }: ProgramFile): boolean {
  const { parent, parentIsModule } = codeLanguageOf(language) ?? {};
  return parent !== undefined && parentIsModule === undefined;
}

const namesMembersBarely = ({ language }: ProgramFile): boolean =>
  codeLanguageOf(language)?.namesMembersBarely === true;

const mayReopen = ({ language }: ProgramFile): boolean => codeLanguageOf(language)?.classMembers === 'reopened';

/** Whether an import without names brings all that a file offers to where it stands. */
const bringsAll = ({ language }: ProgramFile): boolean => codeLanguageOf(language)?.importsNamedOnly === undefined;

const isDeclared = ({ kind }: PlacedDefinition): boolean => kind === 'declaration';

/** Nothing stands before the name: what stands before a base is who inherits from it. */
const isBare = ({ kind, receiver }: Pick<PlacedUse, 'kind' | 'receiver'>): boolean =>
  receiver === '' || (INHERITING.has(kind) && receiver.startsWith('^'));

const isClass = ({ kind }: PlacedDefinition): boolean => CLASS_LIKE.has(kind) && kind !== 'module';

/** A method that is called as its class is: who names that means the class. */
const isConstructor = ({ kind, name, container }: PlacedDefinition): boolean =>
  kind === 'method' && container.split('.').at(-1) === name;

/** Parts of one class: `partial class Store`, or a module of Ruby that other files add to. */
const areOfOneClass = ([first, ...others]: readonly PlacedDefinition[]): boolean =>
  first !== undefined &&
  CLASS_LIKE.has(first.kind) &&
  mayReopen(first.file) &&
  others.every((one) => CLASS_LIKE.has(one.kind) && qualifiedName(one) === qualifiedName(first));

const found = (targets: readonly PlacedDefinition[], confidence: number): Resolution | undefined =>
  targets.length > 0 ? { targets, confidence } : undefined;

function subjects(program: Program): Map<string, PlacedUse[]> {
  const bySubject = new Map<string, PlacedUse[]>();
  for (const file of program.files.values())
    for (const use of file.uses)
      if (INHERITING.has(use.kind) && use.receiver.startsWith('^')) {
        addTo(bySubject, use.receiver.slice(1), use);
      }
  return bySubject;
}
