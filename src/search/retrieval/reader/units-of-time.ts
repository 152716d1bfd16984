import { expression } from '#base';
import type { UnitKind } from '../../domain/unit.ts';

/** What a question counts time in: `After how many seconds`. */
export const HOW_MANY_OF_TIME = /\bhow many (milliseconds|seconds|minutes|hours|days|weeks|months|years)\b/iu;

/** What time is counted in, in a text: `30 seconds`, `500ms`, `stay_max_days`, `until Monday`. */
export const HAS_UNIT_OF_TIME = expression('iu')`
  \b(?:ms|msecs?|milliseconds?|(?<!['’])s|secs?|seconds|(?:\p{N}|a|one|per|each|every)[ -]second|mins?|minutes?|
    hrs?|hours?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?|decades?|overnight|annual(?:ly)?|daily|
    weekly|monthly|yearly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|immediate(?:ly)?|forever|never)\b|
  \p{N}(?:ms|s|m|h|d|w|y)\b|_(?:m?s|secs?|mins?|h|d)\b|[\p{L}_-](?:seconds|minutes|hours|days|weeks|months|years)\b|
  \b(?:seconds|minutes|hours|days|weeks|months|years)[\p{L}_-]
`;

/**
 * A figure in a comment is a length of time only where a unit of time is named, or one of these:
 * `timeout: 30 by default`.
 */
export const NAMES_LENGTH = expression('iu')`
  timeout|delay|interval|duration|expir|cooldown|backoff|lifetime|\b(?:period|age|ttl|waits?|waiting)\b|
  _(?:ttl|wait)\b
`;

/** Further names of programs for a length of time: `max_age`, `keepAlive`, `sleep(3)`. */
const NAMES_LENGTH_IN_CODE = /sleep|retention|heartbeat|keep_?alive|grace|_(?:age|after|period)\b|m(?:ax|in)_?age\b/iu;

/** How programs write each unit, in lower case with parts of names apart: `time.second`, `from_secs`, `30s`. */
const FORMS: Readonly<Record<string, RegExp>> = {
  milliseconds: /milliseconds|\bmillisecond\b|(?<![a-z])(?:ms|msecs?|millis)(?![a-z])/u,
  // Not `the second steward`, `BEFORE_SECOND_STEWARD`.
  seconds: expression('u')`
    seconds|(?:[.*] ?|(?:\p{N}|\b(?:an?|one|per|each|every))[ -])second\b|\bsecond ?\*|(?<![a-z])secs?(?![a-z])|
    [\p{N}_]s(?![a-z\p{N}_])
  `,
  // Not `MIN_BERTHS`, `Math.min(`.
  minutes: /minutes|\bminute\b|(?<![a-z])mins(?![a-z])|(?:\p{N} ?|_)min(?![a-z_])|\p{N}m(?![a-z\p{N}_])/u,
  hours: /hours|\bhour\b|(?<![a-z])hrs?(?![a-z])|[\p{N}_]h(?![a-z\p{N}_])/u,
  // Not `2d`, `3d` of a drawing.
  days: /days|\bday\b|(?:\p{N}{2}|[14-9_])d(?![a-z\p{N}_])/u,
  weeks: /weeks|\bweek\b|(?<![a-z])wks?(?![a-z])|\p{N}w(?![a-z\p{N}_])/u,
  months: /months|\bmonth\b/u,
  years: /years|\byear\b|(?<![a-z])yrs?(?![a-z])|\p{N}y(?![a-z\p{N}_])/u,
};

/** `pollSecs` as `poll_secs`. */
const withNamesApart = (text: string): string => text.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, '_').toLowerCase();

/** A setting or constant whose name says what it is counted in: `repeat_minutes = 20`, `const WAIT_MINUTES = 5`. */
const COUNTED_IN = expression('imu')`
  ^(?:(?:const|let|var|val|static|final|public|private|export|pub|readonly|int|long) ){0,5}
  ["']?[\w.-]{0,80}(?:seconds|minutes|hours|days|weeks|months|years)["']?\s*[=:]
`;

/**
 * Whether a unit may tell how many of a unit of time something takes. A figure of a program may be bare where its name
 * speaks of a length of time (`TIMEOUT = 600`); whose name says that it is counted in something else does not tell.
 * @param asked The unit of time that the question names; undefined where it names none.
 */
export function tellsInUnitOfTime(
  asked: string | undefined,
  { kind, text, isCode }: { kind: UnitKind; text: string; isCode: boolean },
): boolean {
  if (asked === undefined || FORMS[asked]?.test(withNamesApart(text))) return true;
  if ((isCode || kind === 'field') && COUNTED_IN.test(text)) return false;
  return !isCode || NAMES_LENGTH.test(text) || NAMES_LENGTH_IN_CODE.test(text);
}
