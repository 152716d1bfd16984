import { expression } from '#base';
import { type Moment, momentsIn, MONTHS, timeBetween, type UnitOfTime } from './figures.ts';
import { isDenial } from './stance.ts';
import { isStopWord, type Passage, plainText, quotations, readNames, readWords, stem } from '#search';

/** What a statement claims that can be checked word by word. */
export interface Claims {
  /** Words of names, comparable form, with the name as written. */
  names: { words: string[]; text: string }[];
  /** Identifiers and paths, verbatim but for case. */
  symbols: string[];
  /** Numbers in canonical form. */
  numbers: string[];
  /** Those of them that say how long something took: `5 days`. */
  times: { number: string; unit: UnitOfTime }[];
  /** Quotations of two words and more. */
  quotes: string[];
}

const QUOTATION = { opens: '"“«„', closes: '"”»“', stops: '"“”«»„', most: 2_000 };
const LEAST_QUOTED = 6;
const NUMBER = expression('giu')`
  (?<![\p{L}\p{N}_.])(\d{1,3}(?:[,\u00a0’']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)
  (?=(?:st|nd|rd|th|s|%|°|[a-z]{1,3})?(?![\p{L}\p{N}]))
`;
const TIME_SPENT = /(?<![\p{L}\p{N}_.])(\d{1,6})[ -](minute|hour|day|week|month|year)s?\b/giu;
/** Numbers as words; the place of a word is its value. */
export const NUMBER_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
/** A capitalised word with such an ending that begins a sentence is a word and no name. */
const COMMON_ENDING = /(?:tion|sion|ment|ness|ity|ing|ed|ly|ance|ence|ism|ship|ers|ors|als|ies)$/u;

/**
 * Names, numbers and quotations of a statement. `familiar` tells of a word that it is used in lower case nearby: a
 * sentence that begins with it begins with no name.
 */
export function claimsOf(statement: string, familiar: (word: string) => boolean): Claims {
  const quotes = quotations(statement, QUOTATION)
    .map(({ text }) => text.trim())
    .filter((quote) => quote.length >= LEAST_QUOTED && /\S\s+\S/.test(quote));
  const rest = quotes.reduce((text, quote) => text.replace(quote, ' '), statement);
  const names: Claims['names'] = [];
  const symbols: string[] = [];
  for (const name of readNames(rest)) {
    if (name.kind === 'identifier' || name.kind === 'path') symbols.push(name.text.replace(/\(\)$/u, ''));
    if (name.kind !== 'phrase' || symbols.some((symbol) => symbol.includes(name.text))) continue;
    const words = readWords(name.text)
      .filter((word) => word.capital && !isStopWord(word.text))
      .map((word) => word.text);
    const opens = rest.slice(0, name.start).trim() === '' && words.length === 1;
    const first = words[0] ?? '';
    const isWord =
      familiar(first) ||
      first === 'yes' ||
      isDenial(first) ||
      NUMBER_WORDS.includes(first) ||
      COMMON_ENDING.test(first);
    if (opens && isWord) continue;
    if (words.length > 0) names.push({ words, text: name.text });
  }
  const times = [...rest.matchAll(TIME_SPENT)].map(([, number = '', unit = '']) => ({
    number: canonical(number),
    unit: unit.toLowerCase() as UnitOfTime,
  }));
  const numbers = numbersOf(rest);
  // A number alone answers “how many years”.
  if (numbers[0] !== undefined && /^\W*\d+\W*$/.test(rest)) times.push({ number: numbers[0], unit: 'year' });
  return { names, symbols, numbers, times, quotes };
}

/** Numbers of a text, canonical: no thousands separators, no leading zeros. */
const numbersOf = (text: string): string[] => [...text.matchAll(NUMBER)].map((match) => canonical(match[1] ?? ''));

const canonical = (number: string): string =>
  number
    .replace(/[,\u00a0’']/gu, '')
    .replace(/^0+(?=\d)/u, '')
    .replace(/\.0+$/u, '');

/** A passage as claims are looked up in it. */
export interface PassageFacts {
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Days and hours that it names. */
  moments: readonly Moment[];
  /** Lower case. */
  raw: string;
}

export function factsOf(
  passage: Pick<Passage, 'text' | 'title' | 'path'> & Partial<Pick<Passage, 'language'>>,
): PassageFacts {
  const text = plainText(passage, passage.text);
  const raw = `${passage.path}\n${passage.title}\n${text}`.toLowerCase();
  const words = new Set(readWords(`${passage.path}\n${passage.title}\n${text}`).map((word) => word.text));
  const numbers = new Set(numbersOf(`${passage.title}\n${text}`));
  for (const [number] of raw.matchAll(/\d+(?:\.\d+)*/g)) {
    const parts = number.split('.');
    // 2024-03-04, 14:05, 5.10.1: each part is one; of a decimal, what stands behind its point is none.
    for (const part of parts.length === 2 ? parts.slice(0, 1) : parts) numbers.add(canonical(part));
  }
  NUMBER_WORDS.forEach((word, value) => {
    if (words.has(word)) numbers.add(String(value));
  });
  for (const [, month] of raw.matchAll(/\d{4}-(\d{2})(?:-\d{2})?/g)) {
    const name = MONTHS[Number(month) - 1];
    if (name) words.add(name);
  }
  return { words, stems: new Set([...words].map(stem)), numbers, moments: momentsIn(text), raw };
}

/**
 * Claims that none of these passages holds, as written; empty when all are there. Quotations are looked for elsewhere.
 */
export function missingClaims(claims: Claims, facts: readonly PassageFacts[]): string[] {
  const holds = (word: string): boolean => facts.some((fact) => fact.words.has(word) || fact.stems.has(stem(word)));
  return [
    ...claims.names.filter((name) => !name.words.every(holds)).map((name) => name.text),
    ...claims.symbols.filter((symbol) => !facts.some((fact) => fact.raw.includes(symbol.toLowerCase()))),
    ...claims.numbers.filter(
      (number) =>
        !facts.some((fact) => fact.numbers.has(number)) &&
        !claims.times.some(
          (time) =>
            time.number === number &&
            ((time.unit === 'year' && isSpanOfYears(number, facts)) || liesBetween(time, facts)),
        ),
    ),
  ];
}

/** "12 years" may stand nowhere and still follow from 1998 and 2010. */
function isSpanOfYears(number: string, facts: readonly PassageFacts[]): boolean {
  const span = Number(number);
  if (!Number.isInteger(span) || span < 1 || span > 500) return false;
  const years = [...new Set(facts.flatMap((fact) => [...fact.numbers]))]
    .filter((one) => /^[12]\d{3}$/.test(one))
    .map(Number);
  return years.some((year) => years.includes(year + span));
}

/** More moments than that are a log, in which some two lie any time apart. */
const MOST_MOMENTS = 40;

/** "5 days" may stand nowhere and still follow from 4 March and 9 March. */
function liesBetween({ number, unit }: Claims['times'][number], facts: readonly PassageFacts[]): boolean {
  const moments = facts.flatMap((fact) => fact.moments);
  if (moments.length > MOST_MOMENTS) return false;
  const told = `${number} ${unit}${number === '1' ? '' : 's'}`;
  return moments.some((one, i) =>
    moments.slice(i + 1).some((other) => timeBetween(one, other, unit)?.split(', ')[0] === told),
  );
}
