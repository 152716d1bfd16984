import { type ErrorReport, HoptrailError } from '#base';

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
