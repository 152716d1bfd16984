import type { TextSpan } from '../../domain/passage-chain.ts';
import type { UnitContext } from '../../domain/unit.ts';
import { contextOf, linesWithin } from './prose-units.ts';

/**
 * A line that is a directive of Markdown (CommonMark's generic directives, as Docusaurus, Nuxt Content and remark have
 * them): `:::note[Mind the tide]`, `::field{name="base" type="string"}`, `:::tip Mind the tide`, `:read-more{to="/a"}`.
 */
const DIRECTIVE =
  /^(:{1,8})[ \t]?([A-Za-z][\w-]{0,40})(?:\[([^\]\n]{0,200})\])?(?:\{([^\n]{0,400})\})?(?:[ \t]{1,9}(\S[^\n]{0,200}))?$/u;
const CLOSES = /^:{2,8}$/u;
/** Attributes that say what a directive's content is about. */
const NAMING = /(?<![\w-])(?:name|title|label|summary)=(?:"([^"\n]{1,120})"|'([^'\n]{1,120})'|([^\s"'}]{1,120}))/u;

/** A stretch of a paragraph between directives, with what these say of it. */
interface WordsWithin {
  stretch: TextSpan;
  above: UnitContext | undefined;
}

/** The directives that are open while a text is read from its beginning. */
export class Directives {
  readonly #open: (UnitContext | undefined)[] = [];

  /** A paragraph without its lines of directives, which open and close what they contain. */
  take(text: string, span: TextSpan): WordsWithin[] {
    if (!text.slice(span.start, span.end).includes(':')) return this.#within(span);
    const words: WordsWithin[] = [];
    let from = span.start;
    const close = (to: number): void => {
      if (text.slice(from, to).trim() !== '') words.push(...this.#within({ start: from, end: to }));
    };
    let found = false;
    for (const line of linesWithin(text, span)) {
      if (!this.#takes(text, line, () => close(line.start))) continue;
      found = true;
      from = line.end;
    }
    if (!found) return this.#within(span);
    close(span.end);
    return words;
  }

  #within(stretch: TextSpan): WordsWithin[] {
    return [{ stretch, above: this.#open.findLast((context) => context !== undefined) }];
  }

  /** @param before Told before a directive changes what the words behind it stand in. */
  #takes(text: string, line: TextSpan, before: () => void): boolean {
    const said = text.slice(line.start, line.end).trim();
    if (CLOSES.test(said)) {
      before();
      this.#open.pop();
      return true;
    }
    const [, colons = '', , label, attributes, title] = DIRECTIVE.exec(said) ?? [];
    // One colon begins words of a text, too: only with attributes it is a directive.
    if (colons === '' || (colons.length === 1 && (attributes === undefined || title !== undefined))) return false;
    before();
    if (colons.length > 1) this.#open.push(nameOf(text, line, label ?? namedIn(attributes) ?? title));
    return true;
  }
}

const namedIn = (attributes: string | undefined): string | undefined =>
  (NAMING.exec(attributes ?? '') ?? []).slice(1).find((value) => value !== undefined);

function nameOf(text: string, line: TextSpan, name: string | undefined): UnitContext | undefined {
  const start = name ? text.indexOf(name, line.start) : -1;
  return name && start >= 0 ? contextOf(text, { start, end: start + name.length }) : undefined;
}
