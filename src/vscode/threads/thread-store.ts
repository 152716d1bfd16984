import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { HoptrailError, replaceFile, SerialQueue } from '#base';
import type { Thread, ThreadSummary } from '../protocol.ts';
import { parseThreadLog, serialiseRecords, threadFromRecords, type ThreadRecord } from './thread-log.ts';

/** A thread's file could not be read or written. */
export class ThreadStoreError extends HoptrailError {
  readonly code = 'thread-store';
}

interface SummaryEntry extends ThreadSummary {
  /** Questions, in lower case: what the search looks through. */
  words: string;
}

const FILE = /^[\w-]+\.jsonl$/;

/** Threads of one workspace: a folder of JSON-lines files and a list of them, in the editor's storage. */
export class ThreadStore {
  readonly #folder: string;
  #summaries: Map<string, SummaryEntry> | undefined;
  /** Writes go one after another: lines must not mix. So does whatever changes the list of threads. */
  readonly #turns = new SerialQueue();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Threads whose title or questions hold every word of the query, newest first. */
  async list(query: string): Promise<ThreadSummary[]> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const summaries = await this.#turns.run(async () => {
      const known = [...(await this.#load()).values()];
      return (this.#summaries = await this.#summariesOf(known)); // another window may have begun or deleted threads
    });
    return [...summaries.values()]
      .filter((entry) => words.every((word) => entry.words.includes(word) || entry.title.toLowerCase().includes(word)))
      .sort((a, b) => b.updated - a.updated)
      .map(({ id, title, updated, turns }) => ({ id, title, updated, turns }));
  }

  /** undefined when there is no such thread. */
  async read(id: string, isRunning: (runId: string) => boolean): Promise<Thread | undefined> {
    await this.#turns.settled();
    try {
      return threadFromRecords(parseThreadLog(await readFile(this.#fileOf(id), 'utf8')), isRunning);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new ThreadStoreError(`The thread in ${this.#fileOf(id)} cannot be read.`, { cause, action: 'show-log' });
    }
  }

  async append(id: string, records: readonly ThreadRecord[]): Promise<void> {
    await this.#write(async () => {
      const summaries = await this.#load(); // before the file is there, or it would be counted twice
      await appendFile(this.#fileOf(id), serialiseRecords(records));
      let changed = false;
      for (const record of records) changed = updateSummary(summaries, id, record) || changed;
      if (changed) await this.#saveSummaries();
    });
  }

  async delete(id: string): Promise<void> {
    await this.#write(async () => {
      await rm(this.#fileOf(id), { force: true });
      (await this.#load()).delete(id);
      await this.#saveSummaries();
    });
  }

  /**
   * The thread that was shown last; undefined when none was. A file and not the editor's memento, which a reload may
   * outrun.
   */
  async active(): Promise<string | undefined> {
    await this.#turns.settled();
    return readFile(path.join(this.#folder, 'active'), 'utf8').catch(() => undefined);
  }

  async setActive(id: string): Promise<void> {
    await this.#write(() => replaceFile(path.join(this.#folder, 'active'), id));
  }

  async #write(work: () => Promise<void>): Promise<void> {
    try {
      await this.#turns.run(async () => {
        await mkdir(this.#folder, { recursive: true });
        await work();
      });
    } catch (cause) {
      throw new ThreadStoreError(`Threads cannot be kept in ${this.#folder}.`, {
        cause,
        advice: 'Check that the disk is not full and that the folder can be written.',
        action: 'show-log',
      });
    }
  }

  #fileOf(id: string): string {
    return path.join(this.#folder, `${id.replace(/[^\w-]/g, '_')}.jsonl`);
  }

  async #load(): Promise<Map<string, SummaryEntry>> {
    this.#summaries ??= await this.#summariesOf(await this.#savedSummaries());
    return this.#summaries;
  }

  /** Empty when the list is missing or torn: it is made again from the files. */
  async #savedSummaries(): Promise<SummaryEntry[]> {
    return readFile(path.join(this.#folder, 'threads.json'), 'utf8')
      .then((text) => JSON.parse(text) as SummaryEntry[])
      .catch(() => []);
  }

  /** One for each file that is there: from what is known, else from the file. */
  async #summariesOf(kept: readonly SummaryEntry[]): Promise<Map<string, SummaryEntry>> {
    const files = (await readdir(this.#folder).catch(() => [])).filter((name) => FILE.test(name));
    const summaries = new Map(
      kept.filter((entry) => files.includes(`${entry.id}.jsonl`)).map((entry) => [entry.id, entry]),
    );
    for (const file of files) {
      const id = file.slice(0, -'.jsonl'.length);
      if (summaries.has(id)) continue;
      // One that cannot be read, or was deleted meanwhile, keeps nobody from the others.
      const text = await readFile(path.join(this.#folder, file), 'utf8').catch(() => '');
      for (const record of parseThreadLog(text)) updateSummary(summaries, id, record);
    }
    return summaries;
  }

  async #saveSummaries(): Promise<void> {
    const text = JSON.stringify([...(this.#summaries?.values() ?? [])]);
    await replaceFile(path.join(this.#folder, 'threads.json'), text);
  }
}

/** True when the record changes what the list shows. */
function updateSummary(summaries: Map<string, SummaryEntry>, id: string, record: ThreadRecord): boolean {
  if (record.type === 'thread') {
    summaries.set(id, { id, title: record.title, updated: record.time, turns: 0, words: '' });
    return true;
  }
  const entry = summaries.get(id);
  if (!entry || (record.type !== 'title' && record.type !== 'turn')) return false;
  if (record.type === 'title') entry.title = record.title;
  else
    summaries.set(id, {
      ...entry,
      updated: record.time,
      turns: entry.turns + 1,
      words: `${entry.words} ${record.question.toLowerCase()}`,
    });
  return true;
}
