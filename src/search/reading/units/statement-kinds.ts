import { cutTo, expression } from '#base';

/** What a statement says, as its words tell: alike for programs with a grammar and for texts without one. */

export const THROWS = /(?:^|[\s{;(])(?:throw|raise)\s+[\w(]|(?:^|[\s{;(])(?:panic!?|abort|die)\s*\(/;
export const ASSIGNS = expression('')`
  ^(?:(?:export|const|let|var|val|static|pub|public|private|protected|final|readonly|override) ){0,5}
  [\w.$@]+(?:\s*:[^=\n]{1,80})?\s*:?=(?!=)
`;
export const LITERAL =
  /[=:]\s*(?:[-+]?[\d.]|["'`]|true\b|false\b|null\b|nil\b|None\b|True\b|False\b|undefined\b|\[|\{|[A-Z][A-Z0-9_]+\b)/;
/** How a comment begins that documents the declaration below it. */
export const DOC = /^(?:\/\/\/|\/\*\*|---|#'|##|-- \||"""|''')/;
/** What opens a block without a word of its own. */
export const BARE = /^(?:return|try|else|do|finally|loop|begin|default|await|yield|\W)*$/;

/** A statement up to so many lines and characters is quoted whole; a longer one is opened. */
export const MOST_LINES = 4;
export const MOST_CHARACTERS = 400;
/** A comment up to so many lines is quoted whole. */
export const MOST_COMMENT_LINES = 6;
const LONGEST_LABEL = 100;
/** What stands above a unit, in a length that can be shown there. */
export const labelOf = (words: string): string =>
  words.length > LONGEST_LABEL ? `${cutTo(words, LONGEST_LABEL - 1)}…` : words;
/** Deeper nesting is left to the units above it. */
export const DEEPEST = 60;
/** Of the heads around a statement: the outermost, and so many of the innermost. */
const INNERMOST = 2;

/** Of many heads around a statement the outermost and the innermost. */
export const nearestHeads = <Head>(heads: readonly Head[]): readonly Head[] =>
  heads.length > INNERMOST + 1 ? [...heads.slice(0, 1), ...heads.slice(-INNERMOST)] : heads;

const OPENING = /(?:[{([:=;]|=>|\bdo|\bthen)$/;
/** A comment behind what opens a body: `{ # all of it is loaded`. */
const REMARK = /([{([]|\bdo|\bthen)\s(?:#|\/\/|--)\s[^\n]{0,200}$/;

/** A head of a body without what opens the body: `{`, `=>`, `:`, `do`, `then`. */
export function withoutOpening(head: string): string {
  let words = head.trimEnd().replace(REMARK, '$1');
  for (let opening = OPENING.exec(words.slice(-6)); opening; opening = OPENING.exec(words.slice(-6)))
    words = words.slice(0, words.length - opening[0].length).trimEnd();
  return words;
}
