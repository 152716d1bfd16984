import { estimatePromptTokens } from '../../llm/estimate-tokens.ts';
import type { ChatMessage } from '../../llm/language-model.ts';
import type { ExperienceStore } from './experience-store.ts';
import { exportChat, type ChatExport, type LossWeights } from './export-chat.ts';
import { FineTuningError, type FineTuningApi, type FineTuningJobState } from './fine-tuning-api.ts';
import { decideGate, type ScoredPair } from './gate.ts';
import { isAtService, isOver, readRound, standingModel, withPrice, type LearningRound, type RoundEstimate } from './learning-round.ts';

export interface FineTuningPorts {
  api: FineTuningApi;
  /** Address of that service. */
  baseUrl: string;
  experience: ExperienceStore;
  /** Where the round's state is kept; undefined: none yet. */
  store: { load(): Promise<unknown>; save(round: unknown): Promise<void> };
  /** Scores both models on the held-out questions, as the evaluation does. */
  compare(models: { before: string; after: string; heldOut: string }, signal: AbortSignal): Promise<ScoredPair[]>;
  /** The model in use where this base model is named, and how another one is put in its place. */
  model: { current(baseModel: string): string; use(model: string, base: { baseUrl: string; baseModel: string }): Promise<void> };
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
 * One round of RISE's self-training through a fine-tuning API: prepare → (a person agrees) → upload → job → compare → switch or keep,
 * and one step back. Nothing leaves the machine before {@link agree}. Each step is written down before the next begins, so that a
 * round goes on after a restart with {@link run}; uploads and jobs are found again and never made twice.
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

  /** Counts examples and cost, and writes the round down for whoever agrees later. @throws FineTuningError when a round is under way or there are too few examples. */
  async prepare(request: RoundRequest): Promise<LearningRound> {
    return this.#write(await this.draft(request));
  }

  /** The same without a trace: the round is written down only by {@link agree}. */
  async draft(request: RoundRequest): Promise<LearningRound> {
    const old = await this.#settled();
    const { baseModel, epochs = EPOCHS, seed = 1 } = request;
    const chat = exportChat(await this.#ports.experience.list(), { weights: request.weights, heldOut: request.heldOut, seed });
    const examples = linesOf(chat.training).length;
    if (examples < LEAST_EXAMPLES) throw new FineTuningError(`There are ${examples} examples to learn from; ${LEAST_EXAMPLES} are needed.`, { advice: 'Ask more questions, and rate answers that were right.' });
    if (chat.heldOutCount === 0) throw new FineTuningError('No question was held out to compare on.', { advice: 'Ask more questions, and rate answers that were right.' });
    const estimate = this.#estimate(chat, examples, epochs, request.price);
    const standing = old && standingModel(old);
    return { version: 1, id: this.#ports.newId(), started: this.#ports.clock.now(), phase: 'prepared', baseUrl: this.#ports.baseUrl, baseModel, seed, estimate, records: chat.ids, training: chat.training, heldOut: chat.heldOut, ...(standing && { standing }) };
  }

  /** A person has seen the estimate of this round (a draft, or the one that was prepared) and agrees that its examples are sent. */
  async agree(draft?: LearningRound): Promise<LearningRound> {
    if (draft) await this.#settled();
    const round = draft ?? (await this.#inPhase('prepared'));
    const known = await this.#ports.experience.setConsent(round.records, 'upload');
    if (known < round.records.length) throw new FineTuningError('Some of these examples were deleted since they were counted.', { advice: 'Prepare the round again.' });
    return this.#write({ ...round, phase: 'agreed' });
  }

  /**
   * Takes the round as far as it goes. `onChange` is told of it before each step and at the end. On abort the round stays as it is and can be run again.
   * Errors of the network are thrown and leave the round where it was; a job that failed ends it.
   */
  async run(signal: AbortSignal, onChange: (round: LearningRound) => void = () => undefined): Promise<LearningRound> {
    let round = await this.#required();
    this.#here(round);
    for (;;) {
      onChange(round);
      if (isOver(round) || round.phase === 'prepared') return round;
      const next = await this.#step(round, signal);
      if (next.phase === 'training' && round.phase === 'training') await this.#ports.clock.sleep(POLL, signal);
      round = next;
    }
  }

  /** Ends the round here alone, where the service cannot be asked to: what lies there stays there. */
  async forget(): Promise<LearningRound> {
    const round = await this.#required();
    if (isOver(round)) return round;
    return this.#write({ ...round, phase: 'cancelled', training: '', heldOut: '', problem: `The round was forgotten here; what lies at ${round.estimate.host} stays there.` }, round);
  }

  /** Ends the round; a job that runs is cancelled at the provider, and the file is deleted there. */
  async cancel(signal: AbortSignal): Promise<LearningRound> {
    const round = await this.#required();
    if (isOver(round)) return round;
    this.#here(round);
    if (round.phase === 'training' && round.jobId !== undefined) {
      const job = await this.#ports.api.cancel(round.jobId, signal);
      if (job.status === 'succeeded') return this.#afterJob(round, job);
    }
    return this.#end({ ...round, phase: 'cancelled' }, signal);
  }

  /** Back to the model that was in use before the switch, whichever round it was made in. */
  async stepBack(): Promise<LearningRound> {
    const round = await this.#required();
    const standing = standingModel(round);
    if (!standing) throw new FineTuningError('No model that was fine-tuned is in use.');
    await this.#ports.model.use(standing.previousModel, standing);
    // What was in use before may be fine-tuned too: from there it is one more step to the base.
    const below = standing.previousModel === standing.baseModel ? undefined : { ...standing, model: standing.previousModel, previousModel: standing.baseModel };
    return this.#write({ ...round, standing: below, ...(round.phase === 'switched' && { phase: 'stepped-back' }) });
  }

  async #step(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    switch (round.phase) {
      case 'agreed': {
        const { api } = this.#ports;
        const fileId = round.fileId ?? await api.upload(`hoptrail-${round.id}.jsonl`, round.training, signal);
        const uploaded = await this.#write({ ...round, fileId }, round);
        const job = await api.start({ roundId: round.id, model: round.baseModel, fileId, epochs: round.estimate.epochs, seed: round.seed }, signal);
        return this.#write({ ...uploaded, phase: 'training', jobId: job.id, jobStatus: job.status }, round);
      }
      case 'training': {
        const job = await this.#ports.api.job(round.jobId ?? '', signal);
        return this.#afterJob(round, job, signal);
      }
      case 'trained': return this.#compare(round, signal);
      case 'prepared':
      case 'switched':
      case 'kept':
      case 'stepped-back':
      case 'failed':
      case 'cancelled':
        return round;
    }
  }

  async #afterJob(round: LearningRound, job: FineTuningJobState, signal = new AbortController().signal): Promise<LearningRound> {
    const seen = { ...round, jobStatus: job.status };
    switch (job.status) {
      case 'succeeded':
        if (!job.fineTunedModel) return this.#end({ ...seen, phase: 'failed', problem: `${this.#ports.api.host} says that the job succeeded, and names no model.` }, signal);
        return this.#write({ ...seen, phase: 'trained', newModel: job.fineTunedModel }, round);
      case 'failed': return this.#end({ ...seen, phase: 'failed', problem: job.problem ?? `${this.#ports.api.host} does not say why the job failed.` }, signal);
      case 'cancelled': return this.#end({ ...seen, phase: 'cancelled', problem: 'The job was cancelled at the provider.' }, signal);
      case 'validating_files':
      case 'queued':
      case 'running':
      case 'paused':
        return this.#write(seen, round);
    }
  }

