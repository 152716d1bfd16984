import { HoptrailError } from '../../../model/error-report.ts';

/** The fine-tuning service refused or failed. */
export class FineTuningError extends HoptrailError {
  readonly code = 'fine-tuning';
}

export const JOB_STATUSES = ['validating_files', 'queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface FineTuningJobState {
  id: string;
  /** Of a status that the service alone knows, what it comes to: `running` while the job has not ended. */
  status: JobStatus;
  /** Set when it succeeded. */
  fineTunedModel: string | null;
  /** What the service says of a failed job. */
  problem: string | null;
  trainedTokens: number | null;
  /** Seconds since the epoch; null when the service does not say. */
  estimatedFinish: number | null;
}

/** What lies at a service of one round, whether or not the reply to its sending arrived. */
export interface FoundRound {
  /** Ids of its files: one, unless the service took it twice. */
  fileIds: string[];
  /** undefined: none was started. */
  job?: FineTuningJobState;
}

/** Port: a fine-tuning service. Errors are typed; cancellation rejects with AbortError. */
export interface FineTuningApi {
  /** Host and port, for messages. */
  readonly host: string;
  /** Returns the file's id; the round's file that is there already is used again. */
  upload(roundId: string, content: string, signal: AbortSignal): Promise<string>;
  /** What is there of a round. */
  find(roundId: string, signal: AbortSignal): Promise<FoundRound>;
  /** A file that is gone already is no error. */
  deleteFile(id: string, signal: AbortSignal): Promise<void>;
  /** Starts a job, or finds the one that was started for this round before. */
  start(job: { roundId: string; model: string; fileId: string; epochs: number; seed: number }, signal: AbortSignal): Promise<FineTuningJobState>;
  job(id: string, signal: AbortSignal): Promise<FineTuningJobState>;
  cancel(id: string, signal: AbortSignal): Promise<FineTuningJobState>;
}
