import { wordSet } from '#base';
import type { UnitKind } from '../../domain/unit.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { contentStems } from '../../text/words.ts';
import { holdsExactly, holdsSchedule, NAMES_CONSTANT } from './exact-kinds.ts';

export const ASKED_KINDS = ['number', 'duration', 'time', 'version', 'variable', 'flag', 'address', 'contact'] as const;
/** What a question asks for, where its words tell what an answer must hold. */
export type AskedKind = (typeof ASKED_KINDS)[number];

/** Of each kind: its question word, or `which`, `what is the` and at most two words before the noun. */
const DURATION =
  /\bhow (?:long|old|soon|quickly)\b|\b(?:what|which)(?: (?:is|are|was|were) (?:the|our|its))?(?: \p{L}+){0,2} (?:duration|timeout|interval|notice period)\b/iu;
/** `How long can the subject of a commit be?`: so many characters, and no time. */
const LENGTH_OF_TEXT =
  /\bhow long (?:can|may|could|should|must|might|is|are)\b[^?]{0,60}\b(?:messages?|subjects?|lines?|names?|usernames?|titles?|passwords?|passphrases?|descriptions?|summar(?:y|ies)|paths?|urls?|slugs?|keys?|strings?|texts?|headers?|headings?|comments?|sentences?|fields?|labels?|tags?|identifiers?|abstracts?)\b(?:[^?]{0,40} be(?= ?(?:[?,.]|$|(?:if|before|in|at|here)\b))|(?= ?(?:[?,.]|$)))/iu;
const FREQUENCY = /\bhow (?:often|frequently|regularly)\b/iu;
const DATE =
  /\b(?:what|which)(?: (?:is|are|was|were) (?:the|our|its))?(?: \p{L}+){0,2} (?:date|day|year|month|time|weekday|hour)s?\b/iu;
const NUMBER =
  /\bhow (?:many|much|large|big|tall|high|far|fast|wide|deep|heavy)\b|\b(?:what|which)(?: (?:is|are|was|were) (?:the|our|its))?(?: \p{L}+){0,2} (?:number|percentage|percent|port|size|limit|price|amount|count|total|maximum|minimum|status code|budget|salary|fee|rate|quorum|threshold)\b/iu;
/** `When is a freeze acceptable?` asks for conditions. */
const ASKS_CONDITION =
  /^\s*(?:and )?when (?:is|are|was|were|should|may|can|must|do|does)\b[^?]{0,80}\b(?:acceptable|allowed|appropriate|permitted|possible|required|necessary|needed|ok(?:ay)?|justified|useful|forbidden|worth|better|safe|used|use|need|apply|applies)\b/iu;
/** Elsewhere `when` opens a condition: `When I shut a contribution, which tag …`, `What happens when …`. */
const ASKS_WHEN =
  /^\s*(?:and )?when (?:is|are|was|were|do|does|did|will|would|can|could|should|must|has|have|had|to)\b|\b(?:since|from|until|by) when\b/iu;

