import { CommanderError } from 'commander';
import { reportError } from '#base';
import type { Output } from './output.ts';

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
