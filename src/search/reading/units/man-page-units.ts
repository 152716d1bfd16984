import { wordSet } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import type { Unit, UnitContext } from '../../domain/unit.ts';
import { splitSentences } from '../../text/sentences.ts';
import { BULLET, macroOf, requestIn, tagEnd } from '../text/plain-roff.ts';
import { isBlank, isOnlyMarks, type SourceText } from '../text/source-text.ts';
import {
  exampleUnits,
  contentStart,
  contextOf,
  joinContexts,
  LONGEST_ITEM,
  sentenceUnits,
  stretch,
} from './prose-units.ts';

/** Requests that begin a paragraph or an entry. */
export const PARAGRAPHS = wordSet('PP P LP TP HP IP Pp Lp It sp');
/** Requests that end a paragraph. */
const BREAKS = new Set([
  ...PARAGRAPHS,
  ...wordSet('SH SS Sh Ss TH Dd Dt Os RS RE Bl El nf fi EX EE Vb Ve Bd Ed TS TE de de1 am ig br SY YS'),
]);
/** What ends a stretch that stands as it is written, by what begins it. */
const VERBATIM = new Map(
  'nf fi,EX EE,Vb Ve,Bd Ed,TS TE,de .,de1 .,am .,ig .'.split(',').map((pair): [string, string] => {
    const [begins = '', ends = ''] = pair.split(' ');
    return [begins, ends];
  }),
);
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/;
/** A longer entry is quoted by its sentences, each under its tag. */
const LONGEST_ENTRY = 600;
/** Of the tags around a line, so many are shown. */
const INNERMOST = 2;

type Macro = NonNullable<ReturnType<typeof macroOf>>;

/** Whether a request begins lines that stand as they are written: an example, a table, a definition. */
export const isVerbatim = ({ name, args }: Macro): boolean =>
  name === 'Bd' ? args.some((arg) => arg === '-literal' || arg === '-unfilled') : VERBATIM.has(name);

/** The line that ends them, or the last one of the file; a heading ends what no `.fi` has ended. */
export function verbatimEnd(source: SourceText, line: number): number {
  const ends = VERBATIM.get(requestIn(source.line(line)) ?? '');
  for (let next = line + 1; next <= source.lineCount; next++) {
    const said = source.line(next);
    if (ends === '.' ? said.trimEnd() === '..' : requestIn(said) === ends) return next;
    if (ends === 'fi' && /^S[HS]$/.test(requestIn(said) ?? '')) return next - 1;
  }
  return source.lineCount;
}

interface Head {
  context: UnitContext | undefined;
  depth: number;
}

/**
 * Units of a manual page: an entry with its tag, items, sentences, and examples as they stand. Headings and what lays
 * the page out are none.
 * @param page The same text as it reads, each word at its place.
 */
export function manPageUnits(source: SourceText, page: SourceText): Unit[] {
  const reader = new PageReader(source, page);
  for (let line = 1; line <= source.lineCount;) line = reader.take(line);
  return reader.inWholeWords();
}

class PageReader {
  readonly #units: Unit[] = [];
  readonly #source: SourceText;
  readonly #page: SourceText;
  /** All on one line: what only lays out a paragraph parts no sentences. */
  readonly #text: string;
  /** Tags of the entries that a line stands in. */
  readonly #heads: Head[] = [];
  #depth = 0;
  /** A synopsis is told whole: it has no sentences. */
  #isSynopsis = false;
  /** The paragraph before, where it announces what follows. */
  #lead: UnitContext | undefined;

  constructor(source: SourceText, page: SourceText) {
    this.#source = source;
    this.#page = page;
    this.#text = page.text.replaceAll('\n', ' ');
  }

