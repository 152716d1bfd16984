import { expression } from '#base';
import { withoutTrailing } from '#search';

/** Characters that hide or reorder text: zero-width, bidirectional controls, other controls but tab and line break. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** `[label]: target` and `[^note]: text` would vanish when rendered; the bracket is made unlike one. */
const DEFINITION = /^([ \t>*+-]*)\[([^\]\n\r\u2028\u2029]+)\](?=:)/gmu;
/** `![alt](target)`, `[text](target)`; targets may hold one level of brackets. */
const INLINE_LINK = /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?:[^()\n]|\([^()\n]*\))*\)/gu;
const REFERENCE_LINK = /!?\[([^[\]]*)\]\[([^[\]]*)\]/gu;
const WIKILINK = /!?\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]/gu;
const IMAGE_MARK = /!(?=\[)/gu;
/** Links in links are opened one by one. Text that nests deeper is no text of people, and loses its brackets. */
const MOST_NESTED = 12;
/** Tags that only set text, as Markdown does: they go. All others are shown, made unlike tags. */
const FORMATTING_TAG = expression('giu')`
  <\/?(?:a|abbr|b|big|blockquote|br|center|code|dd|details|div|dl|dt|em|font|h[1-6]|hr|i|kbd|li|ol|p|pre|s|small|span|
    strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul)(?=[\s>\/])[^<>]*>
`;
/** Tags between which words stand apart on the page; items of a list within a line are told apart by a comma. */
const NEXT_ITEM = /<\/li>\s{0,20}<li\b[^<>]*>/giu;
const BLOCK_TAG = /<\/?(?:br|dd|div|dt|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul)(?=[\s>/])[^<>]*>/giu;
const TAG_OPENING = /<(?=[a-zA-Z/!?])/gu;
/** An address with a scheme (`https://…`, `command:…`, `javascript:…`), or one that renderers link without. */
const ADDRESS_BEGINS = expression('giu')`
  (?<![\p{L}\p{N}_])(?:[a-z][a-z0-9+.-]{1,20}:\/\/|
    (?:command|javascript|vbscript|data|file|vscode|vscode-insiders|mailto|tel|blob):(?=\S)|www\.(?=\S))
`;
const REST_OF_ADDRESS = /[^\s<>"'`\])]*/uy;
/** `<https://…>` and `<name@host>`: an address that a page shows. */
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000}|[^\s<>@]{1,100}@[^\s<>@]{1,200})>/giu;

/**
 * Text of a model or a document as inert Markdown that says all that it said: links and images become their text, tags
 * that are no formatting are shown unlike tags, definitions lose their bracket, addresses become code, which nothing
 * links. Code spans stay word for word. What is left can be rendered without anything in it being active. Bracketed
 * numbers stay: whoever adds marks calls {@link disarmMarks} on foreign text first. Time grows with the length alone.
 */
export function sanitiseText(text: string): string {
  const seen = text.replace(HIDDEN, '');
  const spans = aroundCode(seen);
  if (!spans) return inertText(seen);
  const code = spans.filter((_part, i) => i % 2 === 1);
  const words = spans.map((part, i) => (i % 2 === 0 ? part.replace(PLACES, '') : `\ue000${(i - 1) / 2}\ue001`));
  return inertText(words.join(''))
    .split(PLACE)
    .map((part, i) => (i % 2 === 0 ? part : (code[Number(part)] ?? '')))
    .reduce(apart, '');
}

const PLACES = /[\ue000\ue001]/gu;
const PLACE = /\ue000(\d+)\ue001/u;

function inertText(seen: string): string {
  let clean = seen.replace(AUTOLINK, '$1');
  let passes = 0;
  for (let before = ''; before !== clean; passes += 1) {
    before = clean;
    if (passes === MOST_NESTED) clean = clean.replace(/[[\]<]/gu, '');
    clean = clean
      .replace(INLINE_LINK, (_all, label: string) => (isMark(label) ? `[${label}]` : label))
      .replace(WIKILINK, (_all, target: string, label: string | undefined) => label ?? target)
      .replace(REFERENCE_LINK, (all: string, label: string, reference: string) =>
        isMark(label) && isMark(reference) ? all : label,
      )
      .replace(NEXT_ITEM, ', ')
      .replace(BLOCK_TAG, ' ')
      .replace(FORMATTING_TAG, '');
  }
  const inert = closedAlike(clean.replace(IMAGE_MARK, '').replace(TAG_OPENING, '‹'));
  // In code that stands there already nothing is linked.
  const parts = aroundCode(inert)?.map((part, i) => (i % 2 === 0 ? withoutAddresses(part, true) : part));
  return (parts?.reduce(apart, '') ?? withoutAddresses(inert, false))
    .replace(DEFINITION, (_all, indent: string, label: string) =>
      isMark(label) ? `${indent}(${label})` : `${indent}\\[${label}]`,
    )
    .split('\n')
    .map((line) => withoutTrailing(line, /[ \t]/))
    .join('\n');
}

/** `‹command>` is closed alike, within its line; arrows and signs of comparison close nothing. */
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

/** The text around its spans of code, which are the odd ones; undefined where nobody can tell what is code. */
function aroundCode(text: string): string[] | undefined {
  if (/`{3}|\\`/u.test(text)) return undefined;
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
    // Behind a backslash a backtick would open nothing.
    kept += asCode ? `${kept.endsWith('\\') ? ' ' : ''}${codeSpan(shown)}` : '(address removed)';
    ADDRESS_BEGINS.lastIndex = from;
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
export const inert = (text: string): string => disarmMarks(sanitiseText(text));

export const onOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
