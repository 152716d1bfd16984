import { addTo } from '#base';
import {
  contentStems,
  lastTitle,
  leavesOut,
  nameForm,
  type Passage,
  readNames,
  type Reading,
  type ReadUnit,
  titleParts,
} from '#search';
import { NUMBER_WORDS } from './claims.ts';
import { askedContentsOf, askedThings } from './quote.ts';

/** Units that are one of several. */
const ENTRIES: ReadonlySet<string> = new Set(['row', 'item', 'field']);
/** A statement that is one of several: nothing but a string, a number, a name, or an object in a line. */
const LITERAL = /^(?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[\w.-]+|\{[^{}\n]*\})$/u;
/** Members of one of these are several of a kind: `enum Colour`, `type Format =`. */
const HOLDS_MEMBERS = /\b(?:enum|union|const|var|val|let|static|type|class \w+\(\w*Enum\))\b/u;
const LEAST_ENTRIES = 3;
/** A passage is a list when so much of it is entries. */
const MOSTLY = 0.5;

/**
 * A reading in which the entries of the list that is asked for come first: those that words announce which name what
 * is asked for (`**Codes:**`, `const codes = new Set([`), or those of a passage that is headed by it (`Holidays`) and
 * is little else than its rows or items; of a file of data, those that stand below the key of that name. They share no
 * word with the question, so that none of them looks like an answer. Of several lists it is the one whose words have
 * most of the question's, and where the question counts (`Which three languages …?`) one of so many entries. Of a
 * whole whose parts are asked for (`What must be in a runbook?`) it is what stands under headings that have all words
 * of the whole. Of a list for something that the question names (`Which services use Redis?`) it is the entries that
 * have the name, where some do; where none does and several passages beside it speak of both, it is another list.
 * Undefined where there is none, or where its entries lead already.
 */
export function askedListFirst(reading: Reading, question: string, passages: readonly Passage[]): Reading | undefined {
  const [things] = contentStems(askedThings(question) ?? '');
  const whole = things === undefined ? contentStems(askedContentsOf(question) ?? '') : [];
  const best = reading.sentences[0];
  if ((things === undefined && whole.length === 0) || !best) return undefined;
  const asked = new Set(contentStems(question));
  const counted = things === undefined ? undefined : askedCount(question);
  const names = namesNarrowing(question);
  let entries: ReadUnit[] = [];
  let most = 0;
  for (const list of listsOf(reading, passages)) {
    const words = contentStems(things === undefined ? `${list.path} ${list.words}` : list.words);
    const isDue = OBLIGES.test(question) && OBLIGATORY.test(list.path);
    const shared = new Set(words.filter((word) => asked.has(word))).size + Number(isDue);
    const isAsked = things === undefined ? whole.every((word) => words.includes(word)) : words.includes(things);
    if (!isAsked || shared <= most || (counted !== undefined && list.entries.length !== counted)) continue;
    const wanted = entriesNaming(names, things, list, reading);
    if (wanted.length === 0) continue;
    entries = wanted;
    most = shared;
  }
  if (entries.length === 0 || entries.includes(best)) return undefined;
  const first = entries
    .sort((a, b) => a.start - b.start)
    .map((entry): ReadUnit => ({ ...entry, score: best.score, fits: true, listed: true }));
  return { ...reading, sentences: [...first, ...reading.sentences.filter((unit) => !entries.includes(unit))] };
}

/** What stands before whose list it is: `Which options does Prettier have?` */
const WHOSE = /\b(?:do|does|did|can|could|will|would|should|must|has|have)(?: the| our)? $/iu;

/** Keys of the names of a question that tell some entries of a list from others. */
const namesNarrowing = (question: string): string[] =>
  leavesOut(question)
    ? []
    : readNames(question)
        .filter(({ kind, start }) => kind !== 'compound' && !WHOSE.test(question.slice(0, start)))
        .map(({ key }) => key);

const saysName = (text: string, key: string): boolean => ` ${nameForm(text)} `.includes(` ${key} `);

/** Of so many passages beside a list that speak of what is asked for and of what it is asked for with. */
const ELSEWHERE = 2;

/** The entries of a list that have the names of the question that stand nowhere above them. */
function entriesNaming(
  names: readonly string[],
  things: string | undefined,
  { words, path, entries }: List,
  { sentences }: Reading,
): ReadUnit[] {
  const wanted = names.filter((name) => !saysName(`${path} ${words}`, name));
  if (wanted.length === 0) return entries;
  const has = ({ text, context }: ReadUnit): boolean =>
    wanted.every((name) => saysName(`${context?.text ?? ''} ${text}`, name));
  const named = entries.filter(has);
  if (named.length > 0) return named;
  const beside = sentences.filter(
    (unit) => !entries.includes(unit) && has(unit) && things !== undefined && contentStems(unit.text).includes(things),
  );
  return new Set(beside.map(({ passageId }) => passageId)).size >= ELSEWHERE ? [] : entries;
}

