/** Characters that hide or reorder text: zero-width, bidirectional controls, other controls but tab and line break. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const LINK_DEFINITION = /^[ \t>*+-]*\[[^\]\n]+\]:.*$/gmu;
/** `![alt](target)`, `[text](target)`; targets may hold one level of brackets. */
const INLINE_LINK = /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?:[^()\n]|\([^()\n]*\))*\)/gu;
const REFERENCE_LINK = /!?\[([^[\]]*)\]\[([^[\]]*)\]/gu;
const WIKILINK = /!?\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]/gu;
const IMAGE_MARK = /!(?=\[)/gu;
const ELEMENT_WITH_CONTENT = /<(script|style|iframe|object|svg|template)\b[^>]*>[\s\S]*?<\/\1\s*>/giu;
const COMMENT = /<!--[\s\S]*?-->/gu;
/** Tags of HTML go; other angle brackets (`Map<string, number>`) are only made unlike tags, so that nothing that is said is lost. */
const TAG = /<\/?(?:a|abbr|area|article|aside|audio|b|base|blockquote|body|br|button|canvas|code|dd|del|details|dialog|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|map|mark|marquee|math|menu|meta|nav|noscript|object|ol|option|p|param|picture|pre|q|s|samp|script|section|select|slot|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|track|tt|u|ul|var|video|wbr)\b[^<>]*>|<[!?][^<>]*>|<(?:[a-z][a-z0-9+.-]*:|[^\s<>@]+@)[^\s<>]*>/giu;
const TAG_OPENING = /<(?=[a-zA-Z/!?])/gu;
/** An address with a scheme (`https://…`, `command:…`, `javascript:…`), or one that renderers link without. */
const ADDRESS = /(?<![\p{L}\p{N}_])(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?:command|javascript|vbscript|data|file|vscode|vscode-insiders|mailto|tel|blob):(?=\S)|www\.(?=\S))[^\s<>"'`\])]*/giu;

/**
 * Text of a model or a document as inert Markdown: links and images become their text, HTML and link definitions go, addresses
 * are named and not given. What is left can be rendered without anything in it being active. Bracketed numbers stay: whoever
 * adds marks of its own calls {@link disarmMarks} on foreign text first.
 */
export function sanitiseText(text: string): string {
  let clean = text.replace(HIDDEN, '').replace(COMMENT, '').replace(ELEMENT_WITH_CONTENT, '').replace(LINK_DEFINITION, '');
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = clean
      .replace(INLINE_LINK, (_all, label: string) => (isMark(label) ? `[${label}]` : label))
      .replace(WIKILINK, (_all, target: string, label: string | undefined) => label ?? target)
      .replace(REFERENCE_LINK, (all: string, label: string, reference: string) => (isMark(label) && isMark(reference) ? all : label))
      .replace(COMMENT, '')
      .replace(TAG, '');
  }
  return clean.replace(IMAGE_MARK, '').replace(TAG_OPENING, '‹').replace(ADDRESS, '(address removed)').replace(/[ \t]+$/gmu, '');
}

const isMark = (text: string): boolean => /^\d{1,3}$/.test(text);

/** Makes bracketed numbers of foreign text look unlike citation marks: `[3]` becomes `(3)`. */
export const disarmMarks = (text: string): string => text.replace(/\[(\s*\d[\d\s,;–-]*)\]/gu, '($1)');

/** A stretch of code as an inline code span that nothing inside can end. */
export function codeSpan(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code.replace(HIDDEN, '')}${pad}${fence}`;
}

/** Lines of code as a fenced block that nothing inside can end. */
export function codeBlock(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#-]*$/.test(language) ? language : ''}\n${code.replace(HIDDEN, '')}\n${fence}`;
}