  /** Reads what begins at a line. @returns the line after it */
  take(line: number): number {
    const macro = macroOf(this.#source.line(line));
    const name = macro?.name ?? '';
    if (macro && isVerbatim(macro)) return this.#verbatim(line, name);
    if (/^(?:S[HSsh]|TH|Dd|Dt|Os)$/.test(name)) {
      this.#heads.length = 0;
      this.#depth = 0;
      this.#lead = undefined;
      this.#isSynopsis = /^\W*S[HSsh]\W+SYNOPSIS/.test(this.#source.line(line));
      return this.#page.isBlank(line) && name.startsWith('S') ? line + 2 : line + 1;
    }
    if (name === 'RS' || name === 'Bl') this.#depth += 1;
    if (name === 'RE' || name === 'El') {
      this.#leave(this.#depth);
      this.#depth = Math.max(0, this.#depth - 1);
    }
    if (macro && this.#begins(macro)) return this.#entry(line, macro);
    if (/^(?:PP|P|LP|HP)$/.test(name)) this.#leave(this.#depth);
    if (this.#ends(line) || this.#page.isBlank(line)) return line + 1;
    return this.#paragraph(line);
  }

  #begins({ name, args }: Macro): boolean {
    return name === 'TP' || name === 'HP' || name === 'It' || (name === 'IP' && args.length > 0);
  }

  /** Leaves the entries of so deep a list. */
  #leave(depth: number): void {
    while ((this.#heads.at(-1)?.depth ?? -1) >= depth) this.#heads.pop();
  }

  #context(...more: (UnitContext | undefined)[]): UnitContext | undefined {
    return joinContexts([...this.#heads.slice(-INNERMOST).map(({ context }) => context), ...more]);
  }

  /** A tag and what it is said of it; an item where the tag is a bullet. */
  #entry(line: number, { name, args }: Macro): number {
    this.#leave(this.#depth);
    const isInside = name === 'IP' || name === 'It';
    const from = isInside ? line : this.#textFrom(line + 1);
    if (isInside && (BULLET.test(args[0] ?? '') || /^\d{1,3}[.)]?$/.test(args[0] ?? ''))) {
      const [first, end] = [this.#textFrom(line + 1), this.#runEnd(line)];
      if (end < first) return line + 1;
      this.#units.push(...this.#item(this.#source.spanOf(first, end)));
      return end + 1;
    }
    if (!isInside && (this.#ends(from) || from > this.#source.lineCount)) return from;
    const ahead = this.#source.lines.slice(from - 1, from + 40);
    const last = name === 'HP' ? this.#runEnd(from) : from + tagEnd(ahead);
    const goesOn = this.#source.line(last + 1);
    if (name === 'HP' && !/^\.[ \t]*IP[ \t]*$/.test(goesOn)) return this.#paragraph(from);
    return this.#tagged(from, last, last + (name === 'HP' ? 2 : 1));
  }

  /** An entry with its tag on some lines and its paragraph from another one on. */
  #tagged(from: number, last: number, below: number): number {
    const tag = this.#source.spanOf(from, last);
    const body = this.#textFrom(below);
    const end = this.#ends(body) ? last : this.#runEnd(body);
    const outer = this.#context();
    this.#heads.push({ context: contextOf(this.#text, tag), depth: this.#depth });
    this.#lead = undefined;
    if (end <= last) {
      this.#units.push(...stretch(this.#text, tag, 'field', outer, true));
      return last + 1;
    }
    const whole = this.#source.spanOf(from, end);
    const said = this.#text.slice(whole.start, whole.end).replace(/\s+/g, ' ');
    if (said.length <= LONGEST_ENTRY) this.#units.push({ ...whole, kind: 'field', ...(outer && { context: outer }) });
    else {
      const { start } = this.#source.spanOf(body, end);
      const first = start + (splitSentences(this.#text.slice(start, whole.end))[0]?.end ?? 0);
      this.#units.push(...stretch(this.#text, { start: whole.start, end: first }, 'field', outer, true));
      this.#units.push(...sentenceUnits(this.#text, { start: first, end: whole.end }, 'sentence', this.#context()));
    }
    this.#announce(this.#source.spanOf(body, end));
    return end + 1;
  }

  #paragraph(line: number): number {
    const end = this.#runEnd(line);
    const span = this.#source.spanOf(line, end);
    const said = this.#page.line(line);
    const isTag =
      end === line &&
      /^\.[ \t]*RS\b/.test(this.#source.line(end + 1)) &&
      !/(?:[^.]\.|[:*])$|^\s*\*/.test(said.trimEnd());
    if (isTag) {
      this.#depth += 1;
      this.#heads.push({ context: undefined, depth: this.#depth });
      return this.#tagged(line, line, line + 2);
    }
    const lines = this.#source.lines.slice(line - 1, end);
    if (lines.every((each) => /^[ \t]/.test(each) && !ITEM.test(each))) this.#example(line, end);
    else if (ITEM.test(said)) this.#units.push(...this.#item(span));
    else {
      this.#units.push(
        ...(this.#isSynopsis
          ? stretch(this.#text, span, 'sentence')
          : sentenceUnits(this.#text, span, 'sentence', this.#context())),
      );
      this.#announce(span);
    }
    return end + 1;
  }

  #item(span: TextSpan): Unit[] {
    const text = this.#text;
    const start = contentStart(text, span.start);
    const context = this.#context(this.#lead);
    return span.end - start <= LONGEST_ITEM
      ? stretch(text, { start, end: span.end }, 'item', context, context !== undefined)
      : sentenceUnits(text, { start, end: span.end }, 'item', context);
  }

  /** Remembers a paragraph that ends in a colon, until the next one; a bullet on a line of its own is none. */
  #announce(span: TextSpan): void {
    const words = contextOf(this.#text, span);
    if (words && !isOnlyMarks(words.text)) this.#lead = words.text.endsWith(':') ? words : undefined;
  }

  #verbatim(line: number, name: string): number {
    const end = verbatimEnd(this.#source, line);
    const isEnded = end > line && requestIn(this.#source.line(end)) === VERBATIM.get(name);
    const last = isEnded ? end - 1 : end;
    if (VERBATIM.get(name) !== '.') this.#example(line + 1, last);
    return end + 1;
  }

  #example(line: number, end: number): void {
    const shown = this.#page
      .spansOf(line, end)
      .filter(({ start, end: stop }) => !isBlank(this.#page.text.slice(start, stop)));
    this.#units.push(...exampleUnits(this.#page.text, shown, this.#context(this.#lead)));
  }

  /** The next line with words, from one on; comments and blank lines are passed. */
  #textFrom(line: number): number {
    let from = line;
    while (from < this.#source.lineCount && this.#page.isBlank(from) && !this.#ends(from)) from += 1;
    return from;
  }

  /** Whether a line is a request that ends a paragraph. */
  #ends(line: number): boolean {
    return BREAKS.has(requestIn(this.#source.line(line)) ?? '');
  }

  /** The last line of the paragraph that a line stands in. */
  #runEnd(line: number): number {
    return this.#source.lastWhile(line, (next) => !this.#ends(next) && !this.#source.isBlank(next));
  }

  /** The units with the signs around their words: blanks stood for them. A request is taken whole. */
  inWholeWords(): Unit[] {
    const { text } = this.#source;
    let before = 0;
    return this.#units.flatMap((unit) => {
      let { start, end } = unit;
      if (end <= before) return [];
      const edgeOf = (at: number): RegExp =>
        requestIn(this.#source.line(this.#source.lineAt(at))) === undefined ? /\s/ : /\n/;
      const [opening, closing] = [edgeOf(start), edgeOf(end - 1)];
      while (start > before && !opening.test(text[start - 1] ?? '')) start -= 1;
      while (end < text.length && !closing.test(text[end] ?? '')) end += 1;
      start = Math.max(start, before);
      before = Math.max(before, end);
      return start < end ? [{ ...unit, start, end }] : [];
    });
  }
}
