import { withoutControls } from '../../model/plain-text.ts';

/** What Markdown, or the editor's reading of it, makes something of in the middle of a line: marks, tags, formulas, bare addresses. */
const ACTIVE = /[\\`*_[\]<>&~|@$]|:(?=\/\/)|(?<=\bwww)\./giu;

/**
 * Text of a document as one line of Markdown that shows it as it stands. MarkdownString.appendText does not do: it makes every
 * space one at which no line may break, and leaves bare addresses to become links.
 */
export const plainMarkdown = (text: string): string => withoutControls(text.replace(/\s+/gu, ' ')).replace(ACTIVE, '\\$&').trim();
