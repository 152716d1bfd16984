import { expression } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import type { UnitContext } from '../../domain/unit.ts';
import { beginsTag, namedIn } from '../../text/comment-entries.ts';
import { isOnlyMarks } from '../text/source-text.ts';
import { splitSentences } from '../../text/sentences.ts';
import { trimmed, withoutTrailing } from '../../text/trim.ts';
import { contextOf, contextOfWords, joinContexts } from './prose-units.ts';

/** A part of a comment up to this long is quoted as one; a longer one by its sentences. */
const LONGEST_PART = 400;
const SHORT_LEAD = 120;
/** `/**`, `//!`, `"""`: how a comment or a doc string begins, and how each of its lines does. */
const OPENINGS: readonly (readonly [opens: RegExp, line: RegExp])[] = [
  [/^\/\*{1,3}!?/, /^[ \t]*\*(?:\/|(?![*\w]))/],
  [/^\/\/+[/!]?/, /^[ \t]*\/\/+[/!]?/],
  [/^#+[!:']?/, /^[ \t]*#+[!:']?/],
  [/^--\[=*\[/, /^(?!)/],
  [/^-{2,}(?: \|)?/, /^[ \t]*-{2,}/],
  [/^%+!?/, /^[ \t]*%+!?/],
  [/^(?:\(\*+|\{-+ ?\|?|<#|<!--)/, /^(?!)/],
  [/^;+/, /^[ \t]*;+/],
  [/^[a-z]{0,2}(?:"{3}|'{3})/i, /^(?!)/],
];
const CLOSINGS = ['*/', '"""', "'''", '*)', '-}', '#>', '-->', ']]', ']=]', ']==]'];
const BULLET = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/;
/** `timeout (int): Seconds to wait.` */
const ENTRY = /^\s*\*{0,2}\w{1,60}(?:\s\([^()\n]{1,80}\))?:\s/;

/** `# Panics`, `## Options`: what the paragraphs below are about. */
const HEADING = /^(?:#{1,6}|=head\d|=item)\s+(\S[^\n]{0,100})$/;
/** `Parameters` above a line of dashes, as NumPy's documentation has it. */
const UNDERLINED = /^(\p{Lu}[^\n]{0,60})\n[ \t]*(?:-{3,}|={3,}|~{3,})[ \t]*(?:\n|$)/u;
/** `Args:` on a line of its own, as Google's has it: what is about it stands deeper. */
const LABELLED = /^(\p{Lu}[\p{L} ]{0,40}):[ \t]*\n/u;
const LABEL = /^\s*\p{Lu}\p{L}{1,20}(?: \p{L}{1,20})?:[ \t]*$/u;
/** Sections that list names with what they are. */
const LISTS_NAMES = expression('i')`
  ^(?:(?:other |keyword )?(?:parameters|params|arguments|args)|returns?|yields?|receives|raises|throws|warns|
    attributes|properties|members|fields|options|methods|see also)$
`;
/** What a page of Perl's documentation is told by: `=over 4`, `=cut`. */
const OF_PAGE = /^=(?:over|back|cut|pod|encoding|begin|end|for)\b[^\n]*$/;
/** `* timeout - how long …`: what an item is about. */
const TERM = /^[-*+•\s]{0,20}(`?[\w.$]{1,60}`?)\s[-–—:]\s/u;

/** Tags of documentation in XML that begin or end what is said of something. */
const XML_TAG = expression('g')`
  <(\/?)(summary|remarks|returns|value|example|exception|permission|para|param|typeparam|list|listheader|item|term|
    description|code)\b([^<>]{0,200})>
`;
const XML_PAGE = /<(?:summary|remarks|returns|value|inheritdoc)>|<(?:param|typeparam) name=/;
/** What such a tag is about: a parameter, the type of an error. */
const ABOUT = /\b(?:name|cref)\s*=\s*["'](?:[A-Z]:)?([^"'\n]{1,100})["']/;

/** A stretch of a comment, with what has to be read before it: what announces its list, and the term of its item. */
interface CommentPart extends TextSpan {
  context?: UnitContext;
}

/** A part of a comment that has a heading. */
interface Section {
  heading: UnitContext | undefined;
  /** What stands no deeper than this column is not of it; undefined where only the next heading ends it. */
  until?: number;
  /** Column of the names that it lists. */
  names?: number;
  /** The name that was last listed. */
  named?: UnitContext;
}

/** A stretch of a block; `name` where it is what a section says of a name that it lists. */
type Entry = TextSpan & { name?: UnitContext };

/**
 * The parts of a long comment or doc string, without its signs: its paragraphs, tags and items, the names that its
 * sections list, and the sentences and entries of what is too long to be quoted, each below its section. Offsets into
 * the comment.
 */
export function commentParts(comment: string): CommentPart[] {
  const plain = withoutSigns(comment);
  if (XML_PAGE.test(plain)) return xmlParts(plain);
  const parts: CommentPart[] = [];
  let section: Section | undefined;
  let lead: UnitContext | undefined;
  for (const whole of blocksOf(plain)) {
    if (OF_PAGE.test(plain.slice(whole.start, whole.end))) continue;
    const opened = sectionAt(plain, whole);
    if (opened) lead = undefined;
    if (section?.until !== undefined && columnOf(plain, whole.start) <= section.until) section = undefined;
    section = opened?.section ?? section;
    const block = opened ? opened.rest : whole;
    if (!block) continue;
    const entries: Entry[] = section ? entriesOf(plain, block, section) : [block];
    for (const { name, ...stretch } of entries) {
      if (section && name) section.named = name;
      const said = plain.slice(stretch.start, stretch.end);
      const isItem = BULLET.test(said);
      const pieces = said.length <= LONGEST_PART ? [stretch] : sentencesOf(plain, stretch);
      if (!isItem) lead = said.endsWith(':') ? announcing(plain, stretch) : undefined;
      const words = isItem ? TERM.exec(said)?.[1] : undefined;
      const term = words === undefined ? undefined : contextOfWords(plain, stretch.start, words);
      for (const [i, piece] of pieces.entries()) {
        const of = [i > 0 || !name ? section?.named : undefined, ...(isItem ? [lead, i > 0 ? term : undefined] : [])];
        const context = joinContexts([section?.heading, ...of]);
        parts.push({ ...piece, ...(context && { context }) });
      }
    }
  }
  return parts;
}

/** The section that a block begins, and what of the block stands below its heading. */
function sectionAt(plain: string, block: TextSpan): { section: Section; rest: TextSpan | undefined } | undefined {
  const said = plain.slice(block.start, block.end);
  const marked = HEADING.exec(said)?.[1];
  if (marked !== undefined)
    return { section: { heading: contextOfWords(plain, block.start, marked) }, rest: undefined };
  const [heading, words] = UNDERLINED.exec(said) ?? LABELLED.exec(said) ?? [];
  if (heading === undefined || words === undefined) return undefined;
  const rest = trimmed(plain, { start: block.start + heading.length, end: block.end });
  const column = columnOf(plain, block.start);
  const isLabel = said.startsWith(`${words}:`);
  if (isLabel && (!rest || columnOf(plain, rest.start) <= column)) return undefined;
  return {
    section: {
      heading: contextOfWords(plain, block.start, words),
      ...(isLabel && { until: column }),
      ...(LISTS_NAMES.test(words) && rest && { names: columnOf(plain, rest.start) }),
    },
    rest,
  };
}

/** A block of a section that lists names: each name with what is said of it, and what stands before the first. */
function entriesOf(plain: string, block: TextSpan, { names }: Section): Entry[] {
  if (names === undefined) return [block];
  const lines = runsOf(plain, block, () => true);
  const column = (line: TextSpan | undefined): number => (line ? columnOf(plain, line.start) : -1);
  const entries: Entry[] = [];
  for (const [i, line] of lines.entries()) {
    const words = plain.slice(line.start, line.end);
    const name = namedIn(words);
    const isName = column(line) <= names && (name !== undefined || column(lines[i + 1]) > names);
    const open = entries.at(-1);
    if (isName) {
      const told = contextOfWords(plain, line.start, (name ?? words).trim());
      entries.push({ ...line, ...(told && { name: told }) });
    } else if (open) open.end = line.end;
    else entries.push({ ...line });
  }
  return entries;
}

/** How far a place stands from the beginning of its line, in characters. */
const columnOf = (text: string, at: number): number => at - (text.lastIndexOf('\n', at - 1) + 1);

/** What the elements of a doc comment in XML say; of a parameter, an error or what is returned behind its name. */
function xmlParts(plain: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let context: UnitContext | undefined;
  let from = 0;
  const close = (to: number): void => {
    const span = trimmed(plain, { start: from, end: to });
    if (!span || isOnlyMarks(plain.slice(span.start, span.end))) return;
    const stretches = span.end - span.start <= LONGEST_PART ? [span] : sentencesOf(plain, span);
    parts.push(...stretches.map((stretch) => ({ ...stretch, ...(context && { context }) })));
  };
  for (const { 0: tag, 1: ends, 2: name = '', 3: attributes = '', index } of plain.matchAll(XML_TAG)) {
    close(index);
    from = index + tag.length;
    if (ends) context = /^(?:param|typeparam|exception|returns)$/.test(name) ? undefined : context;
    else {
      const about = ABOUT.exec(attributes)?.[1] ?? (name === 'returns' ? name : undefined);
      if (about !== undefined) context = contextOfWords(plain, index, about);
    }
  }
  close(plain.length);
  return parts;
}

/** The place of what stands above, where it has one, in a text that holds the one that it was found in. */
export const movedBy = (offset: number, { text, start, end }: UnitContext): UnitContext =>
  start === undefined || end === undefined ? { text } : { text, start: start + offset, end: end + offset };

/** What announces a list: all of a short paragraph, of a longer one its last sentence. */
function announcing(text: string, { start, end }: TextSpan): UnitContext | undefined {
  const last = end - start > SHORT_LEAD ? splitSentences(text.slice(start, end)).at(-1) : undefined;
  return contextOf(text, { start: start + (last?.start ?? 0), end });
}

/** Blanks in place of what is there for the sake of the programming language: every offset stays. */
function withoutSigns(comment: string): string {
  const [opens, line] = OPENINGS.find(([opening]) => opening.test(comment)) ?? [];
  if (!opens || !line) return comment;
  const blank = (sign: string): string => ' '.repeat(sign.length);
  const end = comment.trimEnd();
  const closing = CLOSINGS.find((sign) => end.endsWith(sign)) ?? '';
  const inside = withoutTrailing(end.slice(0, end.length - closing.length), /\*/);
  return inside
    .split('\n')
    .map((each, i) => each.replace(i === 0 ? opens : line, blank))
    .join('\n');
}

/** Runs of lines, each begun by a tag, an item, the label of a section or what follows an empty line. */
function blocksOf(text: string): TextSpan[] {
  const begins = (line: string): boolean => beginsTag(line) || BULLET.test(line) || LABEL.test(line);
  return runsOf(text, { start: 0, end: text.length }, begins);
}

function sentencesOf(text: string, block: TextSpan): TextSpan[] {
  return runsOf(text, block, (line) => ENTRY.test(line)).flatMap(({ start, end }) =>
    splitSentences(text.slice(start, end)).map((span) => ({ start: start + span.start, end: start + span.end })),
  );
}

function runsOf(text: string, { start, end }: TextSpan, begins: (line: string) => boolean): TextSpan[] {
  const runs: TextSpan[] = [];
  let open: TextSpan | undefined;
  let at = start;
  for (const line of text.slice(start, end).split('\n')) {
    const span = trimmed(text, { start: at, end: at + line.length });
    at += line.length + 1;
    if (!span) open = undefined;
    else if (open && !begins(line)) open.end = span.end;
    else runs.push((open = { ...span }));
  }
  return runs;
}
