import type { TextSpan } from '../../model/passage-chain.ts';
import type { Passage } from '../../model/passage.ts';

/** First and last line in the file of a stretch of a passage's text. */
export function linesOf(passage: Passage, span: TextSpan): { startLine: number; endLine: number } {
  const startLine = passage.startLine + lineBreaks(passage.text.slice(0, span.start));
  const endLine = startLine + lineBreaks(passage.text.slice(span.start, span.end));
  return { startLine: Math.min(startLine, passage.endLine), endLine: Math.min(endLine, passage.endLine) };
}

const lineBreaks = (text: string): number => (text.match(/\r\n|\r|\n/g) ?? []).length;

const PROSE_LANGUAGES = new Set(['markdown', 'plaintext', 'restructuredtext', 'html', 'latex']);
const CODE_KINDS = new Set<Passage['kind']>(['function', 'class', 'outline', 'code', 'data', 'table']);

/** Prose is quoted as sentences, anything else as code. */
export const isProse = (passage: Passage): boolean => !CODE_KINDS.has(passage.kind) && PROSE_LANGUAGES.has(passage.language);

/** What a passage is called in a sentence: its title, else its file. */
export const nameOfPassage = (passage: Passage): string => passage.title || passage.path;
