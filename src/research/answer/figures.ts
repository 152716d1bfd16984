import { expression } from '#base';
import { contentStems } from '#search';

/** In English, from January on. */
export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** A day, or an hour of it, that a text names; what it leaves out is undefined. */
export interface Moment {
  year?: number;
  /** 1 to 12. */
  month?: number;
  day?: number;
  /** Since midnight. */
  minutes?: number;
}

const MONTH =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\b\\.?';
const YEAR = '(1[5-9]\\d{2}|20\\d{2})(?!\\d)';
const ISO_DAY = /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/gu;
const DAY_FIRST = new RegExp(String.raw`(?<![\d.:])(\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? ${YEAR})?`, 'gu');
const MONTH_FIRST = new RegExp(String.raw`\b${MONTH} (\d{1,2})(?:st|nd|rd|th)?(?![\d:.])(?:,? ${YEAR})?`, 'gu');
const MONTH_AND_YEAR = new RegExp(String.raw`\b${MONTH},? ${YEAR}`, 'gu');
const YEAR_ALONE = /(?<![\d.,:/_-])(1[5-9]\d{2}|20\d{2})(?![\d_-]|[.,:/]\d|s\b)/gu;
const CLOCK = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?![\d:])/gu;

const monthOf = (name: string | undefined): number =>
  MONTHS.findIndex((month) => month.startsWith((name ?? '').slice(0, 3).toLowerCase())) + 1;
const numberIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/**
 * The moments that a text names, each once: days as finely as they are written (`2024-03-04`, `4 March 2024`, `March
 * 4`, `March 2024`, `2024`), and the hours beside them where there is one day or none.
 */
export function momentsIn(text: string): Moment[] {
  const found: Moment[] = [];
  let rest = text;
  const take = (pattern: RegExp, read: (match: readonly (string | undefined)[]) => Moment): void => {
    rest = rest.replace(pattern, (...match: (string | undefined)[]) => {
      const moment = read(match);
      if (isPossible(moment)) found.push(moment);
      return ' ';
    });
  };
  take(ISO_DAY, ([, year, month, day]) => ({ year: Number(year), month: Number(month), day: Number(day) }));
  take(DAY_FIRST, ([, day, month, year]) => ({ year: numberIn(year), month: monthOf(month), day: Number(day) }));
  take(MONTH_FIRST, ([, month, day, year]) => ({ year: numberIn(year), month: monthOf(month), day: Number(day) }));
  take(MONTH_AND_YEAR, ([, month, year]) => ({ year: Number(year), month: monthOf(month) }));
  take(YEAR_ALONE, ([, year]) => ({ year: Number(year) }));
  const hours = [...rest.matchAll(CLOCK)].map(([, hour, minute]) => Number(hour) * 60 + Number(minute));
  const days = distinct(found);
  const [only = {}] = days;
  if (days.length > 1 || hours.length === 0) return days;
  return distinct(hours.map((minutes) => ({ ...only, minutes })));
}

const isPossible = ({ month = 1, day = 1 }: Moment): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

const distinct = (moments: readonly Moment[]): Moment[] => [
  ...new Map(
    moments.map((moment) => [[moment.year, moment.month, moment.day, moment.minutes].join(' '), moment]),
  ).values(),
];

/** What time is counted in, from fine to coarse. */
const UNITS_OF_TIME = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type UnitOfTime = (typeof UNITS_OF_TIME)[number];

const MINUTES_OF_DAY = 24 * 60;
/** Up to so many days a time is told in days where nobody asks for another unit. */
const MOST_DAYS = 60;

/**
 * The time between two moments, whichever comes first, in words; undefined where they do not tell it: one is coarser
 * than what is asked for, or one has a year and the other none.
 * @param unit In which it is asked for; undefined: in what suits it.
 */
export function timeBetween(one: Moment, other: Moment, unit?: UnitOfTime): string | undefined {
  const [from, to] = isBefore(other, one) ? [other, one] : [one, other];
  if ((from.year === undefined) !== (to.year === undefined)) return undefined;
  const fine = finestOf(from, to);
  if (fine === undefined) return undefined;
  const asked = unit ?? fine;
  if (UNITS_OF_TIME.indexOf(asked) < UNITS_OF_TIME.indexOf(fine)) return undefined;
  if (asked === 'year' || asked === 'month') return calendarTime(from, to, fine, asked);
  // Where one of them has no hour, neither counts.
  const minutes = fine === 'day' ? minutesOf(dayOf(to)) - minutesOf(dayOf(from)) : minutesOf(to) - minutesOf(from);
  const days = Math.floor(minutes / MINUTES_OF_DAY);
  if (asked === 'week') return joined([Math.floor(days / 7), 'week'], [days % 7, 'day']);
  if (asked === 'day')
    return unit === undefined && days > MOST_DAYS ? calendarTime(from, to, fine, 'month') : joined([days, 'day']);
  if (unit === 'minute') return joined([minutes, 'minute']);
  return joined([Math.floor(minutes / 60), 'hour'], [minutes % 60, 'minute']);
}

