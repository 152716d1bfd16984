import type { IndexReport, IndexState, SkippedFile } from '#search';
import { describeNotices } from '#search/notices';
import type { SessionHolder } from '../session-holder.ts';

/** True while the index is being opened or reads files: what it lists is not all yet. */
export function isReading(state: IndexState | undefined): boolean {
  return state?.phase === 'starting' || state?.phase === 'reading';
}

/** Resolves when the index has read the files, or does not go on: what there is can be listed, and found by words. */
export async function filesRead(sessions: Pick<SessionHolder, 'state' | 'onState'>): Promise<void> {
  if (!isReading(sessions.state)) return;
  await new Promise<void>((resolve) => {
    const listening = sessions.onState((state) => {
      if (isReading(state)) return;
      listening.dispose();
      resolve();
    });
  });
}

/** A size for people, never `0.0 MB` of what is there. */
export function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** What the report is made of. */
export interface ReportContent {
  state: IndexState;
  indexUri: string;
  files: { path: string; language: string; passages: number }[];
  skipped: SkippedFile[];
  fallbacks: IndexReport['fallbacks'];
  /** As in FileReport. */
  skippedKnown?: false;
}

const cell = (text: string): string => text.replace(/[|\\]/g, '\\$&').replace(/\s+/g, ' ');
const LISTED = 2000;

/** The report as a Markdown document: totals, what was left out and why, what is in. */
export function indexReportMarkdown({
  state,
  indexUri,
  files,
  skipped,
  skippedKnown,
  fallbacks,
}: ReportContent): string {
  const { coverage } = state;
  const notice = describeNotices(state.notices);
  const lines = [
    '# Index report',
    '',
    '| | |',
    '|---|---|',
    `| State | ${state.phase}${state.error ? `: ${cell(state.error.message)}` : ''} |`,
    `| Files | ${coverage.files} |`,
    `| Passages | ${coverage.passages}, ${coverage.embedded} with a vector |`,
    `| Left out | ${skippedKnown === false ? `${skipped.length} that were read, and more` : skipped.length} |`,
    `| Embedding model | ${cell(state.embedderId)} |`,
    `| Lies in | ${cell(indexUri)} |`,
    ...(state.bytes === undefined || coverage.indexing ? [] : [`| Size | ${megabytes(state.bytes)} |`]),
    ...(notice ? [`| Note | ${cell(notice)} |`] : []),
    '',
  ];
  if (fallbacks.length > 0) {
    lines.push(
      '## Read as plain text, because their parser failed',
      '',
      ...fallbacks.map((fallback) => `- \`${fallback.path}\`: ${fallback.reason}`),
      '',
    );
  }
  lines.push('## Left out', '');
  if (skippedKnown === false)
    lines.push(
      'What was left out unread (ignored, excluded, too large) is known only to the window that keeps this index up to date, once it has walked the folders.',
      '',
    );
  else if (skipped.length === 0) lines.push('Nothing.', '');
  for (const [reason, group] of groupBy(skipped, (file) => file.reason)) {
    lines.push(
      `### ${reason} (${group.length})`,
      '',
      ...group.slice(0, LISTED).map((file) => `- \`${file.path}\`: ${file.detail}`),
    );
    if (group.length > LISTED) lines.push(`- and ${group.length - LISTED} more`);
    lines.push('');
  }
  lines.push('## Indexed', '', '| language | files | passages |', '|---|---:|---:|');
  for (const [language, group] of groupBy(files, (file) => file.language)) {
    lines.push(`| ${language} | ${group.length} | ${group.reduce((sum, file) => sum + file.passages, 0)} |`);
  }
  lines.push('', ...files.slice(0, LISTED).map((file) => `- \`${file.path}\` ${file.passages}`));
  if (files.length > LISTED) lines.push(`- and ${files.length - LISTED} more`);
  return `${lines.join('\n')}\n`;
}

/** Groups in the order of their size, largest first. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}
