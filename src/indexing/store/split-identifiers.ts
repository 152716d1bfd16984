/** Words of letters, digits and underscores, dots left out: what an identifier is in most languages. */
const WORD = /[\p{L}\p{N}_$]+/gu;
/** Where camelCase, PascalCase, ACRONYMWord, and letters beside digits part. */
const BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|[_$]/u;
const COMPOUND = /[_$]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u;

/** Lower-case parts of one identifier: `HTTPServer2` gives http, server, 2; a plain word gives itself. */
export function identifierParts(word: string): string[] {
  return word.split(BOUNDARY).filter((part) => part !== '').map((part) => part.toLowerCase());
}

/** Distinct parts of all compound identifiers in a text, in order of appearance. */
export function splitIdentifiers(text: string): string[] {
  const parts = new Set<string>();
  for (const [word] of text.matchAll(WORD)) {
    if (!COMPOUND.test(word)) continue;
    for (const part of identifierParts(word)) if (part.length > 1) parts.add(part);
  }
  return [...parts];
}

/** What the second full-text column holds: words of path and title, whole and in parts, and the parts of the text's identifiers. */
export function identifiersColumn(passage: { path: string; title: string; text: string }): string {
  const names = `${passage.path} ${passage.title}`;
  const words = new Set<string>();
  for (const [word] of names.matchAll(WORD)) {
    words.add(word.toLowerCase());
    for (const part of identifierParts(word)) words.add(part);
  }
  for (const part of splitIdentifiers(passage.text)) words.add(part);
  return [...words].join(' ');
}
