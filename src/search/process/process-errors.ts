import { HoptrailError, type ErrorReport } from '#base';

/** The index process ended while it was asked something. It is started again; what it was doing goes on. */
export class IndexProcessCrashedError extends HoptrailError {
  readonly code = 'index-process-crashed';
  constructor(how: string) {
    super(`The index process ended unexpectedly (${how}).`, {
      advice: 'It is being started again: ask once more in a moment.',
      action: 'retry',
    });
  }
}

/** The index process cannot be started, or keeps ending. */
export class IndexProcessUnavailableError extends HoptrailError {
  readonly code = 'index-process-unavailable';
  constructor(why: string, advice: string) {
    super(`The index process cannot be started: ${why}`, { advice, action: 'show-log' });
  }
}

/** An error that was thrown in the index process, as it came over. */
export class IndexProcessError extends HoptrailError {
  readonly code: string;
  constructor(report: ErrorReport) {
    super(report.message, { advice: report.advice, action: report.action });
    this.code = report.code;
  }
}

/** The index process answered with something of another shape than its request promises. */
export class UnknownReplyError extends HoptrailError {
  readonly code = 'index-process-reply';
  constructor(method: string, problem: string) {
    super(`The index process answered ${method} with something of unknown shape: ${problem}`, {
      advice: 'Reload the window; reinstall the extension if it goes on.',
      action: 'show-log',
    });
  }
}

/** Says in people's words why a process did not start, from how it ended and what it wrote. */
export function explainFailedStart(how: string, output: string): { why: string; advice: string } {
  const reinstall = 'Reinstall the extension for this platform.';
  if (/SIGILL|STATUS_ILLEGAL_INSTRUCTION|illegal instruction|3221225501/i.test(`${how} ${output}`)) {
    return {
      why: 'this processor lacks instructions that the database or the model needs',
      advice: 'A processor from 2013 or later (with AVX2) is needed.',
    };
  }
  const library = missingLibrary(output);
  if (library)
    return {
      why: `this system's libraries are too old (${library})`,
      advice: 'A Linux with glibc 2.28 or later is needed.',
    };
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(output)?.[1];
  if (missing) return { why: `a part of it is missing (${missing})`, advice: reinstall };
  if (/ERR_DLOPEN_FAILED|invalid ELF header|wrong architecture|not a valid Win32 application/i.test(output)) {
    return { why: 'its native parts do not fit this platform', advice: reinstall };
  }
  if (/ENOENT/.test(how)) return { why: `its program is missing (${how})`, advice: reinstall };
  const lastLine = output
    .trim()
    .split('\n')
    .findLast((line) => /error/i.test(line));
  return { why: lastLine ? `${how}: ${lastLine.trim()}` : how, advice: 'Look into the log for what it said.' };
}

/**
 * What a line says of a system library that is too old: "version `GLIBC_2.28' not found …", "libstdc++.so.6: … not
 * found".
 */
function missingLibrary(output: string): string | undefined {
  for (const line of output.split('\n')) {
    const small = line.toLowerCase();
    const version = small.indexOf('version `glibc');
    if (version >= 0) return line.slice(version);
    const name = ['glibc', 'libstdc++'].map((library) => small.indexOf(library)).find((at) => at >= 0);
    const end = small.lastIndexOf('not found');
    if (name !== undefined && end > name) return line.slice(name, end + 'not found'.length);
  }
  return undefined;
}
