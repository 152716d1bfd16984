import { isOnlyMarks, type SourceText } from '../text/source-text.ts';

/** What a line of an AsciiDoc text is part of. */
export type AsciidocLine =
  | 'text'
  | 'heading'
  /** Within a block that is shown as it stands: source, output, what is passed through. */
  | 'literal'
  | 'table'
  | 'comment'
  /** Says how or under which name the block below it is shown: `[source,java]`, `[[anchor]]`. */
  | 'attributes'
  /** Sets an attribute of the document: `:toc: left`. */
  | 'setting'
  /** Begins or ends a block, and says nothing. */
  | 'mark';

interface AsciidocHeading {
  /** 1-based; of its words. */
  line: number;
  /** Two of them where it is underlined. */
  endLine: number;
  /** 1 is the document's title. */
  depth: number;
  /** As written, without the signs before and below it. */
  text: string;
}

export interface AsciidocLines {
  /** By 1-based line. */
  kinds: AsciidocLine[];
  headings: AsciidocHeading[];
}

/** What begins a block, and once more ends it, with what its lines are. */
const FENCES: readonly [RegExp, AsciidocLine | undefined][] = [
  [/^-{4,}$/, 'literal'],
  [/^\.{4,}$/, 'literal'],
  [/^\+{4,}$/, 'literal'],
  [/^\/{4,}$/, 'comment'],
  [/^[|,:!]={3,}$/, 'table'],
  // Examples, sidebars, quotations and open blocks hold what a text holds.
  [/^(?:={4,}|\*{4,}|_{4,}|--|~{4,})$/, undefined],
];
const MARKDOWN_FENCE = /^```/;
const TITLE = /^(={1,6}|#{1,6})[ \t]+(\S[^\n]*)$/;
const UNDERLINE = /^(={2,}|-{2,}|~{2,}|\^{2,}|\+{2,})$/;
const UNDERLINES = '=-~^+';
const ATTRIBUTES = /^\[(?:\[[^\n]*\]|[^\n]*)\]$/;
const SETTING = /^:!?[\w-]{1,80}!?:(?:[ \t]|$)/;
/** Longer lines are data, not markup. */
const LONGEST_LINE = 20_000;

/**
 * The lines of an AsciiDoc text (AsciiDoc Language Documentation, "Blocks", "Section Titles and Levels"). A block that
 * is never ended goes on to the end, as its processors have it.
 */
export function scanAsciidoc(source: SourceText): AsciidocLines {
  const kinds: AsciidocLine[] = ['text'];
  const headings: AsciidocHeading[] = [];
  let open: { fence: string; kind: AsciidocLine } | undefined;
  for (let line = 1; line <= source.lineCount; line++) {
    const said = lineOf(source, line);
    if (open) {
      const ends = said === open.fence;
      kinds[line] = ends ? 'mark' : open.kind;
      if (ends) open = undefined;
      continue;
    }
    const heading = headingAt(source, line, kinds[line - 1]);
    if (heading) {
      headings.push(heading);
      for (let each = line; each <= heading.endLine; each++) kinds[each] = 'heading';
      line = heading.endLine;
      continue;
    }
    const fence = fenceOf(said);
    if (fence) {
      kinds[line] = 'mark';
      if (fence.kind) open = { fence: fence.ends, kind: fence.kind };
    } else kinds[line] = kindOf(said);
  }
  return { kinds, headings };
}

function lineOf(source: SourceText, line: number): string {
  const said = source.line(line);
  return said.length > LONGEST_LINE ? '' : said.trimEnd();
}

function fenceOf(said: string): { ends: string; kind: AsciidocLine | undefined } | undefined {
  if (MARKDOWN_FENCE.test(said)) return { ends: '```', kind: 'literal' };
  const fence = FENCES.find(([begins]) => begins.test(said));
  return fence && { ends: said, kind: fence[1] };
}

function kindOf(said: string): AsciidocLine {
  if (said.startsWith('//')) return 'comment';
  if (SETTING.test(said)) return 'setting';
  return ATTRIBUTES.test(said) ? 'attributes' : 'text';
}

/** A title by signs before it, or by a line of its own length below it. */
function headingAt(source: SourceText, line: number, above: AsciidocLine | undefined): AsciidocHeading | undefined {
  const said = lineOf(source, line);
  const [, signs, text] = TITLE.exec(said) ?? [];
  if (signs !== undefined && text !== undefined)
    return { line, endLine: line, depth: signs.length, text: withoutTrailingSigns(text, signs) };
  const opens = line === 1 || source.isBlank(line - 1) || (above !== undefined && above !== 'text');
  if (!opens || !/^[\p{L}\p{N}_{<[("'`]/u.test(said) || isOnlyMarks(said)) return undefined;
  if (ATTRIBUTES.test(said)) return undefined;
  const below = lineOf(source, line + 1);
  if (!UNDERLINE.test(below) || Math.abs(below.length - said.length) > 1) return undefined;
  return { line, endLine: line + 1, depth: UNDERLINES.indexOf(below[0] ?? '') + 1, text: said };
}

/** `== Title ==` */
const withoutTrailingSigns = (text: string, signs: string): string =>
  text.endsWith(` ${signs}`) ? text.slice(0, -signs.length).trimEnd() : text;
