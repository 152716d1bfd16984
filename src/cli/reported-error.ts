import { HoptrailError, type ErrorReport } from '../model/error-report.ts';

/** An error that already crossed a boundary as a report, thrown again so that the command fails with it. */
export class ReportedError extends HoptrailError {
  readonly code: string;

  constructor(report: ErrorReport) {
    super(report.message, { advice: report.advice, action: report.action });
    this.code = report.code;
  }
}
