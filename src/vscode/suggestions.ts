import type * as vscode from 'vscode';
import type { SessionHolder } from './session-holder.ts';
import type { Session } from './session.ts';

/** Questions made from this workspace's index; asked for again when the index has become another one. */
export class Suggestions implements vscode.Disposable {
  readonly #sessions: SessionHolder;
  readonly #log: vscode.LogOutputChannel;
  readonly #tell: (questions: string[]) => void;
  readonly #disposables: vscode.Disposable[];
  #questions: string[] = [];
  #from: { session: Session; passages: number } | undefined;

  constructor(sessions: SessionHolder, tell: (questions: string[]) => void, log: vscode.LogOutputChannel) {
    this.#sessions = sessions;
    this.#tell = tell;
    this.#log = log;
    this.#disposables = [
      sessions.onState((state) => {
        // Links are known once all files are read; vectors add nothing to the questions.
        if (state.phase === 'embedding' || state.phase === 'ready' || state.phase === 'read-only') void this.#refresh();
      }),
    ];
  }

  async get(): Promise<string[]> {
    await this.#refresh();
    return this.#questions;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #refresh(): Promise<void> {
    const session = await this.#sessions.current();
    const passages = this.#sessions.state?.coverage.passages ?? 0;
    if (!session || passages === 0 || (this.#from?.session === session && this.#from.passages === passages)) return;
    this.#from = { session, passages };
    try {
      this.#questions = await session.engine.suggestions();
      this.#tell(this.#questions);
    } catch (error) {
      this.#log.warn(
        `No questions could be made from the index: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
