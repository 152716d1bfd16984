import { isAbortError, readJsonLines, sum } from '#base';
import { estimatePromptTokens } from '#research';
import type { ExperienceStore } from '../experience/experience-store.ts';
import { exportChat, type LossWeights } from './export-chat.ts';
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
} from './learning-round.ts';

export interface FineTuningPorts {
  api: FineTuningApi;
  /** Address of that service. */
  baseUrl: string;
  experience: ExperienceStore;
  /** Does work while no other window or program is at the round. @throws FineTuningError where one is */
  alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
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
 * the next begins, so that {@link run} goes on after a restart; uploads and jobs are found again and never made twice.
 * One window or program at a time is at the round.
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

  /** Counts examples and cost, and writes the round down for whoever agrees later. @throws FineTuningError */
  prepare(request: RoundRequest): Promise<LearningRound> {
    return this.#ports.alone(async () => this.#write(await this.draft(request)));
  }

  /**
   * The same without a trace: the round is written down only by {@link agree}. @throws FineTuningError when a round is
   * under way or there are too few examples.
   */
  async draft(request: RoundRequest): Promise<LearningRound> {
    const { clock, newId, api, baseUrl, experience } = this.#ports;
    const old = await this.#settled();
    const { baseModel, epochs = EPOCHS, seed = 1, weights, heldOut, price } = request;
    const chat = exportChat(await experience.list(), { weights, heldOut, seed });
    const prompts = readJsonLines(chat.training, chatLine).values.map(({ messages }) => messages);
    const more = { advice: 'Ask more questions, and rate answers that were right.' };
    if (prompts.length < LEAST_EXAMPLES)
      throw new FineTuningError(
        `There are ${prompts.length} examples to learn from; ${LEAST_EXAMPLES} are needed.`,
        more,
      );
    if (chat.heldOutCount === 0) throw new FineTuningError('No question was held out to compare on.', more);
    const estimate = {
      examples: prompts.length,
      counts: chat.counts,
      heldOut: chat.heldOutCount,
      epochs,
      tokens: epochs * sum(prompts.map(estimatePromptTokens)),
      host: api.host,
    };
    const standing = old && standingModel(old);
    return {
      version: 1,
      id: newId(),
      started: clock.now(),
      phase: 'prepared',
      baseUrl,
      baseModel,
      seed,
      estimate: price ? withPrice(estimate, price) : estimate,
      records: chat.ids,
      training: chat.training,
      heldOut: chat.heldOut,
      heldOutQuestions: chat.heldOutQuestions,
      ...(standing && { standing }),
    };
  }

