// A private-use character keeps the place of what was escaped, so that nothing takes it for a mark.
const ESCAPED = '\uE000';
const ESCAPES = /\uE000(\d{1,4});/g;
/** What is longer is no heading that anyone would read; a title is cut far below this. */
const LONGEST_HEADING = 2_000;

/** A heading as people read it: without emphasis, code marks, links' targets and trailing anchors. */
export function plainInline(text: string): string {
  const escaped: string[] = [];
  const linked = text
    .slice(0, LONGEST_HEADING)
    .replace(/\\([!-/:-@[-`{-~])/g, (_, character: string) => `${ESCAPED}${escaped.push(character) - 1};`)
    .replace(/!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g, (_, page: string, shown?: string) => shown ?? page)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1');
  let plain = withoutCodeMarks(withoutAnchor(linked.replace(/\s+/g, ' ')));
  for (const mark of ['**', '__', '*', '_']) plain = withoutPairs(plain, mark);
  return plain
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(ESCAPES, (_, index: string) => escaped[Number(index)] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `Words {#anchor}` */
function withoutAnchor(text: string): string {
  const trimmed = text.trimEnd();
  const start = trimmed.endsWith('}') ? trimmed.lastIndexOf('{#') : -1;
  return start < 0 || trimmed.indexOf('}', start) < trimmed.length - 1 ? text : trimmed.slice(0, start).trimEnd();
}

/** Runs of backticks go in pairs; one that is left over stays. */
function withoutCodeMarks(text: string): string {
  if (!text.includes('`')) return text;
  const runs = text.match(/`+/g)?.length ?? 0;
  let seen = 0;
  return text.replace(/`+/g, (run) => (seen++ < runs - (runs % 2) ? '' : run));
}

const WORD = /[\p{L}\p{N}]/u;
const isSpace = (character: string | undefined): boolean => character === undefined || character.trim() === '';
const isWord = (character: string | undefined): boolean => character !== undefined && WORD.test(character);

/** Takes away pairs of marks around words; looks at each place once, as the next closing mark is remembered. */
function withoutPairs(text: string, mark: string): string {
  if (!text.includes(mark)) return text;
  const single = mark.length === 1;
  let plain = '';
  let kept = 0;
  let closing = 0;
  for (let at = text.indexOf(mark); at >= 0 && closing >= 0; at = text.indexOf(mark, Math.max(at + 1, kept))) {
    const inside = at + mark.length;
    if (isSpace(text[inside]) || (single && isWord(text[at - 1]))) continue;
    if (closing <= inside) closing = nextClosing(text, mark, inside + 1);
    if (closing < 0) break;
    plain += text.slice(kept, at) + text.slice(inside, closing);
    kept = closing + mark.length;
  }
  return plain + text.slice(kept);
}

function nextClosing(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (!isSpace(text[at - 1]) && !(mark.length === 1 && isWord(text[at + 1]))) return at;
  }
  return -1;
}
