import { wordSet } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import { firstWhere } from '../text/source-text.ts';
import { nameAtEnd } from './symbol-links.ts';

/** How languages write the object itself. */
const OWN = /^(?:this|self|cls|Self|static|\$this|@+)$/;
const LONGEST_NAME = 100;
const LONGEST_CALLEE = 240;

/** What is used, and what stands before it. */
interface WrittenName {
  name: string;
  /** See Use.receiver. */
  receiver: string;
}

/**
 * Reads the end of an expression: `store.merge`, `Store::merge`, `make().merge`, `Box<Item>`.
 * @param parent See CodeLanguage.parent.
 */
export function writtenName(expression: string, parent?: string): WrittenName | undefined {
  // A private name of JavaScript is known by its name alone, as where it is defined.
  const text = withoutTypeArguments(expression.slice(-LONGEST_CALLEE).trimEnd()).replaceAll('.#', '.');
  const path = nameAtEnd(text);
  if (path === undefined) return undefined;
  const before = text.slice(0, text.length - path.length);
  const parts = path
    .replace(/\?\.|::|->|\\/g, '.')
    .replace(/[!?]/g, '')
    .split('.')
    .filter((part) => part !== '');
  const name = (parts.pop() ?? '').replace(/^\$/, '');
  if (name === '' || name.length > LONGEST_NAME || /^\d/.test(name)) return undefined;
  return {
    name,
    receiver: before.trim() === '' || parts.length > 0 ? receiverOf(parts, before, parent) : resultOf(before, parent),
  };
}

function receiverOf(parts: string[], before: string, parent: string | undefined): string {
  const [first = ''] = parts;
  if (before.endsWith('@')) return ['this', ...parts].join('.');
  if (/[.>:?]\s*$/.test(before)) return '?';
  if (OWN.test(first)) return ['this', ...parts.slice(1)].join('.');
  if (first === parent) return ['super', ...parts.slice(1)].join('.');
  return parts.join('.').replace(/^\$/, '');
}

/** `make(…).`: the result of a function, where its arguments are plain. */
function resultOf(before: string, parent: string | undefined): string {
  const text = before.trimEnd();
  if (text.endsWith('@')) return 'this';
  const joint = ['?.', '::', '->', '.'].find((mark) => text.endsWith(mark)) ?? '';
  const value = text.slice(0, text.length - joint.length);
  if (!value.endsWith(')')) return '?';
  const opens = value.lastIndexOf('(');
  if (value.indexOf(')', opens) !== value.length - 1) return '?';
  const called = nameAtEnd(value.slice(0, opens));
  if (called === undefined) return '?';
  const above = value.slice(0, opens - called.length).trimEnd();
  const path = called.replace(/\?\.|::|->|\\/g, '.');
  if (/\bnew$/.test(above)) return `^${path}`;
  if (above === '' && `${path}()` === parent) return 'super';
  return above === '' || above === '(' ? `^${path}()` : '?';
}

function withoutTypeArguments(text: string): string {
  if (!text.endsWith('>')) return text;
  const opens = text.indexOf('<');
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

/**
 * The type of a value, as far as it tells: `new Store(…)`, `Store.new` and `&Store{…}` give `Store`, `openStore(…)`
 * gives `openStore()`.
 */
export function valueType(value: string): string | undefined {
  let text = withoutMarks(value.slice(0, 200));
  if (text.startsWith('await ')) text = withoutMarks(text.slice('await '.length));
  const isMade = text.startsWith('new ');
  if (isMade) text = text.slice('new '.length).trimStart();
  const written = /^[A-Za-z_$][\w$.:]*/.exec(text)?.[0];
  if (written === undefined) return undefined;
  const constructed = /^([A-Z][\w:]*)\.new$/.exec(written)?.[1];
  if (constructed !== undefined) return constructed.replaceAll('::', '.');
  const behind = withoutTypes(text.slice(written.length).trimStart());
  const path = written.replaceAll('::', '.');
  if (!/^[\w$]+(?:\.[\w$]+)*$/.test(path) || !/^[({]/.test(behind)) return undefined;
  return isMade || behind.startsWith('{') ? path : `${path}()`;
}

/** A value that is written as a path: `this.store`, `&context.config`, in Rust also `config.clone()`. */
export function valuePath(value: string): string | undefined {
  let text = withoutMarks(value.slice(0, 200));
  if (text.startsWith('mut ')) text = text.slice('mut '.length).trimStart();
  if (text.startsWith('$')) text = text.slice(1);
  const path = text
    .trimEnd()
    .replace(/\.(?:clone|as_ref|borrow|unwrap)\(\)$/, '')
    .replaceAll('->', '.')
    .replace(/^(?:self|cls)\b/, 'this')
    .replace(/^@{1,2}/, 'this.');
  return /^[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*){0,6}$/.test(path) && !LITERALS.has(path) ? path : undefined;
}

/** Without what takes an address or follows one. */
function withoutMarks(text: string): string {
  let start = 0;
  while (/[&*\s]/.test(text[start] ?? '')) start += 1;
  return text.slice(start);
}

/** Without plain type arguments at the beginning: `<Item>(1)`. */
function withoutTypes(text: string): string {
  const closes = text.indexOf('>');
  return text.startsWith('<') && closes > 0 && !text.slice(0, closes).includes('(')
    ? text.slice(closes + 1).trimStart()
    : text;
}

/** What a local name stands for. */
interface Bound {
  type: string | undefined;
  /** The path that it was given, where its type is not told: `this.store`. */
  path: string | undefined;
}

/** Names that stand for values of one function or block: what they mean is settled there. */
export class LocalNames {
  /** In order of their beginnings, with the number of the one around each; -1 for none. */
  readonly #scopes: (TextSpan & { around: number })[] = [];
  /** By name and number of the scope. */
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

  /** A name that is bound there, with its type where the syntax tells. At the top of a file it is no local name. */
  bind(name: string, offset: number, type: string | undefined, path?: string): void {
    const scope = this.#innermost(offset);
    if (scope < 0 || SELF_NAMES.has(name)) return;
    const bound = this.#byName.get(name) ?? new Map<number, Bound>();
    this.#byName.set(name, bound);
    const known = bound.get(scope);
    if (!known) bound.set(scope, { type, path });
    else {
      known.type ??= type;
      known.path ??= path;
    }
  }

  /** What a name is at a place; undefined where no scope around it binds it. */
  at(name: string, offset: number): Bound | undefined {
    const bound = this.#byName.get(name);
    if (!bound) return undefined;
    let scope = this.#innermost(offset);
    for (let level = 0; scope >= 0 && level < MOST_LEVELS; level++) {
      const found = bound.get(scope);
      if (found) return found;
      scope = this.#scopes[scope]?.around ?? -1;
    }
    return undefined;
  }

  /** Number of the innermost scope around a place; -1 for none. */
  #innermost(offset: number): number {
    let scope = firstWhere(this.#scopes.length, (at) => (this.#scopes[at]?.start ?? Infinity) > offset) - 1;
    while (scope >= 0 && (this.#scopes[scope]?.end ?? 0) <= offset) scope = this.#scopes[scope]?.around ?? -1;
    return scope;
  }
}

/** People do not nest deeper; a name that is bound further out is taken to be no local one. */
const MOST_LEVELS = 200;
/** The object itself, however its language binds it. */
const SELF_NAMES = new Set(['self', 'this', 'cls']);
