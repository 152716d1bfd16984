import { expression } from '#base';
import type { UnitKind } from '../../domain/unit.ts';
import type { AskedKind } from './asked-kind.ts';
import { holdsSchedule, NAMES_CONSTANT } from './exact-kinds.ts';
import { HAS_NUMBER } from './number-words.ts';
import { NAMES_LENGTH } from './units-of-time.ts';

const PERIOD = expression('iu')`
  \b(?:ms|msecs?|milliseconds?|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|nights?|weeks?|fortnights?|months?|
    quarters?|years?|decades?|ttl|forever|indefinite(?:ly)?|permanent(?:ly)?|overnight|lifetime)\b|
  \p{N}(?:ms|s|m|h|d|w|y)\b
`;
const LASTING = expression('iu')`
  \b(?:an? (?:single )?(?:second|minute|hour|day|night|week|fortnight|month|quarter|year)|forever|indefinite(?:ly)?|
    permanent(?:ly)?|overnight|lifetime)\b
`;
const POINT_OF_TIME = expression('iu')`
  \b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|
  \b(?:january|february|april|june|july|august|september|october|november|december|spring|summer|autumn|winter|
    christmas|easter|noon|midnight|morning|afternoon|evening|today|tomorrow|yesterday|daily|weekly|biweekly|
    fortnightly|monthly|quarterly|yearly|annual(?:ly)?|hourly|every|each|always|never|after|before|until|during|
    once|whenever|when|upon|immediately|end of|start of|beginning of)\b
`;
/** Months that are other words, too: not `Members may vote.`, `May I vote?` */
const MAY_OR_MARCH = expression('u')`
  \b(?:May|March)\b(?! (?:I|we|you|they|he|she|it|be|not|have|only|also)\b)|\b(?:may|march) \p{N}{1,4}\b(?! \p{L})|
  \p{N}(?:st|nd|rd|th) (?:of )?(?:may|march)\b
`;
/** A year, a date, a time of day or a version: `2019`, `1/5`, `17:30`, `3rd`, `5 pm`, `4.2`. */
const NUMBER_OF_TIME = /\b(?:1[5-9]|20)\p{N}{2}\b|\p{N}[.:/-]\p{N}|\p{N} ?(?:st|nd|rd|th|am|pm|a\.m|p\.m|o'clock)\b/iu;
/** `>=3.10`, `v18`, `Node 20 or later`, `3.10+`; not the `0.5s` of a length. */
const HAS_VERSION = expression('iu')`
  (?:[<>~^]=?|==|\bv)\s?\p{N}|(?<![\p{N}.])\p{N}{1,4}\.\p{N}{1,4}(?:\.\p{N}{1,4})?(?![\p{N}\p{L}%])|
  \b\p{N}{1,4}(?:\+| (?:or|and) (?:above|later|newer|higher|up)\b)|\bversions? \p{N}
`;
/** A version by its place among others; the name of a step that says so (`Install latest kiln`) tells none. */
const VERSION_BY_PLACE = /\b(?:latest|newest|most recent|lts|nightly|(?:last|two|three|\p{N}) versions)\b/iu;
/** `Node 14`, and no day of a month, `Step 3` or `Table 4`. */
const NAME_AND_FIGURE = expression('u')`
  \b(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\p{L}{0,6} |
    (?:Step|Table|Figure|Fig\.|Section|Chapter|Part|Page|Paragraph|Appendix|Annex|Article|Clause|Volume|Listing|
      Equation|Example|Exercise|Lesson|Question|Rule|Note|Point|Item|Line|Row|Column|Option|Phase|Stage|Level|Tier|
      Task|Day|Week|Month|Quarter|Sprint|Issue|Ticket|Room|Floor|Number|No\.)s? )
  \p{Lu}[\p{L}.]{1,20} \p{N}{1,3}\b(?![:%])
`;
/** `$HOME`, `%APPDATA%`, `HTTP_PROXY`, and how programs ask for one. */
const HAS_VARIABLE = /[$%]\{?[A-Za-z_]{2}|\b[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]|\bgetenv\b|\benviron\b|process\.env\b/u;
/** `RAKEOPT`, which is told by its spelling only where a line says that it is one. */
const NAMES_ENVIRONMENT = /\benv(?:ironment)?\s+var(?:iable)?s?\b/iu;
const CAPITALS = /\b[A-Z][A-Z0-9]{2,40}\b/u;
const HAS_FLAG = /(?:^|[\s`'"([,|])--?[a-z]/imu;
/** Of mail, a page, a server or a house. */
const HAS_ADDRESS = expression('iu')`
  [\w-]@[\w-]|https?:\/\/|\bwww\.|\blocalhost\b|\p{N}\.\p{N}|:\p{N}{2}|
  \b(?:street|road|avenue|lane|square|floor|suite|box) ?\p{N}|\p{N} \p{Lu}\p{L}+ (?:street|road|avenue|lane|square)
  \b
`;
/** Mail, a handle, a channel or a telephone. */
const HAS_CONTACT = /[\w-]@[\w-]|(?<![\p{L}\p{N}])[@#]\p{L}[\w-]|\+\p{N}{1,3}[ \p{N}]{6}/u;
/**
 * What looks like a number and counts nothing: targets of links, numbers of issues, footnotes, hashes of commits,
 * GUIDs, `actions/stale@v6.0.0`.
 */
const NO_AMOUNT = expression('giu')`
  \b(?:one another|no one|any one|every one)\b|\b[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\b|
  (?<=[\w-])@v?\p{N}[\p{N}.]*|\]\([^()[\]\n]*\)|https?:\/\/\S+|#\p{N}+|\[\^?\p{N}+\]|
  \b(?:\p{N}{1,40}[a-f]|[a-f]{1,40}\p{N})[0-9a-f]{5,40}\b
`;

/** Not the figure of a name: `H3Error`. */
const FIGURE_OF_CODE = /(?<![\p{L}\p{N}_$])\p{N}/u;

/** A year and the figure of a name count nothing: `Chair since 2021`, `M5`, `1Password`. */
const YEAR_OR_NAME = expression('gu')`
  \b(?:[Ss]ince|[Uu]ntil|[Ii]n|[Ff]rom|[Bb]y) (?:1[6-9]|20)\p{N}{2}\b|\b\p{Lu}{1,2}\p{N}{1,4}\b|
  \b\p{N}{1,2}\p{L}{8,40}\b
`;

/**
 * In a program `one` stands for a thing (`refuses one that is too hot`), and `None`, `free` and the like for no count.
 */
const NO_COUNT = /\b(?:one|none|once|free|half|third|quarter)\b/giu;

/** The nothing that Go gives back beside an error: `return 0, nil, fmt.Errorf(…)`. */
const NOTHING_RETURNED = /\breturn (?:\w{1,30}, ){0,3}0(?=, )/gu;

/** Where a shell's output goes, and what it is called with: `2>&1`, `${1-}`. */
const OF_SHELL = /\b\p{N}?>{1,2}&?\p{N}\b|\b\p{N}>|>&\p{N}|\$\{?\p{N}/gu;

/** Takes one unit for another, and is no amount: `seconds / 60`, `size * 1024`. */
const CONVERTS = /[*/]\s?(?:7|24|60|100|1_?000|1024|3_?600|86_?400|1e\d)(?:\.0)?\b/gu;

/** A version counts nothing: `# v3.2.0`, `"1.4.0-rc.1"`; a date is none. */
const VERSION_OF_CODE = expression('gu')`
  \bv\p{N}{1,4}(?:\.\p{N}{1,4}){0,3}(?:-[\w.]{1,20})?\b|(?<![\p{N}.])\p{N}{1,4}\.\p{N}{1,4}\.(?!(?:19|20)\p{N}{2})
  \p{N}{1,4}(?:-[\w.]{1,20})?(?!\.?\p{N})
`;

/** A time of day is a point, and no amount: `until = "07:00"`. */
const TIME_OF_DAY = /(?<![\p{N}:])(?:[01]?\p{N}|2[0-3]):[0-5]\p{N}(?::[0-5]\p{N})?(?![\p{N}:])/gu;

/** Types whose names have figures: `u64`, `float32`, `int8_t`. */
const SIZED_TYPE = /\b(?:[uif](?:8|16|32|64|128)|(?:u?int|float)(?:8|16|32|64)(?:_t)?)\b/giu;

/** Units that give something its value. */
export const SAYS_VALUE: ReadonlySet<UnitKind> = new Set(['constant', 'default', 'field']);
/** Parameters of a function, one with a value (`limit = 5`, `depth: 2`): behind its keyword or before its body. */
const PARAMETER = expression('u')`
  \b(?:def|fun|function|fn|func|constructor|init|class)\b[^\n(=]{0,80}\([^)]{0,600}[\w\])>?] ?=(?![=>])|
  \bdef [\w.?!]{1,80}\([^)]{0,600}\w: (?:\p{N}|["':[{]|nil\b|true\b|false\b)|
  ^[^\n(=]{1,120}\([^()]{0,600}[\w\])>?] ?=(?![=>])[^()]{0,300}\)[^;\n]{0,80}\{|
  \([^()]{0,300}[\w\])}] ?=(?![=>])[^()]{0,300}\)(?:: ?[^\n=]{1,80})? =>
`;

/** Whether a unit of a program says what a parameter is where nobody gives it. */
export const givesDefault = (text: string): boolean => PARAMETER.test(text.slice(0, 800));

/** Whether a unit is of a program, or gives something its value. */
export const saysValue = (isCode: boolean, kind: UnitKind): boolean => isCode || SAYS_VALUE.has(kind);

/** A unit's own line: headings and items above may stand before it. */
export const lastLineOf = (text: string): string => (text.split('\n').at(-1) ?? '').trim();

/** Whether a unit of a program says what a number is, by a figure or by a constant's name. */
const saysNumber = ({ kind, text }: { kind: UnitKind; text: string }): boolean =>
  SAYS_VALUE.has(kind) && (/[=:]\s*[-+]?\p{N}/u.test(text) || NAMES_CONSTANT.test(text));

/**
 * Whether an answer of the asked kind can stand in a text; in code a bare number may be of any kind, and the name of a
 * constant stands for one.
 */
export function holdsKind(kind: AskedKind, text: string, isCode: boolean, unit?: UnitKind): boolean {
  if (kind === 'variable') return HAS_VARIABLE.test(text) || (NAMES_ENVIRONMENT.test(text) && CAPITALS.test(text));
  if (kind === 'flag') return HAS_FLAG.test(text);
  if (kind === 'version') {
    const said = isCode || unit === 'field' ? lastLineOf(text) : text;
    return HAS_VERSION.test(text) || NAME_AND_FIGURE.test(text) || VERSION_BY_PLACE.test(said);
  }
  if (kind === 'address') return HAS_ADDRESS.test(text);
  if (kind === 'contact') return HAS_CONTACT.test(text);
  const versionless = isCode || unit === 'field' ? text.replace(VERSION_OF_CODE, ' ') : text;
  const amounts = isCode
    ? versionless.replace(SIZED_TYPE, ' ').replace(NOTHING_RETURNED, ' ').replace(CONVERTS, ' ').replace(OF_SHELL, ' ')
    : versionless;
  const timeless = kind === 'time' ? amounts : amounts.replace(TIME_OF_DAY, ' ');
  if (isCode && unit && kind !== 'time' && saysNumber({ kind: unit, text: timeless })) return true;
  const said = timeless.replace(NO_AMOUNT, ' ');
  const number = HAS_NUMBER.test(said);
  switch (kind) {
    case 'number':
      return HAS_NUMBER.test((isCode ? said.replace(NO_COUNT, ' ') : said).replace(YEAR_OR_NAME, ' '));
    case 'duration':
      return isCode && (unit !== 'comment' || NAMES_LENGTH.test(said))
        ? FIGURE_OF_CODE.test(said)
        : PERIOD.test(said) && (number || LASTING.test(said));
    case 'time':
      return (
        (isCode ? /\p{N}/u : NUMBER_OF_TIME).test(said) ||
        POINT_OF_TIME.test(said) ||
        MAY_OR_MARCH.test(said) ||
        (number && PERIOD.test(said)) ||
        holdsSchedule(text)
      );
  }
}
