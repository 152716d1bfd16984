import { baseName, type ErrorReport } from '#base';
import { reasonInWords } from '#search/reasons';
import * as vscode from 'vscode';
import type { Passage, PassageKind, SearchHit } from '#search';
import type { Answer, FirstHits, ResearchEvent } from '#research';
import { errorInWords } from '../error-words.ts';
import { refusalLabel } from '../labels.ts';
import { answerIn } from '../threads/turn-passages.ts';
import { shownTrail } from '../trail.ts';
import { bestLine, leadLine, oneLine, plainLine } from './one-line.ts';

/** Text in which signs of Markdown are nothing but that. */
const PROSE: ReadonlySet<PassageKind> = new Set<PassageKind>(['section', 'paragraph', 'front-matter', 'table', 'page']);

/** A row of the list, and what Enter does on it. */
export type QuickItem = vscode.QuickPickItem &
  (
    | { action: 'answer' | 'panel'; query: string; passage?: undefined }
    | { action: 'open'; passage: Passage; line: number }
    | { action: 'none'; passage?: undefined }
  );

const toSide = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('split-horizontal'),
  tooltip: vscode.l10n.t('Open to the Side'),
});

/** The question first, then the passages that match it. */
export function searchItems(query: string, hits: readonly (SearchHit | FirstHits['hits'][number])[]): QuickItem[] {
  const answer: QuickItem = {
    label: `$(arrow-right) ${plainLine(query)}`,
    description: vscode.l10n.t('Answer this'),
    alwaysShow: true,
    action: 'answer',
    query,
  };
  return [answer, ...hits.map((hit) => passageItem(hit.passage, hit.passage.title, query))];
}

/** The answer or the best quote, its sources, and the way on. */
export function answerItems(query: string, events: readonly ResearchEvent[]): QuickItem[] {
  const answer = answerIn(events);
  const failed = events.findLast((event) => event.type === 'run-error');
  if (!answer) return [failed ? errorItem(failed.error) : messageItem(vscode.l10n.t('Stopped.'))];
  const hops = shownTrail(answer, []).map((hop) =>
    passageItem(hop.passage, reasonInWords(hop.why, vscode.l10n.t).text || hop.passage.title, query),
  );
  const title = answer.abstained ? vscode.l10n.t('Closest passages') : vscode.l10n.t('Sources');
  return [
    ...(answer.abstained ? refusalItems(query, answer) : [headItem(query, answer)]),
    ...(hops.length > 0 ? [separator(title), ...hops] : []),
    separator(''),
    {
      label: `$(comment-discussion) ${vscode.l10n.t('Open in Panel')}`,
      alwaysShow: true,
      action: 'panel',
      query,
    },
  ];
}

/** The answer, or the quote that comes closest: Enter opens its line. What cites nothing leads to the panel. */
function headItem(query: string, answer: Answer): QuickItem {
  const { lead } = answer;
  const label = lead?.kind === 'quotes' ? leadLine(lead.text) : oneLine(answer.short || answer.text);
  const row = { label: `$(${answer.abstained ? 'arrow-small-right' : 'check'}) ${label}`, alwaysShow: true };
  const place = placeOf(answer);
  if (!place) return { ...row, action: 'panel', query };
  const name = baseName(place.passage.path);
  return { ...row, description: `${plainLine(name)}:${place.line}`, buttons: [toSide()], action: 'open', ...place };
}

/** That there is no answer, then the line that comes closest. */
function refusalItems(query: string, answer: Answer): QuickItem[] {
  const label = `$(circle-slash) ${plainLine(refusalLabel(answer, vscode.l10n.t))}`;
  const title: QuickItem = { label, alwaysShow: true, action: 'panel', query };
  return answer.lead ? [title, headItem(query, answer)] : [title];
}

/** Where what leads stands; without a lead, what is cited first. */
function placeOf({ lead, citations, passages }: Answer): { passage: Passage; line: number } | undefined {
  const number = lead?.citations[0];
  const citation = citations.find((one) => one.number === number) ?? citations[0];
  const passage = citation && passages.find(({ id }) => id === citation.passageId);
  return citation && passage ? { passage, line: citation.startLine } : undefined;
}

function separator(label: string): QuickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator, action: 'none' };
}

export function busyItem(label: string): QuickItem {
  return { label: `$(loading~spin) ${label}`, alwaysShow: true, action: 'none' };
}

function messageItem(label: string): QuickItem {
  return { label: `$(info) ${label}`, alwaysShow: true, action: 'none' };
}

/** What went wrong, and below it what to do about it. */
export function errorItem(error: ErrorReport): QuickItem {
  const { message, advice } = errorInWords(error, vscode.l10n.t);
  return { ...messageItem(message), ...(advice !== undefined && { detail: advice }) };
}

function passageItem(passage: Passage, about: string, query: string): QuickItem {
  const best = bestLine(passage.text, query, PROSE.has(passage.kind) ? oneLine : plainLine);
  const line = passage.startLine + best.offset;
  const name = baseName(passage.path);
  return {
    label: `$(file) ${plainLine(name)}:${line}`,
    description: plainLine(about === '' ? passage.path : about),
    detail: best.text,
    buttons: [toSide()],
    alwaysShow: true,
    action: 'open',
    passage,
    line,
  };
}
