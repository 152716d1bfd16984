import { shortened } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import type { Unit, UnitContext, UnitKind } from '../../domain/unit.ts';
import { splitSentences } from '../../text/sentences.ts';
import { trimmed } from '../../text/trim.ts';
import { isOnlyMarks } from '../text/source-text.ts';

/** An item up to this long is quoted as one. */
export const LONGEST_ITEM = 320;
/** What has no full stops (minified data, a transcript) is cut at blanks and commas. */
const LONGEST_UNIT = 600;
const LONGEST_CONTEXT = 160;

/** Signs at the beginning of a line that say which block it stands in, and nothing else. */
const BLOCK_SIGNS = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/;
/** `**Key:** value`, `**Key**: value` */
const MARKED_FIELD = /^(?:\*\*|__)[^*_:\n]{1,60}(?::(?:\*\*|__)|(?:\*\*|__)[ \t]?:)[ \t]*\S/;
/** `Key: value`, of at most four words. */
const PLAIN_FIELD = /^\p{Lu}[\p{L}\p{N}'’/()-]{0,30}(?: [\p{L}\p{N}'’/()-]{1,30}){0,3}:[ \t]+\S/u;

/**
 * `**Quorum.** Of all members …`, `` `timeout` - sets the time … ``: what a paragraph is about, at its beginning.
 */
