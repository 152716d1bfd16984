import { wordSet, expression } from '#base';
import { readWords } from '../../text/words.ts';
import { asksForNoun } from './asked-noun.ts';
import { HAS_AMOUNT, HOUR_IN_WORDS } from './number-words.ts';
import { HAS_UNIT_OF_TIME, HOW_MANY_OF_TIME } from './units-of-time.ts';

/** One kind of thing that an answer must hold where the question names it exactly. */
export interface ExactKind {
  /** Whether a question asks for it. */
  asks(question: string): boolean;
  /** Whether a text shows it. */
  holds(text: string): boolean;
  /** How a program or a field may say it by a bare figure: `timeout = 600`. */
  bare?(text: string): boolean;
}

/** When something is run, as cron has it: `0 5 * * 1`. */
const SCHEDULE =
  /(?<![^\s'"`(])(?=[\p{N}*/,\- ]{0,40}[*/])(?:[\p{N}*/,-]{1,12} ){4}[\p{N}*/,A-Za-z-]{1,12}(?![^\s'"`).,])/u;

export const holdsSchedule = (text: string): boolean => SCHEDULE.test(text);

/** A value that another constant has: `max: float = MAX_WAIT`. */
export const NAMES_CONSTANT = /[=:]\s*[\w.]{0,80}\b_?[A-Z][A-Z0-9_]+\b/u;

/** Whether a program says something by a figure, or by the name of a constant that stands for one. */
const holdsFigure = (text: string): boolean => /\p{N}/u.test(text) || NAMES_CONSTANT.test(text);

/** A name with its value, where that may be a figure: `sample_rate: 20`, `const dropRatio = WORST`. */
const NAMED_FIGURE = /([\w.-]{1,80})["']?\s{0,8}[=:]\s{0,8}["']?(?:\p{N}|[A-Z][A-Z_])/gu;
const SHARES = wordSet(
  'pct percent percentage rate ratio fraction portion quota threshold coverage weight discount probability chance',
);

/** Whether a program gives a figure to a name that speaks of a share. */
const holdsShare = (text: string): boolean =>
  [...text.matchAll(NAMED_FIGURE)].some(([, name = '']) =>
    readWords(name).some(({ text: part }) => SHARES.has(part.toLowerCase())),
  );

const ASKS_TIME_OF_DAY = expression('iu')`
  (?<!\b(?:within|in|after|for) )\b(?:what|which) (?:time|hour)
  s?(?=\s*(?:[?,]|$|(?:of (?:the )?day|does|do|did|is|are|was|were|will|would|should|must|can|may|has|have|the|an?|
        we|i|you|my|our)\b))
`;
/** `17:30`, `5 pm`, `16.00`, `1600 hours`, `9-17`. */
const TIME_OF_DAY = expression('iu')`
  (?<![\p{N}.])\p{N}{1,2}[:.]\p{N}{2}(?!\.?\p{N})|
  \p{N} ?(?:am|pm|a\.m|p\.m|h|o['’]clock|hours?|utc|gmt|c?e[sd]?t|p[sd]?t)\b|
  \b(?:noon|midnight|morning|afternoon|evening|sunset|sunrise|dawn|dusk|end of (?:the )?day|hourly|immediately)\b|
  (?<![\p{N}-])\p{N}{1,2} ?[-–] ?\p{N}{1,2}(?![\p{N}-])|(?<!\p{N})[0-2]\p{N}[0-5]\p{N} (?:hours|utc|gmt)\b|
  \bat [0-2]\p{N}[0-5]\p{N}\b
`;

const ASKS_WEEKDAY = /\b(?:what|which) (?:week ?day|days? of the week)\b/iu;
const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:daily|weekdays?|weekends?|every day)\b/iu;
/** `Tue, 10:00`, and in lower case as a value: `days: [mon, thu]`, `mon-fri`; not `The sun is hot`. */
const SHORT_WEEKDAY = expression('mu')`
  \b(?:Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun|MON|TUES?|WED|THU(?:RS)?|FRI|SAT|SUN)\b|
  \b(?:mon|tues?|wed|thu(?:rs)?|fri|sat)-(?:tues?|wed|thu(?:rs)?|fri|sat|sun)\b|
  [:=,[("'-] ?(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun)(?=[,\])"'-]|$)
`;

const ASKS_SCHEDULE = /\b(?:on|at) (?:what|which) (?:schedule|cadence)\b|\b(?:what|which) cron\b/iu;
const RECURS =
  /\b(?:hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually|every|each|once|twice)\b/iu;

const ASKS_YEAR = /\b(?:what|which) year\b(?! of (?:the|his|her|their|your|my|our)\b)/iu;
const YEAR =
  /(?<!\p{N})(?:1[5-9]|20)\p{N}{2}(?!\p{N})|\byears? (?:ago|before|after|later)\b|\b(?:this|last|next) year\b/iu;

const ASKS_SHARE =
  /\b(?:what|which) (?:\p{L}+ )?(?:percentage|percent|proportion)\b|\bwhat share of\b|\bhow many percent\b/iu;
const SHARE = expression('iu')`
  \p{N} ?%|\b(?:per ?cent|percentage|half|halves|thirds?|fourths?|quarters?|fifths?|tenths?|majority|double|twice|
    all|none|entire(?:ly)?|whole|\p{N}{1,3}\/\p{N}{1,3}|0?\.\p{N}{1,4})\b
`;

/** `How much time should I spend` asks for no money. */
const ASKS_HOW_MUCH = expression('iu')`
  \bhow much (?:money\b|(?:do|does|did|is|are|was|were|will|would|should|must|can|could|may)
    \b[^?]{0,80}\b(?:costs?|pays?|paid|earns?|charged?|spend|money|dollars|euros|pounds)\b)|
  \bhow many (?:dollars|euros|pounds)\b
`;
/** `What does a berth cost?`; not `What does the cost function do?` */
const ASKS_COST = expression('iu')`
  \bwhat (?:do|does|did|will|would)\b[^?]{0,60}(?<!\b(?:the|an?|this|that|its|our|your|my|total)) (?:costs?|charge)
  \b(?= ?(?:[?,.;:!)]|$)| (?:me|us|you|them|an?|the|per|each|every|for|to|in|on|at|if|when|with|without|and|or|by|
      as|up|about|now|today|from|after|before|anyone|everyone|people|\p{L}{2,20}ly)\b)
`;
const PRICE = /^ (?:price|salary|fee|stipend|honorarium)\b/iu;
const MONEY = expression('iu')`
  \p{Sc}|\b(?:usd|eur|gbp|cad|aud|chf|sek|nok|dkk|jpy|inr|pln|brl|zar|nzd|dollars?|euros?|pounds?|cents?|francs?|
    kron(?:or|er)|yen|rupees?)\b|\b(?:free of charge|for free|(?:is|are|be) free|no (?:cost|charge|fee))\b
`;
const SPEAKS_OF_PRICE = /\b(?:price|costs?|fees?|salary|salaries|stipend|pay|paid|pays|rate)\b/iu;

const MAIL_ADDRESS = /^ e-?mail address\b/iu;
const WHICH_MAIL = /\b(?:what|which)(?:'s| is)?(?: the| our)? e-?mail (?:do|does|should|must|can|is|to|of|for)\b/iu;
const MAIL = /[\w-]@[\w-]|\[at\]|\(at\)| at \w+ dot /iu;

/** `Which exit code handler is called?` asks for a part of a program. */
const DEALS_WITH_CODES = expression('iu')`
  \bcodes? (?:path|class|generator|handler|helper|librar|enum|module|function|parser|converter|package|tool|point|
    coverage|review|owner|block|snippet|sample|example|base)
`;
/** Those that are numbers; an error code may be a word. */
const STATUS_CODE = /^ (?:(?:http |response )?status|https?|response) codes?\b/iu;
/** `404`, `Http404`, `http.StatusTeapot`, `:not_found`, `EX_USAGE`, `codes.Internal`. */
const HOLDS_STATUS = expression('u')`
  (?<![\p{L}\p{N}_.])\p{N}{1,3}(?![\p{N}%]|\.\p{N})|[Hh](?:ttp|TTP)_?\p{N}{3}(?!\p{N})|\b(?:\p{N}xx|none|any|all)\b|
  \b(?:[Ss]tatus(?:Code)?\.?|codes\.)\p{Lu}|\b(?:status:?|head) :\p{L}|\b[A-Z]{1,20}_[A-Z]
`;
/** Those that are hardly words of a text, as a framework or a protocol calls them. */
const NAMES_STATUS = expression('u')`
  \b(?:Not ?Found|Bad ?Request|Unauthori[sz]ed|Forbidden|No ?Content|Not ?Modified|Not ?Implemented|
    Too ?Many ?Requests|Method ?Not ?Allowed|Moved ?Permanently|See ?Other|Unprocessable ?(?:Entity|Content)|
    Internal ?Server ?Error|Bad ?Gateway|Service ?Unavailable|Gateway ?Timeout|UNAVAILABLE|UNAUTHENTICATED|
    UNIMPLEMENTED|CANCELLED|ABORTED|INTERNAL)\b
`;

const EXIT_CODE = /^ (?:exit|return)(?: status)? codes?\b/iu;
/** Of any length, in words, and as the system calls them: `1603`, `non-zero`, `EINVAL`. */
const HOLDS_EXIT = expression('u')`
  (?<![\p{L}\p{N}_.])\p{N}{1,10}(?![\p{N}%]|\.\p{N})|\b(?:non)?zero\b|
  \bE(?:ACCES|AGAIN|BADF|BUSY|EXIST|FAULT|INTR|INVAL|IO|PERM|PIPE|RANGE|TIMEDOUT|NO[A-Z]{3,6}|CONN[A-Z]{4,8}|
    ADDR[A-Z]{5,8})\b
`;

const IP_ADDRESS = expression('iu')`
  ^ (?:ips|ip(?: address(?:es)?)?)(?: (?:range|block|subnet)s?)?
  (?= ?(?:[?,.;:!)]|$)| (?:is|are|was|were|do|does|did|has|have|will|would|should|must|can|could|may|might|to|of|
      for|in|on|at|from|by|with|if|when|while|and|or|the|an?|this|that|our|my|your|i|we|you|they|it)\b)
`;
/** What is owned by the mind: `What IP do we own?` */
const OF_THE_MIND = expression('iu')`
  \b(?:own(?:s|ed|ership)?|licen[cs]\w{1,4}|patent\w{0,3}|copyright\w{0,3}|trademark\w{0,2}|intellectual|
    invent(?:ions?|ors?|ed)|infring\w{1,6}|contract\w{0,4})\b
`;
const HOLDS_IP = expression('iu')`
  (?<![\p{N}.])\p{N}{1,3}(?:\.(?:\p{N}{1,3}|[x*])){3}(?!\p{N})|(?<![\p{L}\p{N}_:])(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|
  (?<![\p{L}\p{N}_:])(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::[\da-f:]{0,30}(?![\p{L}\p{N}_])|
  \b(?:localhost|loopback|(?:all|any|every) (?:network )?(?:interface|address(?:es)?\b)|INADDR_)
`;

const EXACT_KINDS: readonly ExactKind[] = [
  {
    asks: (question) => ASKS_TIME_OF_DAY.test(question),
    holds: (text) => TIME_OF_DAY.test(text) || HOUR_IN_WORDS.test(text) || holdsSchedule(text),
  },
  {
    asks: (question) => ASKS_WEEKDAY.test(question),
    holds: (text) => WEEKDAY.test(text) || SHORT_WEEKDAY.test(text) || holdsSchedule(text),
  },
  {
    asks: (question) => ASKS_SCHEDULE.test(question),
    holds: (text) => holdsSchedule(text) || RECURS.test(text) || WEEKDAY.test(text) || TIME_OF_DAY.test(text),
  },
  { asks: (question) => ASKS_YEAR.test(question), holds: (text) => YEAR.test(text) },
  { asks: (question) => ASKS_SHARE.test(question), holds: (text) => SHARE.test(text), bare: holdsShare },
  {
    asks: (question) => ASKS_HOW_MUCH.test(question) || ASKS_COST.test(question) || asksForNoun(question, PRICE, 4),
    holds: (text) => MONEY.test(text) || (HAS_AMOUNT.test(text) && SPEAKS_OF_PRICE.test(text)),
    bare: holdsFigure,
  },
  {
    asks: (question) => HOW_MANY_OF_TIME.test(question),
    holds: (text) => HAS_UNIT_OF_TIME.test(text),
    bare: holdsFigure,
  },
  {
    asks: (question) => asksForNoun(question, MAIL_ADDRESS, 3) || WHICH_MAIL.test(question),
    holds: (text) => MAIL.test(text),
  },
  {
    asks: (question) => asksForNoun(question, EXIT_CODE, 3) && !DEALS_WITH_CODES.test(question),
    holds: (text) => HOLDS_EXIT.test(text) || HOLDS_STATUS.test(text),
    bare: holdsFigure,
  },
  {
    asks: (question) =>
      asksForNoun(question, STATUS_CODE, 3) && !asksForNoun(question, EXIT_CODE, 3) && !DEALS_WITH_CODES.test(question),
    holds: (text) => HOLDS_STATUS.test(text) || NAMES_STATUS.test(text),
    bare: holdsFigure,
  },
  {
    asks: (question) => asksForNoun(question, IP_ADDRESS, 3) && !OF_THE_MIND.test(question),
    holds: (text) => HOLDS_IP.test(text),
    bare: (text) => NAMES_CONSTANT.test(text),
  },
];

/** What a question names exactly; empty where it names nothing of the kind. */
export const exactKindsAsked = (question: string): readonly ExactKind[] =>
  EXACT_KINDS.filter(({ asks }) => asks(question));

/**
 * Whether a text holds what a question asks for by a name that leaves no choice: a weekday, a share, a sum of money.
 * @param kinds {@link exactKindsAsked} of the question.
 * @param saysValue The text is of a program or gives a value, and may say it by a bare figure.
 */
export const holdsExactly = (kinds: readonly ExactKind[], text: string, saysValue: boolean): boolean =>
  kinds.every(({ holds, bare }) => (saysValue && bare?.(text)) || holds(text));
