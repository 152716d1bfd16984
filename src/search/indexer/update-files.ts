import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { slicesOf } from '#base';
import type { SourceFile } from '../domain/source-file.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import type { FileRecord } from '../store/file-table.ts';
import { idsDigest } from '../store/passage-rows.ts';
import type { FileLedger } from './file-ledger.ts';
import type { FileChange, PassageWriter } from './passage-writer.ts';
import type { PauseGate } from './pace.ts';
import type { ReadingNotes } from './reading-notes.ts';

interface UpdateFilesOptions {
  source: FolderPassageSource;
  ledger: FileLedger;
  writer: PassageWriter;
  gate: PauseGate;
  notes: ReadingNotes;
  now: () => number;
  /** Told when the number of files to read is known, and after each one. */
  onProgress(done: number, total: number): void;
}

interface ReadOptions {
  /** Waits while the person has paused indexing. */
  pausable: boolean;
  goOn?(): boolean;
}

interface UpdateOptions extends ReadOptions {
  /** What was just edited or is open: embedded before all else, and not counted while an update is on its way. */
  urgent: boolean;
}

interface FileRead {
  file: SourceFile;
  /** Its number; see FileUpdater.latest. */
  reading: number;
  read: Awaited<ReturnType<FolderPassageSource['read']>>;
}

/** So many files are being read or wait to be written. */
const READ_AHEAD = 4;

/** A batch is written when it holds so many passages or files, or is so old: soon searchable, yet few commits. */
const PASSAGES_PER_BATCH = 1_000;
export const FILES_PER_BATCH = 200;
const BATCH_AGE_MS = 1_000;

/** Reads files and hands them on in batches. Several callers may use one: what is read last wins. */
export class FileUpdater {
  readonly #options: UpdateFilesOptions;
  /** Number of the latest reading begun per file, so that an older reading never overwrites a newer one. */
  readonly #latest = new Map<string, number>();
  #readings = 0;
  /** True while the files of an update are read. */
  #updating = false;

  constructor(options: UpdateFilesOptions) {
    this.#options = options;
  }

  /** A moment, for `remove`. */
  now(): number {
    return this.#readings;
  }

  /**
   * Reads the files in the order given, as long as `goOn` says so, and writes what changed. Those whose bytes are as
   * they were are not written again.
   */
  async readAndWrite(files: readonly SourceFile[], options: UpdateOptions, signal?: AbortSignal): Promise<void> {
    const { now } = this.#options;
    const tell = (count: number): void => {
      if (!options.urgent || !this.#updating) this.#options.onProgress(count, files.length);
    };
    if (!options.urgent) this.#updating = true;
    let batch: { change: FileChange; reading: number }[] = [];
    let passages = 0;
    let since = now();
    let writing: Promise<void> = Promise.resolve();
    const flush = async (): Promise<void> => {
      await writing;
      const current = batch.flatMap(({ change, reading }) =>
        this.#latest.get(change.uri) === reading ? [change] : [],
      );
      batch = [];
      passages = 0;
      since = now();
      writing = current.length > 0 ? this.#options.writer.write(current, options.urgent) : Promise.resolve();
      writing.catch(() => undefined); // awaited before the next batch and at the end
    };
    let done = 0;
    tell(done);
    try {
      for await (const { file, reading, read } of this.#readInOrder(files, options, signal)) {
        const change = this.#changeOf(file, read);
        if (change) {
          batch.push({ change, reading });
          passages += change.passages?.length ?? 0;
        }
        tell(++done);
        if (
          passages >= PASSAGES_PER_BATCH ||
          batch.length >= FILES_PER_BATCH ||
          (batch.length > 0 && now() - since > BATCH_AGE_MS)
        )
          await flush();
        await nextTurn();
      }
    } finally {
      if (!options.urgent) this.#updating = false;
      if (batch.length > 0) await flush();
      await writing;
    }
  }

  /** Reads a few files ahead of the one that is worked on: whoever reads never waits for the index to be written. */
  async *#readInOrder(
    files: readonly SourceFile[],
    options: ReadOptions,
    signal?: AbortSignal,
  ): AsyncGenerator<FileRead> {
    const { gate, notes } = this.#options;
    // What a process ended over is read last, and alone.
    const [usual, suspects] = [
      files.filter((file) => notes.endsOver(file) === 0),
      files.filter((file) => notes.endsOver(file) > 0),
    ];
    const inOrder = [...usual, ...suspects];
    const ahead: (Omit<FileRead, 'read'> & { read: Promise<FileRead['read']> })[] = [];
    let next = 0;
    for (;;) {
      while (ahead.length < READ_AHEAD) {
        if (next >= usual.length && ahead.length > 0) break;
        const file = inOrder[next];
        if (!file) break;
        if (options.pausable) await gate.pass(signal);
        signal?.throwIfAborted();
        if (options.goOn && !options.goOn()) {
          next = inOrder.length; // what is being read already is written
          break;
        }
        next += 1;
        const reading = ++this.#readings;
        this.#latest.set(file.uri, reading);
        const read = this.#read(file, signal);
        read.catch(() => undefined); // awaited in its turn, unless one before it fails
        ahead.push({ file, reading, read });
      }
      const first = ahead.shift();
      if (!first) return;
      yield { ...first, read: await first.read };
    }
  }

