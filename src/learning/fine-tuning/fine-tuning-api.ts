import {
  type Clock,
  defaultRetryPolicy,
  type Failure,
  HoptrailError,
  type RetryPolicy,
  systemClock,
  throwIfAborted,
  unlessAborted,
  withRetry,
} from '#base';
import { APIError, type OpenAI, toFile } from 'openai';
import {
  judgeOpenAiFailure,
  openAiClient,
  type OpenAiEndpoint,
  parseBaseUrl,
  sayingOf,
  SERVICE_REPLY_BYTES,
} from '#research';

/** The fine-tuning service refused or failed. */
export class FineTuningError extends HoptrailError {
  readonly code = 'fine-tuning';
}

const JOB_STATUSES = ['validating_files', 'queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled'] as const;
type JobStatus = (typeof JOB_STATUSES)[number];

export interface FineTuningJobState {
  id: string;
  /** The nearest of our statuses where the service has others of its own: `running` while the job has not ended. */
  status: JobStatus;
  /** Set when it succeeded. */
  fineTunedModel: string | null;
  /** What the service says of a failed job. */
  problem: string | null;
}

/** The files and the job of one round that the service has, including those whose confirmation was lost. */
interface FoundRound {
  /** Ids of the round's files: more than one only if an upload was repeated. */
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
  start(
    job: { roundId: string; model: string; fileId: string; epochs: number; seed: number },
    signal: AbortSignal,
  ): Promise<FineTuningJobState>;
  job(id: string, signal: AbortSignal): Promise<FineTuningJobState>;
  cancel(id: string, signal: AbortSignal): Promise<FineTuningJobState>;
}

type Job = OpenAI.FineTuning.FineTuningJob;

/** Files and jobs looked through for those of a round that was interrupted. */
const LOOKED_AT = 100;
/** Key of the job's metadata that names the round. */
const ROUND = 'hoptrail_round';
/** Name of a round's file. */
const fileOf = (roundId: string): string => `hoptrail-${roundId}.jsonl`;

/** The fine-tuning API of OpenAI (platform.openai.com/docs/api-reference/fine-tuning) and of servers that speak it. */
export function openAiFineTuning(
  endpoint: OpenAiEndpoint,
  options: { clock?: Clock; retry?: RetryPolicy; random?: () => number } = {},
): FineTuningApi {
  const { clock = systemClock, retry = defaultRetryPolicy, random = Math.random } = options;
  const { baseUrl, host } = parseBaseUrl(endpoint.baseUrl);

  async function call<T>(caller: AbortSignal, work: (client: OpenAI, signal: AbortSignal) => Promise<T>): Promise<T> {
    let keyed = false;
    throwIfAborted(caller);
    // The client never takes its listeners off: one signal for hours of polling would collect them.
    const controller = new AbortController();
    const onAbort = (): void => controller.abort();
    caller.addEventListener('abort', onAbort, { once: true });
    const { signal } = controller;
    const judge = (error: unknown): Failure =>
      refusal(error, host) ??
      judgeOpenAiFailure(error, { endpoint: host, model: 'fine-tuning', keyed, now: clock.now() });
    try {
      return await unlessAborted(
        withRetry(
          async () => {
            const connection = await openAiClient({ ...endpoint, baseUrl }, SERVICE_REPLY_BYTES);
            keyed = connection.keyed;
            return work(connection.client, signal);
          },
          { policy: retry, clock, random, signal, left: () => Number.POSITIVE_INFINITY, judge },
        ),
        signal,
      );
    } catch (error) {
      throwIfAborted(caller);
      throw error;
    } finally {
      caller.removeEventListener('abort', onAbort);
    }
  }

  async function filesOf(roundId: string, client: OpenAI, signal: AbortSignal): Promise<OpenAI.FileObject[]> {
    const page = await client.files.list({ purpose: 'fine-tune', limit: LOOKED_AT, order: 'desc' }, { signal });
    return page.data.filter((file) => file.filename === fileOf(roundId));
  }

  async function jobOf(roundId: string, client: OpenAI, signal: AbortSignal): Promise<Job | undefined> {
    const page = await client.fineTuning.jobs.list({ limit: LOOKED_AT }, { signal });
    return page.data.find((job) => job.metadata?.[ROUND] === roundId);
  }

  return {
    host,
    upload: (roundId, content, signal) =>
      call(signal, async (client, own) => {
        const known = (await filesOf(roundId, client, own)).find((file) => file.bytes === Buffer.byteLength(content));
        return (
          known?.id ??
          (
            await client.files.create(
              {
                file: await toFile(Buffer.from(content), fileOf(roundId), { type: 'application/jsonl' }),
                purpose: 'fine-tune',
              },
              { signal: own },
            )
          ).id
        );
      }),
    find: (roundId, signal) =>
      call(signal, async (client, own) => {
        const [files, job] = [await filesOf(roundId, client, own), await jobOf(roundId, client, own)];
        return { fileIds: files.map((file) => file.id), ...(job && { job: stateOf(job) }) };
      }),
    deleteFile: (id, signal) =>
      call(signal, async (client, own) => {
        try {
          await client.files.delete(id, { signal: own });
        } catch (error) {
          if (!(error instanceof APIError && error.status === 404)) throw error;
        }
      }),
    start: ({ roundId, model, fileId, epochs, seed }, signal) =>
      call(signal, async (client, own) => {
        const known = await jobOf(roundId, client, own);
        return stateOf(
          known ??
            (await client.fineTuning.jobs.create(
              {
                model,
                training_file: fileId,
                seed,
                suffix: 'hoptrail',
                metadata: { [ROUND]: roundId },
                method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: epochs } } },
              },
              { signal: own },
            )),
        );
      }),
    job: (id, signal) =>
      call(signal, async (client, own) => stateOf(await client.fineTuning.jobs.retrieve(id, { signal: own }))),
    cancel: (id, signal) =>
      call(signal, async (client, own) => stateOf(await client.fineTuning.jobs.cancel(id, { signal: own }))),
  };
}

/**
 * What is not as with chat calls: a 404 means that there is no such service or job, and a 400 is about the examples or
 * the model.
 */
function refusal(error: unknown, host: string): Failure | undefined {
  if (!(error instanceof APIError)) return undefined;
  if (error.status === 404 && !error.param)
    return {
      retry: false,
      error: new FineTuningError(`${host} knows no such fine-tuning job, or offers no fine-tuning.`, {
        cause: error,
        advice: 'Choose a provider that can fine-tune.',
      }),
    };
  if (error.status === 400 || error.status === 404 || error.status === 422)
    return {
      retry: false,
      error: new FineTuningError(`${host} refuses to fine-tune: ${sayingOf(error)}`, {
        cause: error,
        advice: 'See which models the provider can fine-tune, and what it wants of examples.',
      }),
    };
  return undefined;
}

function stateOf(job: Job): FineTuningJobState {
  const said = job.error?.message ? `${job.error.message}${job.error.code ? ` (${job.error.code})` : ''}` : null;
  const status = statusOf(job);
  const problem = said ?? (status === 'failed' && job.status !== 'failed' ? `The job ended as “${job.status}”.` : null);
  return { id: job.id, status, fineTunedModel: job.fine_tuned_model, problem };
}

/**
 * Servers that speak the API may say “pending” or “preparing”: what is unknown runs until it has ended, and then came
 * off if there is a model.
 */
function statusOf({ status, finished_at: ended, fine_tuned_model: model }: Job): FineTuningJobState['status'] {
  const known = JOB_STATUSES.find((one) => one === status);
  return known ?? (ended === null || ended === undefined ? 'running' : model ? 'succeeded' : 'failed');
}
