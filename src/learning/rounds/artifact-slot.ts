import { z } from 'zod';
import { LearningFileError } from '#base';

/** Where a slot keeps its JSON. */
export interface SlotStore {
  load(): Promise<unknown>;
  save(value: unknown): Promise<void>;
}

const slotShape = z.object({
  version: z.literal(1),
  /** What the product uses; null: what it came with. */
  current: z.unknown().nullable(),
  /** What it used before; absent when there is no way back. */
  previous: z.unknown().nullable().optional(),
  candidate: z.unknown().optional(),
});

type Slot = z.infer<typeof slotShape>;

/** Something learnt that can be replaced and brought back: weights, a prior, a pool of examples. */
export class ArtifactSlot {
  readonly #store: SlotStore;

  constructor(store: SlotStore) {
    this.#store = store;
  }

  /** undefined: what the product came with. */
  async current(): Promise<unknown> {
    return (await this.#read()).current ?? undefined;
  }

  /** What was trained and not yet judged; undefined when there is none. */
  async candidate(): Promise<unknown> {
    return (await this.#read()).candidate;
  }

  async propose(candidate: unknown): Promise<void> {
    await this.#store.save({ ...(await this.#read()), candidate });
  }

  /** The candidate comes into use; without one nothing changes. */
  async promote(): Promise<void> {
    const { current, candidate, ...rest } = await this.#read();
    if (candidate !== undefined) await this.#store.save({ ...rest, current: candidate, previous: current });
  }

  async discard(): Promise<void> {
    const { candidate: _, ...rest } = await this.#read();
    await this.#store.save(rest);
  }

  /** Whether there is something to go back to. */
  async canStepBack(): Promise<boolean> {
    return (await this.#read()).previous !== undefined;
  }

  /** Back to what was used before; false when there is nothing to go back to. */
  async stepBack(): Promise<boolean> {
    const { previous, ...rest } = await this.#read();
    if (previous === undefined) return false;
    await this.#store.save({ ...rest, current: previous });
    return true;
  }

  /** Changes everything that is kept here, in use or not. */
  async revise(change: (artifact: unknown) => unknown): Promise<void> {
    const { version, current, previous, candidate } = await this.#read();
    const revised = (artifact: unknown): unknown => (artifact === null ? null : change(artifact));
    await this.#store.save({
      version,
      current: revised(current),
      ...(previous !== undefined && { previous: revised(previous) }),
      ...(candidate !== undefined && { candidate: revised(candidate) }),
    });
  }

  /** What the product came with. */
  async reset(): Promise<void> {
    await this.#store.save({ version: 1, current: null });
  }

  async #read(): Promise<Slot> {
    const stored = await this.#store.load();
    if (stored === undefined) return { version: 1, current: null };
    const slot = slotShape.safeParse(stored);
    if (!slot.success)
      throw new LearningFileError('A file of learnt weights cannot be read.', {
        cause: slot.error,
        advice: 'Reset what was learnt.',
      });
    return slot.data;
  }
}
