import * as vscode from 'vscode';
import type { Hoptrail } from '#hoptrail';
import { type EmbedderChoice, type IndexConfig, type IndexState, makeIndexKnown, UNKNOWN_INDEX } from '#search';
import type { LanguageModel } from '#research';
import { reportError, HoptrailError } from '#base';
import { isSupportedWorkspace, workspaceRoots } from './index/workspace-roots.ts';
import { secretKeyOf, type ModelService } from './model/model-service.ts';
import { Session } from './session.ts';
import {
  affectsIndex,
  currentSettings,
  encodingSetting,
  excludeGlobs,
  indexUriIn,
  storageFolder,
} from './configuration.ts';

/** Starts the session when it is first needed, and again when folders or settings make it another one. */
export class SessionHolder implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #models: ModelService;
  readonly #hoptrail: Hoptrail;
  readonly #changed = new vscode.EventEmitter<IndexState>();
  readonly #opened = new vscode.EventEmitter<Session>();
  readonly #disposables: vscode.Disposable[];
  #session: Promise<Session> | undefined;
  /** Ends when no earlier session is left: two at once would hold the same index. */
  #closed: Promise<void> = Promise.resolve();
  #state: IndexState | undefined;

  readonly onState = this.#changed.event;
  readonly onOpened = this.#opened.event;

  constructor(
    context: vscode.ExtensionContext,
    log: vscode.LogOutputChannel,
    models: ModelService,
    hoptrail: Hoptrail,
  ) {
    this.#context = context;
    this.#log = log;
    this.#models = models;
    this.#hoptrail = hoptrail;
    this.#disposables = [
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#restartIfTried()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (affectsIndex(event)) this.#restartIfTried();
        else if (event.affectsConfiguration('hoptrail.indexing')) this.#indexingChanged();
      }),
      context.secrets.onDidChange(({ key }) => {
        const { embedder } = currentSettings();
        if (embedder.kind === 'endpoint' && key === secretKeyOf(embedder.baseUrl)) this.#restartIfTried();
      }),
      models.onDidChange((model) => void this.#setModel(model)),
    ];
  }

  /** Last known state of the index; undefined before the first session. */
  get state(): IndexState | undefined {
    return this.#state;
  }

  /** @throws NoFolderError, VirtualWorkspaceError, or what kept the index from opening */
  async get(): Promise<Session> {
    if (this.#session) return this.#session;
    const opening = this.#open();
    this.#session = opening;
    opening.catch(() => {
      if (this.#session === opening) this.#session = undefined;
    }); // the next question tries again
    return opening;
  }

  /** The session if there is one, without starting it. */
  async current(): Promise<Session | undefined> {
    return this.#session?.catch(() => undefined);
  }

  /**
   * The session, started where the settings want an index before anything is asked; undefined: it waits for the first
   * question.
   */
  async ifWanted(): Promise<Session | undefined> {
    return currentSettings().index.when !== 'manual' ? this.get() : this.current();
  }

  /** What is open stays open where it is to wait for a question from now on. */
  #indexingChanged(): void {
    if (currentSettings().index.when === 'manual') return;
    if (this.#session) this.#restartIfTried();
    else void this.ifWanted().catch(() => undefined); // told through the state
  }

  async restart(): Promise<Session> {
    await this.#close();
    return this.get();
  }

  async dispose(): Promise<void> {
    for (const disposable of this.#disposables) disposable.dispose();
    await this.#close();
  }

  async #open(): Promise<Session> {
    try {
      await this.#closed;
      const config = await this.#config();
      this.#setState({ ...UNKNOWN_INDEX });
      const model = await this.#models.current();
      const options = {
        hoptrail: this.#hoptrail,
        config,
        model,
        log: this.#log,
        onState: (state: IndexState) => this.#setState(state),
      };
      const session = await Session.open(options);
      void session.update();
      void this.#makeKnown(config);
      this.#opened.fire(session);
      return session;
    } catch (error) {
      const report = reportError(error);
      if (!(error instanceof NoFolderError || error instanceof VirtualWorkspaceError)) {
        this.#log.error(error instanceof Error ? error : String(error));
        this.#setState({ ...(this.#state ?? UNKNOWN_INDEX), phase: 'failed', error: report });
      }
      throw error;
    }
  }

  /** To the command line, so that it and agents use this index, too. */
  async #makeKnown(config: IndexConfig): Promise<void> {
    try {
      const { version } = this.#context.extension.packageJSON as { version: unknown };
      await makeIndexKnown(config, String(version));
    } catch (error) {
      this.#log.warn(`The command line cannot be told of this index: ${reportError(error).message}`);
    }
  }

  async #config(): Promise<IndexConfig> {
    const roots = workspaceRoots();
    if (!isSupportedWorkspace())
      throw new VirtualWorkspaceError(
        vscode.l10n.t(
          'Virtual workspaces are not supported: Hoptrail reads files on the machine where its extension runs.',
        ),
      );
    if (roots.length === 0) throw new NoFolderError(vscode.l10n.t('No folder is open.'), { action: 'open-folder' });
    const settings = currentSettings();
    return {
      roots,
      indexUri: indexUriIn(storageFolder(this.#context), settings.index.uri),
      embedder: await this.#embedder(settings.embedder),
      excludeGlobs: excludeGlobs(settings, roots),
      useGitignore: settings.index.useGitignore,
      maxFileBytes: settings.index.maxFileBytes,
      encoding: encodingSetting(),
      ...(settings.index.when === 'idle' && { whenIdle: true as const }),
    };
  }

  async #embedder(choice: EmbedderChoice): Promise<EmbedderChoice> {
    if (choice.kind !== 'endpoint') return choice;
    const apiKey = await this.#context.secrets.get(secretKeyOf(choice.baseUrl));
    return apiKey === undefined ? choice : { ...choice, apiKey };
  }

  #setState(state: IndexState): void {
    this.#state = state;
    this.#changed.fire(state);
  }

  async #setModel(model: LanguageModel | undefined): Promise<void> {
    (await this.current())?.engine.setModel(model);
  }

  /** Restarts a session that is open, or that could not be opened: the change may have removed what it failed for. */
  #restartIfTried(): void {
    if (!this.#session && this.#state?.phase !== 'failed') return;
    void this.restart().catch(() => undefined); // told through the state
  }

  async #close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session)
      this.#closed = session
        .then(
          (open) => open.dispose(),
          () => undefined,
        )
        .catch((error: unknown) =>
          this.#log.warn(`The index was not closed as it should be: ${reportError(error).message}`),
        );
    await this.#closed;
  }
}

/** There is nothing to index: no folder is open. */
class NoFolderError extends HoptrailError {
  readonly code = 'no-folder';
}

/** The open folders are not on a disk that the extension can read. */
class VirtualWorkspaceError extends HoptrailError {
  readonly code = 'virtual-workspace';
}
