import { addTo } from '#base';
import {
  causeInWords,
  type IndexReport,
  type IndexState,
  type SkippedFile,
  type SkipReason,
  type WorkspaceRoot,
} from '#search';
import { indexPlace, withEngine, type EngineOptions } from '../open-engine.ts';
import { nothingRead } from '../nothing-read.ts';
import { type Output, printable, formatSeconds } from '../terminal.ts';

/** `hoptrail index DIR`: brings the index up to date and reports what was read, left out and reused. */
export async function indexCommand(
  directory: string,
  options: EngineOptions & { json?: boolean; rebuild?: boolean; emptied?: boolean },
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  await withEngine(directory, options, signal, async ({ update, roots }) => {
    const report = await update({ rebuild: options.rebuild, emptied: options.emptied, mustWrite: true }, signal);
    if (!report) return;
    const { files, skipped, passages, embedded, reused, seconds } = report;
    const left = skipped.map(({ path, reason }) => ({ path, reason }));
    if (options.json) output.json({ files, skipped: left, passages, embedded, reused, seconds });
    else output.out(describeReport(report, roots));
  });
}

const MOST_NAMED = 5;

function describeReport(report: IndexReport, roots: readonly WorkspaceRoot[]): string {
  const nothing = nothingRead(report, roots, { listed: true });
  const lines = [
    ...(nothing === undefined ? [] : [nothing]),
    `${report.files} files, ${report.passages} passages: ${report.embedded} embedded, ${report.reused} reused, ` +
      `in ${formatSeconds(report.seconds)}.`,
  ];
  const byReason = new Map<SkipReason, SkippedFile[]>();
  for (const file of report.skipped) addTo(byReason, file.reason, file);
  if (report.skipped.length > 0) lines.push(`${report.skipped.length} left out, wholly or in part:`);
  for (const [reason, files] of byReason) {
    const named = reason === 'gave-up' ? files : files.slice(0, MOST_NAMED);
    const told = named.map(({ path, why }) => `${printable(path)} (${printable(causeInWords(why))})`);
    const more = files.length - named.length;
    lines.push(`  ${reason}: ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
  }
  for (const { path, why } of report.fallbacks)
    lines.push(`  read as plain text: ${printable(path)} (${printable(causeInWords(why))})`);
  return lines.join('\n');
}

/** `hoptrail status DIR`: what the index holds; makes no index if there is none. */
export async function statusCommand(
  directory: string,
  options: EngineOptions & { json?: boolean },
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { uri, exists } = indexPlace(directory, options);
  if (!exists) return options.json ? output.json({ indexUri: uri, missing: true }) : output.out(noIndex(uri));
  await withEngine(directory, options, signal, async ({ engine, indexUri }) => {
    const state = await engine.index.state();
    if (options.json) output.json({ indexUri, ...state });
    else output.out(state.missing ? noIndex(indexUri) : describeIndex(state, indexUri));
  });
}

const noIndex = (uri: string): string => `No index yet: it will lie in ${uri}`;

function describeIndex({ coverage, embedderId, bytes, error }: IndexState, indexUri: string): string {
  const size = bytes === undefined || coverage.indexing ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
  return [
    ...(error ? [error.message] : []),
    `${coverage.files} files, ${coverage.passages} passages`,
    `${coverage.embedded} of ${coverage.passages} passages searchable by meaning (${embedderId})`,
    `Index: ${indexUri}${size}`,
  ].join('\n');
}
