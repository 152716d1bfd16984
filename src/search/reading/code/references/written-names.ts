import { wordSet } from '#base';
import { nameAtEnd } from '../symbol-links.ts';

/** How languages write the object itself and what it inherits from. */
const OWN = /^(?:this|self|cls|Self|static|\$this|@+)$/;
const PARENT = /^(?:super|base|parent)$/;
const LONGEST_NAME = 100;
const LONGEST_CALLEE = 240;

/** What is used, and what stands before it. */
export interface WrittenName {
  name: string;
  /** See Use.receiver. */
  receiver: string;
}

/** Reads the end of an expression: `store.merge`, `Store::merge`, `make().merge`, `Box<Item>`. */
export function writtenName(expression: string): WrittenName | undefined {
  const text = withoutTypeArguments(expression.slice(-LONGEST_CALLEE).trimEnd());
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
  return { name, receiver: before.trim() === '' || parts.length > 0 ? receiverOf(parts, before) : resultOf(before) };
}

function receiverOf(parts: string[], before: string): string {
  const [first = ''] = parts;
  if (before.endsWith('@')) return ['this', ...parts].join('.');
  if (/[.>:?]\s*$/.test(before)) return '?';
  if (OWN.test(first)) return ['this', ...parts.slice(1)].join('.');
  if (PARENT.test(first)) return ['super', ...parts.slice(1)].join('.');
  return parts.join('.').replace(/^\$/, '');
}

/** `make(…).`: the result of a function, where its arguments are plain. */
function resultOf(before: string): string {
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
  keyof
`);

/**
 * The type that an annotation names: `Promise<Store | undefined>` gives `Store`; undefined for one that no file
 * defines.
 */
export function namedType(annotation: string): string | undefined {
  for (const [word] of annotation.slice(0, 200).matchAll(/[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g)) {
    const path = word.replaceAll('::', '.');
    if (WRAPPERS.has(path.split('.').at(-1) ?? '')) continue;
    return LITERALS.has(path) ? undefined : path;
  }
  return undefined;
}

/**
 * The type of a value, as far as it tells: `new Store(…)` and `&Store{…}` give `Store`, `openStore(…)` gives
 * `openStore()`.
 */
export function valueType(value: string): string | undefined {
  let text = withoutMarks(value.slice(0, 200));
  if (text.startsWith('await ')) text = withoutMarks(text.slice('await '.length));
  const isMade = text.startsWith('new ');
  if (isMade) text = text.slice('new '.length).trimStart();
  const written = /^[A-Za-z_$][\w$.:]*/.exec(text)?.[0];
  if (written === undefined) return undefined;
  const behind = withoutTypes(text.slice(written.length).trimStart());
  const path = written.replaceAll('::', '.');
  if (!/^[\w$]+(?:\.[\w$]+)*$/.test(path) || !/^[({]/.test(behind)) return undefined;
  return isMade || behind.startsWith('{') ? path : `${path}()`;
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
