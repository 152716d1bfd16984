import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createEngine, type Engine, type EnginePorts } from '#hoptrail';
import { type IndexConfig, type IndexState, startIndexProcess, UNKNOWN_INDEX } from '#search';
import { createClassifiers, type LanguageModel, type ResearchOptions } from '#research';
import { reportError } from '#base';
import type { Learning } from '#learning';
import { ChangeBatch } from './index/watch-files.ts';
import { openFiles } from './index/workspace-roots.ts';
import { currentSettings } from './settings/configuration.ts';
import { optionsForEffort, type RunEffort } from './settings/settings.ts';

/** What a session needs; the workspace and the settings that it was made for do not change during its life. */
export interface SessionOptions {
  extensionPath: string;
  config: IndexConfig;
  model: LanguageModel | undefined;
  learning: Learning;
  log: vscode.LogOutputChannel;
  onState(state: IndexState): void;
}

/** An open index over the workspace and the engine on top of it. */
export class Session {
  readonly engine: Engine;
  readonly config: IndexConfig;
  readonly #classifier: EnginePorts['classifier'];
  readonly #log: vscode.LogOutputChannel;
  readonly #onState: (state: IndexState) => void;
  readonly #disposables: vscode.Disposable[] = [];
  #updating: AbortController | undefined;

  private constructor(engine: Engine, classifier: EnginePorts['classifier'], options: SessionOptions) {
    this.engine = engine;
    this.#classifier = classifier;
    this.config = options.config;
    this.#log = options.log;
    this.#onState = options.onState;
    this.#disposables.push({ dispose: engine.onIndexState(options.onState) });
    this.#watch();
  }

  /** Opens the index; reading the files goes on in the background. @throws what kept the index from opening */
  static async open(options: SessionOptions): Promise<Session> {
    const at = (...parts: string[]): string =>
      vscode.Uri.joinPath(vscode.Uri.file(options.extensionPath), ...parts).fsPath;
    const indexProcess = startIndexProcess({
      entry: at('dist', 'index-process.cjs'),
      modelsDir: at('models'),
      wasmDir: at('dist', 'wasm'),
      log: (level, text) => options.log[level](text),
    });
    const { learning } = options;
    const classifier = createClassifiers(
      at('models'),
      indexProcess.retriever,
      learning && (() => learning.rounds.classifier()),
    );
    const engine = createEngine({
      indexProcess,
      model: options.model,
      classifier,
      learning,
      now: Date.now,
      newId: randomUUID,
    });
    try {
      const opened = await engine.index.open(options.config);
      // It is not known yet whether it is up to date: an update follows.
      options.onState(opened.phase === 'ready' ? { ...opened, phase: 'starting' } : opened);
    } catch (error) {
      await engine.dispose();
      throw error;
    }
    return new Session(engine, classifier, options);
  }

  /** The same index under another language model, for one run. */
  engineWith(model: LanguageModel | undefined): Engine {
    const { index, retriever, learner } = this.engine;
    // This engine owns nothing.
    const indexProcess = { index, retriever, learner, onState: () => () => undefined, dispose: async () => undefined };
    return createEngine({
      indexProcess,
      model,
      classifier: this.#classifier,
      learning: this.engine.learning,
      now: Date.now,
      newId: randomUUID,
    });
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
      const report = await this.engine.index.update({ ...how, hints: { openUris: openFiles() } }, stop.signal);
      this.#log.info(
        `Index is up to date: ${report.files} files, ${report.passages} passages, ${report.embedded} embedded, ${report.reused} reused, ${report.skipped.length} left out, ${report.seconds.toFixed(1)} s.`,
      );
    } catch (error) {
      if (stop.signal.aborted) return;
      this.#log.error(error instanceof Error ? error : String(error));
      const report = reportError(error);
      if (report.code === 'index-not-writable') {
        // another window's index is as well as before
        void vscode.window.showWarningMessage([report.message, report.advice].filter(Boolean).join(' '));
        return;
      }
      this.#onState({ ...(await this.#stateOrNothing()), phase: 'failed', error: report });
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

  async #stateOrNothing(): Promise<IndexState> {
    return this.engine.index.state().catch(() => UNKNOWN_INDEX);
  }
}
