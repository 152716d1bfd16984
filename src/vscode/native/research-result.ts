import { type ErrorReport, withoutControls } from '#base';
import { type Answer, linkedPlace } from '#research';
import { reasonInWords } from '#search/reasons';

/**
 * What Markdown, or the editor's reading of it, makes something of in the middle of a line: marks, tags, formulas, bare
 * addresses.
 */
const ACTIVE = /[\\`*_[\]<>&~|@$]|:(?=\/\/)|(?<=\bwww)\./giu;

/**
 * Text of a document as one line of Markdown that shows it as it stands. MarkdownString.appendText does not do: it
 * makes every space one at which no line may break, and leaves bare addresses to become links.
 */
export const plainMarkdown = (text: string): string =>
  withoutControls(text.replace(/\s+/gu, ' ')).replace(ACTIVE, '\\$&').trim();

/** The answer and its trail as text with links to file and lines; a failure is told below them. */
export function researchResultText(answer: Answer, failure?: ErrorReport): string {
  const note = failure ? `\n\n(The run failed; what it had found stands above: ${failure.message})` : '';
  return answerText(answer) + note;
}

function answerText(answer: Answer): string {
  const sources = answer.citations.map((citation) => {
    const passage = answer.passages.find((candidate) => candidate.id === citation.passageId);
    const lines = `${citation.startLine}-${citation.endLine}`;
    const place = passage && linkedPlace(passage, citation.startLine, citation.endLine);
    return `[${citation.number}] ${place ?? `${citation.passageId}:${lines}`}`;
  });
  const trail = answer.chain.hops.map(({ passage, why }, index) => {
    const reason = reasonInWords(why).text;
    const place = linkedPlace(passage, passage.startLine, passage.endLine);
    return `${index + 1}. ${place}${reason === '' ? '' : ` (${reason})`}`;
  });
  if (answer.abstained)
    return [
      answer.text === '' ? (answer.abstainReason ?? '') : answer.text,
      ...(sources.length > 0 ? ['', 'Sources:', ...sources] : []),
      ...(trail.length > 0 ? ['', 'Closest passages:', ...trail] : []),
    ].join('\n');
  const quoted = answer.by === 'extractive' ? ['', '(Quotes from the files; no language model was used.)'] : [];
  return [answer.text, ...quoted, '', 'Sources:', ...sources, '', 'Trail:', ...trail].join('\n');
}
