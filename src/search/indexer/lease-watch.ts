import { type TimerClock, SerialQueue } from '#base';
import type { FileRecord, MetaKey, MetaTable } from '../store/file-table.ts';
import type { IndexStore } from '../store/index-store.ts';
import { IndexDamagedError } from '../store/storage-errors.ts';

/**
 * The records of files in an index that another process writes. They are read again only when their table has changed:
 * editors ask at every key.
 */
export class FollowedFiles {
  readonly #followed: () => IndexStore | undefined;
  #known: { store: IndexStore; version: number; records: FileRecord[] } | undefined;

  /** `followed` is the store that answers now; it may change, and be closed, at any time. */
  constructor(followed: () => IndexStore | undefined) {
    this.#followed = followed;
  }

  /**
   * Of the store that answers now; none while there is no index. While a build has been removed and its successor is
   * not followed yet, the list is as it last was. @throws what the storage throws when it cannot be read twice and was
   * never read
   */
  async all(): Promise<readonly FileRecord[]> {
    for (let attempt = 1; ; attempt++) {
      const store = this.#followed();
      if (!store) return [];
      try {
        const version = await store.files.version();
        if (this.#known?.store !== store || this.#known.version !== version)
          this.#known = { store, version, records: await store.files.all() };
        return this.#known.records;
      } catch (error) {
        // Its successor may have taken its place, or its files may just have been tidied up, under the query.
        if (attempt < 3 && !(attempt === 2 && store === this.#followed())) continue;
        // Searches say so if it is damaged for good.
        if (this.#known && error instanceof IndexDamagedError) return this.#known.records;
        throw error;
      }
    }
  }
}

export interface LeaseWatchOptions {
  clock: TimerClock;
  everyMs: number;
  /** Never rejects; says whether to look again. */
  look(): Promise<boolean>;
}

/** Looks now and then, while this window reads, what the one that writes does, and whether the lease is free. */
export class LeaseWatch {
  readonly #options: LeaseWatchOptions;
  #callOff: (() => void) | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LeaseWatchOptions) {
    this.#options = options;
  }

  /** Begins to wait, anew. */
  start(): void {
    this.#callOff?.();
    if (this.#stopped) return;
    this.#callOff = this.#options.clock.later(this.#options.everyMs, () => {
      this.#looking = this.#options.look().then((again) => {
        if (again) this.start();
      });
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff?.();
    await this.#looking;
  }
}

/** The queue of everything that is written: each task begins by making sure that this window still has the lease. */
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
