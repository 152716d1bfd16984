import type { Selection } from '../protocol.ts';

/** A selection of one line up to this length stands in the question's own line. */
const SHORT = 80;

/** A question together with the lines that it is about, as the run reads it: the question first, then the lines. */
export function withSelection(question: string, selection: Selection | undefined): string {
  if (!selection) return question;
  const { path, startLine, text } = selection;
  const trimmed = text.trim();
  if (trimmed.length <= SHORT && !trimmed.includes('\n')) return `${question} ("${trimmed}" in ${path})`;
  const quoted = trimmed.split(/\r?\n/).map((line) => `> ${line}`);
  return [question, '', `${path}:${startLine}`, ...quoted].join('\n');
}
