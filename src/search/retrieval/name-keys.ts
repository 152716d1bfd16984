import { nameKey, pathKey } from '../domain/link-keys.ts';
import { readNames } from '../text/names.ts';
import { isStopWord } from '../text/stop-words.ts';
import { withoutTrailing } from '../text/trim.ts';
import { contentWords, isUnspaced, otherSpelling, readWords, segmentsOf } from '../text/words.ts';

/** Longest phrase (in words) that is looked up as a title. */
const LONGEST_TITLE = 7;
const MOST_KEYS = 160;
/** In words, of a name that is told by nothing in a text without spaces. */
const LONGEST_UNSPACED_NAME = 3;

/**
 * A full-text query from natural language: stop words out, identifiers kept as written and split as well, British and
 * American spellings, each term once. '' when nothing but stop words was asked and there is nothing to search by.
 */
export function textQuery(text: string): string {
  const terms = new Set<string>();
  for (const match of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const whole = match[0].toLowerCase();
    if (/[_$]|\p{Ll}\p{Lu}/u.test(match[0])) terms.add(whole);
  }
  for (const word of contentWords(text)) {
    terms.add(word.text);
    const other = otherSpelling(word.text);
    if (other !== undefined) terms.add(other);
  }
  // A question of stop words alone ("who is who") still deserves a search.
  if (terms.size === 0) for (const word of readWords(text)) terms.add(word.text);
  return [...terms].join(' ');
}

/**
 * Name keys that a question may mean: every run of up to seven words that is not all stop words, so that titles are
 * found however they are capitalised, and names, identifiers and paths as written.
 */
export function questionNameKeys(text: string): string[] {
  const keys = new Set<string>();
  for (const name of readNames(text)) {
    addName(keys, name.text);
    if (name.kind === 'path') keys.add(pathKey(name.text));
    if (name.kind === 'identifier') addName(keys, name.text.split(/\.|::|->/).at(-1) ?? '');
  }
  addRuns(keys, text, LONGEST_TITLE);
  return [...keys].slice(0, MOST_KEYS);
}

/** Adds every run of so many words of a text that is not all stop words, the longest first. */
function addRuns(keys: Set<string>, text: string, longest: number): void {
  const words = [...text.matchAll(/[\p{L}\p{N}_$][\p{L}\p{N}_$'’.&-]*/gu)].flatMap((match) =>
    segmentsOf(bareWord(match[0])).map((word, i) => ({ text: word.text, gap: i === 0 ? ' ' : '' })),
  );
  for (let length = longest; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const run = words.slice(from, from + length);
      if (!run.every((word) => isStopWord(word.text.toLowerCase())))
        addName(keys, run.map((word) => word.gap + word.text).join(''));
    }
  }
}

/** A word without a possessive ending, or without the punctuation at its end. */
const bareWord = (word: string): string => (/['’]s$/u.test(word) ? word.slice(0, -2) : withoutTrailing(word, /[.'’-]/));

/** Name keys of what a passage's text names: phrases, quotations, identifiers and paths, in order of appearance. */
export function namedKeys(text: string, most = 60): string[] {
  const keys = new Set<string>();
  for (const name of readNames(text)) {
    if (name.kind === 'number') continue;
    addName(keys, name.text);
    // "Duke Henry II of Brabant" may be titled by its parts.
    if (name.kind === 'phrase')
      for (const part of name.text.split(/ (?:of|the) /)) if (part !== name.text) addName(keys, part);
    if (name.kind === 'identifier') addName(keys, name.text.split(/\.|::|->/).at(-1) ?? '');
    if (keys.size >= most) break;
  }
  // Where no capitals tell names, a title may be any run of words.
  if (isUnspaced(text))
    for (const [run] of text.matchAll(/[\p{L}\p{N}]{2,}/gu))
      if (isUnspaced(run)) addRuns(keys, run, LONGEST_UNSPACED_NAME);
  return [...keys].slice(0, MOST_KEYS);
}

function addName(keys: Set<string>, name: string): void {
  const trimmed = name.trim();
  if (trimmed.length > 1) keys.add(nameKey(trimmed.replace(/^the /i, ''))).add(nameKey(trimmed));
}
