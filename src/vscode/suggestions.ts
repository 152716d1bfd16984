import type * as vscode from 'vscode';
import type { SessionHolder } from './session-holder.ts';
import type { Session } from './session.ts';

/** Milliseconds without a change of the index, and without anybody typing, before questions are tried. */
const QUIET_MS = 3000;

/**
 * Questions that have an answer in this workspace; tried when nobody waits, and again when the index is another one.
 */
export class Suggestions implements vscode.Disposable {
  readonly #sessions: SessionHolder;
  readonly #log: vscode.LogOutputChannel;
  readonly #tell: (questions: string[]) => void;
  readonly #asked: () => boolean;
  readonly #quietMs: number;
  readonly #listening: vscode.Disposable;
  #questions: string[] = [];
  #from: { session: Session; files: number; passages: number } | undefined;
  #wanted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run: AbortController | undefined;

  /** @param asked True while somebody waits for an answer: nothing is tried then. */
  constructor(
    sessions: SessionHolder,
    tell: (questions: string[]) => void,
    asked: () => boolean,
    log: vscode.LogOutputChannel,
    quietMs = QUIET_MS,
  ) {
    this.#sessions = sessions;
    this.#tell = tell;
    this.#asked = asked;
    this.#log = log;
    this.#quietMs = quietMs;
    this.#listening = sessions.onState(() => {
      if (this.#wanted) this.#later();
    });
  }

  /** What is known now; a panel that asks is told more when it is found. */
  async get(): Promise<string[]> {
    this.#wanted = true;
    this.#later();
    return this.#questions;
  }

  /** Somebody types or asks: what is being tried ends, and begins anew when it is quiet again. */
  makeRoom(): void {
    this.#run?.abort();
    if (this.#wanted) this.#later();
  }

  dispose(): void {
    this.#listening.dispose();
    clearTimeout(this.#timer);
    this.#run?.abort();
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#try(), this.#quietMs);
  }

  async #try(): Promise<void> {
    const session = await this.#sessions.current();
    const { phase, coverage } = this.#sessions.state ?? {};
    const { files = 0, passages = 0 } = coverage ?? {};
    // While files are read or embedded, the machine has other things to do, and links are not known yet.
    if (!session || passages === 0 || (phase !== 'ready' && phase !== 'read-only')) return;
    if (this.#run || this.#asked()) return this.#later();
    const from = this.#from;
    if (from?.session === session && from.files === files && from.passages === passages) return;
    const run = new AbortController();
    this.#run = run;
    try {
      const questions = await session.engine.suggestions(run.signal);
      if (run.signal.aborted) return;
      this.#from = { session, files, passages };
      this.#questions = questions;
      this.#tell(questions);
    } catch (error) {
      if (run.signal.aborted) return;
      this.#log.warn(
        `No questions could be made from the index: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      this.#run = undefined;
    }
  }
}
