import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { plainly } from '../domain/file-cause.ts';
import type { SkippedFile, SourceFile } from '../domain/source-file.ts';

const noted = z.object({ uri: z.string(), size: z.number(), mtimeMs: z.number() });
type Noted = z.infer<typeof noted>;

const notesShape = z.object({
  /** The version of this program that noted it. */
  program: z.string().default(''),
  /** What is being read now. */
  reading: z.array(noted).default([]),
  /** What was being read when a process ended that should not have, and how often that happened. */
  ended: z.array(noted.extend({ times: z.number() })).default([]),
});

/** After so many ends a file is left out until it changes. */
const MOST_ENDS = 2;

/**
 * A small file beside the index that says what is being read. It outlives a process that ends over a file: the next one
 * reads that file last and alone, and the one after that, if it was this file once more, leaves it out. Several files
 * may be on their way at once; all of them are under suspicion then, and all but one are cleared when they have been
 * read.
 */
export class ReadingNotes {
  readonly #file: string;
  readonly #program: string;
  readonly #onProblem: (message: string) => void;
  readonly #reading = new Map<string, Noted>();
  readonly #ended = new Map<string, Noted & { times: number }>();
  #troubled = false;

  /**
   * @param file Where the notes lie. @param program Which version runs: what an earlier one ended over is tried again.
   *   @param onProblem Told when notes cannot be kept; reading goes on without.
   */
  constructor(file: string, program: string, onProblem: (message: string) => void) {
    this.#file = file;
    this.#program = program;
    this.#onProblem = onProblem;
  }

  /**
   * To be called by the process that writes the index, before it reads: takes over what the one before it left. Gives
   * what that one was reading.
   */
  load(): readonly string[] {
    this.#reading.clear();
    this.#ended.clear();
    const before = this.#readNotes();
    if (before.program === this.#program) for (const noted of before.ended) this.#ended.set(noted.uri, noted);
    for (const noted of before.reading) this.#ended.set(noted.uri, { ...noted, times: this.endsOver(noted) + 1 });
    if (before.reading.length > 0) this.#write();
    return before.reading.map((noted) => noted.uri);
  }

  /** How often a process ended while it read this very file, as large and as old as it is now. */
  endsOver(file: Noted): number {
    const known = this.#ended.get(file.uri);
    return known && known.size === file.size && known.mtimeMs === file.mtimeMs ? known.times : 0;
  }

  /** Why a file is not read any more; undefined when it is. */
  leftOut(file: SourceFile): SkippedFile | undefined {
    if (this.endsOver(file) < MOST_ENDS) return undefined;
    return { path: file.path, reason: 'gave-up', why: plainly('ended-twice') };
  }

  begins({ uri, size, mtimeMs }: SourceFile): void {
    this.#reading.set(uri, { uri, size, mtimeMs });
    this.#write();
  }

  /** Nothing reads it any more, and the process is still there. One that `wasRead` is above suspicion. */
  isOver({ uri }: SourceFile, wasRead: boolean): void {
    const wasSuspect = wasRead && this.#ended.delete(uri);
    // Otherwise the next one that begins writes it down: once for each file is enough.
    if ((this.#reading.delete(uri) && this.#reading.size === 0) || wasSuspect) this.#write();
  }

  #readNotes(): z.infer<typeof notesShape> {
    try {
      return notesShape.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      // None were kept, or the process was ended while it wrote them: then nothing is known.
      return { program: '', reading: [], ended: [] };
    }
  }

  #write(): void {
    const notes: z.infer<typeof notesShape> = {
      program: this.#program,
      reading: [...this.#reading.values()],
      ended: [...this.#ended.values()],
    };
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true }); // an index elsewhere has no folder here
      const descriptor = openSync(this.#file, 'a+', 0o600);
      try {
        ftruncateSync(descriptor, 0);
        writeSync(descriptor, JSON.stringify(notes));
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if (!this.#troubled)
        this.#onProblem(
          `what is being read cannot be noted in ${this.#file}: ` +
            `${error instanceof Error ? error.message : String(error)}`,
        );
      this.#troubled = true;
    }
  }
}
