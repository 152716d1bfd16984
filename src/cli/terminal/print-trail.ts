import type { Answer } from '../../model/answer.ts';
import type { Hop } from '../../model/passage-chain.ts';
import type { Passage } from '../../model/passage.ts';
import { printable } from './printable.ts';
import type { Style } from './style.ts';

/** `path:line`, or `path, page 3`: most terminals make the first a link. */
export function locationOf(passage: Passage): string {
  const path = printable(passage.path);
  return passage.page === undefined ? `${path}:${passage.startLine}` : `${path}, page ${passage.page}`;
}

/** Answer and trail for a terminal of `width` columns. */
export function printAnswer(answer: Answer, style: Style, width: number): string {
  const lines: string[] = [];
  lines.push(answer.abstained ? style.warn(answer.text) : answer.text, '');
  for (const citation of answer.citations) {
    const passage = answer.passages.find((candidate) => candidate.id === citation.passageId);
    if (passage) lines.push(`  ${style.accent(`[${citation.number}]`)} ${printable(passage.path)}:${citation.startLine}`);
  }
  if (answer.citations.length > 0) lines.push('');
  if (answer.chain.hops.length > 0) lines.push(style.bold(answer.abstained ? 'Nearest passages' : 'Trail'), ...printHops(answer.chain.hops, style, width));
  if (answer.by === 'extractive' && !answer.abstained) lines.push(style.dim('Quotes from your files, put together without a language model.'));
  if (answer.unsupportedCount > 0) lines.push(style.warn(`${answer.unsupportedCount} statement(s) could not be found in the files and were removed or marked.`));
  const { coverage } = answer;
  if (coverage.indexing) lines.push(style.warn(`The index is still being built: ${coverage.files} files read, ${coverage.embedded} of ${coverage.passages} passages searchable by meaning.`));
  return lines.join('\n').trimEnd();
}

/** The chain drawn as hops down a line. */
export function printHops(hops: readonly Hop[], style: Style, width: number): string[] {
  return hops.flatMap((hop, i) => {
    const rail = i === hops.length - 1 ? ' ' : '│';
    const body = excerpt(hop.passage.text, 3, width - 6).map((line) => `  ${rail}   ${style.dim(line)}`);
    const title = hop.passage.title ? `  ${style.bold(hop.passage.title)}` : '';
    return [
      `  ${style.accent('●')} ${style.accent(locationOf(hop.passage))}${title}`,
      `  ${rail}   ${hop.why.text}`,
      ...body,
      ...(i === hops.length - 1 ? [''] : [`  ${rail}`]),
    ];
  });
}

/** First non-blank lines, cut to the width. */
export function excerpt(text: string, count: number, width: number): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, count).map((line) => (line.length > width ? `${line.slice(0, Math.max(1, width - 1))}…` : line));
}
