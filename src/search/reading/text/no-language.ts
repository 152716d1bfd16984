/** Shorter texts may be anything, and cost little. */
const SHORTEST = 20_000;
/** So much of a text is looked at, from its middle. */
const SAMPLE = 200_000;
/** With so many words, a language has said most of its common ones more than once. */
const ENOUGH_WORDS = 1_000;
/**
 * Of so many words of a text in a language, less than half are different; of random words and of lists nearly all are.
 * Programs and tables repeat even more.
 */
const MOST_DIFFERENT = 0.9;
/** Characters between blanks: words have 5 to 6, addresses and numbers up to some 40, encoded data hundreds. */
const LONGEST_AVERAGE = 60;

/**
 * True for a long text that reads like no language, by its form alone: random words, hexadecimal or encoded data,
 * endless runs without a blank. Scripts that put no blanks between words are none of these.
 */
export function isNoLanguage(text: string): boolean {
  if (text.length < SHORTEST) return false;
  const from = Math.max(0, Math.floor((text.length - SAMPLE) / 2));
  const sample = text.slice(from, from + SAMPLE);
  const wide = sample.match(/[\u0e00-\u0eff\u1780-\u17ff\u3040-\u9fff]/g)?.length ?? 0;
  if (wide > sample.length * 0.1) return false;
  if (sample.length > (sample.match(/\s+/g)?.length ?? 0) * LONGEST_AVERAGE) return true;
  const words = sample.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < ENOUGH_WORDS) return false;
  const first = words.slice(0, ENOUGH_WORDS * 4);
  return new Set(first.map((word) => word.toLowerCase())).size > first.length * MOST_DIFFERENT;
}