  /** A person has seen the estimate of this draft, or of the prepared round, and agrees that its examples are sent. */
  agree(draft?: LearningRound): Promise<LearningRound> {
    return this.#ports.alone(async () => {
      if (draft) await this.#settled();
      const round = draft ?? (await this.#required());
      if (round.phase !== 'prepared') throw new FineTuningError(`The learning round is ${round.phase}, not prepared.`);
      const known = await this.#ports.experience.setConsent(round.records, 'upload');
      if (known < round.records.length)
        throw new FineTuningError('Some of these examples were deleted since they were counted.', {
          advice: 'Prepare the round again.',
        });
      return this.#write({ ...round, phase: 'agreed' });
    });
  }

  /**
   * Takes the round as far as it goes. `onChange` is told of it before each step and at the end. On abort the round
   * stays as it is and can be run again. Errors of the network are thrown and leave the round where it was; a job that
   * failed ends it.
   */
  run(signal: AbortSignal, onChange: (round: LearningRound) => void = () => undefined): Promise<LearningRound> {
    return this.#ports.alone(async () => {
      let round = await this.#here();
      for (;;) {
        onChange(round);
        if (!isAtService(round)) return round;
        const next = await this.#step(round, signal);
        if (next.phase === 'training' && round.phase === 'training') await this.#ports.clock.sleep(POLL, signal);
        round = next;
      }
    }, signal);
  }

  /** Ends the round here alone, where the service cannot be asked to: what lies there stays there. */
  forget(): Promise<LearningRound> {
    return this.#ports.alone(async () => {
      const round = await this.#required();
      if (isOver(round)) return round;
      const problem = `The round was forgotten here; what lies at ${round.estimate.host} stays there.`;
      return this.#write({ ...round, ...NO_EXAMPLES, phase: 'cancelled', ...(isAtService(round) && { problem }) });
    });
  }

  /**
   * Ends the round: a job that runs is cancelled at the service, and its files are deleted there. While sending was
   * under way the service is asked what arrived: the reply may have been lost. A job that had succeeded leaves its
   * model to be compared.
   */
  cancel(signal: AbortSignal): Promise<LearningRound> {
    return this.#ports.alone(async () => {
      const { api } = this.#ports;
      const round = await this.#required();
      if (isOver(round)) return round;
      if (round.phase === 'prepared') return this.#write({ ...round, ...NO_EXAMPLES, phase: 'cancelled' });
      await this.#here();
      const found = round.phase === 'agreed' ? await api.find(round.id, signal) : { fileIds: [] };
      const fileIds = [...new Set([...(round.fileId === undefined ? [] : [round.fileId]), ...found.fileIds])];
      const jobId = found.job?.id ?? round.jobId;
      if (jobId !== undefined && round.phase !== 'trained') {
        const seen = await api.job(jobId, signal);
        const job = hasEnded(seen) ? seen : await api.cancel(jobId, signal);
        if (job.status === 'succeeded') return this.#afterJob({ ...round, jobId, fileId: fileIds[0] }, job, signal);
      }
      return this.#end({ ...round, phase: 'cancelled' }, signal, fileIds);
    }, signal);
  }

  /** Back to the model that was in use before the switch, whichever round it was made in. */
  stepBack(): Promise<LearningRound> {
    return this.#ports.alone(async () => {
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
    });
  }

  /** The next step of a round that is at the service. */
  async #step(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    const { api } = this.#ports;
    if (round.phase === 'trained') return this.#compare(round, signal);
    if (round.phase === 'training') return this.#afterJob(round, await api.job(round.jobId ?? '', signal), signal);
    const fileId = round.fileId ?? (await api.upload(round.id, round.training, signal));
    const uploaded = await this.#write({ ...round, fileId });
    const { id: roundId, baseModel: model, estimate, seed } = round;
    const job = await api.start({ roundId, model, fileId, epochs: estimate.epochs, seed }, signal);
    return this.#write({ ...uploaded, phase: 'training', jobId: job.id, jobStatus: job.status });
  }

  async #afterJob(round: LearningRound, job: FineTuningJobState, signal: AbortSignal): Promise<LearningRound> {
    const seen = { ...round, jobStatus: job.status };
    const { host } = this.#ports.api;
    if (!hasEnded(job)) return this.#write(seen);
    if (job.status === 'succeeded' && job.fineTunedModel)
      return this.#write({ ...seen, phase: 'trained', newModel: job.fineTunedModel });
    if (job.status === 'cancelled')
      return this.#end({ ...seen, phase: 'cancelled', problem: 'The job was cancelled at the provider.' }, signal);
    const problem =
      job.status === 'succeeded'
        ? `${host} says that the job succeeded, and names no model.`
        : (job.problem ?? `${host} does not say why the job failed.`);
    return this.#end({ ...seen, phase: 'failed', problem }, signal);
  }

  /** The verdict is written before the switch: an interruption in between neither compares again nor loses the way. */
  async #compare(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    const { compare, model, random } = this.#ports;
    const before = round.previousModel ?? model.current(round.baseModel);
    const after = round.newModel ?? '';
    const heldOut = { lines: round.heldOut, questions: round.heldOutQuestions ?? [] };
    const verdict = round.verdict ?? decideGate(await compare({ before, after, heldOut }, signal), random);
    const judged = await this.#write({ ...round, verdict, previousModel: before });
    if (!verdict.wins) return this.#end({ ...judged, phase: 'kept' }, signal);
    return this.#end({ ...judged, phase: 'switched', standing: undefined }, signal, undefined, () =>
      model.use(after, round),
    );
  }

  /**
   * The round is over: its examples are deleted at the service, then dropped here, so that what stops it in between
   * loses no file. One that cannot be deleted is named. `first` is done before the end is written down.
   */
  async #end(
    round: LearningRound,
    signal: AbortSignal,
    fileIds: readonly string[] = round.fileId === undefined ? [] : [round.fileId],
    first?: () => Promise<void>,
  ): Promise<LearningRound> {
    const { api } = this.#ports;
    let [left, problem] = [undefined as string | undefined, round.problem];
    for (const fileId of fileIds)
      try {
        await api.deleteFile(fileId, signal);
      } catch (error) {
        if (isAbortError(error)) throw error;
        left ??= fileId;
        const said = `The uploaded file ${fileId} could not be deleted at ${api.host}: ${(error as Error).message}`;
        problem = [problem, said].filter(Boolean).join(' ');
      }
    await first?.();
    return this.#write({ ...round, ...NO_EXAMPLES, fileId: left, ...(problem !== undefined && { problem }) });
  }

  async #required(): Promise<LearningRound> {
    const round = await this.current();
    if (!round) throw new FineTuningError('There is no learning round.', { advice: 'Prepare one first.' });
    return round;
  }

  /** The last round, which is over or was never agreed to; undefined when there was none. */
  async #settled(): Promise<LearningRound | undefined> {
    const old = await this.current();
    if (old && isAtService(old))
      throw new FineTuningError('A round of fine-tuning is under way.', { advice: 'Wait for it, or cancel it.' });
    return old;
  }

  /** The round, which belongs to the service that is named now. */
  async #here(): Promise<LearningRound> {
    const { api, baseUrl } = this.#ports;
    const round = await this.#required();
    if (isAtService(round) && !isSameService(round.baseUrl, baseUrl))
      throw new FineTuningError(
        `This round runs at ${round.estimate.host}, and the service named now is ${api.host}.`,
        { advice: 'Name that service again.', action: 'choose-model' },
      );
    return round;
  }

  async #write(round: LearningRound): Promise<LearningRound> {
    await this.#ports.store.save(round);
    return round;
  }
}

/** What a round that is over does not keep. */
const NO_EXAMPLES = { training: '', heldOut: '', heldOutQuestions: undefined };

const hasEnded = ({ status }: FineTuningJobState): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';
