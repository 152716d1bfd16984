/** A path for a terminal: control characters, which a file name may hold, are written out instead of obeyed. */
export const printable = (path: string): string =>
  path.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
