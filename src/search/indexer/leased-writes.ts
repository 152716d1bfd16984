import { SerialQueue } from '#base';
import type { MetaKey, MetaTable } from '../store/file-table.ts';

/** The queue of everything that is written: each task begins by making sure that this process still has the lease. */
export class LeasedWrites extends SerialQueue {
  readonly #checkLease: () => Promise<void>;

  /** `checkLease` throws NotTheWriterError when it has not. */
  constructor(checkLease: () => Promise<void>) {
    super();
    this.#checkLease = checkLease;
  }

  override run<T>(task: () => Promise<T>): Promise<T> {
    return super.run(async () => {
      await this.#checkLease();
      return task();
    });
  }
}

/** What a build's table of notes says, known here without being read again, and written when it changes. */
export class BuildNotes {
  readonly #meta: MetaTable;
  readonly #writes: LeasedWrites;
  readonly #known = new Map<MetaKey, string | undefined>();

  constructor(meta: MetaTable, writes: LeasedWrites) {
    this.#meta = meta;
    this.#writes = writes;
  }

  async load(keys: readonly MetaKey[]): Promise<void> {
    for (const key of keys) this.#known.set(key, await this.#meta.get(key));
  }

  get(key: MetaKey): string | undefined {
    return this.#known.get(key);
  }

  async set(key: MetaKey, value: string): Promise<void> {
    if (this.#known.get(key) === value) return;
    await this.#writes.run(() => this.#meta.set(key, value));
    this.#known.set(key, value);
  }
}
