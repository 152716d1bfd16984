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

/** So many characters of a secret in a row are not printed. */
const SHOWN_IN_A_ROW = SHORTEST_SECRET - 1;
const RUN = SHOWN_IN_A_ROW + 1;

/** Secrets of this process, each with its runs of {@link RUN} characters, in the forms in which servers echo it. */
const remembered = new Map<string, readonly string[]>();
/** The runs of all of them; made anew when one is added or forgotten. */
let runs: ReadonlySet<string> = new Set();

/** Tells of a key or password that is about to be used: from now on {@link redact} takes it out of every message. */
export function rememberSecret(secret: string | undefined): void {
  const known = secret?.trim() ?? '';
  if (known.length < SHORTEST_SECRET || remembered.has(known)) return;
  const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  // In Base64 a text has three forms, by what stands before it.
  const forms = [known, encodeURIComponent(known), JSON.stringify(known).slice(1, -1)];
  for (const before of ['', ':', '::']) forms.push(base64(`${before}${known}`).slice(before === '::' ? 4 : 0));
  remembered.set(
    known,
    forms.flatMap((form) => runsOf(plain(form).text)),
  );
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_SECRETS && oldest !== undefined) remembered.delete(oldest);
  runs = new Set([...remembered.values()].flat());
}

const runsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - RUN + 1) }, (_, at) => text.slice(at, at + RUN));

/** What no eye sees inside a word: zero-width spaces and joiners, soft hyphens, marks of direction, selectors. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;

/** A text in small letters and without unseen characters, and where each of its characters stands in the text. */
function plain(text: string): { text: string; places?: number[] } {
  if (!UNSEEN.test(text)) {
    const lower = text.toLowerCase();
    if (lower.length === text.length) return { text: lower };
  }
  const places: number[] = [];
  let kept = '';
  let at = 0;
  for (const char of text) {
    const lower = char.toLowerCase();
    if (!UNSEEN.test(char)) {
      kept += lower.length === char.length ? lower : char;
      for (let i = 0; i < char.length; i += 1) places.push(at + i);
    }
    at += char.length;
  }
  return { text: kept, places };
}

/** Remembers what an address holds besides a place: the password, and parameters that are named like keys. */
export function rememberSecretsOf(address: string): void {
  if (!URL.canParse(address)) return;
  const url = new URL(address);
  for (const part of [url.password, `${url.username}:${url.password}`])
    if (url.password !== '') rememberSecret(decodedPart(part));
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
  let clean = text;
  for (const pattern of LOOKS_LIKE_KEY)
    clean = clean.replace(pattern, (_all, kept: string) => (kept === '://' ? '://' : `${kept}${REMOVED}`));
  return withoutSecrets(clean);
}

/**
 * A text without the keys that are in use, nor {@link RUN} characters in a row of one, whatever their case and whatever
 * unseen characters stand between; what else looks like a key stays: a document may be about keys.
 */
export function withoutSecrets(text: string): string {
  if (runs.size === 0 || text.length < RUN) return text;
  const { text: sought, places } = plain(text);
  const place = (at: number): number => places?.[at] ?? at;
  let clean = '';
  let from = 0;
  for (let at = 0; at + RUN <= sought.length; at += 1) {
    if (!runs.has(sought.slice(at, at + RUN))) continue;
    let end = at + RUN;
    while (end < sought.length && runs.has(sought.slice(end - RUN + 1, end + 1))) end += 1;
    clean += text.slice(from, place(at)) + REMOVED;
    from = place(end - 1) + 1;
    at = end - 1;
  }
  return clean + text.slice(from);
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

/** A part of an address, decoded; a lone % stays. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
