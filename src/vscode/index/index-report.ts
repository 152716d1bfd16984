import { addTo, sum } from '#base';
import {
  causeInWords,
  type IndexReport,
  type IndexState,
  type SkippedFile,
  type SkipReason,
  type Translate,
} from '#search';
import { describeNotices, inEnglish } from '#search/notices';
import { errorInWords } from '../error-words.ts';
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
interface ReportContent {
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

const phases: { [P in IndexState['phase']]: (t: Translate) => string } = {
  starting: (t) => t('starting'),
  reading: (t) => t('reading'),
  embedding: (t) => t('embedding'),
  ready: (t) => t('ready'),
  paused: (t) => t('paused'),
  'read-only': (t) => t('read-only'),
  failed: (t) => t('failed'),
};

const reasons: { [R in SkipReason]: (t: Translate) => string } = {
  ignored: (t) => t('ignored'),
  excluded: (t) => t('excluded'),
  binary: (t) => t('binary'),
  generated: (t) => t('generated'),
  'too-large': (t) => t('too-large'),
  empty: (t) => t('empty'),
  unreadable: (t) => t('unreadable'),
  vanished: (t) => t('vanished'),
  'link-outside': (t) => t('link-outside'),
  'link-cycle': (t) => t('link-cycle'),
  unsupported: (t) => t('unsupported'),
  'gave-up': (t) => t('gave-up'),
};

/** The report as a Markdown document: totals, what was left out and why, what is in. English unless translated. */
export function indexReportMarkdown(content: ReportContent, t: Translate = inEnglish): string {
  const { fallbacks, files } = content;
  const lines = [t('# Index report'), '', '| | |', '|---|---|', ...totals(content, t), ''];
  if (fallbacks.length > 0) {
    lines.push(
      `## ${t('Read as plain text, because their parser failed')}`,
      '',
      ...fallbacks.map((fallback) => `- \`${fallback.path}\`: ${causeInWords(fallback.why, t)}`),
      '',
    );
  }
  lines.push(`## ${t('Left out')}`, '', ...leftOut(content, t));
  lines.push(`## ${t('Indexed')}`, '', t('| language | files | passages |'), '|---|---:|---:|');
  for (const [language, group] of groupBy(files, (file) => file.language)) {
    lines.push(`| ${language} | ${group.length} | ${sum(group.map((file) => file.passages))} |`);
  }
  lines.push('', ...files.slice(0, LISTED).map((file) => `- \`${file.path}\` ${file.passages}`));
  if (files.length > LISTED) lines.push(`- ${t('and {0} more', files.length - LISTED)}`);
  return `${lines.join('\n')}\n`;
}

function totals({ state, indexUri, skipped, skippedKnown }: ReportContent, t: Translate): string[] {
  const { coverage } = state;
  const { passages, embedded } = coverage;
  const notice = describeNotices(state.notices, t);
  const failure = state.error ? `: ${errorInWords(state.error, t).message}` : '';
  const left = skippedKnown === false ? t('{0} that were read, and more', skipped.length) : String(skipped.length);
  const rows: [string, string][] = [
    [t('State'), phases[state.phase](t) + failure],
    [t('Files'), String(coverage.files)],
    [t('Passages'), t('{0}, {1} with a vector', passages, embedded)],
    [t('Left out'), left],
    [t('Embedding model'), state.embedderId],
    [t('Lies in'), indexUri],
  ];
  if (state.bytes !== undefined && !coverage.indexing) rows.push([t('Size'), megabytes(state.bytes)]);
  if (notice) rows.push([t('Note'), notice]);
  return rows.map(([name, value]) => `| ${name} | ${cell(value)} |`);
}

function leftOut({ skipped, skippedKnown }: ReportContent, t: Translate): string[] {
  const lines: string[] = [];
  if (skippedKnown === false)
    lines.push(t('Files that were left out unread are known only to the window that updates this index.'), '');
  else if (skipped.length === 0) lines.push(t('Nothing.'), '');
  for (const [reason, group] of groupBy(skipped, (file) => file.reason)) {
    lines.push(
      `### ${reasons[reason](t)} (${group.length})`,
      '',
      ...group.slice(0, LISTED).map((file) => `- \`${file.path}\`: ${causeInWords(file.why, t)}`),
    );
    if (group.length > LISTED) lines.push(`- ${t('and {0} more', group.length - LISTED)}`);
    lines.push('');
  }
  return lines;
}

/** Groups in the order of their size, largest first. */
function groupBy<T, K extends string>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}