  async #read(file: SourceFile, signal?: AbortSignal): Promise<FileRead['read']> {
    const { source, notes } = this.#options;
    const leftOut = notes.leftOut(file);
    if (leftOut) return leftOut;
    try {
      // Noted when work on it begins, and not while it waits: whoever ends this process then has nothing to do with it.
      const read = await source.read(file, signal, () => notes.begins(file));
      notes.isOver(file, true);
      return read;
    } catch (error) {
      notes.isOver(file, false);
      throw error;
    }
  }

  /**
   * Takes files out of the index that were gone at a moment; one that was looked at since is left to who looked.
   * Unknown ones are passed over.
   */
  async remove(uris: readonly string[], when: number): Promise<void> {
    const { ledger } = this.#options;
    const gone = uris.filter(
      (uri) =>
        (this.#latest.get(uri) ?? 0) <= when && (this.#latest.has(uri) || ledger.get(uri) || ledger.hasRows(uri)),
    );
    const removal = ++this.#readings;
    for (const uri of gone) this.#latest.set(uri, removal);
    for (const slice of slicesOf(gone, FILES_PER_BATCH)) {
      const still = slice.filter((uri) => this.#latest.get(uri) === removal);
      if (still.length > 0) await this.#options.writer.write(still.map(goneFrom), false);
    }
  }

  /** Undefined where the index is right about the file. */
  #changeOf(file: SourceFile, read: FileRead['read']): FileChange | undefined {
    const { ledger } = this.#options;
    const { uri } = file;
    const record = ledger.get(uri);
    const isAsBefore = record !== undefined && isAsRecorded(file, record);
    if ('reason' in read) {
      const { reason, why } = read;
      // A file that vanished while it was being read is gone; any other reason is remembered, so that it is not read
      // again until it changes.
      if (reason === 'vanished') return record || ledger.hasRows(uri) ? goneFrom(uri) : undefined;
      if (isAsBefore && record.skip?.reason === reason && isDeepStrictEqual(record.skip.why, why)) return undefined;
      const skipped = { ...file, hash: '', language: '', passages: 0, digest: '', skip: { reason, why } };
      return { uri, passages: [], record: skipped };
    }
    const { hash, language, passages, fallback } = read;
    const isSame = record && !record.skip && record.hash === hash && isDeepStrictEqual(record.fallback, fallback);
    if (isSame && record.path === file.path && record.rootUri === file.rootUri)
      return isAsBefore
        ? undefined
        : { uri, record: { ...record, size: file.size, mtimeMs: file.mtimeMs, stamp: file.stamp } };
    const written = {
      ...read.file,
      hash,
      language,
      passages: passages.length,
      digest: idsDigest(passages.map(({ id }) => id)),
      ...(fallback !== undefined && { fallback }),
    };
    return { uri, passages, record: written };
  }
}

const goneFrom = (uri: string): FileChange => ({ uri, passages: [] });

/** True when the record is of this file, as large and as old as it is now. */
export function isAsRecorded(file: SourceFile, record: FileRecord): boolean {
  return (
    record.size === file.size &&
    record.mtimeMs === file.mtimeMs &&
    (file.stamp === undefined || file.stamp === record.stamp) &&
    record.path === file.path &&
    record.rootUri === file.rootUri
  );
}
