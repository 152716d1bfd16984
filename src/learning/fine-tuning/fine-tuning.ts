import { isAbortError, readJsonLines, sum } from '#base';
import { type ChatMessage, estimatePromptTokens } from '#research';
import type { ExperienceStore } from '../experience/experience-store.ts';
import { exportChat, type ChatExport, type LossWeights } from './export-chat.ts';
import { FineTuningError, type FineTuningApi, type FineTuningJobState } from './fine-tuning-api.ts';
import { decideGate, type ScoredPair } from './gate.ts';
import { chatLine, type HeldOutLines } from './compare-models.ts';
import {
  isAtService,
  isOver,
  isSameService,
  readRound,
  standingModel,
  withPrice,
  type LearningRound,
  type RoundEstimate,
} from './learning-round.ts';

export interface FineTuningPorts {
  api: FineTuningApi;
  /** Address of that service. */
  baseUrl: string;
  experience: ExperienceStore;
  /** Where the round's state is kept; undefined: none yet. */
  store: { load(): Promise<unknown>; save(round: unknown): Promise<void> };
  /** Scores both models on the held-out questions, as the evaluation does. */
  compare(models: { before: string; after: string; heldOut: HeldOutLines }, signal: AbortSignal): Promise<ScoredPair[]>;
  /** The model in use where this base model is named, and how another one is put in its place. */
  model: {
    current(baseModel: string): string;
    use(model: string, base: { baseUrl: string; baseModel: string }): Promise<void>;
  };
  /** Milliseconds since the epoch, and waiting. */
  clock: { now(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> };
  newId(): string;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
}

export interface RoundRequest {
  /** Model to start from, as the provider calls it. */
  baseModel: string;
  epochs?: number;
  weights?: LossWeights;
  /** Share of questions held out, 0..1. */
  heldOut?: number;
  /** Per million trained tokens. */
  price?: { perMillion: number; currency: string };
  seed?: number;
}

/** The least that the API takes. */
const LEAST_EXAMPLES = 10;
const EPOCHS = 3;
/** Milliseconds between looks at a running job. */
const POLL = 20_000;

/**
 * One round of RISE's self-training through a fine-tuning API: prepare → (a person agrees) → upload → job → compare →
 * switch or keep, and one step back. Nothing leaves the machine before {@link agree}. Each step is written down before
 * the next begins, so that a round goes on after a restart with {@link run}; uploads and jobs are found again and never
 * made twice.
 */
export class FineTuning {
  readonly #ports: FineTuningPorts;

  constructor(ports: FineTuningPorts) {
    this.#ports = ports;
  }

  /** The last round; undefined when there was none. @throws FineTuningError when its state is damaged. */
  async current(): Promise<LearningRound | undefined> {
    return readRound(await this.#ports.store.load());
  }

  /**
   * Counts examples and cost, and writes the round down for whoever agrees later. @throws FineTuningError when a round
   * is under way or there are too few examples.
   */
  async prepare(request: RoundRequest): Promise<LearningRound> {
    return this.#write(await this.draft(request));
  }

  /** The same without a trace: the round is written down only by {@link agree}. */
  async draft(request: RoundRequest): Promise<LearningRound> {
    const old = await this.#settled();
    const { baseModel, epochs = EPOCHS, seed = 1 } = request;
    const chat = exportChat(await this.#ports.experience.list(), {
      weights: request.weights,
      heldOut: request.heldOut,
      seed,
    });
    const prompts = readJsonLines(chat.training, chatLine).values.map(({ messages }) => messages);
    const examples = prompts.length;
    if (examples < LEAST_EXAMPLES)
      throw new FineTuningError(`There are ${examples} examples to learn from; ${LEAST_EXAMPLES} are needed.`, {
        advice: 'Ask more questions, and rate answers that were right.',
      });
    if (chat.heldOutCount === 0)
      throw new FineTuningError('No question was held out to compare on.', {
        advice: 'Ask more questions, and rate answers that were right.',
      });
    const estimate = this.#estimate(chat, prompts, epochs, request.price);
    const standing = old && standingModel(old);
    return {
      version: 1,
      id: this.#ports.newId(),
      started: this.#ports.clock.now(),
      phase: 'prepared',
      baseUrl: this.#ports.baseUrl,
      baseModel,
      seed,
      estimate,
      records: chat.ids,
      training: chat.training,
      heldOut: chat.heldOut,
      heldOutQuestions: chat.heldOutQuestions,
      ...(standing && { standing }),
    };
  }

