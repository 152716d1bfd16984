import { wordSet } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import { firstWhere } from '../text/source-text.ts';
import { nameAtEnd } from './symbol-links.ts';

/** How languages write the object itself. */
const OWN = /^(?:this|self|cls|Self|static|\$this)$/;
const LONGEST_NAME = 100;
const LONGEST_CALLEE = 240;
/** `new Store(1).`, `Store.new(1).`, `Store(1).`: a value that is made where it is used. */
const MADE = /([A-Z][\w$]{0,100})(?:\.new)?\([^()]{0,200}\)\)?(?:\?\.|::|->|\.)$/;

/** `import('./store').`, `(await import('./store')).`: the import brings what is behind it. */
const IMPORTED = /\b(?:import|require)\([^()]{0,200}\)\)?\.$/;

/** What is used, and what stands before it. See Use.receiver. */
interface WrittenName {
  name: string;
  receiver: string;
}

/**
 * Reads the end of an expression: `store.merge`, `Store::merge`, `new Store().merge`, `Box<Item>`.
 * @param parent See CodeLanguage.parent.
 */
export function writtenName(expression: string, parent?: string): WrittenName | undefined {
  // A private name of JavaScript is known by its name alone, as where it is defined.
  const text = withoutTypeArguments(expression.slice(-LONGEST_CALLEE).trimEnd()).replaceAll('.#', '.');
  const path = nameAtEnd(text);
  if (path === undefined) return undefined;
  const before = text.slice(0, text.length - path.length);
  const parts = partsOf(path);
  const name = (parts.pop() ?? '').replace(/^\$/, '');
  if (name === '' || name.length > LONGEST_NAME || /^\d/.test(name)) return undefined;
  return { name, receiver: receiverOf(parts, before, parent) };
}

const partsOf = (path: string): string[] =>
  path
    .replace(/\?\.|::|->|\\/g, '.')
    .replace(/[!?]/g, '')
    .split('.')
    .filter((part) => part !== '');

function receiverOf(parts: readonly string[], before: string, parent: string | undefined): string {
  const [first = '', ...rest] = parts;
  const behind = before.trimEnd();
  if (behind.endsWith('@')) return ['this', ...parts].join('.');
  if (parent?.endsWith(')') && /^super\([^()]*\)\.$/.test(behind)) return 'super';
  if (IMPORTED.test(behind)) return parts.join('.');
  if (/[.>:?)\]]$/.test(behind)) return [MADE.exec(behind)?.[1] ?? '?', ...parts].join('.');
  if (OWN.test(first)) return ['this', ...rest].join('.');
  if (first !== '' && first === parent) return ['super', ...rest].join('.');
  return parts.join('.').replace(/^\$/, '');
}

function withoutTypeArguments(text: string): string {
  const opens = text.endsWith('>') ? text.indexOf('<') : -1;
  return opens > 0 ? text.slice(0, opens) : text;
}

/** What holds a value of the type that matters. */
const WRAPPERS = wordSet(`
  Promise Awaited Readonly Partial Required NonNullable Array ReadonlyArray Iterable AsyncIterable Optional List
  Sequence Iterator Type ClassVar Final Annotated Option Result Box Rc Arc RefCell Cell Mutex RwLock Ref RefMut
  Cow CompletableFuture Future Task ValueTask Nullable unique_ptr shared_ptr weak_ptr std const readonly mut dyn
  impl struct enum ref out in async typing
`);
const LITERALS = wordSet(`
  string number boolean void null undefined unknown never any object None int str bool float error byte let typeof
  keyof var auto dynamic
`);

/**
 * The type that an annotation names: `Promise<Store | undefined>` gives `Store`; undefined for one that no file
 * defines.
 */
export function namedType(annotation: string): string | undefined {
  // A lifetime of Rust is no type: `&'src Config`.
  for (const [word] of annotation
    .slice(0, 200)
    .replace(/&'\w{1,40}/g, '&')
    .matchAll(/[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g)) {
    const path = word.replaceAll('::', '.');
    if (WRAPPERS.has(path.split('.').at(-1) ?? '')) continue;
    return LITERALS.has(path) ? undefined : path;
  }
  return undefined;
}

const MAKES =
  /^(?:await\s|new\s|[&*(])*([A-Za-z_][\w.]{0,100}|[A-Z]\w{0,60}::[A-Z]\w{0,60})(?:(?:\.|::)new)?(?:[({<]|$)/;

/** The type of a value that is made there: of `new Store(…)`, `Store.new(…)` and `&Store{…}` it is `Store`. */
export function valueType(value: string): string | undefined {
  const path = MAKES.exec(value.slice(0, 200).replace(/\s(?=[({])/, ''))?.[1]?.replace('::', '.');
  const name = path?.split('.').findLast((part) => part !== 'new');
  return name !== undefined && /^[A-Z]/.test(name) ? name : undefined;
}

/** What a local name stands for. */
interface Bound {
  type: string | undefined;
  isLocal: boolean;
}

/** Names that stand for values, each where a function or block binds it, or in the whole file. */
export class BoundNames {
  /** In order of their beginnings, with the number of the one around each; -1 for none. */
  readonly #scopes: (TextSpan & { around: number })[] = [];
  /** By name and number of the scope; -1 for the file. */
  readonly #byName = new Map<string, Map<number, Bound>>();

  /** @param scopes Of functions and blocks: one lies in another, or beside it. */
  constructor(scopes: readonly TextSpan[]) {
    let around = -1;
    for (const scope of scopes.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      while (around >= 0 && (this.#scopes[around]?.end ?? 0) <= scope.start)
        around = this.#scopes[around]?.around ?? -1;
      around = this.#scopes.push({ ...scope, around }) - 1;
    }
  }

  /** Whether a place lies in any function or block. */
  isInside(offset: number): boolean {
    return this.#innermost(offset) >= 0;
  }

  /** A name that is bound there, with its type where the syntax tells; a field's counts in the whole file. */
  bind(name: string, offset: number, type: string | undefined, isField = false): void {
    const scope = isField ? -1 : this.#innermost(offset);
    if (OWN.test(name)) return;
    const bound = this.#byName.get(name) ?? new Map<number, Bound>();
    this.#byName.set(name, bound);
    const known = bound.get(scope);
    if (known) known.type ??= type;
    else bound.set(scope, { type, isLocal: scope >= 0 });
  }

  /** What a name is at a place; undefined where nothing around it binds it. */
  at(name: string, offset: number): Bound | undefined {
    const bound = this.#byName.get(name);
    if (!bound) return undefined;
    let scope = this.#innermost(offset);
    // People do not nest deeper.
    for (let level = 0; scope >= 0 && level < 200; level++) {
      const found = bound.get(scope);
      if (found) return { ...found, type: found.type ?? this.typeOfField(name) };
      scope = this.#scopes[scope]?.around ?? -1;
    }
    return bound.get(-1);
  }

  /** The type that a field of the name has in this file. */
  typeOfField(name: string): string | undefined {
    return this.#byName.get(name)?.get(-1)?.type;
  }

  /** Number of the innermost scope around a place; -1 for none. */
  #innermost(offset: number): number {
    let scope = firstWhere(this.#scopes.length, (at) => (this.#scopes[at]?.start ?? Infinity) > offset) - 1;
    while (scope >= 0 && (this.#scopes[scope]?.end ?? 0) <= offset) scope = this.#scopes[scope]?.around ?? -1;
    return scope;
  }
}
