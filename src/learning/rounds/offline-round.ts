import { z } from 'zod';
import { type JsonFile, LearningFileError, reportError, throwIfAborted, throwIfCancelled } from '#base';
import type { ArtifactSlot } from './artifact-slot.ts';
import { decideGate, type GateVerdict, type ScoredPair } from '../gate.ts';

/**
 * Something that can be learnt on this machine: the chain scorer, the question classifier, the bandit's prior, the pool
 * of examples.
 */
export interface LocalTrainer {
  /** Kebab-case; names its slot and stands in the report. */
  readonly name: string;
  /** What it can learn from now; with less than {@link least} it is skipped. */
  examples(): Promise<number>;
  readonly least: number;
  /** Trains on what is not held out. Deterministic; the result is plain JSON. */
  train(signal: AbortSignal): Promise<unknown>;
  /** Scores held-out questions with what is in use (undefined: what the product came with) and with the candidate. */
  compare(artifacts: { before: unknown; after: unknown }, signal: AbortSignal): Promise<ScoredPair[]>;
}

const verdictShape = z.custom<GateVerdict>((value) => typeof value === 'object' && value !== null && 'wins' in value);
const resultShape = z.object({
  trainer: z.string(),
  phase: z.enum(['pending', 'skipped', 'trained', 'installed', 'kept', 'failed', 'stepped-back']),
  examples: z.number(),
  verdict: verdictShape.optional(),
  problem: z.string().optional(),
});
const stateShape = z.object({ version: z.literal(1), started: z.number(), results: z.array(resultShape) });

export type TrainerResult = z.infer<typeof resultShape>;
export type OfflineRoundState = z.infer<typeof stateShape>;

interface OfflineRoundPorts {
  trainers: readonly LocalTrainer[];
  /** Where the round's progress is kept. */
  store: JsonFile;
  /** Where a trainer's weights are kept. */
  slot(trainer: string): ArtifactSlot;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A seeded source for each trainer's verdict: 0 inclusive to 1 exclusive. */
  random(): () => number;
}

/**
 * A round without a fine-tuning service: what is local is trained anew from the experience and the user's accepted
 * chains, and takes the place of the old only where it wins on held-out questions, by the same gate as a fine-tuned
 * model. One trainer after the other; each step is written down before the next, so that an interrupted round goes on
 * with the trainer it was at, and nothing is trained or judged twice.
 */
export class OfflineRound {
  readonly #ports: OfflineRoundPorts;

  constructor(ports: OfflineRoundPorts) {
    this.#ports = ports;
  }

  /** The last round; undefined when there was none. */
  async current(): Promise<OfflineRoundState | undefined> {
    const stored = await this.#ports.store.load();
    if (stored === undefined) return undefined;
    const state = stateShape.safeParse(stored);
    if (!state.success)
      throw new LearningFileError('The state of the learning round cannot be read.', {
        cause: state.error,
        advice: 'Reset what was learnt.',
      });
    return state.data;
  }

  /** A new round, or the one that was interrupted, as {@link run} goes on with it. */
  async begin(): Promise<OfflineRoundState> {
    const old = await this.current();
    const names = this.#ports.trainers.map((trainer) => trainer.name);
    if (old?.results.some(isOpen) && old.results.map((result) => result.trainer).join() === names.join()) return old;
    const state: OfflineRoundState = {
      version: 1,
      started: this.#ports.now(),
      results: names.map((trainer) => ({ trainer, phase: 'pending', examples: 0 })),
    };
    await this.#ports.store.save(state);
    return state;
  }

  /** Runs a new round, or goes on with one that was interrupted. A trainer that fails does not stop the others. */
  async run(
    signal: AbortSignal,
    onChange: (result: TrainerResult) => void = () => undefined,
  ): Promise<OfflineRoundState> {
    const state = await this.begin();
    for (const trainer of this.#ports.trainers) {
      const at = state.results.findIndex((result) => result.trainer === trainer.name);
      const note = async (result: TrainerResult): Promise<void> => {
        state.results[at] = result;
        await this.#ports.store.save(state);
      };
      for (;;) {
        throwIfAborted(signal);
        const before = state.results[at];
        if (!before || !isOpen(before)) break;
        const after = await this.#attempt(trainer, before, note, signal);
        await note(after);
        onChange(after);
      }
    }
    return state;
  }

  /**
   * Brings back what a trainer's winner replaced; false when there is nothing to go back to. A round whose state cannot
   * be read keeps nobody from it.
   */
  async stepBack(trainer: string): Promise<boolean> {
    const went = await this.#ports.slot(trainer).stepBack();
    const state = await this.current().catch(() => undefined);
    const result = state?.results.find((one) => one.trainer === trainer);
    if (went && state && result) {
      result.phase = 'stepped-back';
      await this.#ports.store.save(state);
    }
    return went;
  }

  async #attempt(
    trainer: LocalTrainer,
    result: TrainerResult,
    note: Note,
    signal: AbortSignal,
  ): Promise<TrainerResult> {
    try {
      return await this.#step(trainer, result, note, signal);
    } catch (error) {
      throwIfCancelled(error, signal);
      return { ...result, phase: 'failed', problem: reportError(error).message };
    }
  }

  async #step(trainer: LocalTrainer, result: TrainerResult, note: Note, signal: AbortSignal): Promise<TrainerResult> {
    const slot = this.#ports.slot(trainer.name);
    if (result.phase === 'pending') {
      const examples = await trainer.examples();
      if (examples < trainer.least)
        return { ...result, examples, phase: 'skipped', problem: `${examples} examples; ${trainer.least} are needed.` };
      await slot.propose(await trainer.train(signal));
      return { ...result, examples, phase: 'trained' };
    }
    if (result.verdict) return this.#follow(result, result.verdict, slot); // interrupted after it was judged
    const candidate = await slot.candidate();
    if (candidate === undefined) return { ...result, phase: 'pending' }; // interrupted before it was written
    const verdict = decideGate(
      await trainer.compare({ before: await slot.current(), after: candidate }, signal),
      this.#ports.random(),
    );
    await note({ ...result, verdict });
    return this.#follow(result, verdict, slot);
  }

  /** Does what the verdict says; again, when an interruption left open whether it was done. */
  async #follow(result: TrainerResult, verdict: GateVerdict, slot: ArtifactSlot): Promise<TrainerResult> {
    if (verdict.wins) await slot.promote();
    else await slot.discard();
    return { ...result, verdict, phase: verdict.wins ? 'installed' : 'kept' };
  }
}

/** Writes the state of one trainer down. */
type Note = (result: TrainerResult) => Promise<void>;

const isOpen = (result: TrainerResult): boolean => result.phase === 'pending' || result.phase === 'trained';
