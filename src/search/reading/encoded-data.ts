/** Shorter stretches without a blank or a sign may be names, hashes or paths that someone asks for. */
const SHORTEST = 40;
/** Of what is not white space, so much must be encoded; the rest is quotes, commas, a key. */
const MOST_OF_IT = 0.8;
/** Base64 has a digit in six characters and a slash in sixty-four; words and paths have fewer and more. */
const FEWEST_DIGITS = 0.08;
const MOST_SLASHES = 0.05;

/**
 * True for text that is data in base64 or hexadecimal (a picture in a notebook, say) and has no words whose meaning a
 * vector could hold.
 */
export function isEncodedData(text: string): boolean {
  let encoded = 0;
  let digits = 0;
  let slashes = 0;
  for (const [run] of text.matchAll(/(?:[A-Za-z0-9+/=]|\\n)+/g)) {
    if (run.length < SHORTEST) continue;
    encoded += run.length;
    for (let i = 0; i < run.length; i++) {
      const code = run.charCodeAt(i);
      if (code >= 48 && code <= 57) digits += 1;
      else if (code === 47) slashes += 1;
    }
  }
  if (encoded === 0 || digits < encoded * FEWEST_DIGITS || slashes > encoded * MOST_SLASHES) return false;
  return encoded >= text.replace(/\s+/g, '').length * MOST_OF_IT;
}
