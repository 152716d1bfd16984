import * as vscode from 'vscode';
import { baseName } from '#base';
import type { Answer, ResearchEvent } from '#research';
import { runNoticeInWords } from '#research/notices';
import type { Hop, Passage } from '#search';
import { reasonInWords } from '#search/reasons';
import { splitAtMarks } from '../citation-marks.ts';
import { refusalLabel } from '../labels.ts';
import { citedBy, lineOfHop, shownTrail } from '../trail.ts';
import { plainMarkdown } from './research-result.ts';

const { l10n } = vscode;

/** Where a passage stands, in the editor's terms. */
export function locationOf(
  passage: Passage,
  startLine = passage.startLine,
  endLine = passage.endLine,
): vscode.Location {
  return new vscode.Location(
    vscode.Uri.parse(passage.uri),
    new vscode.Range(startLine - 1, 0, Math.max(startLine, endLine) - 1, Number.MAX_SAFE_INTEGER),
  );
}

/**
 * One event as the chat shows it while the run goes on; the checked answer is written at its end. What comes from files
 * and models is escaped, because the editor takes progress for Markdown.
 */
export function showProgress(event: ResearchEvent, stream: vscode.ChatResponseStream): void {
  switch (event.type) {
    case 'run-start':
      return stream.progress(l10n.t('Looking for an answer…'));
    case 'step-start':
      return stream.progress(plainMarkdown(event.question));
    case 'passages-retrieved':
      return stream.progress(plainMarkdown(l10n.t('Searched for “{0}”: {1} passages', event.query, event.hits.length)));
    case 'tool-used':
      return stream.progress(plainMarkdown(l10n.t('Looked up {0}', event.asked)));
    case 'sub-answer-ready':
      return event.subAnswer.found ? stream.progress(plainMarkdown(event.subAnswer.answer)) : undefined;
    case 'notice':
      return stream.progress(plainMarkdown(runNoticeInWords(event, l10n.t)));
    default:
      return undefined;
  }
}

/** The answer with its marks as anchors and the trail; without an answer, what comes closest. */
export function showAnswer(answer: Answer, stream: vscode.ChatResponseStream): void {
  if (answer.abstained) stream.markdown(`**${plainMarkdown(refusalLabel(answer, l10n.t))}**\n\n`);
  showMarked(answer.abstained ? (answer.lead?.text ?? '') : answer.text, answer, stream);
  const { missing = [] } = answer;
  if (missing.length > 0)
    stream.markdown(
      `\n\n${l10n.t('Still open:')}\n\n${missing.map((question) => `- ${plainMarkdown(question)}\n`).join('')}`,
    );
  showTrail(
    answer.abstained ? l10n.t('Closest passages') : l10n.t('Sources'),
    shownTrail(answer, []).map((hop) => ({ hop, line: lineOfHop(hop, answer.citations) })),
    stream,
  );
  for (const passage of answer.passages) stream.reference(locationOf(passage));
}

function showMarked(text: string, answer: Answer, stream: vscode.ChatResponseStream): void {
  for (const part of splitAtMarks(text)) {
    const cited = typeof part === 'string' ? undefined : citedBy(answer, part.number);
    if (cited) {
      const { passage, citation } = cited;
      const { startLine, endLine } = citation;
      stream.anchor(locationOf(passage, startLine, endLine), `${baseName(passage.path)}:${startLine}`);
    } else stream.markdown(typeof part === 'string' ? part : part.text);
  }
}

export function showTrail(
  title: string,
  hops: readonly { hop: Hop; line: number }[],
  stream: vscode.ChatResponseStream,
): void {
  if (hops.length === 0) return;
  stream.markdown(`\n\n**${title}**\n\n`);
  hops.forEach(({ hop: { passage, why }, line }, index) => {
    stream.markdown(`${index + 1}. `);
    stream.anchor(locationOf(passage, line), `${passage.path}:${line}`);
    stream.markdown(` ${plainMarkdown(reasonInWords(why, l10n.t).text || passage.title)}\n`);
  });
}
