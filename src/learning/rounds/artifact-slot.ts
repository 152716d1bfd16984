import { z } from 'zod';
import { type JsonFile, LearningFileError } from '#base';

const slotShape = z.object({
  version: z.literal(1),
  /** What the product uses; null: what it came with. */
  current: z.unknown().nullable(),
  /** What it used before; absent when there is no way back. */
  previous: z.unknown().nullable().optional(),
  candidate: z.unknown().optional(),
});

type Slot = z.infer<typeof slotShape>;

/**
 * Something learnt that can be replaced and brought back: weights, a prior, a pool of examples. Several windows may
 * change it: each change is made of what is there then.
 */
export class ArtifactSlot {
  readonly #file: JsonFile;

  constructor(file: JsonFile) {
    this.#file = file;
  }

  /** undefined: what the product came with. */
  async current(): Promise<unknown> {
    return (await this.#read()).current ?? undefined;
  }

  /** What was trained and not yet judged; undefined when there is none. */
  async candidate(): Promise<unknown> {
    return (await this.#read()).candidate;
  }

  propose(candidate: unknown): Promise<void> {
    return this.#change((slot) => ({ ...slot, candidate }));
  }

  /** The candidate comes into use; without one nothing changes. */
  promote(): Promise<void> {
    return this.#change(({ current, candidate, ...rest }) =>
      candidate === undefined ? { current, ...rest } : { ...rest, current: candidate, previous: current },
    );
  }

  discard(): Promise<void> {
    return this.#change(({ candidate: _, ...rest }) => rest);
  }

  /** Whether there is something to go back to. */
  async canStepBack(): Promise<boolean> {
    return (await this.#read()).previous !== undefined;
  }

  /** Back to what was used before; false when there is nothing to go back to. */
  async stepBack(): Promise<boolean> {
    let went = await this.canStepBack();
    if (went)
      await this.#change(({ previous, ...slot }) => {
        went = previous !== undefined; // another window may have gone back meanwhile
        return went ? { ...slot, current: previous } : slot;
      });
    return went;
  }

  /** Changes everything that is kept here, in use or not; where that is nothing, no file is made. */
  async revise(change: (artifact: unknown) => unknown): Promise<void> {
    if ((await this.#file.load()) === undefined) return;
    const revised = (artifact: unknown): unknown => (artifact === null ? null : change(artifact));
    await this.#change(({ version, current, previous, candidate }) => ({
      version,
      current: revised(current),
      ...(previous !== undefined && { previous: revised(previous) }),
      ...(candidate !== undefined && { candidate: revised(candidate) }),
    }));
  }

  /** What the product came with. */
  reset(): Promise<void> {
    return this.#file.save(EMPTY);
  }

  async #read(): Promise<Slot> {
    return slotIn(await this.#file.load());
  }

  #change(change: (slot: Slot) => Slot): Promise<void> {
    return this.#file.change((stored) => change(slotIn(stored)));
  }
}

const EMPTY: Slot = { version: 1, current: null };

function slotIn(stored: unknown): Slot {
  const slot = slotShape.safeParse(stored === undefined ? EMPTY : stored);
  if (!slot.success)
    throw new LearningFileError('A file of learnt weights cannot be read.', {
      cause: slot.error,
      advice: 'Reset what was learnt.',
    });
  return slot.data;
}
