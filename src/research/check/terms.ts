import { STATUS_CODES } from 'node:http';
import { expression } from '#base';
import { isStopWord } from '#search';

/** Something in a statement that can be looked for word for word. */
export interface Term {
  text: string;
  form: 'code' | 'quote' | 'number' | 'identifier' | 'name';
}

const CODE = /(?<!`)`+([^`\n]{1,300})`+/gu;
const QUOTE = /["“«„「『]([^"“”«»„「」『』\n]{2,300})["”»“」』]/gu;
/** `retryDelay`, `retry_delay`, `Store.merge`, `std::move`, `--max-old-space`, `src/store.ts`. */
const IDENTIFIER = expression('gu')`
  (?<![\p{L}\p{N}_])(?:--?[\p{L}][\p{L}\p{N}-]{2,60}|
  [\p{L}_$][\p{L}\p{N}_$]{0,80}(?:(?:\.|::|->|#|\/)[\p{L}_$][\p{L}\p{N}_$-]{0,80}){1,12}|
  [\p{L}\p{N}$]{0,60}_[\p{L}\p{N}_$]{1,60}|[\p{Ll}$][\p{Ll}\p{N}$]{0,60}\p{Lu}[\p{L}\p{N}$]{0,60})
`;
const NUMBER = /(?<![\p{L}\p{N}_.])v?\p{N}[\p{N}.,:_'’/-]{0,30}/gu;
const NAME = /(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{N}’'&-]{1,40}(?: \p{Lu}[\p{L}\p{N}’'&-]{1,40}){0,5}/gu;
/** What stands before the first word of a sentence, an item or a cell. */
const BEFORE_FIRST = /(?:^|[.!?:;|。！？]|[\p{Pd}•]\s?)[\s"“«„([*_>#\d.)|-]*$/u;
/** Counts, which nobody writes down: a model may count what it is shown. */
const LEAST_NUMBER = 10;
/** Where more of the words are written large, capitals tell no name: German nouns, titles. */
const MOST_CAPITALS = 0.3;

/** What of a statement can be looked for in a file; each stretch of text counts once, as the first of its forms. */
export function termsOf(statement: string): Term[] {
  const terms: Term[] = [];
  const whole = statement.replace(/\*\*|__/gu, '');
  let rest = whole;
  /** What is left without `edge` signs; code in a quotation is a part of it. */
  const take = (form: Term['form'], pattern: RegExp, edge: RegExp | string): void => {
    for (const { 0: all, index } of rest.matchAll(pattern)) {
      const text = whole
        .slice(index, index + all.length)
        .replaceAll(edge, '')
        .trim();
      if (text !== '') terms.push({ text, form });
    }
    rest = rest.replace(pattern, (all) => ' '.repeat(all.length));
  };
  take('code', CODE, '`');
  take('quote', QUOTE, /^.|.$/gu);
  take('identifier', IDENTIFIER, /^(?:\p{L}\.){1,4}\p{L}$/gu); // `i.e` is none
  for (const { 0: number } of rest.matchAll(NUMBER))
    terms.push(
      ...numbersIn(number.replace(/^v/u, ''))
        .filter(isTelling)
        .map((text) => ({ text, form: 'number' as const })),
    );
  return [...terms, ...namesIn(rest)];
}

const isTelling = (number: string): boolean => number.includes('.') || Number(number) >= LEAST_NUMBER;

function namesIn(text: string): Term[] {
  const words = text.match(/\p{L}[\p{L}\p{N}’'-]*/gu) ?? [];
  const capitals = words.slice(1).filter((word) => /^\p{Lu}/u.test(word)).length;
  const areTelling = words.length > 0 && capitals <= Math.max(2, words.length * MOST_CAPITALS);
  return [...text.matchAll(NAME)].flatMap(({ 0: name, index }): Term[] => {
    const isFirst = BEFORE_FIRST.test(text.slice(Math.max(0, index - 20), index));
    const own = isFirst ? name.split(' ').slice(1).join(' ') : name;
    const isLong = own.includes(' ');
    // A word beside a number is a part of a date, whose numbers are checked: `1 May 2024`.
    const around = `${text.slice(Math.max(0, index - 3), index)}|${text.slice(index + name.length, index + name.length + 3)}`;
    return own !== '' && (isLong || (areTelling && !/\d[.\s]{0,2}\||\|,?\s\d/u.test(around)))
      ? [{ text: own.replace(/[’']s$/u, ''), form: 'name' }]
      : [];
  });
}

/** Numbers in one form: `1,000` is `1000`; `3.50` is `3.5`; `2024-05-01` is `2024`, `5`, `1`; `1.2.3` stays. */
export function numbersIn(run: string): string[] {
  return run.split(/[:/-]/u).flatMap((part) => {
    const bare = part.replace(/(?<![.,:_'’])[.,:_'’]+$/u, '');
    if (!/\p{N}/u.test(bare)) return [];
    if (/^\d{1,3}(?:[,_'’ ]\d{3})+(?:\.\d+)?$/u.test(bare)) return [plainNumber(bare.replace(/[,_'’ ]/gu, ''))];
    if (/^\d+(?:\.\d+)?$/u.test(bare)) return [plainNumber(bare)];
    if (/^\d+,\d+$/u.test(bare)) return [plainNumber(bare.replace(',', '.'))];
    return [bare.replaceAll('_', '')];
  });
}

const plainNumber = (text: string): string =>
  Number.isSafeInteger(Math.trunc(Number(text))) ? String(Number(text)) : text;

/** Words with single blanks between and at either end: `A.b`, `A > b`, `A::b` and `A#b` are the same. */
export const spaced = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Words of identifiers apart: `StatusNotModified` is `Status Not Modified`. */
const apart = (text: string): string =>
  text.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');

const isAbbreviation = (word: string): boolean => /^\p{Lu}{2,6}$/u.test(word);

/** Letters of an ending that makes another form of a word. */
const MOST_ENDING = 2;
/** Shorter names of a status of HTTP stand in any text: OK, Found. */
const LEAST_STATUS = 8;

/** Text in which terms are looked for. */
export class Haystack {
  readonly #spaced: string;
  readonly #words: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<string>;
  /** First letters of words that are written large one after the other: `WG` is a Working Group. */
  readonly #initials: string;

  constructor(texts: readonly string[]) {
    this.#spaced = texts.flatMap((text) => [spaced(text), spaced(apart(text))]).join(' | ');
    this.#words = new Set(this.#spaced.split(' ').filter((word) => !isStopWord(word)));
    this.#initials = texts
      .flatMap((text) => text.match(/\p{Lu}[\p{L}\p{N}]{0,40}(?:[ -]\p{Lu}[\p{L}\p{N}]{0,40}){1,8}/gu) ?? [])
      .map((run) => run.replace(/(?<=[\p{L}\p{N}])[\p{L}\p{N}]+|[ -]/gu, ''))
      .join(' ');
    this.#numbers = new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/\p{N}[\p{N}.,:_'’/-]*/gu)].flatMap(({ 0: run }) => [...numbersIn(run), ...digitsIn(run)]),
      ),
    );
  }

  /** Whether these words stand in it as they are, or as an identifier of them. */
  has(text: string): boolean {
    return [text, apart(text)].map(spaced).some((form) => form.trim() === '' || this.#spaced.includes(form));
  }

  holds({ text, form }: Term): boolean {
    if (form === 'number') {
      const status = STATUS_CODES[text] ?? ''; // code writes `StatusForbidden` for 403
      return this.#numbers.has(text) || (status.length >= LEAST_STATUS && this.has(status));
    }
    if (this.has(text) || (form === 'name' && this.#hasForm(text))) return true;
    // Parts of a quotation with an ellipsis, of an expression, of a name with titles: each stands there.
    const parts =
      form === 'quote'
        ? text.split(/…|\.\.\.|\[[^[\]]*\]/u)
        : (form === 'name' ? text : spaced(text).trim())
            .split(' ')
            .filter((word) => form === 'code' || word.length > 2 || isAbbreviation(word));
    return parts.length > 1 && parts.every((part) => this.has(part) || (form === 'name' && this.#hasForm(part)));
  }

  /** Whether a form of a word stands in it, two letters longer or shorter, or the words that it abbreviates. */
  #hasForm(text: string): boolean {
    if (isAbbreviation(text) && this.#initials.includes(text)) return true;
    const word = spaced(text).trim();
    const isForm = (other: string): boolean => {
      const [short, long] = word.length < other.length ? [word, other] : [other, word];
      const more = long.length - short.length;
      return more <= MOST_ENDING && more * 2 <= short.length && long.startsWith(short) && !/\d/u.test(long);
    };
    return [...this.#words].some(isForm);
  }
}

const digitsIn = (run: string): string[] => (run.match(/\d+/gu) ?? []).map((digits) => plainNumber(digits));
