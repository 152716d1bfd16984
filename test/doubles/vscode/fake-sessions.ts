import type { IndexPhase, IndexState } from '../../../src/search/domain/index-state.ts';
import type { Retriever } from '../../../src/search/retrieval/retriever.ts';
import type { SessionHolder } from '../../../src/vscode/session-holder.ts';
import type { Session } from '../../../src/vscode/session.ts';
import { EventEmitter } from './vscode.ts';

const coverage = { files: 0, passages: 0, embedded: 0, indexing: true };

/** An index that opens when it is asked for, and reads files when the test says so. */
export class FakeSessions {
  readonly #changed = new EventEmitter<IndexState>();
  readonly onState = this.#changed.event;
  state: IndexState | undefined;
  /** What the index lists. */
  files: string[] = [];
  /** Keeps it from opening. */
  failure: Error | undefined;
  /** How often opening was tried. */
  tried = 0;
  retriever: Partial<Retriever> = {};
  #session: Session | undefined;

  /** As the code under test takes it. */
  get holder(): SessionHolder {
    return this as unknown as SessionHolder;
  }

  async get(): Promise<Session> {
    if (this.#session) return this.#session;
    this.tried++;
    if (!this.state) this.become('starting');
    if (this.failure) {
      this.become('failed');
      throw this.failure;
    }
    const report = async () => ({
      files: this.files.map((path) => ({ path, language: 'markdown', passages: 1 })),
      skipped: [],
      fallbacks: [],
    });
    this.#session = { engine: { index: { report }, retriever: this.retriever } } as unknown as Session;
    return this.#session;
  }

  async current(): Promise<Session | undefined> {
    return this.#session;
  }

  become(phase: IndexPhase): void {
    this.state = {
      phase,
      coverage,
      filesTotal: 0,
      filesDone: 0,
      passagesToEmbed: 0,
      passagesEmbedded: 0,
      passagesPerSecond: 0,
      embedderId: '',
      notices: [],
    };
    this.#changed.fire(this.state);
  }

  /** The files are read: they are listed from now on. */
  read(...files: string[]): void {
    this.files = files;
    this.become('ready');
  }
}
