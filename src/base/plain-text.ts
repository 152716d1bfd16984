/**
 * A regular expression that is written over several lines: expression('iu')`…` means what stands between the slashes
 * of a literal, but that line breaks do not count, nor what a line is indented by. Blanks inside of a line do, as
 * always. What is put in is a part of the expression, too.
 * @throws SyntaxError for what is no expression
 */
export const expression =
  (flags: string) =>
  (template: TemplateStringsArray, ...parts: readonly string[]): RegExp =>
    new RegExp(String.raw(template, ...parts).replace(/\n\s*/g, ''), flags);

/** A text in small letters, each at its place: one that would take more room (`İ`) stays as it is. */
export const lowerInPlace = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  });

/**
 * Sequences that a terminal obeys as a whole: titles, colours, movements of the cursor, and what else an escape begins.
 */
const SEQUENCES = expression('g')`
  (?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f\n]*(?:\u0007|\u001b\\|\u009c)|
  (?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]
`;
/**
 * C0 but for tab and newline, DEL, C1, separators of lines that only some programs know, and what changes the direction
 * of text.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Foreign text without what a terminal would obey, and without what makes text look other than it reads. Tabs and
 * newlines stay.
 */
export const withoutControls = (text: string): string => text.replace(SEQUENCES, '').replace(CONTROLS, '');

/** JSON on one line. Such characters are written as escapes, so that it parses to the same value. */
export const escapedJson = (json: string): string =>
  json.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The words of a list that is written as a text, between blanks and line breaks. */
export const wordList = (text: string): string[] => text.trim().split(/\s+/);
export const wordSet = (text: string): ReadonlySet<string> => new Set(wordList(text));

/** The beginning of a text, of so many UTF-16 units at most: one fewer where the last would be half of a character. */
export const cutTo = (text: string, most: number): string =>
  text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most);

/** A text of so many UTF-16 units at most: what is longer ends in an ellipsis. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${cutTo(text, most - 1).trimEnd()}…`;

/** The name of a file or folder without what it lies in; `/` stands between folders. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** The folder that a file or folder lies in; '' where its path names none. */
export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
/** The name of a file without its extension; one that begins with its only dot has none. */
export function stemOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(0, dot) : name;
}