  /** The verdict is written before the switch: an interruption in between neither compares again nor loses the way back. */
  async #compare(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    const { compare, model, random } = this.#ports;
    const before = round.previousModel ?? model.current(round.baseModel);
    const after = round.newModel ?? '';
    const verdict = round.verdict ?? decideGate(await compare({ before, after, heldOut: round.heldOut }, signal), random);
    const judged = await this.#write({ ...round, verdict, previousModel: before }, round);
    if (!verdict.wins) return this.#end({ ...judged, phase: 'kept' }, signal);
    await model.use(after, round);
    return this.#end({ ...judged, phase: 'switched', standing: undefined }, signal);
  }

  /** The round is over: its examples are dropped here and at the provider. */
  async #end(round: LearningRound, signal: AbortSignal): Promise<LearningRound> {
    const over = await this.#write({ ...round, training: '', heldOut: '' });
    if (round.fileId === undefined) return over;
    try {
      await this.#ports.api.deleteFile(round.fileId, signal);
      return over;
    } catch (error) {
      const left = `The uploaded file ${round.fileId} could not be deleted at ${this.#ports.api.host}: ${(error as Error).message}`;
      return this.#write({ ...over, problem: [over.problem, left].filter(Boolean).join(' ') });
    }
  }

  #estimate(chat: ChatExport, examples: number, epochs: number, price: RoundRequest['price']): RoundEstimate {
    const tokens = epochs * linesOf(chat.training).reduce((sum, line) => sum + estimatePromptTokens((JSON.parse(line) as { messages: ChatMessage[] }).messages), 0);
    const estimate = { examples, counts: chat.counts, heldOut: chat.heldOutCount, epochs, tokens, host: this.#ports.api.host };
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
    if (old && isAtService(old)) throw new FineTuningError('A round of fine-tuning is under way.', { advice: 'Wait for it, or cancel it.' });
    return old;
  }

  #here(round: LearningRound): void {
    const { api, baseUrl } = this.#ports;
    if (isAtService(round) && round.baseUrl !== baseUrl) throw new FineTuningError(`This round runs at ${round.estimate.host}, and the service named now is ${api.host}.`, { advice: 'Name that service again.', action: 'choose-model' });
  }

  /** @param from The round as it was when this step began: one that another window has taken on, cancelled or replaced since is left alone. */
  async #write(round: LearningRound, from?: LearningRound): Promise<LearningRound> {
    if (from) {
      const now = await this.current();
      if (now?.id !== from.id || now.phase !== from.phase) throw new FineTuningError('The round of fine-tuning was changed elsewhere meanwhile.', { advice: 'Look at it again.' });
    }
    await this.#ports.store.save(round);
    return round;
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
