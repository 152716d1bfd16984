import { expression } from '#base';
import { contentStems } from '#search';
import { isBefore, type Moment, momentsIn, quantitiesIn, type Scale, timeBetween } from './figures.ts';
import type { QuestionPart } from './question-parts.ts';
import { type Quote, stemsIn } from './quote.ts';

/** One of the two sides that a question weighs, with the one unit that answers for it. */
interface WeighedSide {
  part: QuestionPart;
  quote: Quote;
}

/** What the units of two sides come to by arithmetic. */
interface Verdict {
  /** The side that is asked for, the time between the two, or yes or no. */
  short: string;
  /** The figures that it follows from, with whose they are. */
  figures: string;
}

const EARLIER = /\b(?:earlier|first|sooner|older)\b/iu;
const LATER = /\b(?:later|last|newer|younger|more recent(?:ly)?)\b/iu;
/** Asks for the age of a side, of which a unit tells that says when it began. */
const OF_AGE = /^\W*(?:is |are |was |were )?(?:older|newer|younger)\W*$/iu;
const BEGAN = expression('iu')`
  \b(?:born|built|founded|established|created|introduced|launched|opened|released|written|started|begun|began|since)
  \b
`;
const MORE = /\b(?:more(?! recent)|larger|bigger|higher|greater|longer|wider|taller|heavier)\b/iu;
const LESS = /\b(?:fewer|less|smaller|lower|shorter|narrower|lighter)\b/iu;
/** What is counted stands behind one of these: `more beds`, `fewer of the seats`. */
const COUNTED = /\b(?:more|fewer|less) (?:of the )?(\p{L}{3,20})\b/iu;
const HOW_OFTEN = /\b(?:often|frequent(?:ly)?)\b/iu;
/** What is measured, and stands in the unit: `12 GB` of memory. */
const MEASURED = new Set(contentStems('time memory space storage disk bandwidth distance'));
/** What some words can only be of. */
const SCALES_OF: readonly (readonly [RegExp, readonly (Scale | 'count')[]])[] = [
  [/\b(?:longer|shorter)\b/iu, ['time', 'length']],
  [/\b(?:wider|taller|narrower)\b/iu, ['length']],
  [/\b(?:heavier|lighter)\b/iu, ['weight']],
];
/** What is asked is about something else that a side leads to: `film whose director died later`. */
const OF_ANOTHER = /\b(?:who|whose|whom|that|which)\b/iu;
/** Words of a comparison that say nothing of what is compared. */
const COMPARES = new Set(
  contentStems('earlier first sooner later last newer more recent recently less fewer longer come came get is has'),
);
/** So much of what a side is called its unit must say, or what stands above it. */
const OWN_WORDS = 0.5;

/**
 * What two sides come to: which is more or less, earlier or later, or how much time lies between them. Undefined where
 * arithmetic does not tell: a unit has not exactly one figure of the kind, the two cannot be compared, or a unit is not
 * plainly about its side.
 */
export function verdictOf(sides: readonly WeighedSide[]): Verdict | undefined {
  const [one, other] = sides;
  if (!one || !other || sides.length > 2 || !sides.every(speaksOfItsSide)) return undefined;
  if (one.part.ends) return timeOf(one, other);
  const frame = frameOf(one.part);
  if (OF_ANOTHER.test(frame) || !sides.every(speaksOfFrame)) return undefined;
  const verdict = chosenByFigures(frame, one, other) ?? chosenByTime(frame, one, other);
  if (!verdict || !one.part.whether) return verdict;
  return { ...verdict, short: verdict.short === one.part.label ? 'Yes' : 'No' };
}

function speaksOfItsSide({ part, quote }: WeighedSide): boolean {
  const { title, path } = quote.passage;
  const said = new Set(stemsIn(quote.text, quote.context?.text, title, path));
  const own = [...new Set(contentStems(part.label))];
  return own.length > 0 && own.filter((stem) => said.has(stem)).length >= OWN_WORDS * own.length;
}

