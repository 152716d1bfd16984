import { expression } from '#base';
import { withoutTrailing } from '#search';

/** Characters that hide or reorder text: zero-width, bidirectional controls, other controls but tab and line break. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const LINK_DEFINITION = /^[ \t>*+-]*\[[^\]\n\r\u2028\u2029]+\]:.*$/gmu;
/** `![alt](target)`, `[text](target)`; targets may hold one level of brackets. */
const INLINE_LINK = /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?:[^()\n]|\([^()\n]*\))*\)/gu;
const REFERENCE_LINK = /!?\[([^[\]]*)\]\[([^[\]]*)\]/gu;
const WIKILINK = /!?\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]/gu;
const IMAGE_MARK = /!(?=\[)/gu;
/** Elements whose content is no text. */
const ELEMENT_OPENS = /<(script|style|iframe|object|svg|template)\b/giu;
const ELEMENT_CLOSES = /<\/(script|style|iframe|object|svg|template)\s*>/giu;
/**
 * Links in links that are opened one by one; text that is nested deeper is no text of people, and loses its brackets.
 */
const MOST_NESTED = 12;
/**
 * Tags of HTML go; other angle brackets (`Map<string, number>`, `--pager <command>`) are only made unlike tags, so that
 * nothing that is said is lost.
 */
const TAG = expression('giu')`
  <\/?(?:a|abbr|area|article|aside|audio|b|base|blockquote|body|br|button|canvas|code|dd|del|details|dialog|div|dl|
    dt|em|embed|fieldset|figcaption|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|
    input|ins|kbd|label|li|link|main|map|mark|marquee|math|menu|meta|nav|noscript|object|ol|option|p|param|picture|
    pre|q|s|samp|script|section|select|slot|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|
    td|template|textarea|tfoot|th|thead|title|tr|track|tt|u|ul|var|video|wbr)\b[^<>]*>|<[!?][^<>]*>|
  <(?:[a-z][a-z0-9+.-]*:|[^\s<>@]+@)[^\s<>]*>
`;
/** Tags between which words stand apart on the page; items of a list within a line are told apart by a comma. */
const NEXT_ITEM = /<\/li>\s{0,20}<li\b[^<>]*>/giu;
const BLOCK_TAG = /<\/?(?:br|dd|div|dt|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul)\b[^<>]*>/giu;
const TAG_OPENING = /<(?=[a-zA-Z/!?])/gu;
/** An address with a scheme (`https://…`, `command:…`, `javascript:…`), or one that renderers link without. */
const ADDRESS_BEGINS = expression('giu')`
  (?<![\p{L}\p{N}_])(?:[a-z][a-z0-9+.-]{1,20}:\/\/|
    (?:command|javascript|vbscript|data|file|vscode|vscode-insiders|mailto|tel|blob):(?=\S)|www\.(?=\S))
`;
const REST_OF_ADDRESS = /[^\s<>"'`\])]*/uy;

/**
 * Text of a model or a document as inert Markdown: links and images become their text, HTML and link definitions go,
 * addresses are removed, or, where they are what a file says, shown as code, which nothing links. What is left can be
 * rendered without anything in it being active. Bracketed numbers stay: whoever adds marks of its own calls
 * {@link disarmMarks} on foreign text first. Time grows with the length of the text alone.
 */
export function sanitiseText(text: string, addresses: 'removed' | 'as code' = 'removed'): string {
  const seen = text.replace(HIDDEN, '');
  const spans = addresses === 'as code' ? aroundCode(seen) : undefined;
  if (!spans) return inertText(seen, addresses);
  // What stands in code is nothing else, and is said as it stands.
  const code = spans.filter((_part, i) => i % 2 === 1);
  const words = spans.map((part, i) => (i % 2 === 0 ? part.replace(PLACES, '') : `\ue000${(i - 1) / 2}\ue001`));
  return inertText(words.join(''), addresses)
    .split(PLACE)
    .map((part, i) => (i % 2 === 0 ? part : (code[Number(part)] ?? '')))
    .reduce(apart, '');
}

const PLACES = /[\ue000\ue001]/gu;
const PLACE = /\ue000(\d+)\ue001/u;

function inertText(seen: string, addresses: 'removed' | 'as code'): string {
  const visible = withoutElements(withoutComments(seen)).replace(LINK_DEFINITION, '');
  let clean = addresses === 'as code' ? visible.replace(AUTOLINK, '$1') : visible;
  let passes = 0;
  for (let before = ''; before !== clean; passes += 1) {
    before = clean;
    if (passes === MOST_NESTED) clean = clean.replace(/[[\]<]/gu, '');
    clean = clean
      .replace(INLINE_LINK, (_all, label: string) => (isMark(label) ? `[${label}]` : label))
      .replace(WIKILINK, (_all, target: string, label: string | undefined) => label ?? target)
      .replace(REFERENCE_LINK, (all: string, label: string, reference: string) =>
        isMark(label) && isMark(reference) ? all : label,
      );
    clean = withoutComments(clean).replace(NEXT_ITEM, ', ').replace(BLOCK_TAG, ' ').replace(TAG, '');
  }
  const inert = closedAlike(clean.replace(IMAGE_MARK, '').replace(TAG_OPENING, '‹'));
  const parts = addresses === 'as code' ? aroundCode(inert) : undefined;
  // In code that stands there already nothing is linked.
  const shown = parts?.map((part, i) => (i % 2 === 0 ? withoutAddresses(part, true) : part));
  return (shown?.reduce(apart, '') ?? withoutAddresses(inert, false))
    .split('\n')
    .map((line) => withoutTrailing(line, /[ \t]/))
    .join('\n');
}

/**
 * `‹command>`: what was opened is closed alike, within its line; arrows and signs of comparison close nothing.
 */
function closedAlike(text: string): string {
  let open = 0;
  return text.replace(/[‹›\n]|(?<![-=\s]|\s>)>(?!=)/gu, (sign) => {
    const closes = sign === '>' || sign === '›';
    const shown = closes && open > 0 ? '›' : sign;
    open = sign === '\n' ? 0 : Math.max(0, open + (closes ? -1 : 1));
    return shown;
  });
}

/** Two spans of code that touch would be none. */
const apart = (text: string, next: string): string =>
  text.endsWith('`') && next.startsWith('`') ? `${text} ${next}` : text + next;

/** `<https://…>`: an address that a page shows. */
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/giu;

/**
 * The text cut around its spans of code, which are the odd ones; undefined where a backtick without another, a fence or
 * a backslash lets nobody tell what is code.
 */
function aroundCode(text: string): string[] | undefined {
  if (/`{3}|\\/u.test(text)) return undefined;
  const parts = text.split(/(``[^`\n]{1,2000}``(?!`)|`[^`\n]{1,2000}`(?!`))/u);
  return parts.every((part, i) => i % 2 === 1 || !part.includes('`')) ? parts : undefined;
}

function withoutAddresses(text: string, asCode: boolean): string {
  let kept = '';
  let from = 0;
  ADDRESS_BEGINS.lastIndex = 0;
  for (let match = ADDRESS_BEGINS.exec(text); match; match = ADDRESS_BEGINS.exec(text)) {
    kept += text.slice(from, match.index);
    REST_OF_ADDRESS.lastIndex = match.index + match[0].length;
    REST_OF_ADDRESS.exec(text);
    // A sign that ends the sentence is none of an address that is shown.
    const address = text.slice(match.index, REST_OF_ADDRESS.lastIndex);
    const shown = asCode ? withoutTrailing(address, /[.,;:!?]/) : address;
    from = match.index + shown.length;
    kept += asCode ? codeSpan(shown) : '(address removed)';
    ADDRESS_BEGINS.lastIndex = from;
  }
  return kept + text.slice(from);
}

/** HTML comments go; one that is never closed stays, and its tag is made unlike one. */
function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', at + 4);
    if (end < 0) break;
    kept += text.slice(from, at);
    from = end + 3;
  }
  return kept + text.slice(from);
}

/** Elements such as `<script>` go with their content; one that is never closed stays, and loses its tag later. */
function withoutElements(text: string): string {
  const closes = new Map<string, { start: number; end: number }[]>();
  for (const match of text.matchAll(ELEMENT_CLOSES)) {
    const name = (match[1] ?? '').toUpperCase();
    const known = closes.get(name) ?? [];
    known.push({ start: match.index, end: match.index + match[0].length });
    closes.set(name, known);
  }
  if (closes.size === 0) return text;
  for (const waiting of closes.values()) waiting.reverse(); // the next one last, where taking it away is cheap
  let kept = '';
  let from = 0;
  let tagEnd = -1;
  for (const match of text.matchAll(ELEMENT_OPENS)) {
    if (match.index < from) continue; // inside an element that is gone already
    const nameEnd = match.index + match[0].length;
    if (tagEnd < nameEnd) tagEnd = text.indexOf('>', nameEnd);
    if (tagEnd < 0) break;
    const waiting = closes.get((match[1] ?? '').toUpperCase()) ?? [];
    while ((waiting.at(-1)?.start ?? Number.POSITIVE_INFINITY) <= tagEnd) waiting.pop();
    const close = waiting.at(-1);
    if (!close) continue;
    kept += text.slice(from, match.index);
    from = close.end;
  }
  return kept + text.slice(from);
}

const isMark = (text: string): boolean => /^\d{1,3}$/.test(text);

/** Makes bracketed numbers of foreign text look unlike citation marks: `[3]` becomes `(3)`. */
export const disarmMarks = (text: string): string => text.replace(/\[(\s*\d[\d\s,;–-]*)\]/gu, '($1)');

/** A stretch of code as an inline code span that nothing inside can end. */
export function codeSpan(code: string): string {
  const fence = fenceFor(code, 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code.replace(HIDDEN, '')}${pad}${fence}`;
}

/** Lines of code as a fenced block that nothing inside can end. */
export function codeBlock(code: string, language: string): string {
  const fence = fenceFor(code, 3);
  return `${fence}${/^[\w+#-]*$/.test(language) ? language : ''}\n${code.replace(HIDDEN, '')}\n${fence}`;
}

/** More backticks in a row than the code has anywhere, and no fewer than `least`. */
const fenceFor = (code: string, least: number): string =>
  '`'.repeat(Math.max(least, ...[...code.matchAll(/`+/g)].map((run) => run[0].length + 1)));

/** Foreign text with nothing active in it, and no number that looks like a citation of ours. */
export const inert = (text: string): string => disarmMarks(sanitiseText(text, 'as code'));
