import { withStream } from './complete.ts';
import { NonsenseError } from './errors.ts';
import type { LanguageModel } from './language-model.ts';

/** Characters at the end of a reply that are looked at. */
const WINDOW = 600;
/** Repetitions of up to {@link SHORT} signs have to be longer than a drawn line. */
const OF_SHORT = 240;
const SHORT = 3;
/** Longest words whose repetitions are looked for; they have to fill the window. */
const LONG = 50;
/** Share of signs that stand for no letter of any script, and the characters that are enough to tell it. */
const MOST_UNREADABLE = 0.2;
const OF_UNREADABLE = 100;
/** Characters between two looks: one costs more than the text. */
const EVERY = 40;

/** The same model; ends with {@link NonsenseError} where a reply repeats itself: its file may be damaged. */
export function stopNonsense(model: LanguageModel): LanguageModel {
  return withStream(model, async function* (messages, options) {
    let end = '';
    let unseen = 0;
    let said = false;
    for await (const part of model.stream(messages, options)) {
      if (part.type === 'text') {
        end = (end + part.text).slice(-WINDOW);
        unseen += part.text.length;
        said ||= part.text.trim() !== '';
        if (unseen >= EVERY) {
          unseen = 0;
          const sample = nonsenseIn(end);
          // Blanks behind a reply are waited for: some servers let a model go on with them when it is done.
          if (sample !== undefined && !(said && sample.trim() === '')) throw new NonsenseError(model.name, sample); // ends the call
        }
      }
      yield part;
    }
  });
}

/** What the end of a reply repeats, or its last signs where they are unreadable. `ofShort`: most of 1 to 3 signs. */
export function nonsenseIn(text: string, ofShort = OF_SHORT): string | undefined {
  const end = text.slice(-WINDOW);
  const unreadable = end.match(UNREADABLE)?.length ?? 0;
  if (end.length >= OF_UNREADABLE && unreadable > end.length * MOST_UNREADABLE) return end.slice(-SHORT);
  for (let length = 1; length <= LONG; length++) {
    const least = length <= SHORT ? ofShort : WINDOW;
    if (end.length >= least && repeats(end, length, least)) return end.slice(-length);
  }
  return undefined;
}

/** The sign that decoders put for what they cannot read, signs of nobody's, and control characters. */
const UNREADABLE = /[\ufffd\p{Co}\p{Cn}\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;

/** Whether the last characters are those before them, so many places ago. */
function repeats(text: string, length: number, least: number): boolean {
  for (let at = text.length - 1; at >= text.length - least + length; at--)
    if (text[at] !== text[at - length]) return false;
  return true;
}
