import { expression } from './plain-text.ts';

/** What stands where a key stood. */
const REMOVED = '[key removed]';
/**
 * Shorter keys are not removed from messages: local servers take words like `none`, `test` or `ollama` as a key, and
 * messages need these words.
 */
const SHORTEST_SECRET = 8;
/** Secrets remembered at once; the oldest is forgotten first. */
const MOST_SECRETS = 64;

/** Secrets of this process, each with the forms in which servers echo it: as it is, URL-encoded, in JSON, in Base64. */
const remembered = new Map<string, readonly string[]>();

/** Tells of a key or password that is about to be used: from now on {@link redact} takes it out of every message. */
export function rememberSecret(secret: string | undefined): void {
  const known = secret?.trim() ?? '';
  if (known.length < SHORTEST_SECRET || remembered.has(known)) return;
  const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  const forms = new Set([
    known,
    encodeURIComponent(known),
    JSON.stringify(known).slice(1, -1),
    base64(known),
    base64(`:${known}`),
    base64(`${known}:`),
  ]);
  remembered.set(
    known,
    [...forms].sort((a, b) => b.length - a.length),
  );
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_SECRETS && oldest !== undefined) remembered.delete(oldest);
}

/** Remembers what an address holds besides a place: the password, and parameters that are named like keys. */
export function rememberSecretsOf(address: string): void {
  if (!URL.canParse(address)) return;
  const url = new URL(address);
  for (const part of [url.password, `${url.username}:${url.password}`])
    if (url.password !== '') rememberSecret(decoded(part));
  for (const [name, value] of url.searchParams) if (KEY_NAME.test(name)) rememberSecret(value);
}

/** A name that keys go by in addresses and in JSON. */
const KEY_NAME = expression('i')`
  ^(?:x-)?(?:api[_-]?key|apikey|key|(?:access|auth|id|refresh)?[_-]?token|(?:client[_-]?)?secret|password|passwd|
    signature|sig)$
`;
/**
 * Forms of keys that are known by their look alone, whoever they belong to. The part that is kept is the first group.
 */
const LOOKS_LIKE_KEY: readonly RegExp[] = [
  /\b(Bearer |Basic )[\w.~+/=*-]{16,}/gi,
  /(?<![\w-])()(?:sk|rk|gsk|xai|hf|pplx|ghp|glpat)[-_][\w*-]{10,}/g,
  /(?<![\w-])()AIza[\w-]{20,}/g,
  expression('gi')`
    ([?&](?:x-)?(?:api[_-]?key|apikey|key|(?:access|auth|id|refresh)[_-]?token|token|(?:client[_-]?)?secret|password|
        passwd|signature|sig)=)[^&#\s"'<>]+
  `,
  expression('gi')`
    ((?<![\w-])["']?(?:x-)?(?:api[_-]?key|apikey|authorization|(?:access|auth)[_-]?token|client[_-]?secret)
      ["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?!Bearer |Basic )[^\s"',;&<>()[\]{}]{6,}
  `,
  /(:\/\/)[^\s/?#@"'<>]{1,300}@/g,
];

/**
 * A text without the keys that are in use and without what looks like one. For messages, logs and reports: ordinary
 * words stay.
 */
export function redact(text: string): string {
  let clean = withoutSecrets(text);
  for (const pattern of LOOKS_LIKE_KEY)
    clean = clean.replace(pattern, (_all, kept: string) => (kept === '://' ? '://' : `${kept}${REMOVED}`));
  return clean;
}

/** A text without the keys that are in use; what else looks like a key stays: a document may be about keys. */
export function withoutSecrets(text: string): string {
  let clean = text;
  for (const forms of remembered.values()) {
    for (const form of forms) clean = clean.replaceAll(form, REMOVED);
  }
  return clean;
}

/**
 * Removes keys from an error and everything that caused it, in place: loggers print causes, stacks and properties as
 * well. Returns it.
 */
export function redactError<T>(error: T): T {
  redactDeep(error, 0, new Set());
  return error;
}

/** How many levels of an error's causes and properties are searched for keys. Loggers print no deeper ones. */
const DEEPEST = 8;

function redactDeep(value: unknown, depth: number, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST || seen.has(value) || seen.size > 500) return;
  seen.add(value);
  if (value instanceof Headers) {
    const held = [...value]; // taken before anything is changed
    for (const [name, content] of held) replaceHeader(value, name, content);
    return;
  }
  if (!(value instanceof Error) && !isData(value)) return; // what is alive (a client, a socket) is not to be changed
  // `message`, `stack` and `cause` are own properties that are not enumerable.
  for (const name of Object.getOwnPropertyNames(value)) {
    const property = Object.getOwnPropertyDescriptor(value, name);
    if (!property || !('value' in property)) continue;
    const held: unknown = property.value;
    if (typeof held !== 'string') redactDeep(held, depth + 1, seen);
    else if (redact(held) !== held && (property.writable || property.configurable))
      Object.defineProperty(value, name, { ...property, value: redact(held) });
  }
  if (value instanceof Error) redactStack(value);
}

function isData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

/** Newer engines give `stack` by an accessor, which the loop above passes over. */
function redactStack(error: Error): void {
  const { stack } = error;
  if (stack !== undefined && redact(stack) !== stack) error.stack = redact(stack);
}

function replaceHeader(headers: Headers, name: string, content: string): void {
  if (redact(content) === content) return;
  try {
    headers.set(name, redact(content));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The headers of a response that fetch made cannot be changed: they are copied before an error shows them.
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part; // a lone % in a password
    throw error;
  }
}