  /**
   * A person has seen the estimate of this round (a draft, or the one that was prepared) and agrees that its examples
   * are sent.
   */
  async agree(draft?: LearningRound): Promise<LearningRound> {
    if (draft) await this.#settled();
    const round = draft ?? (await this.#inPhase('prepared'));
    const known = await this.#ports.experience.setConsent(round.records, 'upload');
    if (known < round.records.length)
      throw new FineTuningError('Some of these examples were deleted since they were counted.', {
        advice: 'Prepare the round again.',
      });
    return this.#write({ ...round, phase: 'agreed' });
  }

  /**
   * Takes the round as far as it goes. `onChange` is told of it before each step and at the end. On abort the round
   * stays as it is and can be run again. Errors of the network are thrown and leave the round where it was; a job that
   * failed ends it.
   */
  async run(signal: AbortSignal, onChange: (round: LearningRound) => void = () => undefined): Promise<LearningRound> {
    let round = await this.#required();
    this.#here(round);
    for (;;) {
      onChange(round);
      if (!isAtService(round)) return round;
      const next = await this.#step(round, signal);
      if (next.phase === 'training' && round.phase === 'training') await this.#ports.clock.sleep(POLL, signal);
      round = next;
    }
  }

  /** Ends the round here alone, where the service cannot be asked to: what lies there stays there. */
  async forget(): Promise<LearningRound> {
    const round = await this.#required();
    if (isOver(round)) return round;
    const problem = `The round was forgotten here; what lies at ${round.estimate.host} stays there.`;
    return this.#write({ ...round, ...NO_EXAMPLES, phase: 'cancelled', ...(isAtService(round) && { problem }) }, round);
  }

  /**
   * Ends the round; a job that runs is cancelled at the provider, and the file is deleted there. While sending was
   * under way it is asked what arrived: the reply may have been lost. A job that succeeded before leaves its model to
   * be compared.
   */
  async cancel(signal: AbortSignal): Promise<LearningRound> {
    const round = await this.#required();
    if (isOver(round)) return round;
    this.#here(round);
    if (round.phase === 'prepared') return this.#write({ ...round, ...NO_EXAMPLES, phase: 'cancelled' }, round);
    const { fileIds, jobId } = await this.#atService(round, signal);
    const job = jobId === undefined || round.phase === 'trained' ? undefined : await this.#stopped(jobId, signal);
    if (job?.status === 'succeeded')
      return this.#afterJob({ ...round, jobId: job.id, fileId: fileIds[0] }, job, signal, round);
    return this.#end({ ...round, phase: 'cancelled' }, signal, { from: round, fileIds });
  }

  /** Back to the model that was in use before the switch, whichever round it was made in. */
  async stepBack(): Promise<LearningRound> {
    const round = await this.#required();
    const standing = standingModel(round);
    if (!standing) throw new FineTuningError('No model that was fine-tuned is in use.');
    await this.#ports.model.use(standing.previousModel, standing);
    // What was in use before may be fine-tuned too: from there it is one more step to the base.
    const below =
      standing.previousModel === standing.baseModel
        ? undefined
        : { ...standing, model: standing.previousModel, previousModel: standing.baseModel };
    return this.#write({ ...round, standing: below, ...(round.phase === 'switched' && { phase: 'stepped-back' }) });
  }

  /** The next step of a round that is at the service. */
  async #step(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    if (round.phase === 'agreed') return this.#send(round, signal);
    if (round.phase === 'trained') return this.#compare(round, signal);
    return this.#afterJob(round, await this.#ports.api.job(round.jobId ?? '', signal), signal);
  }

