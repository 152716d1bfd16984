/** Shorter stretches without a blank or a sign may be names, hashes or paths that someone asks for. */
const SHORTEST = 40;
/** Of what is not white space, so much must be encoded; the rest is quotes, commas, a key. */
const MOST_OF_IT = 0.8;
/** Base64 has a digit in six characters and a slash in sixty-four; words and paths have fewer and more. */
const FEWEST_DIGITS = 0.08;
const MOST_SLASHES = 0.05;

/** With so many different words beside the data, what they say can be asked for. */
const ENOUGH_WORDS = 8;

const RUN = /(?:[A-Za-z0-9+/=]|\\n)+/gu;
const WORD = /\p{L}{3,}/gu;

/**
 * True for text that is data in base64 or hexadecimal (a picture in a notebook, say) and has hardly a word whose
 * meaning a vector could hold.
 */
export function isEncodedData(text: string): boolean {
  const rest = wordsBeside(text);
  return rest !== undefined && new Set(rest.match(WORD)).size < ENOUGH_WORDS;
}

/** A text that is mostly data (a page with a picture in it) without that; any other as it is. */
export const withoutEncodedData = (text: string): string => wordsBeside(text) ?? text;

/** What stands beside the data of a text that is mostly such; undefined for any other. */
function wordsBeside(text: string): string | undefined {
  let encoded = 0;
  let digits = 0;
  let slashes = 0;
  const rest = text.replace(RUN, (run) => {
    if (run.length < SHORTEST) return run;
    encoded += run.length;
    for (let i = 0; i < run.length; i++) {
      const code = run.charCodeAt(i);
      if (code >= 48 && code <= 57) digits += 1;
      else if (code === 47) slashes += 1;
    }
    return ' ';
  });
  if (encoded === 0 || digits < encoded * FEWEST_DIGITS || slashes > encoded * MOST_SLASHES) return undefined;
  return encoded >= text.replace(/\s+/gu, '').length * MOST_OF_IT ? rest : undefined;
}
