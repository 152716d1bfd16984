import { HoptrailError } from '#base';

/** What was learnt cannot be changed: a round of learning, or another change of it, is under way in this window. */
export class LearningBusyError extends HoptrailError {
  readonly code = 'learning-busy';
}

/** Lets one piece of work in at a time and sends the next away, as waiting for it would take minutes. */
export class OneAtATime {
  readonly #refusal: () => Error;
  #busy = false;

  /** @param refusal What is thrown at those who come while there is work. */
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
