/** Scripts that put no space between words: Chinese characters, kana, Thai, Lao, Khmer, Burmese. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/gu;
/** Nothing of a text without a character above this is written without spaces. */
const FIRST_UNSPACED = 0x0e00;

let segmenter: Intl.Segmenter | undefined;

/**
 * Words of a run of letters: by the Unicode dictionaries (ICU, UAX 29) where the script puts no space between them, as
 * the full-text index parts them; else the run as it is. Offsets count from the beginning of the run.
 */
export function segmentsOf(run: string): { text: string; start: number }[] {
  if (!isUnspaced(run)) return [{ text: run, start: 0 }];
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ text: segment, start: index }));
}

/** A text with every character of such a script set apart by blanks: parts of it are found in it whatever the words. */
export const characterwise = (text: string): string => (isUnspaced(text) ? text.replace(UNSPACED, ' $& ') : text);

/** Whether a text holds a word of a script that puts no space between words. */
export function isUnspaced(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= FIRST_UNSPACED) return text.search(UNSPACED) >= 0;
  return false;
}
