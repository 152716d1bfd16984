import { baseName } from '#base';
import { reasonInWords } from '#search/reasons';
import * as vscode from 'vscode';
import { type Answer, placeOfSubAnswer, type Plan, type ResearchEvent, shownSubAnswers } from '#research';
import type { Hop, Passage } from '#search';
import { splitAtMarks } from '../citation-marks.ts';
import { refusalLabel } from '../labels.ts';
import { answerInWords, noticeInWords, translateSaid } from '../said-in-runs.ts';
import { citedBy, lineOfHop } from '../trail.ts';
import { plainMarkdown } from './research-result.ts';

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
 * One event as the chat shows it while the run goes on. The checked answer is written at its end: nothing unchecked is
 * shown. What a run says is text: the editor takes progress for Markdown.
 */
export function showProgress(event: ResearchEvent, stream: vscode.ChatResponseStream): void {
  const { l10n } = vscode;
  switch (event.type) {
    case 'run-start':
      return stream.progress(l10n.t('Looking for an answer…'));
    case 'plan-proposed':
      return stream.progress(l10n.t('Plan: {0}', operatorsOf(event.plan)));
    case 'step-start':
      return stream.progress(plainMarkdown(event.question));
    case 'passages-retrieved':
      return stream.progress(l10n.t('Found {0} passages in {1} ms', event.hits.length, Math.round(event.milliseconds)));
    case 'sub-answer-ready':
      return event.subAnswer.found ? stream.progress(plainMarkdown(event.subAnswer.answer)) : undefined;
    case 'notice':
      return stream.progress(plainMarkdown(noticeInWords(event, l10n.t)));
    default:
      return undefined;
  }
}

function operatorsOf({ steps, vote }: Plan): string {
  const operators = steps.map((step) => step.operator);
  return vote ? vscode.l10n.t('{0}, a vote', operators.join(' + ')) : operators.join(' → ');
}

/**
 * The answer with its marks as anchors, what was found on the way, then the trail; of a refusal which it is, and what
 * comes nearest.
 * @param question As it stands alone
 */
export function showAnswer(question: string, answer: Answer, stream: vscode.ChatResponseStream): void {
  if (answer.abstained) {
    stream.markdown(
      `**${refusalLabel(answer, vscode.l10n.t)}** ${plainMarkdown(translateSaid(answer.abstainReason ?? '', vscode.l10n.t))}\n\n`,
    );
    showMarked(answer.lead?.text ?? '', answer, stream);
  } else showMarked(answerInWords(answer, vscode.l10n.t), answer, stream);
  showSubAnswers(question, answer, stream);
  showTrail(
    answer.abstained ? vscode.l10n.t('Nearest passages') : vscode.l10n.t('Trail'),
    answer.chain.hops.map((hop, i) => ({ hop, line: lineOfHop(hop, answer.citations), found: answer.finds?.[i] })),
    stream,
  );
  for (const passage of answer.passages) stream.reference(locationOf(passage));
}

function showSubAnswers(question: string, answer: Answer, stream: vscode.ChatResponseStream): void {
  const found = shownSubAnswers(question, answer);
  if (found.length === 0) return;
  stream.markdown(`\n\n**${vscode.l10n.t('Found on the way')}**\n\n`);
  for (const one of found) {
    const place = placeOfSubAnswer(one, answer);
    stream.markdown(`- ${plainMarkdown(one.question)} → **${plainMarkdown(one.answer)}**${place ? ' ' : '\n'}`);
    if (!place) continue;
    const { passage, line } = place;
    stream.anchor(locationOf(passage, line), `${baseName(passage.path)}:${line}`);
    stream.markdown('\n');
  }
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
  hops: readonly { hop: Hop; line: number; found?: string | null | undefined }[],
  stream: vscode.ChatResponseStream,
): void {
  if (hops.length === 0) return;
  stream.markdown(`\n\n**${title}**\n\n`);
  hops.forEach(({ hop: { passage, why }, line, found }, index) => {
    stream.markdown(`${index + 1}. `);
    stream.anchor(locationOf(passage, line), `${passage.path}:${line}`);
    const about = reasonInWords(why, vscode.l10n.t).text || passage.title;
    const finding = !found ? '' : ` → **${plainMarkdown(found)}**`;
    stream.markdown(` ${plainMarkdown(about)}${finding}\n`);
  });
}