/** The unit in which both are exact; undefined where they share none. */
function finestOf(one: Moment, other: Moment): UnitOfTime | undefined {
  const both = (key: keyof Moment): boolean => one[key] !== undefined && other[key] !== undefined;
  const sameDay = one.year === other.year && one.month === other.month && one.day === other.day;
  if (both('minutes') && (sameDay || both('day'))) return 'minute';
  if (both('day')) return 'day';
  if (both('month') && both('year')) return 'month';
  return both('year') ? 'year' : undefined;
}

/** Years, months and days by the calendar, as far as they are known. */
function calendarTime(from: Moment, to: Moment, fine: UnitOfTime, largest: 'year' | 'month'): string {
  let months = ((to.year ?? 0) - (from.year ?? 0)) * 12 + (fine === 'year' ? 0 : (to.month ?? 1) - (from.month ?? 1));
  let days = 0;
  if (fine !== 'year' && fine !== 'month') {
    if (minutesOf(afterMonths(from, months)) > minutesOf(dayOf(to))) months -= 1;
    days = (minutesOf(dayOf(to)) - minutesOf(afterMonths(from, months))) / MINUTES_OF_DAY;
  }
  const years = largest === 'year' || months >= 24 ? Math.floor(months / 12) : 0;
  return joined([years, 'year'], [months - years * 12, 'month'], [days, 'day']);
}

/** @param month 1 to 12 */
const daysOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const dayOf = ({ minutes: _minutes, ...day }: Moment): Moment => day;

/** The same day so many months later, the last one of a month that is too short for it: 31 January, 28 February. */
function afterMonths({ year = 2001, month = 1, day = 1 }: Moment, months: number): Moment {
  const at = year * 12 + month - 1 + months;
  const [inYear, inMonth] = [Math.floor(at / 12), (at % 12) + 1];
  return { year: inYear, month: inMonth, day: Math.min(day, daysOfMonth(inYear, inMonth)) };
}

/** `2 hours, 5 minutes`; nothing of what is none, `0 days` where nothing is left. */
function joined(...parts: readonly (readonly [number, UnitOfTime])[]): string {
  const some = parts.filter(([count]) => count > 0);
  const shown = some.length > 0 ? some : parts.slice(-1);
  return shown.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', ');
}

/** Of moments without a year those of one year; so many minutes since any fixed day. */
const minutesOf = ({ year = 2001, month = 1, day = 1, minutes = 0 }: Moment): number =>
  Date.UTC(year, month - 1, day) / 60_000 + minutes;

export const isBefore = (one: Moment, other: Moment): boolean => minutesOf(one) < minutesOf(other);

/** Factors of units that measure one thing, each to the smallest of them; a letter that may mean two is none. */
const SCALES = {
  time: {
    ms: 1,
    millisecond: 1,
    s: 1_000,
    sec: 1_000,
    second: 1_000,
    min: 60_000,
    minute: 60_000,
    h: 3_600_000,
    hr: 3_600_000,
    hour: 3_600_000,
    d: 86_400_000,
    day: 86_400_000,
    night: 86_400_000,
    week: 604_800_000,
    fortnight: 1_209_600_000,
    month: 2_629_800_000,
    year: 31_557_600_000,
  },
  size: { byte: 1, kb: 1_000, kib: 1_024, mb: 1e6, mib: 1_048_576, gb: 1e9, gib: 1_073_741_824, tb: 1e12 },
  share: { '%': 1, percent: 1 },
  length: { mm: 1, cm: 10, metre: 1_000, meter: 1_000, km: 1e6, kilometre: 1e6, kilometer: 1e6 },
  weight: { kg: 1, kilogram: 1, tonne: 1_000 },
} as const satisfies Record<string, Record<string, number>>;
export type Scale = keyof typeof SCALES;

/** A number that a text gives, with what it is of: `30 * time.Second`, `64%`, `1,200 days`. */
interface Quantity {
  /** In the smallest unit of its scale. */
  value: number;
  scale: Scale | 'count';
  /** As it is written. */
  text: string;
}

const MEASURED = expression('gu')`
  (?<![\p{L}\p{N}_.:/-])(\d{1,3}(?:,\d{3}){1,4}|\d{1,15}(?:[._]\d{1,15})?)(?:-| ?\* ?(?:\w{1,20}\.)?| )?
  (%|\p{L}{1,14})
`;

/**
 * What a text says of how much of something there is, each value once.
 * @param things Stem of what is counted; undefined: measures of time, size, share, length and weight are looked for.
 */
export function quantitiesIn(text: string, things?: string): Quantity[] {
  const found = [...text.matchAll(MEASURED)].flatMap(([said, number = '', word = '']): Quantity[] => {
    const value = Number(number.replace(/[,_]/gu, ''));
    if (things !== undefined) return contentStems(word)[0] === things ? [{ value, scale: 'count', text: said }] : [];
    const unit = word.length === 1 ? word : word.toLowerCase();
    const singular = unit.length > 2 && unit.endsWith('s') ? unit.slice(0, -1) : unit;
    return Object.entries(SCALES).flatMap(([scale, units]) => {
      const factor = new Map(Object.entries(units)).get(singular);
      return factor === undefined ? [] : [{ value: value * factor, scale: scale as Scale, text: said }];
    });
  });
  return [...new Map(found.map((each) => [`${each.value} ${each.scale}`, each])).values()];
}
