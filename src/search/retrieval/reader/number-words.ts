import { expression } from '#base';

/** Numbers as words say them. Every pattern of the reader that knows some is made of these. */
const NUMBERS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|' +
  'eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion';

/** A figure, a number in words, or a word for some, all or none. */
export const HAS_NUMBER = expression('iu')`
  \p{N}|\b(?:${NUMBERS}|dozen|half|quarter|third|majority|couple|several|once|twice|unlimited|none|free|nobody|
    nothing|zero|double|single|infinity)s?\b
`;

/** What something may be priced at: `40`, `half`, `twice`. */
export const HAS_AMOUNT = new RegExp(String.raw`\p{N}|\b(?:half|double|twice|${NUMBERS})\b`, 'iu');

/** `seven o'clock`. */
export const HOUR_IN_WORDS = new RegExp(String.raw`\b(?:${NUMBERS}) o['’]clock\b`, 'iu');

/** A number with the unit of time that it counts, or a name that speaks of a length: `ten days`, `_timeout`. */
export const SPAN_OF_TIME = new RegExp(
  String.raw`\b(?:\d+|${NUMBERS}|\d+_\d+)\s*(?:ms|s|sec|min|h|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b|_?(?:timeout|delay|interval|ttl)`,
  'i',
);
