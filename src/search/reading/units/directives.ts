import type { TextSpan } from '../../domain/unit.ts';
import type { UnitContext } from '../../domain/unit.ts';
import { contextOf, linesWithin } from './prose-units.ts';

/**
 * How a line begins that is a directive of Markdown (CommonMark's generic directives, as Docusaurus, Nuxt Content and
 * remark have them): `:::note[Mind the tide]`, `::field{name="base" type="string"}`, `:::tip Mind the tide`,
 * `:read-more{to="/a"}`.
 */
const DIRECTIVE = /^(:{1,8})[ \t]?[A-Za-z][\w-]*/u;
/** Characters of a directive's line; a longer one is a text. */
const LONGEST_DIRECTIVE = 600;
/** Of those open at the same time, so many are remembered. */
const MOST_OPEN = 50;
const CLOSES = /^:{2,8}$/u;
/** Attributes that say what a directive's content is about. */
const NAMING = /(?<![\w-])(?:name|title|label|summary)=(?:"([^"\n]{1,120})"|'([^'\n]{1,120})'|([^\s"'}]{1,120}))/u;

/** A stretch of a paragraph between directives, with what these say of it. */
interface WordsWithin {
  stretch: TextSpan;
  above: UnitContext | undefined;
}

/**
 * What a line of directives does: it opens a container, which may have a name, closes one, or stands on its own. One
 * that could open stands on its own where no line of as many colons closes it: `::youtube[The gate]{id=abc}`.
 */
type Directive = { colons: number } & ({ does: 'open'; name: UnitContext | undefined } | { does: 'close' | 'stand' });

/** The directives that are open while a text is read from its beginning. */
export class Directives {
  readonly #open: (UnitContext | undefined)[] = [];
  /** Where the lines stand that open what is closed again; looked for at the first one. */
  #closed: ReadonlySet<number> | undefined;

  /** Ends what is open: a heading begins. */
  end(): void {
    this.#open.length = 0;
  }

  /** A paragraph without its lines of directives, which open and close what they contain. */
  take(text: string, span: TextSpan): WordsWithin[] {
    const words: WordsWithin[] = [];
    let from = span.start;
    const wordsUntil = (to: number): void => {
      if (text.slice(from, to).trim() === '') return;
      words.push({ stretch: { start: from, end: to }, above: this.#open.findLast((context) => context !== undefined) });
    };
    for (const line of linesWithin(text, span)) {
      const directive = directiveIn(text, line);
      if (!directive) continue;
      wordsUntil(line.start);
      from = line.end;
      if (directive.does === 'close') this.#open.pop();
      if (directive.does === 'open' && (this.#closed ??= closedIn(text)).has(line.start))
        this.#open.push(directive.name);
    }
    wordsUntil(span.end);
    return words;
  }
}

/** Where the lines of a text begin that open what a later one of as many colons closes. */
function closedIn(text: string): Set<number> {
  const closed = new Set<number>();
  const open = new Map<number, number[]>();
  for (const line of linesWithin(text, { start: 0, end: text.length })) {
    const directive = text[line.start] === ':' ? directiveIn(text, line) : undefined;
    if (!directive) continue;
    const alike = open.get(directive.colons) ?? [];
    if (directive.does === 'open') open.set(directive.colons, [...alike.slice(-MOST_OPEN), line.start]);
    const opened = directive.does === 'close' ? alike.pop() : undefined;
    if (opened !== undefined) closed.add(opened);
  }
  return closed;
}

function directiveIn(text: string, line: TextSpan): Directive | undefined {
  const said = text.slice(line.start, line.end).trim();
  if (CLOSES.test(said)) return { does: 'close', colons: said.length };
  const [begun = '', { length: colons } = ''] = said.length <= LONGEST_DIRECTIVE ? (DIRECTIVE.exec(said) ?? []) : [];
  if (begun === '') return undefined;
  const behind = said.slice(begun.length);
  const [label, afterLabel] = enclosed(behind, '[', behind.indexOf(']'));
  // Attributes may hold braces: `{type="{ id: string }"}`.
  const [attributes, title] = enclosed(afterLabel, '{', afterLabel.lastIndexOf('}'));
  if (title !== '' && title.trimStart() === title) return undefined;
  if (colons > 1)
    return {
      does: 'open',
      colons,
      name: nameOf(text, line, label ?? namedIn(attributes) ?? (title.trim() || undefined)),
    };
  // One colon begins words of a text, too: only with attributes it is a directive.
  return attributes !== undefined && title === '' ? { does: 'stand', colons } : undefined;
}

/** What stands in brackets at the beginning of words, and the words behind; all of them where there are no brackets. */
const enclosed = (words: string, opens: string, end: number): [string | undefined, string] =>
  words.startsWith(opens) && end > 0 ? [words.slice(1, end), words.slice(end + 1)] : [undefined, words];

const namedIn = (attributes: string | undefined): string | undefined =>
  (NAMING.exec(attributes ?? '') ?? []).slice(1).find((value) => value !== undefined);

function nameOf(text: string, line: TextSpan, name: string | undefined): UnitContext | undefined {
  const start = name ? text.indexOf(name, line.start) : -1;
  return name && start >= 0 ? contextOf(text, { start, end: start + name.length }) : undefined;
}