/** Whether a unit speaks of what is asked of both sides, as far as that has words of its own. */
function speaksOfFrame({ part, quote }: WeighedSide): boolean {
  const frame = frameOf(part);
  if (OF_AGE.test(frame)) return BEGAN.test(quote.text);
  const asked = contentStems(frame).filter((stem) => !COMPARES.has(stem));
  const said = new Set(stemsIn(quote.text, quote.context?.text));
  return asked.some((stem) => said.has(stem));
}

/** What is asked of both sides. */
const frameOf = ({ question, label }: QuestionPart): string => question.slice(label.length);

function chosenByFigures(frame: string, one: WeighedSide, other: WeighedSide): Verdict | undefined {
  const [more, less] = [MORE.test(frame), LESS.test(frame)];
  if (more === less || HOW_OFTEN.test(frame)) return undefined;
  const scales = SCALES_OF.find(([words]) => words.test(frame))?.[1];
  const [things] = scales ? [] : contentStems(COUNTED.exec(frame)?.[1] ?? '');
  const figures = [one, other].map(({ quote }) => {
    const counted = things === undefined ? [] : quantitiesIn(quote.text, things);
    const isMeasure = things === undefined || MEASURED.has(things);
    const found = counted.length === 0 && isMeasure ? quantitiesIn(quote.text) : counted;
    return only(found.filter(({ scale }) => scales?.includes(scale) ?? true));
  });
  const [a, b] = figures;
  if (!a || !b || a.scale !== b.scale || a.value === b.value) return undefined;
  return chosen(a.value > b.value === more, { side: one, text: a.text }, { side: other, text: b.text });
}

function chosenByTime(frame: string, one: WeighedSide, other: WeighedSide): Verdict | undefined {
  const [earlier, later] = [EARLIER.test(frame), LATER.test(frame)];
  if (earlier === later) return undefined;
  const [a, b] = [one, other].map(({ quote }) => only(momentsIn(quote.text)));
  if (!a || !b || !areComparable(a, b) || isBefore(a, b) === isBefore(b, a)) return undefined;
  return chosen(isBefore(a, b) === earlier, { side: one, text: written(a) }, { side: other, text: written(b) });
}

/** Both have a year, and as fine a day as the coarser one needs to stand before or after the other. */
function areComparable(a: Moment, b: Moment): boolean {
  for (const part of ['year', 'month', 'day'] as const) {
    if (a[part] === undefined || b[part] === undefined) return false;
    if (a[part] !== b[part]) return true;
  }
  return a.minutes !== undefined && b.minutes !== undefined;
}

function chosen(isFirst: boolean, ...sides: readonly { side: WeighedSide; text: string }[]): Verdict | undefined {
  const [first, second] = isFirst ? sides : sides.toReversed();
  if (!first || !second) return undefined;
  const shown = [first, second].map(({ side, text }) => `${side.part.label}: ${text}`);
  return { short: first.side.part.label, figures: shown.join('; ') };
}

function timeOf(one: WeighedSide, other: WeighedSide): Verdict | undefined {
  const [a, b] = momentsOf(one, other);
  if (!a || !b) return undefined;
  // Without a year both are of one, and then the first end comes first.
  if (a.year === undefined && (one.quote.passage.uri !== other.quote.passage.uri || isBefore(b, a))) return undefined;
  const short = timeBetween(a, b, one.part.ends?.unit);
  return short === undefined ? undefined : { short, figures: `${written(a)} – ${written(b)}` };
}

/** One moment of each, or the two of a unit that speaks of both ends. */
function momentsOf(one: WeighedSide, other: WeighedSide): readonly (Moment | undefined)[] {
  const isSame = one.quote.passage.id === other.quote.passage.id && one.quote.start === other.quote.start;
  if (!isSame) return [one, other].map(({ quote }) => only(momentsIn(quote.text)));
  const both = momentsIn(one.quote.text);
  return both.length === 2 ? both : [];
}

const only = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

/** `2024-03-04 14:05`, as far as it is known. */
function written({ year, month, day, minutes }: Moment): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = [year, ...[month, day].map((part) => (part === undefined ? undefined : two(part)))]
    .filter((part) => part !== undefined)
    .join('-');
  const clock = minutes === undefined ? '' : `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return [date, clock].filter(Boolean).join(' ');
}
