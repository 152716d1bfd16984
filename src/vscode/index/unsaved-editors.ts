import * as vscode from 'vscode';
import { sum } from '#base';
import type { Engine } from '#hoptrail';
import type { IndexService } from '#search';

/** A text as the index takes it: what the editor shows of a file, or null where the disk's counts (again). */
type Shown = Parameters<IndexService['unsaved']>[0][number];

export interface UnsavedEditorsOptions {
  /** Milliseconds without typing before the index is told. */
  quietMs: number;
  /** Longest that a text waits to be told while somebody types on, milliseconds. */
  longestMs: number;
  /** Longest that a question waits for the texts to be searchable, milliseconds. */
  waitMs: number;
  /** A larger text is not sent, characters; what lies on disk is read. */
  mostCharacters: number;
  /** All texts together, characters. */
  mostCharactersTogether: number;
}

export const unsavedEditorsDefaults: UnsavedEditorsOptions = {
  quietMs: 1000,
  longestMs: 5000,
  waitMs: 3000,
  mostCharacters: 5_000_000,
  mostCharactersTogether: 20_000_000,
};

/**
 * Tells the index what editors show of the workspace's files and have not saved, a moment after the last key, and
 * before a question: so that answers and their lines are of what is on the screen.
 */
export class UnsavedEditors implements vscode.Disposable {
  readonly #tell: (texts: Shown[]) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  readonly #options: UnsavedEditorsOptions;
  readonly #disposables: vscode.Disposable[];
  /** Documents to look at, by URI. */
  readonly #waiting = new Set<string>();
  /** Characters of what the index was told last, by URI. */
  readonly #told = new Map<string, number>();
  #telling: Promise<void> = Promise.resolve();
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #longest: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param tell Resolves when the texts are searchable.
   * @param failed Told when that rejects; the texts are told again with the next ones.
   */
  constructor(
    tell: (texts: Shown[]) => Promise<void>,
    failed: (error: unknown) => void,
    options: UnsavedEditorsOptions = unsavedEditorsDefaults,
  ) {
    this.#tell = tell;
    this.#failed = failed;
    this.#options = options;
    const { workspace } = vscode;
    this.#disposables = [
      workspace.onDidChangeTextDocument(({ document }) => this.#look(document)),
      workspace.onDidSaveTextDocument((document) => this.#look(document)),
      workspace.onDidCloseTextDocument((document) => this.#look(document)),
    ];
    for (const document of workspace.textDocuments) if (document.isDirty) this.#look(document);
  }

  /** Resolves when the index knows what the editors show, or has taken too long; never rejects. */
  async flush(): Promise<void> {
    this.#send();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#options.waitMs)));
    await Promise.race([this.#telling, enough]);
    clearTimeout(timer);
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#longest);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #look(document: vscode.TextDocument): void {
    const { uri, isDirty } = document;
    if (uri.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) return;
    if (!isDirty && !this.#told.has(uri.toString()) && !this.#waiting.has(uri.toString())) return;
    this.#waiting.add(uri.toString());
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#send(), this.#options.quietMs);
    this.#longest ??= setTimeout(() => this.#send(), this.#options.longestMs);
  }

  /** Tells what waits, after what is being told. */
  #send(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#longest);
    this.#longest = undefined;
    if (this.#waiting.size === 0) return;
    const uris = [...this.#waiting];
    this.#waiting.clear();
    const texts = this.#textsOf(uris);
    if (texts.length === 0) return;
    this.#telling = this.#telling.then(async () => {
      try {
        await this.#tell(texts);
      } catch (error) {
        for (const { uri, text } of texts) {
          this.#waiting.add(uri);
          if (!this.#told.has(uri)) this.#told.set(uri, text?.length ?? 0); // so that it is taken back once more
        }
        this.#failed(error);
      }
    });
  }

  #textsOf(uris: readonly string[]): Shown[] {
    const open = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
    return uris.flatMap((uri): Shown[] => {
      const document = open.get(uri);
      const text = document?.isDirty && !document.isClosed ? document.getText() : undefined;
      const before = this.#told.get(uri);
      this.#told.delete(uri);
      if (text !== undefined && this.#fits(text)) {
        this.#told.set(uri, text.length);
        return [{ uri, text }];
      }
      return before === undefined ? [] : [{ uri, text: null }];
    });
  }

  #fits(text: string): boolean {
    const others = sum([...this.#told.values()]);
    const { mostCharacters, mostCharactersTogether } = this.#options;
    return text.length <= mostCharacters && others + text.length <= mostCharactersTogether;
  }
}

/** The engine, which looks for nothing before `ready` has resolved. */
export function engineAfter(engine: Engine, ready: () => Promise<void>): Engine {
  const { retriever } = engine;
  const waiting: Pick<Engine, 'retriever' | 'research'> = {
    retriever: {
      ...retriever,
      search: async (...asked) => ready().then(() => retriever.search(...asked)),
      chains: async (...asked) => ready().then(() => retriever.chains(...asked)),
      connect: async (...asked) => ready().then(() => retriever.connect(...asked)),
      references: async (...asked) => ready().then(() => retriever.references(...asked)),
    },
    research: async function* (...asked) {
      await ready();
      yield* engine.research(...asked);
    },
  };
  // What is not named here, the model of the moment among it, is the engine's own.
  return Object.assign(Object.create(engine) as Engine, waiting);
}
