import type { IndexReport, SkipReason } from '#search';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../output.ts';
import { printable } from '../terminal/printable.ts';
import { formatSeconds } from '../terminal/progress-line.ts';

/** `hoptrail index DIR`: brings the index up to date and reports what was read, left out and reused. */
export async function indexCommand(
  directory: string,
  options: EngineOptions & { json?: boolean; rebuild?: boolean; emptied?: boolean },
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  await withEngine(directory, options, signal, async ({ update }) => {
    const report = await update({ rebuild: options.rebuild, emptied: options.emptied, mustWrite: true }, signal);
    if (!report) return;
    if (options.json) {
      const { files, skipped, passages, embedded, reused, seconds } = report;
      output.json({
        files,
        skipped: skipped.map(({ path, reason }) => ({ path, reason })),
        passages,
        embedded,
        reused,
        seconds,
      });
    } else output.out(describeReport(report));
  });
}

function describeReport(report: IndexReport): string {
  const lines = [
    `${report.files} files, ${report.passages} passages: ${report.embedded} embedded, ${report.reused} reused, in ${formatSeconds(report.seconds)}.`,
  ];
  const byReason = new Map<SkipReason, string[]>();
  for (const { path, reason } of report.skipped) byReason.set(reason, [...(byReason.get(reason) ?? []), path]);
  if (report.skipped.length > 0) lines.push(`${report.skipped.length} left out:`);
  for (const [reason, paths] of byReason)
    lines.push(
      `  ${reason}: ${paths.slice(0, 5).map(printable).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`,
    );
  for (const { path, detail } of report.skipped.filter(({ reason }) => reason === 'gave-up'))
    lines.push(`  given up: ${printable(path)} (${printable(detail)})`);
  for (const { path, reason } of report.fallbacks) lines.push(`  read as plain text: ${printable(path)} (${reason})`);
  return lines.join('\n');
}