  /** What has been sent for a round that another window has ended meanwhile does not stay there. */
  async #send(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    const { api } = this.#ports;
    const fileId = round.fileId ?? (await api.upload(round.id, round.training, signal));
    const uploaded = await this.#writeOrTakeBack({ ...round, fileId }, round, { fileId });
    const job = await api.start(
      { roundId: round.id, model: round.baseModel, fileId, epochs: round.estimate.epochs, seed: round.seed },
      signal,
    );
    return this.#writeOrTakeBack({ ...uploaded, phase: 'training', jobId: job.id, jobStatus: job.status }, uploaded, {
      fileId,
      jobId: job.id,
    });
  }

  /** @param from The round as it was when this step began. */
  async #afterJob(
    round: LearningRound,
    job: FineTuningJobState,
    signal: AbortSignal,
    from = round,
  ): Promise<LearningRound> {
    const seen = { ...round, jobStatus: job.status };
    const { host } = this.#ports.api;
    const end = (phase: 'failed' | 'cancelled', problem: string): Promise<LearningRound> =>
      this.#end({ ...seen, phase, problem }, signal, { from });
    switch (job.status) {
      case 'succeeded':
        if (!job.fineTunedModel) return end('failed', `${host} says that the job succeeded, and names no model.`);
        return this.#write({ ...seen, phase: 'trained', newModel: job.fineTunedModel }, from);
      case 'failed':
        return end('failed', job.problem ?? `${host} does not say why the job failed.`);
      case 'cancelled':
        return end('cancelled', 'The job was cancelled at the provider.');
      case 'validating_files':
      case 'queued':
      case 'running':
      case 'paused':
        return this.#write(seen, from);
    }
  }

  /**
   * The verdict is written before the switch: an interruption in between neither compares again nor loses the way back.
   */
  async #compare(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    const { compare, model, random } = this.#ports;
    const before = round.previousModel ?? model.current(round.baseModel);
    const after = round.newModel ?? '';
    const heldOut = { lines: round.heldOut, questions: round.heldOutQuestions ?? [] };
    const verdict = round.verdict ?? decideGate(await compare({ before, after, heldOut }, signal), random);
    const judged = await this.#write({ ...round, verdict, previousModel: before }, round);
    if (!verdict.wins) return this.#end({ ...judged, phase: 'kept' }, signal, { from: judged });
    return this.#end({ ...judged, phase: 'switched', standing: undefined }, signal, {
      from: judged,
      and: () => model.use(after, round),
    });
  }

  /**
   * The round is over: its examples are deleted at the provider, then dropped here, so that what stops it in between
   * loses no file. One that cannot be deleted is named. `and` is done before the end is written down. On abort the
   * round is not over.
   */
  async #end(
    round: LearningRound,
    signal: AbortSignal,
    {
      from,
      fileIds = round.fileId === undefined ? [] : [round.fileId],
      and,
    }: { from: LearningRound; fileIds?: readonly string[]; and?: () => Promise<void> },
  ): Promise<LearningRound> {
    const left = await this.#delete(fileIds, signal);
    const problem = [round.problem, left?.problem].filter(Boolean).join(' ');
    const over = { ...round, ...NO_EXAMPLES, fileId: left?.fileId, ...(problem !== '' && { problem }) };
    if (and) await this.#assertUnchanged(over, from);
    await and?.();
    return this.#write(over, from);
  }

  /** undefined when all are deleted; else the first that is not, and why. @throws AbortError */
  async #delete(
    fileIds: readonly string[],
    signal: AbortSignal,
  ): Promise<{ fileId: string; problem: string } | undefined> {
    let left: { fileId: string; problem: string } | undefined;
    for (const fileId of fileIds) {
      try {
        await this.#ports.api.deleteFile(fileId, signal);
      } catch (error) {
        if (isAbortError(error)) throw error;
        left ??= {
          fileId,
          problem:
            `The uploaded file ${fileId} could not be deleted at ${this.#ports.api.host}: ` +
            `${(error as Error).message}`,
        };
      }
    }
    return left;
  }

  /** What lies at the service of this round; asked there while what is written down may not be all. */
  async #atService(round: LearningRound, signal: AbortSignal): Promise<{ fileIds: string[]; jobId?: string }> {
    const known = round.fileId === undefined ? [] : [round.fileId];
    if (round.phase !== 'agreed') return { fileIds: known, ...(round.jobId !== undefined && { jobId: round.jobId }) };
    const { fileIds, job } = await this.#ports.api.find(round.id, signal);
    return { fileIds: [...new Set([...known, ...fileIds])], ...(job && { jobId: job.id }) };
  }

  /** A job as it ended: it is cancelled if it runs. */
  async #stopped(jobId: string, signal: AbortSignal): Promise<FineTuningJobState> {
    const { api } = this.#ports;
    const job = await api.job(jobId, signal);
    return hasEnded(job) ? job : api.cancel(jobId, signal);
  }

  #estimate(
    chat: ChatExport,
    prompts: readonly ChatMessage[][],
    epochs: number,
    price: RoundRequest['price'],
  ): RoundEstimate {
    const estimate = {
      examples: prompts.length,
      counts: chat.counts,
      heldOut: chat.heldOutCount,
      epochs,
      tokens: epochs * sum(prompts.map(estimatePromptTokens)),
      host: this.#ports.api.host,
    };
    return price ? withPrice(estimate, price) : estimate;
  }

  async #required(): Promise<LearningRound> {
    const round = await this.current();
    if (!round) throw new FineTuningError('There is no learning round.', { advice: 'Prepare one first.' });
    return round;
  }

  async #inPhase(phase: LearningRound['phase']): Promise<LearningRound> {
    const round = await this.#required();
    if (round.phase !== phase) throw new FineTuningError(`The learning round is ${round.phase}, not ${phase}.`);
    return round;
  }

  /** The last round, which is over or was never agreed to; undefined when there was none. */
  async #settled(): Promise<LearningRound | undefined> {
    const old = await this.current();
    if (old && isAtService(old))
      throw new FineTuningError('A round of fine-tuning is under way.', { advice: 'Wait for it, or cancel it.' });
    return old;
  }

  #here(round: LearningRound): void {
    const { api, baseUrl } = this.#ports;
    if (isAtService(round) && !isSameService(round.baseUrl, baseUrl))
      throw new FineTuningError(
        `This round runs at ${round.estimate.host}, and the service named now is ${api.host}.`,
        { advice: 'Name that service again.', action: 'choose-model' },
      );
  }

  /**
   * @param from The round as it was when this step began: one that was changed elsewhere since is left alone. @throws
   *   RoundChangedError then
   */
  async #write(round: LearningRound, from?: LearningRound): Promise<LearningRound> {
    if (from) await this.#assertUnchanged(round, from);
    await this.#ports.store.save(round);
    return round;
  }

  /**
   * @throws RoundChangedError when another window has taken the round on, cancelled or replaced it; `next` is what
   *   would be written.
   */
  async #assertUnchanged(next: LearningRound, from: LearningRound): Promise<void> {
    const now = await this.current();
    const takenOn = now?.fileId !== undefined && now.fileId !== from.fileId && now.fileId !== next.fileId;
    if (now?.id !== from.id || now.phase !== from.phase || takenOn) throw new RoundChangedError(now);
  }

  /**
   * Writes a step down; what it has just sent for a round that is over meanwhile, or forgotten, is taken back from the
   * service.
   */
  async #writeOrTakeBack(
    round: LearningRound,
    from: LearningRound,
    sent: { fileId: string; jobId?: string },
  ): Promise<LearningRound> {
    try {
      return await this.#write(round, from);
    } catch (error) {
      if (!(error instanceof RoundChangedError) || error.isStill(round.id)) throw error;
      const left = await this.#takeBack(sent);
      throw left === undefined
        ? error
        : new FineTuningError(`${error.message} ${left}`, {
            cause: error,
            advice: `Delete it at ${this.#ports.api.host}.`,
          });
    }
  }

  /** Stops a job and deletes its file, even for whoever leaves now. What stays there, in words; undefined: nothing. */
  async #takeBack({ fileId, jobId }: { fileId: string; jobId?: string }): Promise<string | undefined> {
    const { signal } = new AbortController();
    try {
      if (jobId !== undefined) await this.#stopped(jobId, signal);
      return (await this.#delete([fileId], signal))?.problem;
    } catch (error) {
      return (
        `The job ${jobId} could not be cancelled at ${this.#ports.api.host}, and its file ${fileId} is still ` +
        `there: ${(error as Error).message}`
      );
    }
  }
}

/** Another window was quicker. */
class RoundChangedError extends FineTuningError {
  readonly #now: LearningRound | undefined;

  /** `now`: the round as it is. */
  constructor(now: LearningRound | undefined) {
    super('The round of fine-tuning was changed elsewhere meanwhile.', { advice: 'Look at it again.' });
    this.#now = now;
  }

  /** The round of this id goes on: what was sent for it is in use. */
  isStill(id: string): boolean {
    return this.#now?.id === id && isAtService(this.#now);
  }
}

/** What a round that is over does not keep. */
const NO_EXAMPLES = { training: '', heldOut: '', heldOutQuestions: undefined };

const hasEnded = ({ status }: FineTuningJobState): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';
