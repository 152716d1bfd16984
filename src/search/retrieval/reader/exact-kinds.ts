import { wordSet } from '#base';
import { readWords } from '../../text/words.ts';

/** One kind of thing that an answer must hold where the question names it exactly. */
interface ExactKind {
  /** How a question asks for it. */
  asks: RegExp;
  /** How a text shows it. */
  holds: RegExp;
  /** A schedule says it, too. */
  scheduled?: true;
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

const EXACT_KINDS: readonly ExactKind[] = [
  {
    // A time of day: `17:30`, `5 pm`, `16.00`, `1600 hours`, `9-17`.
    asks: /(?<!\b(?:within|in|after|for) )\b(?:what|which) (?:time|hour)s?(?=\s*(?:[?,]|$|(?:of (?:the )?day|does|do|did|is|are|was|were|will|would|should|must|can|may|has|have|the|an?|we|i|you|my|our)\b))/iu,
    holds:
      /(?<![\p{N}.])\p{N}{1,2}[:.]\p{N}{2}(?!\.?\p{N})|\p{N} ?(?:am|pm|a\.m|p\.m|h|o['’]clock|hours?|utc|gmt|c?e[sd]?t|p[sd]?t)\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o['’]clock\b|\b(?:noon|midnight|morning|afternoon|evening|sunset|sunrise|dawn|dusk|end of (?:the )?day|hourly|immediately)\b|(?<![\p{N}-])\p{N}{1,2} ?[-–] ?\p{N}{1,2}(?![\p{N}-])|(?<!\p{N})[0-2]\p{N}[0-5]\p{N} (?:hours|utc|gmt)\b|\bat [0-2]\p{N}[0-5]\p{N}\b/iu,
    scheduled: true,
  },
  {
    asks: /\b(?:what|which) (?:week ?day|days? of the week)\b/iu,
    holds:
      /\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?|daily|weekdays?|weekends?|every day)\b/iu,
    scheduled: true,
  },
  {
    asks: /\b(?:what|which) year\b(?! of (?:the|his|her|their|your|my|our)\b)/iu,
    holds:
      /(?<!\p{N})(?:1[5-9]|20)\p{N}{2}(?!\p{N})|\byears? (?:ago|before|after|later)\b|\b(?:this|last|next) year\b/iu,
  },
  {
    asks: /\b(?:what|which) (?:\p{L}+ )?(?:percentage|percent|proportion)\b|\bwhat share of\b|\bhow many percent\b/iu,
    holds:
      /\p{N} ?%|\b(?:per ?cent|percentage|half|halves|thirds?|fourths?|quarters?|fifths?|tenths?|majority|double|twice|all|none|entire(?:ly)?|whole|\p{N}{1,3}\/\p{N}{1,3}|0?\.\p{N}{1,4})\b/iu,
    bare: holdsShare,
  },
  {
    // `How much time should I spend` asks for no money.
    asks: /\bhow much (?:money\b|(?:do|does|did|is|are|was|were|will|would|should|must|can|could|may)\b[^?]{0,80}\b(?:costs?|pays?|paid|earns?|charged?|spend|money|dollars|euros|pounds)\b)|\bwhat (?:do|does|did|will|would)\b[^?]{0,60}\b(?:costs?|charge)\b|\b(?:what|which)(?:'s| is| are)?(?: \p{L}+){0,4} (?:price|salary|fee|stipend|honorarium)\b|\bhow many (?:dollars|euros|pounds)\b/iu,
    holds:
      /\p{Sc}|\b(?:usd|eur|gbp|cad|aud|chf|sek|nok|dkk|jpy|inr|pln|brl|zar|nzd|dollars?|euros?|pounds?|cents?|francs?|kron(?:or|er)|yen|rupees?)\b|\b(?:free of charge|for free|(?:is|are|be) free|no (?:cost|charge|fee))\b|^(?=[^]*(?:\p{N}|\b(?:half|one|two|three|four|five|six|ten|double|twice)\b))(?=[^]*\b(?:price|costs?|fees?|salary|salaries|stipend|pay|paid|pays|rate)\b)/iu,
    bare: holdsFigure,
  },
  {
    asks: /\bhow many (?:milliseconds|seconds|minutes|hours|days|weeks|months|years)\b/iu,
    holds:
      /\b(?:ms|msecs?|milliseconds?|(?<!['’])s|secs?|seconds|(?:\p{N}|a|one|per|each|every)[ -]second|mins?|minutes?|hrs?|hours?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?|decades?|overnight|annual(?:ly)?|daily|weekly|monthly|yearly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|immediate(?:ly)?|forever|never)\b|\p{N}(?:ms|s|m|h|d|w|y)\b|_(?:m?s|secs?|mins?|h|d)\b|[\p{L}_-](?:seconds|minutes|hours|days|weeks|months|years)\b|\b(?:seconds|minutes|hours|days|weeks|months|years)[\p{L}_-]/iu,
    bare: holdsFigure,
  },
  {
    asks: /\b(?:what|which)(?:'s| is| are)?(?: \p{L}+){0,3} e-?mail address\b|\b(?:what|which)(?:'s| is)?(?: the| our)? e-?mail (?:do|does|should|must|can|is|to|of|for)\b/iu,
    holds: /[\w-]@[\w-]|\[at\]|\(at\)| at \w+ dot /iu,
  },
];

/**
 * Whether a text holds what the question asks for by a name that leaves no choice: a weekday, a share, a sum of money;
 * true for questions that name nothing of the kind.
 * @param saysValue The text is of a program or gives a value, and may say it by a bare figure.
 */
export function holdsExactly(question: string, text: string, saysValue: boolean): boolean {
  return EXACT_KINDS.every(
    ({ asks, holds, scheduled, bare }) =>
      (saysValue && bare?.(text)) ||
      !asks.test(question) ||
      holds.test(text) ||
      (scheduled === true && holdsSchedule(text)),
  );
}
