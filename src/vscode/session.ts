import * as vscode from 'vscode';
import type { Engine, Hoptrail } from '#hoptrail';
import { type IndexConfig, type IndexState, UNKNOWN_INDEX } from '#search';
import type { LanguageModel, ResearchOptions } from '#research';
import { reportError } from '#base';
import { ChangeBatch } from './index/watch-files.ts';
import { tellShownFiles } from './index/shown-files.ts';
import { engineAfter, UnsavedEditors } from './index/unsaved-editors.ts';
import { openFiles } from './index/workspace-roots.ts';
import { currentSettings } from './configuration.ts';
import { errorInOneText } from './error-words.ts';
import { optionsForEffort, type RunEffort } from './settings.ts';

/** What a session needs; the workspace and the settings that it was made for do not change during its life. */
export interface SessionOptions {
  hoptrail: Hoptrail;
  config: IndexConfig;
  model: LanguageModel | undefined;
  log: vscode.LogOutputChannel;
  onState(state: IndexState): void;
}

/** An open index over the workspace and the engine on top of it. */
export class Session {
  readonly engine: Engine;
  readonly config: IndexConfig;
  readonly #log: vscode.LogOutputChannel;
  readonly #onState: (state: IndexState) => void;
  readonly #disposables: vscode.Disposable[] = [];
  #updating: AbortController | undefined;

  private constructor(engine: Engine, options: SessionOptions) {
    const unsaved = new UnsavedEditors(
      (texts) => engine.index.unsaved(texts),
      (error) => options.log.warn(`What is not saved could not be read: ${reportError(error).message}`),
    );
    const shown = tellShownFiles((uris) => {
      engine.index.shown(uris).catch((error: unknown) => {
        options.log.debug(`The index was not told what is looked at: ${reportError(error).message}`);
      });
    });
    this.#disposables.push(unsaved, shown);
    this.engine = engineAfter(engine, () => unsaved.flush());
    this.config = options.config;
    this.#log = options.log;
    this.#onState = options.onState;
    this.#disposables.push({ dispose: engine.onIndexState(options.onState) });
    this.#watch();
  }

  /** Opens the index; reading the files goes on in the background. @throws what kept the index from opening */
  static async open(options: SessionOptions): Promise<Session> {
    const engine = options.hoptrail.engine({ model: options.model });
    try {
      const opened = await engine.index.open(options.config);
      // It is not known yet whether it is up to date: an update follows.
      options.onState(opened.phase === 'ready' ? { ...opened, phase: 'starting' } : opened);
    } catch (error) {
      await engine.dispose();
      throw error;
    }
    return new Session(engine, options);
  }

  /** How the settings want a run of this effort to be, as they are now; see {@link optionsForEffort}. */
  researchOptions(effort: RunEffort = 'usual'): Partial<ResearchOptions> {
    return optionsForEffort(currentSettings().research, effort);
  }

  /** Brings the index up to date. Resolves when it is; a newer call ends an older one. */
  async update(how: { rebuild?: boolean; emptied?: boolean } = {}): Promise<void> {
    this.#updating?.abort();
    const stop = new AbortController();
    this.#updating = stop;
    try {
      const report = await this.engine.index.update(
        { ...how, hints: { openUris: openFiles() }, watched: true },
        stop.signal,
      );
      this.#log.info(
        `Index is up to date: ${report.files} files, ${report.passages} passages, ${report.embedded} embedded, ` +
          `${report.reused} reused, ${report.skipped.length} left out, ${report.seconds.toFixed(1)} s.`,
      );
    } catch (error) {
      if (stop.signal.aborted) return;
      this.#log.error(error instanceof Error ? error : String(error));
      const report = reportError(error);
      if (report.code === 'index-not-writable') {
        // another window's index is as well as before
        void vscode.window.showWarningMessage(errorInOneText(report, vscode.l10n.t));
        return;
      }
      const state = await this.engine.index.state().catch(() => UNKNOWN_INDEX);
      this.#onState({ ...state, phase: 'failed', error: report });
    }
  }

  async dispose(): Promise<void> {
    this.#updating?.abort();
    for (const disposable of this.#disposables) disposable.dispose();
    await this.engine.dispose();
  }

  #watch(): void {
    const batch = new ChangeBatch((changed) => void this.#take(changed));
    this.#disposables.push(batch);
    for (const root of this.config.roots) {
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.parse(root.uri), '**/*'),
      );
      const add = (uri: vscode.Uri): void => batch.add(uri.toString());
      this.#disposables.push(watcher, watcher.onDidCreate(add), watcher.onDidChange(add), watcher.onDidDelete(add));
    }
  }

  async #take(changed: string[] | 'many'): Promise<void> {
    if (changed === 'many') return this.update();
    try {
      await this.engine.index.filesChanged(changed);
    } catch (error) {
      this.#log.warn(`Changed files could not be taken up: ${reportError(error).message}`);
    }
  }
}
