import { type ErrorReport, HoptrailError, reportError } from '#base';
import { CommanderError } from 'commander';
import type { Output } from './terminal.ts';

/** The command line was used wrongly: exit code 2. */
export class UsageError extends HoptrailError {
  readonly code = 'usage';
}

/** Another process writes the index that was to be brought up to date. */
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

  constructor(report: ErrorReport) {
    super(report.message, { advice: report.advice, action: report.action });
    this.code = report.code;
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

/** Says what a command failed with. 2 is for wrong usage, 130 and 143 for an interruption, 1 for everything else. */
export function exitCodeOf(error: unknown, output: Output, interruption: Interruption): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (interruption.code !== undefined) return interruption.code;
  const report = reportError(error);
  output.err(`${output.errorStyle.error('hoptrail:')} ${report.message}${report.advice ? `\n${report.advice}` : ''}`);
  return report.code === 'usage' ? 2 : 1;
}