const HOW_MANY = /\b(?:which|what) (\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/iu;

/** So many things as the question says that it asks for: 3, of `Which three languages …?`. */
function askedCount(question: string): number | undefined {
  const said = HOW_MANY.exec(question)?.[1]?.toLowerCase();
  if (said === undefined) return undefined;
  return NUMBER_WORDS.includes(said) ? NUMBER_WORDS.indexOf(said) : Number(said);
}

/** `What must be in a runbook?` is about what a heading calls mandatory. */
const OBLIGES = /\b(?:must|has to|have to|needs? to|required|mandatory)\b/iu;
const OBLIGATORY = /\b(?:must|required?|mandatory|obligatory|essential|minimum)\b/iu;

interface List {
  /** What announces or heads it. */
  words: string;
  /** All headings above it. */
  path: string;
  entries: ReadUnit[];
}

/** Lists of passages that were read. */
function listsOf(reading: Reading, passages: readonly Passage[]): List[] {
  return passages.flatMap((passage) => {
    const units = reading.sentences.filter(({ passageId }) => passageId === passage.id);
    const entries = units.filter(
      ({ kind = '', text, context }) =>
        ENTRIES.has(kind) ||
        (kind === 'statement' && LITERAL.test(text)) ||
        (kind === 'default' && HOLDS_MEMBERS.test(context?.text.split(' › ').at(-1) ?? '')),
    );
    const announced = new Map<string, ReadUnit[]>();
    for (const entry of entries) {
      // Above a row stands the table's header.
      const words = entry.kind === 'row' ? undefined : entry.context?.text.split(' › ').at(-1);
      if (words !== undefined) addTo(announced, words, entry);
    }
    const path = passage.title;
    const lists = [...announced].map(([words, of]) => ({ words, path, entries: of }));
    const heading = lastTitle(passage.title);
    const headed =
      passage.kind === 'data'
        ? entries.filter(({ context }) => context?.text.split(' › ').includes(heading) === true)
        : entries;
    if (headed.length >= MOSTLY * units.length) lists.push({ words: heading, path, entries: headed });
    return lists.filter((list) => list.entries.length >= LEAST_ENTRIES);
  });
}

/** `## Working groups`; what encloses the words behind them is no part of them. */
const HEADING = /^ {0,3}(#{1,6})[ \t]{1,20}(\S.*)$/u;
const FENCE = /^ {0,3}(?:```|~~~)/u;

interface Heading {
  level: number;
  unit: HeadingUnit;
}

/** A heading as a unit of the passage that it stands in. */
export type HeadingUnit = ReadUnit & { passage: Passage };

/**
 * The headings right below one that is called what is asked for (`Working groups`, for “Which working groups are
 * there?”), as units in the order of the file, with the passages that they stand in; undefined where no file that
 * was found has such a list. Of Markdown alone.
 * @param partsOf All passages of a file.
 */
export async function headingsAsked(
  question: string,
  passages: readonly Passage[],
  partsOf: (path: string) => Promise<readonly Passage[]>,
): Promise<HeadingUnit[] | undefined> {
  const things = askedThings(question)?.toLowerCase();
  if (things === undefined) return undefined;
  const asked = new Set(contentStems(question));
  // What is called in the singular (`InsecureVersion`) has no list of such things below it.
  const isAsked = (heading: string): boolean =>
    heading.toLowerCase().includes(things) && contentStems(heading).every((word) => asked.has(word));
  const paths = new Set(
    passages
      .filter(({ language, title }) => language === 'markdown' && titleParts(title).some(isAsked))
      .map(({ path }) => path),
  );
  for (const path of paths) {
    const headings = headingsOf(await partsOf(path));
    const at = headings.findIndex(({ unit }) => isAsked(unit.text));
    const level = headings[at]?.level ?? 0;
    const behind = headings.slice(at + 1);
    const end = behind.findIndex((heading) => heading.level <= level);
    const below = at < 0 ? [] : behind.slice(0, end < 0 ? undefined : end);
    const nearest = Math.min(...below.map((heading) => heading.level));
    const list = below.filter((heading) => heading.level === nearest).map(({ unit }) => unit);
    if (list.length >= LEAST_ENTRIES) return list;
  }
  return undefined;
}

/** Headings of a file, from its passages. */
function headingsOf(parts: readonly Passage[]): Heading[] {
  const found: Heading[] = [];
  let isCode = false;
  for (const passage of [...parts].sort((a, b) => a.startLine - b.startLine)) {
    let at = 0;
    for (const line of passage.text.split('\n')) {
      if (FENCE.test(line)) isCode = !isCode;
      const [, signs = '', said = ''] = isCode ? [] : (HEADING.exec(line) ?? []);
      const text = withoutClosing(said.trimEnd());
      if (text !== '') {
        const start = at + line.indexOf(text, signs.length);
        const unit = { passageId: passage.id, passage, text, start, end: start + text.length, score: 1 };
        found.push({ level: signs.length, unit: { ...unit, kind: 'item' } });
      }
      at += line.length + 1;
    }
  }
  return found;
}

/** `Docs ###` is closed by its signs, `C#` is not. */
function withoutClosing(heading: string): string {
  const at = heading.lastIndexOf(' ');
  return /^ #{1,6}$/u.test(heading.slice(at)) ? heading.slice(0, at).trimEnd() : heading;
}