const RUN_IN = /^(?:\*\*|__)([^*_\n]{2,80})[.:](?:\*\*|__)[ \t]/;
const TERM = /^(`[^`\n]{1,80}`|\*\*[^*\n]{2,80}\*\*)(?:[ \t]?\([^()\n]{1,60}\))?[ \t]?(?:[-–—:]|--)[ \t]/;

/** `[!NOTE]`, `::code-group`, `**Example:**`: what follows is the thing. */
const ANNOUNCES = /^(?:\[![A-Za-z]+\]|:{2,}\s?[\w-]*(?:\{[^\n]{0,200}\})?|[*_]{0,2}\p{L}+(?: \p{L}+)?:[*_]{0,2})$/u;

/** True for a line that gives a key its value. */
const isField = (line: string): boolean => MARKED_FIELD.test(line) || PLAIN_FIELD.test(line);

/** What a page of MDX takes in: `import { Tabs } from '@theme/Tabs';`. */
const TAKES_IN = /^import\s[\w\s{},*$]{1,300}\sfrom\s+(?:'[^'\n]{1,300}'|"[^"\n]{1,300}");?$/;

/** What a template is told: `{% if x %}`, `{{ list(items) }}`, `<% end %>`. */
const TEMPLATE = /\{\{[^]{0,500}?\}\}|\{%[^%]{0,500}%\}|<%[^%]{0,500}%>/g;

/** True for text that holds something to read besides links, pictures and marks. */
export function saysSomething(text: string): boolean {
  if (ANNOUNCES.test(text) || text.split('\n').every((line) => TAKES_IN.test(line))) return false;
  const rest = text
    .replace(/!\[[^\]\n]{0,300}\]\([^()\n]{0,500}\)/g, ' ')
    .replace(/\[[^[\]\n]{0,300}\](?:\([^()\n]{0,500}\)|\[[^[\]\n]{0,100}\])/g, ' ')
    .replace(/\[\[[^[\]\n]{1,300}\]\]/g, ' ')
    .replace(/<?\b(?:https?|ftp|mailto):[^\s<>]+>?/g, ' ')
    .replace(TEMPLATE, ' ')
    .replace(/<\/?[a-zA-Z][^<>\n]{0,500}>/g, ' ');
  return !isOnlyMarks(rest);
}

/** Where the content of a line or paragraph begins, behind the signs of lists and quotations. */
export function contentStart(text: string, start: number): number {
  return start + (BLOCK_SIGNS.exec(text.slice(start, start + 200))?.[0].length ?? 0);
}

/** What is shown before a unit: folded to one line, cut where it is long. */
export function contextOf(text: string, span: TextSpan): UnitContext | undefined {
  const shown = foldContext(text.slice(span.start, span.end));
  return shown === '' ? undefined : { text: shown, start: span.start, end: span.end };
}

/** A link of Markdown; a cut within its address would leave half a link. */
const LINK_TO = /!?\[([^[\]\n]{0,300})\]\([^()\s]{0,1000}\)/g;

export function foldContext(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  if (folded.length <= LONGEST_CONTEXT) return folded;
  const words = folded.replace(LINK_TO, '$1');
  return shortened(words, LONGEST_CONTEXT);
}

/** One context of several, outermost first; where it stands is where the innermost stands. */
export function joinContexts(contexts: readonly (UnitContext | undefined)[]): UnitContext | undefined {
  const known = contexts.filter((context) => context !== undefined);
  const last = known.at(-1);
  return last && { ...last, text: known.map(({ text }) => text).join(' › ') };
}

/**
 * Units of a paragraph: its fields where its lines are fields, the whole where it is a short item, else its sentences.
 */
export function paragraphUnits(
  text: string,
  { start, end }: TextSpan,
  about: { item: boolean; context?: UnitContext },
): Unit[] {
  const { item, context } = about;
  const at = contentStart(text, start);
  const lines = linesWithin(text, { start: at, end });
  if (lines.some((line) => isField(text.slice(line.start, line.end))) && (lines.length > 1 || !item)) {
    return fieldRuns(text, lines).flatMap((run) =>
      isField(text.slice(run.start, run.end))
        ? stretch(text, run, 'field', context)
        : sentenceUnits(text, run, item ? 'item' : 'sentence', context),
    );
  }
  const content = text.slice(at, end).trim();
  if (item && content.length <= LONGEST_ITEM)
    return stretch(text, { start: at, end }, isField(content) ? 'field' : 'item', context, context !== undefined);
  return sentenceUnits(text, { start: at, end }, item ? 'item' : 'sentence', context);
}

/** A line with a field and the lines that go on with it; what stands before the first field is a run, too. */
function fieldRuns(text: string, lines: readonly TextSpan[]): TextSpan[] {
  const runs: TextSpan[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last === undefined || isField(text.slice(line.start, line.end))) runs.push({ ...line });
    else last.end = line.end;
  }
  return runs;
}

/** Lines of a stretch without their signs and blanks; blank ones are left out. */
export function linesWithin(text: string, { start, end }: TextSpan): TextSpan[] {
  const lines: TextSpan[] = [];
  for (let from = start; from < end;) {
    const stop = text.indexOf('\n', from);
    const to = stop < 0 || stop > end ? end : stop;
    const line = trimmed(text, { start: Math.min(to, contentStart(text, from)), end: to });
    if (line) lines.push(line);
    from = to + 1;
  }
  return lines;
}

/** The sentences of a stretch; those behind the first know the heading or the term that it begins with. */
export function sentenceUnits(text: string, span: TextSpan, kind: UnitKind, context?: UnitContext): Unit[] {
  const said = text.slice(span.start, span.end);
  const heading = (RUN_IN.exec(said) ?? TERM.exec(said))?.[1];
  const at = span.start + said.indexOf(heading ?? '');
  const inside = heading ? joinContexts([context, contextOf(text, { start: at, end: at + heading.length })]) : context;
  return splitSentences(said).flatMap((sentence, i) => {
    const start = contentStart(text, span.start + sentence.start);
    return stretch(text, { start, end: span.start + sentence.end }, kind, i === 0 ? context : inside);
  });
}

/**
 * A stretch as a unit, in parts where it is too long to be quoted; nothing where it only links. `linksToo`: a link says
 * something here, as what stands before it tells what it is one of.
 */
export function stretch(text: string, span: TextSpan, kind: UnitKind, context?: UnitContext, linksToo = false): Unit[] {
  const found = trimmed(text, span);
  if (!found) return [];
  const says = linksToo ? !isOnlyMarks(text.slice(found.start, found.end)) : undefined;
  return cutLong(text, found)
    .filter((part) => says ?? saysSomething(text.slice(part.start, part.end)))
    .map((part) => ({ ...part, kind, ...(context && { context }) }));
}

/** An address is looked for so far before a place. */
const LONGEST_ADDRESS = 8_000;
const ENDS_ADDRESS = /[\s<>]/;

/** Where the address ends that a place lies in, as half an address says nothing; the place itself elsewhere. */
export function endOfAddress(text: string, at: number): number {
  let begin = at;
  while (begin > 0 && at - begin < LONGEST_ADDRESS && !ENDS_ADDRESS.test(text.charAt(begin - 1))) begin -= 1;
  if (!/https?:\/\//.test(text.slice(begin, at))) return at;
  let end = at;
  while (end < text.length && !ENDS_ADDRESS.test(text.charAt(end))) end += 1;
  return end;
}

const ADDRESS = /https?:\/\/[^\s<>]+/g;

/** How far a unit may go: addresses, which nobody reads, take no room, as long as there are not too many. */
function reachOf(text: string, { start, end }: TextSpan): number {
  let reach = start + LONGEST_UNIT;
  if (reach >= end) return end; // as nearly every unit is
  for (const { index, 0: address } of text.slice(start, Math.min(end, start + LONGEST_ADDRESS)).matchAll(ADDRESS)) {
    if (start + index >= reach) break;
    reach += address.length;
  }
  return Math.min(reach, start + LONGEST_ADDRESS);
}

function cutLong(text: string, span: TextSpan): TextSpan[] {
  const parts: TextSpan[] = [];
  let start = span.start;
  for (;;) {
    const reach = reachOf(text, { start, end: span.end });
    if (reach >= span.end) break;
    const window = text.slice(start, reach);
    const at = Math.max(window.lastIndexOf(', '), window.lastIndexOf(' '), window.lastIndexOf(','));
    const cut = at > window.length / 3 ? start + at + 1 : reach;
    const end = Math.min(endOfAddress(text, cut), span.end);
    const part = trimmed(text, { start, end });
    if (part) parts.push(part);
    start = end;
  }
  const rest = trimmed(text, { start, end: span.end });
  return rest ? [...parts, rest] : parts;
}

/**
 * Units of a text of which nothing else is known: paragraphs, and lines that look like items, fields, rows, headings.
 */
export function textUnits(text: string, family: 'code' | 'prose'): Unit[] {
  if (family === 'code')
    return linesWithin(text, { start: 0, end: text.length }).flatMap((line) => stretch(text, line, 'statement'));
  return splitSentences(text).flatMap(({ start, end }) => {
    const said = text.slice(start, end);
    if (/^(?:#{1,6}\s[^\n]*|[=~^"`*+#-]{3,}|---[\s\S]*)$/.test(said)) return [];
    const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(said);
    return paragraphUnits(text, { start, end }, { item });
  });
}

/** An example of up to so many lines is quoted as one; a longer one line by line. */
export const MOST_EXAMPLE_LINES = 6;

/**
 * Units of an example of code in a text: all of it where it is short, else its lines, each with the line that it is
 * indented below.
 * @param lines Blank ones too.
 * @param context What announces the example.
 */
export function exampleUnits(text: string, lines: readonly TextSpan[], context: UnitContext | undefined): Unit[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return [];
  if (lines.length <= MOST_EXAMPLE_LINES)
    return stretch(text, { start: first.start, end: last.end }, 'statement', context, true);
  const units: Unit[] = [];
  const above: (UnitContext & { indent: number })[] = [];
  for (const line of lines) {
    const inside = trimmed(text, line);
    if (!inside) continue;
    const indent = inside.start - line.start;
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    const around = above.at(-1);
    const shown = joinContexts([context, around && { text: around.text, start: around.start, end: around.end }]);
    const said = text.slice(inside.start, inside.end);
    if (isOnlyMarks(said)) continue;
    units.push(...stretch(text, inside, 'statement', shown, true));
    above.push({ ...inside, text: foldContext(said), indent });
  }
  return units;
}
