import type { MetaKey, MetaTable } from '../store/meta-table.ts';
import type { OwnedWrites } from './owned-writes.ts';

/** What a build's table of notes says, known here without being read again, and written when it changes. */
export class BuildNotes {
  private readonly meta: MetaTable;
  private readonly writes: OwnedWrites;
  private readonly known = new Map<MetaKey, string | undefined>();

  constructor(meta: MetaTable, writes: OwnedWrites) {
    this.meta = meta;
    this.writes = writes;
  }

  async load(keys: readonly MetaKey[]): Promise<void> {
    for (const key of keys) this.known.set(key, await this.meta.get(key));
  }

  get(key: MetaKey): string | undefined {
    return this.known.get(key);
  }

  async set(key: MetaKey, value: string): Promise<void> {
    if (this.known.get(key) === value) return;
    await this.writes.run(() => this.meta.set(key, value));
    this.known.set(key, value);
  }
}