/** `Which Python versions are supported?`, `What version of Node does it need?`, `Since which release …` */
const VERSION =
  /\b(?:what|which)(?: (?:is|are) (?:the|our))?(?: [\p{L}.+#]+){0,3} (?:version|release)s?\b(?! (?:note|checklist|branch|process|manager|cycle|candidate|script|step|page|job))/iu;
/** `Oldest Java version we may run on`; not `How do I pin an exact version?` */
const VERSION_BY_ORDER =
  /\b(?:exact|oldest|lowest|minimum|minimal|highest|earliest|required) (?:[\p{L}.+#]+ ){0,2}versions?\b/iu;
const ASKS_OTHERWISE = /^\s*(?:and |so |but )?(?:how|why|where|who|when|can|does?|is|are|should)\b/iu;
const VARIABLE =
  /\b(?:what|which)(?: \p{L}+){0,2} (?:environment variable|env var)s?\b|\b(?:what|which) variables? (?:sets?|controls?|overrides?|configures?|(?:en|dis)ables?|changes?|moves?|turns?)\b/iu;
const FLAG = /\b(?:what|which)(?: \p{L}+){0,2} (?:flag|command.line (?:option|switch))(?:es|s)?\b/iu;
const ADDRESS = /\b(?:what|which)(?: (?:is|are) (?:the|our))?(?: \p{L}+){0,2} (?:e-?mail|address|url|website)\b/iu;

/** `Who do I write to`, `Whom should we tell`; not `Who do we sell to`. */
const CONTACT =
  /\bwhom? (?:do|does|can|could|should|must|may|would|shall) (?:i|we|you|one|people|they|\p{L}+s) (?:contact|ask|tell|email|e-?mail|ping|call|notify|inform|message)\b|\bwhom? (?:do|does|can|could|should|must|may|would|shall) (?:i|we|you|one|people|they|\p{L}+s) (?:write|talk|speak|report|turn|go|reach out|complain|send|escalate)\b[^?]{0,80}\b(?:to|with)\b|\bwho(?:m)? to (?:contact|ask|tell|email|call|notify)\b/iu;

/** What the question asks for; undefined where nothing can be said. */
export function askedKind(question: string): AskedKind | undefined {
  if (VARIABLE.test(question)) return 'variable';
  if (FLAG.test(question)) return 'flag';
  if (ADDRESS.test(question)) return 'address';
  if (VERSION.test(question) || (VERSION_BY_ORDER.test(question) && !ASKS_OTHERWISE.test(question))) return 'version';
  if (CONTACT.test(question)) return 'contact';
  if (LENGTH_OF_TEXT.test(question)) return 'number';
  if (DURATION.test(question)) return 'duration';
  if (FREQUENCY.test(question)) return 'time';
  if (NUMBER.test(question)) return 'number';
  return DATE.test(question) || (ASKS_WHEN.test(question) && !ASKS_CONDITION.test(question)) ? 'time' : undefined;
}

const OF_THING =
  /\b(?:what|which|exact|oldest|lowest|minimum|minimal|highest|earliest|required) ((?:[\p{L}\p{N}.+#-]{1,40} ){1,3})versions?\b|\bversions? of (?:the )?((?:[\p{L}\p{N}.+#-]{1,40} ?){1,2})/giu;
/** Words before `version` that name no thing. */
const NO_THING = wordSet(
  'is are was were the our its a any minimum minimal min maximum max oldest newest latest current new major minor patch exact first last next stable supported lowest highest required older earlier earliest old lts pinned previous default public language',
);

/**
 * Stems of the thing whose version is asked for: `Which clap version`, `the version of clap`; none where it is ours.
 */
export const versionedThing = (question: string): string[] =>
  (askedKind(question) === 'version' ? [...question.matchAll(OF_THING)] : []).flatMap(([, before = '', after = '']) =>
    contentStems(
      `${before} ${after}`
        .split(' ')
        .filter((word) => !NO_THING.has(word.toLowerCase()))
        .join(' '),
    ),
  );

const HAS_NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|million|dozen|half|quarter|third|majority|couple|several|once|twice|unlimited|none|free|nobody|nothing|zero|double|single|infinity)s?\b/iu;
const PERIOD =
  /\b(?:ms|msecs?|milliseconds?|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?|decades?|ttl|forever|indefinite(?:ly)?|permanent(?:ly)?|overnight|lifetime)\b|\p{N}(?:ms|s|m|h|d|w|y)\b/iu;
const LASTING =
  /\b(?:an? (?:single )?(?:second|minute|hour|day|night|week|fortnight|month|quarter|year)|forever|indefinite(?:ly)?|permanent(?:ly)?|overnight|lifetime)\b/iu;
const POINT_OF_TIME =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|christmas|easter|noon|midnight|morning|afternoon|evening|today|tomorrow|yesterday|daily|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?|hourly|every|each|always|never|after|before|until|during|once|whenever|when|upon|immediately|end of|start of|beginning of)\b/iu;
/** A year, a date, a time of day or a version: `2019`, `1/5`, `17:30`, `3rd`, `5 pm`, `4.2`. */
const NUMBER_OF_TIME = /\b(?:1[5-9]|20)\p{N}{2}\b|\p{N}[.:/-]\p{N}|\p{N} ?(?:st|nd|rd|th|am|pm|a\.m|p\.m|o'clock)\b/iu;
/** `>=3.10`, `v18`, `Node 20 or later`, `3.10+`; not the `0.5s` of a length. */
const HAS_VERSION =
  /(?:[<>~^]=?|==|\bv)\s?\p{N}|(?<![\p{N}.])\p{N}{1,4}\.\p{N}{1,4}(?:\.\p{N}{1,4})?(?![\p{N}\p{L}%])|\b\p{N}{1,4}(?:\+| (?:or|and) (?:above|later|newer|higher|up)\b)|\bversions? \p{N}/iu;
/** A version by its place among others; the name of a step that says so (`Install latest kiln`) tells none. */
const VERSION_BY_PLACE = /\b(?:latest|newest|most recent|lts|nightly|(?:last|two|three|\p{N}) versions)\b/iu;
/** `Node 14`, and no day of a month. */
const NAME_AND_FIGURE =
  /\b(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\p{L}{0,6} )\p{Lu}[\p{L}.]{1,20} \p{N}{1,3}\b(?![:%])/u;
/** `$HOME`, `%APPDATA%`, `HTTP_PROXY`, and how programs ask for one. */
const HAS_VARIABLE = /[$%]\{?[A-Za-z_]{2}|\b[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]|\bgetenv\b|\benviron\b|process\.env\b/u;
const HAS_FLAG = /(?:^|[\s`'"([,|])--?[a-z]/imu;
/** Of mail, a page, a server or a house. */
const HAS_ADDRESS =
  /[\w-]@[\w-]|https?:\/\/|\bwww\.|\blocalhost\b|\p{N}\.\p{N}|:\p{N}{2}|\b(?:street|road|avenue|lane|square|floor|suite|box) ?\p{N}|\p{N} \p{Lu}\p{L}+ (?:street|road|avenue|lane|square)\b/iu;
/** Mail, a handle, a channel or a telephone. */
const HAS_CONTACT = /[\w-]@[\w-]|(?<![\p{L}\p{N}])[@#]\p{L}[\w-]|\+\p{N}{1,3}[ \p{N}]{6}/u;
/**
 * What looks like a number and counts nothing: targets of links, numbers of issues, footnotes, hashes of commits,
 * GUIDs, `actions/stale@v6.0.0`.
 */
const NO_AMOUNT =
  /\b(?:one another|no one|any one|every one)\b|\b[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\b|(?<=[\w-])@v?\p{N}[\p{N}.]*|\]\([^()[\]\n]*\)|https?:\/\/\S+|#\p{N}+|\[\^?\p{N}+\]|\b(?:\p{N}{1,40}[a-f]|[a-f]{1,40}\p{N})[0-9a-f]{5,40}\b/giu;

/** Not the figure of a name: `H3Error`. */
const FIGURE_OF_CODE = /(?<![\p{L}\p{N}_$])\p{N}/u;

/** A year and the figure of a name count nothing: `Chair since 2021`, `M5`, `1Password`. */
const YEAR_OR_NAME =
  /\b(?:[Ss]ince|[Uu]ntil|[Ii]n|[Ff]rom|[Bb]y) (?:1[6-9]|20)\p{N}{2}\b|\b\p{Lu}{1,2}\p{N}{1,4}\b|\b\p{N}{1,2}\p{L}{8,40}\b/gu;

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
const VERSION_OF_CODE =
  /\bv\p{N}{1,4}(?:\.\p{N}{1,4}){0,3}(?:-[\w.]{1,20})?\b|(?<![\p{N}.])\p{N}{1,4}\.\p{N}{1,4}\.(?!(?:19|20)\p{N}{2})\p{N}{1,4}(?:-[\w.]{1,20})?(?!\.?\p{N})/gu;

/**
 * A figure in a comment is a length of time only where a unit of time is named, or one of these:
 * `timeout: 30 by default`.
 */
const NAMES_LENGTH =
  /timeout|delay|interval|duration|expir|cooldown|backoff|lifetime|\b(?:period|age|ttl|waits?|waiting)\b|_(?:ttl|wait)\b/iu;

/** `saves 50-60 %`, and what it is a share of: things that are counted may be said so, `60 % of the votes`. */
const SHARE =
  /\p{N}(?:[\p{N}.,]{0,8}\p{N})?(?: ?(?:[-–]|to) ?\p{N}[\p{N}.,]{0,8})? ?(?:%|per ?cent\b)(?: of (?:the |all |our |its |their )?([\p{L}-]{3,40}))?/giu;
const COUNTED = /\bhow many (?!per ?cent)(?:of (?:the|our|your|their) )?([\p{L}-]{3,40})/iu;

/** Without the shares of other things than those that are counted, which count none of them. */
function withoutShares(question: string, text: string): string {
  const counted = contentStems(COUNTED.exec(question)?.[1] ?? '');
  return counted.length === 0
    ? text
    : text.replace(SHARE, (share, of?: string) =>
        of !== undefined && contentStems(of).some((stem) => counted.includes(stem)) ? share : ' ',
      );
}

/** A time of day is a point, and no amount: `until = "07:00"`. */
const TIME_OF_DAY = /(?<![\p{N}:])(?:[01]?\p{N}|2[0-3]):[0-5]\p{N}(?::[0-5]\p{N})?(?![\p{N}:])/gu;

const ASKS_FOR_DEFAULT = /\bdefaults?\b/iu;
/** Types whose names have figures: `u64`, `float32`, `int8_t`. */
const SIZED_TYPE = /\b(?:[uif](?:8|16|32|64|128)|(?:u?int|float)(?:8|16|32|64)(?:_t)?)\b/giu;

const SAYS_VALUE: ReadonlySet<UnitKind> = new Set(['constant', 'default', 'field']);
const HAS_VALUE = /[=:]\s*\S/u;
/** Parameters of a function, one with a value (`limit = 5`, `depth: 2`): behind its keyword or before its body. */
const PARAMETER =
  /\b(?:def|fun|function|fn|func|constructor|init|class)\b[^\n(=]{0,80}\([^)]{0,600}[\w\])>?] ?=(?![=>])|\bdef [\w.?!]{1,80}\([^)]{0,600}\w: (?:\p{N}|["':[{]|nil\b|true\b|false\b)|^[^\n(=]{1,120}\([^()]{0,600}[\w\])>?] ?=(?![=>])[^()]{0,300}\)[^;\n]{0,80}\{|\([^()]{0,300}[\w\])}] ?=(?![=>])[^()]{0,300}\)(?:: ?[^\n=]{1,80})? =>/u;

/** Whether a unit of a program says what a parameter is where nobody gives it. */
export const givesDefault = (text: string): boolean => PARAMETER.test(text.slice(0, 800));

/** Whether a unit is of a program, or gives something its value. */
export const saysValue = (isCode: boolean, kind: UnitKind): boolean => isCode || SAYS_VALUE.has(kind);

/** A unit's own line: headings and items above may stand before it. */
const lastLineOf = (text: string): string => (text.split('\n').at(-1) ?? '').trim();

/** Whether a unit of a program says what a number is, by a figure or by a constant's name. */
const saysNumber = ({ kind, text }: Pick<FittedUnit, 'kind' | 'text'>): boolean =>
  SAYS_VALUE.has(kind) && (/[=:]\s*[-+]?\p{N}/u.test(text) || NAMES_CONSTANT.test(text));

/**
 * Whether an answer of the asked kind can stand in a text; in code a bare number may be of any kind, and the name of a
 * constant stands for one.
 */
export function holdsKind(kind: AskedKind, text: string, isCode: boolean, unit?: UnitKind): boolean {
  if (kind === 'variable') return HAS_VARIABLE.test(text);
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
        (number && PERIOD.test(said)) ||
        holdsSchedule(text)
      );
  }
}

/** Whether the question asks for what a file takes from elsewhere. */
const ASKS_FOR_IMPORTS = /\b(?:import|depend|package|librar|module|require|takes? from|uses?|using)/iu;
const ASKS_RELEASE =
  /\b(?:releases?|since|introduc\w+|add(?:s|ed)?|fix(?:es|ed)?|remov\w+|dropp\w+|chang\w+|deprecat\w+|came|landed|shipped|first)\b/iu;
/** The heading of a release, above what changed in it. */
const RELEASE_ABOVE = /^\[?v?\p{N}{1,4}\.\p{N}{1,4}[^\n›]{0,60}(?=›|\n)/u;

/** Things that use something are asked for: no import is one of them. */
const ASKS_FOR_USERS =
  /^\s*(?:which|what) (?!\S{0,20}(?:librar|package|module|dependenc))(?:\S{1,40} ){1,3}uses? (?:the|an?|its) \S/iu;

/** What illustrates a rule stands behind the rule. */
const IS_EXAMPLE = /^\s*(?:for (?:instance|example)|e\.\s?g\.|suppose|imagine)\b/iu;
const ASKS_FOR_EXAMPLE = /\b(?:example|instance|e\.g)\b/iu;

/** A link to another page and nothing else. */
const ONLY_A_LINK =
  /^(?:(?:[-*+]|\p{N}{1,9}[.)])\s{1,9})?(?:\[[^[\]\n]{1,300}\]\([^()\n]{0,500}\)|\[\[[^[\]\n]{1,300}\]\])\.?$/u;
/** What has a page may be asked for: a thing, a person, a place. */
const MAY_BE_LINKED = /\b(?:which|who|whom|whose|where|what are|list|links?|pages?|documents?|guides?)\b/iu;

/** `Date: 2023-11-14`, `last_reviewed_on: 3 May 2024`: when a page was written or looked at. */
const DATE_OF_PAGE =
  /^(?:[-*+] )?[*_]{0,2}(?:(?:start )?date|(?:created|published|(?:last[ _-])?(?:reviewed|updated|modified))(?:[ _-](?:on|at))?)(?::[*_]{0,2}|[*_]{0,2}:) ?["']?(?:(?:1[5-9]|20)\p{N}{2}[-/.]\p{N}{1,2}[-/.]\p{N}{1,2}|\p{N}{1,2}[-/. ](?:\p{N}{1,2}|\p{L}{3,9})[-/. ](?:1[5-9]|20)\p{N}{2}|\p{L}{3,9} \p{N}{1,2}, (?:1[5-9]|20)\p{N}{2})["']?$/iu;
const ASKS_FOR_DATE =
  /\b(?:dates?|dated|when|old|recent\p{L}*|since|last|latest|start\p{L}*|began|years?|months?|days?|times?|review\p{L}*|updat\p{L}*|creat\p{L}*|publish\p{L}*|modif\p{L}*|written)\b/iu;

/** What code in a text answers, beside what shows how something looks. */
const ASKS_HOW =
  /\b(?:how (?:do|does|can|could|should|would|to)|examples?|commands?|code|syntax|usage|runs?|calls?|looks?)\b/iu;
/** What is said stands below; `:smile:` ends a line that says it itself. */
const ANNOUNCES = /(?<!:[\w+-]{1,30})[:：][*_\s]{0,10}$/u;
/** A line that asks answers nothing. */
const IS_QUESTION = /\?["”'’)\]*_\s]{0,10}$/u;
const ASKS_FOR_QUESTIONS = /\b(?:ask(?:s|ed|ing)?|questions?)\b/iu;

/** `How do I add a dependency?`, `How can one …`: a member of a class that is no more than declared does not say it. */
const HOW_DOES_ONE = /\bhow (?:do|can|could|should|would|must) (?:i|we|you|one|people|they)\b|\bhow to\b/iu;
const DECLARES = /^[\w$#@]{1,80}\??: ?[^"'`=(){}]{1,120}[;,]?$/u;

/** `After how many seconds`: a program says it by the name of a constant, or in the comment above. */
const HOW_MANY_OF_TIME = /\bhow many (milliseconds|seconds|minutes|hours|days|weeks|months|years)\b/iu;

/** A setting whose name says what it is counted in: `repeat_minutes = 20`. */
const COUNTED_IN = /^["']?[\w.-]{0,80}(?:seconds|minutes|hours|days|weeks|months|years)["']?\s*[=:]/imu;

/** Whether a unit of a program names what time is counted in, where the question does; a setting names no other. */
function namesUnitOfTime(question: string, { kind, text, isCode }: FittedUnit): boolean {
  const asked = HOW_MANY_OF_TIME.exec(question)?.[1];
  if (asked === undefined || text.toLowerCase().includes(asked.toLowerCase())) return true;
  return !isCode && !(kind === 'field' && COUNTED_IN.test(text));
}

/** `Who runs the centre?`: what somebody is or does. */
const ASKS_ROLE =
  /(?:^\s*(?:and )?|, )who (?:(?:is|are|was|were) (?:the |our |its |in charge|responsible|accountable|on )|(?:currently )?(?:runs?|leads?|heads?|owns?|manages?|chairs?|maintains?|approves?|signs?|decides?|looks after|takes care|supervises?|oversees?|coordinates?|organi[sz]es?|administers?|hosts?)\b)/iu;
/** People by what they do. */
const ROLE =
  /\b(?:teams?|groups?|committees?|boards?|councils?|chairs?|managers?|directors?|officers?|owners?|leads?|leaders?|maintainers?|admins?|administrators?|presidents?|secretar(?:y|ies)|treasurers?|engineers?|developers?|designers?|staff|departments?|editors?|heads?|founders?|ceo|cto|members?|person|people|we|everyone|everybody|anyone|anybody|nobody)\b/giu;
/** `Graham Inglis`, `National Cyber Security Centre`. */
const CAPITALS = /(?<!\p{L})\p{Lu}[\p{L}'’-]{1,40}(?: (?:of |& )?\p{Lu}[\p{L}.'’-]{0,40}){1,6}/gu;
/** `@mara`; beside a name it is the same person's. */
const HANDLE = /(?<![\p{L}\p{N}])@\p{L}[\w-]{1,40}/gu;
/** `Mara chairs it.` */
const NAME_FIRST =
  /^[*_]*\p{Lu}\p{L}+ (?:is|was|has|runs|leads|heads|owns|manages|chairs|maintains|approves|signs|decides|looks|takes|supervises|oversees|coordinates|organi[sz]es|administers|hosts)\b/u;

/** `- Mara`, `- **Joren** since 2019`: an entry may have no more than one word of a name. */
const ENTRY_NAME = /^(?:[-*+•] |\p{N}{1,3}[.)] )?[*_[]{0,3}(\p{Lu}\p{L}{1,40})/u;

/** Whether a text names somebody whom the question does not name itself. */
function namesSomebody(text: string, question: string, entry: string): boolean {
  const asked = new Set(contentStems(question));
  const isNew = (said: string): boolean => contentStems(said).every((word) => !asked.has(word));
  const names = [...(text.match(CAPITALS) ?? []), ...(NAME_FIRST.exec(text) ?? [])];
  const said = names.length > 0 ? names : (text.match(HANDLE) ?? []);
  const first = names.length > 0 ? undefined : ENTRY_NAME.exec(entry)?.[1];
  return [...(text.match(ROLE) ?? []), ...said, ...(first === undefined ? [] : [first])].some(isNew);
}

/** A unit as far as its fitness can be told. */
export interface FittedUnit {
  kind: UnitKind;
  text: string;
  isCode: boolean;
  /** The question's words, by rarity, that the unit or what stands above it has, 0..1. */
  covered: number;
  /** It announces the entries of a list, which are shown below it. */
  headsList?: boolean;
}

/**
 * Whether a unit may stand in the answer's place: it holds what is asked for where a number, a length, a point of
 * time, a version, a variable of the environment, a flag or an address is, names somebody who has a role, a program
 * names the unit of time, no share of other things is its only number, it is no date of its page, it announces no more
 * than a list that is shown with it, is no code in a text, no import, no example, no question and no mere link unless
 * those are asked for, and a row of a table shares a word with the question.
 */
export function mayLead(question: Pick<QuestionProfile, 'text'>, unit: FittedUnit): boolean {
  const kind = askedKind(question.text);
  // In which release something came stands above it; which version of another thing it needs does not.
  const said =
    kind === 'version' && !ASKS_RELEASE.test(question.text) ? unit.text.replace(RELEASE_ABOVE, '') : unit.text;
  if (kind && !holdsKind(kind, withoutShares(question.text, said), unit.isCode, unit.kind)) return false;
  if (!holdsExactly(question.text, unit.text, saysValue(unit.isCode, unit.kind))) return false;
  if (!namesUnitOfTime(question.text, unit)) return false;
  if (kind === undefined && !unit.isCode && !unit.headsList && ANNOUNCES.test(unit.text)) return false;
  const own = lastLineOf(unit.text);
  const isEntry = unit.kind === 'item' && !unit.isCode;
  if (
    (unit.kind === 'sentence' || isEntry) &&
    ASKS_ROLE.test(question.text) &&
    !namesSomebody(unit.text, question.text, isEntry ? own : '')
  )
    return false;
  if (unit.isCode && HOW_DOES_ONE.test(question.text) && DECLARES.test(own)) return false;
  if (unit.isCode && ASKS_FOR_DEFAULT.test(question.text) && !(SAYS_VALUE.has(unit.kind) && HAS_VALUE.test(unit.text)))
    return /default/iu.test(unit.text);
  if (IS_EXAMPLE.test(unit.text) && !ASKS_FOR_EXAMPLE.test(question.text)) return false;
  if (!unit.isCode && unit.kind === 'statement' && !ASKS_HOW.test(question.text)) return false;
  if (ONLY_A_LINK.test(own) && !MAY_BE_LINKED.test(question.text)) return false;
  if (kind === undefined && DATE_OF_PAGE.test(own) && !ASKS_FOR_DATE.test(question.text)) return false;
  if (!unit.isCode && IS_QUESTION.test(unit.text) && !ASKS_FOR_QUESTIONS.test(question.text)) return false;
  if (unit.kind === 'import') return ASKS_FOR_IMPORTS.test(question.text) && !ASKS_FOR_USERS.test(question.text);
  return unit.kind !== 'row' || unit.covered > 0;
}
