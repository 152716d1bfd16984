import { type ErrorReport, HoptrailError, reportError } from '#base';
import { CommanderError } from 'commander';
import type { Output } from './terminal.ts';

/** The command line was used wrongly: exit code 2. */
export class UsageError extends HoptrailError {
  readonly code = 'usage';
}

/** Another machine writes the index that was to be brought up to date. */
export class IndexBusyError extends HoptrailError {
  readonly code = 'index-busy';
}

/** A folder was named that is none, or cannot be read. */
export class NoSuchFolderError extends HoptrailError {
  readonly code = 'no-such-folder';
}

/** An error that already crossed a boundary as a report, thrown again so that the command fails with it. */
export class ReportedError extends HoptrailError {
  readonly code: string;
  /** Whoever reads JSON has had it with the answer already. */
  readonly told: boolean;

  constructor(report: ErrorReport, { told = false } = {}) {
    super(report.message, { advice: report.advice, action: report.action });
    this.code = report.code;
    this.told = told;
  }
}

/** Milliseconds that running work has to end in order after a signal. */
const PATIENCE_MS = 700;

/** Whether, and by which signal, the program was asked to end. */
export interface Interruption {
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** The exit code for the signal, as shells expect it (130, 143); undefined as long as no signal came. */
  readonly code: number | undefined;
}

/**
 * After the first signal work ends in order or, after 0.7 s, at once, whatever it is waiting for; a second signal ends
 * it at once.
 */
export function listenForInterruption(): Interruption {
  const stop = new AbortController();
  let wished: number | undefined;
  const end = (code: number) => (): void => {
    if (wished !== undefined) process.exit(wished);
    wished = code;
    process.exitCode = code; // where nothing is left to wait for
    stop.abort();
    setTimeout(() => process.exit(code), PATIENCE_MS).unref();
  };
  process.on('SIGINT', end(130));
  process.on('SIGTERM', end(143));
  return {
    signal: stop.signal,
    get code() {
      return wished;
    },
  };
}

/** What programs get of an error. */
export function errorAsJson(error: unknown): { code: string; message: string; advice?: string } {
  const { code, message, advice } = reportError(error);
  return { code, message, ...(advice !== undefined && { advice }) };
}

/**
 * Says what a command failed with; where JSON was asked for, as a JSON value, too. 2 is for wrong usage, 130 and 143
 * for an interruption, 1 for everything else.
 */
export function exitCodeOf(
  error: unknown,
  output: Output,
  interruption: Interruption,
  json = process.argv.includes('--json'),
): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (json) output.json({ error: { code: 'usage', message: error.message.replace(/^error: /, '') } });
    return 2;
  }
  if (interruption.code !== undefined) return interruption.code;
  const report = reportError(error);
  if (json && !(error instanceof ReportedError && error.told)) output.json({ error: errorAsJson(error) });
  output.err(`${output.errorStyle.error('hoptrail:')} ${report.message}${report.advice ? `\n${report.advice}` : ''}`);
  return report.code === 'usage' ? 2 : 1;
}
