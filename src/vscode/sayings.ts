import type { Translate } from '#search';

/** A text that the code says in English, put into the language of `t`, with `{0}`, `{1}`, … where its values stand. */
export type Saying = (t: Translate) => string;

/** No translation: what is said in English. */
const asWritten: Translate = (message) => message;
/** The translation with the places of its values. */
const unfilled = (saying: Saying, t: Translate): string => saying((message) => t(message, '{0}', '{1}', '{2}', '{3}'));

/** The English of a text. */
export const englishOf = (saying: Saying): string => saying(asWritten);

/** The English of a text around the places of its values. */
export const piecesOf = (saying: Saying): string[] => englishOf(saying).split(/\{\d\}/);

/** A text in the language of `t`, its values in their places. */
export const inWords = (saying: Saying, values: readonly string[], t: Translate): string =>
  unfilled(saying, t).replace(/\{(\d)\}/g, (whole, index: string) => values[Number(index)] ?? whole);

/** Puts a whole text into the language of `t`; undefined where it is not known. */
type WholeWords = (text: string, t: Translate) => string | undefined;

/** Whole texts are known by their English, and so are values that are texts of their own, such as a cause. */
export function wholeWords(sayings: readonly Saying[]): WholeWords {
  // Of two that fit, the one with more words of its own says more.
  const known = sayings
    .map((saying) => ({ saying, pieces: piecesOf(saying) }))
    .sort((a, b) => lengthOf(b.pieces) - lengthOf(a.pieces));
  const words: WholeWords = (text, t) => {
    for (const { saying, pieces } of known) {
      const values = valuesIn(text, pieces);
      if (values)
        return inWords(
          saying,
          values.map((value) => words(value, t) ?? value),
          t,
        );
    }
    return undefined;
  };
  return words;
}

const lengthOf = (pieces: readonly string[]): number => pieces.join('').length;

/** What a text has in the places of the values, from its beginning to its end; undefined where it is another. */
function valuesIn(text: string, pieces: readonly string[]): string[] | undefined {
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first ? [] : undefined;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const end = text.length - last.length;
  const values: string[] = [];
  let at = first.length;
  for (const piece of others) {
    const next = text.indexOf(piece, at);
    if (next < 0) return undefined;
    values.push(text.slice(at, next));
    at = next + piece.length;
  }
  if (at > end) return undefined;
  values.push(text.slice(at, end));
  return values;
}
