/**
 * What a text may cost a model whose tokenizer is unknown, special tokens included: never less than a token for three bytes, and for dense text about
 * what byte-pair and word-piece tokenizers make of it at worst. Words of prose cost a token for four letters, words in capitals one for two; where
 * letters and digits mix (base64, hashes) three for four characters; a digit and a sign one each; letters beyond ASCII one for two bytes.
 */
export function carefulTokenCount(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUNS)) tokens += tokensOf(run);
  return Math.max(Math.ceil(Buffer.byteLength(text) / 3), Math.ceil(tokens)) + 2;
}

/** Mixed stretches, words, signs, white space that is more than one blank, and everything beyond ASCII. */
const RUNS = /[A-Za-z]*[0-9][A-Za-z0-9]*|[A-Z]?[a-z]+|[A-Z]+|[!-/:-@[-`{-~]|[^\S ]+| {2,}|[^\0-\x7f]+/g;

function tokensOf(run: string): number {
  if (run.charCodeAt(0) > 127) return Buffer.byteLength(run) / 2;
  if (/^[0-9]+$/.test(run)) return run.length;
  if (/[0-9]/.test(run)) return run.length * 0.75;
  if (!/[A-Za-z]/.test(run)) return 1;
  return Math.ceil(run.length / (/^[A-Z]{2}/.test(run) ? 2 : 4));
}
