import { HoptrailError } from '#base';

/** What was learnt cannot be changed: a round of learning, or another change of it, is under way in this window. */
export class LearningBusyError extends HoptrailError {
  readonly code = 'learning-busy';
}

/** Runs one piece of work at a time. A second one is refused instead of queued, because the first may take minutes. */
export class OneAtATime {
  readonly #refusal: () => Error;
  #busy = false;

  /** @param refusal Makes the error with which a second piece of work is refused. */
  constructor(refusal: () => Error) {
    this.#refusal = refusal;
  }

  get busy(): boolean {
    return this.#busy;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy) throw this.#refusal();
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
    }
  }
}
