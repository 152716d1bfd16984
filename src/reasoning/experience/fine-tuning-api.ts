import { HoptrailError } from '../../model/error-report.ts';

/** The fine-tuning service refused or failed. */
export class FineTuningError extends HoptrailError {
  readonly code = 'fine-tuning';
}

export type JobStatus = 'validating_files' | 'queued' | 'running' | 'paused' | 'succeeded' | 'failed' | 'cancelled';

export interface FineTuningJobState {
  id: string;
  status: JobStatus;
  /** Set when it succeeded. */
  fineTunedModel: string | null;
  /** What the service says of a failed job. */
  problem: string | null;
  trainedTokens: number | null;
  /** Seconds since the epoch; null when the service does not say. */
  estimatedFinish: number | null;
}

/** Port: a fine-tuning service. Errors are typed; cancellation rejects with AbortError. */
export interface FineTuningApi {
  /** Host and port, for messages. */
  readonly host: string;
  /** Returns the file's id; a file of this name that is there already is used again. */
  upload(name: string, content: string, signal: AbortSignal): Promise<string>;
  /** A file that is gone already is no error. */
  deleteFile(id: string, signal: AbortSignal): Promise<void>;
  /** Starts a job, or finds the one that was started for this round before. */
  start(job: { roundId: string; model: string; fileId: string; epochs: number; seed: number }, signal: AbortSignal): Promise<FineTuningJobState>;
  job(id: string, signal: AbortSignal): Promise<FineTuningJobState>;
  cancel(id: string, signal: AbortSignal): Promise<FineTuningJobState>;
}
