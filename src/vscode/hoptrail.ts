import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { reportError } from '#base';
import { openHoptrail } from '#hoptrail';
import { ask, askAboutSelection, askInFolder } from './commands/ask-commands.ts';
import { connectFiles } from './commands/connect-files.ts';
import { diagnose, showIndexReport, showMenu } from './commands/index-commands.ts';
import { type CommandName, VIEW_ID } from './manifest-names.ts';
import { IndexStatusItem } from './index/index-status-item.ts';
import { InsertedAnswers } from './learned/inserted-answers.ts';
import { showLearning } from './learned/learning-menu.ts';
import { type LearningService, learningService } from './learned/learning-service.ts';
import { chooseModel, setApiKey } from './model/choose-model.ts';
import { ModelService } from './model/model-service.ts';
import { usedEndpoints } from './model/used-endpoints.ts';
import { Completions } from './panel/completions.ts';
import { PanelHub } from './panel/panel-hub.ts';
import { actionLabel } from './labels.ts';
import { quickAnswer } from './quick-answer/quick-answer.ts';
import { RelatedView } from './related/related-view.ts';
import { ReportDocuments } from './report-documents.ts';
import { errorInOneText } from './error-words.ts';
import { FirstRun } from './first-run.ts';
import { SessionHolder } from './session-holder.ts';
import { learningFolder, storageFolder } from './configuration.ts';
import { Suggestions } from './suggestions.ts';
import { Conversations } from './threads/conversations.ts';
import { scopeWithout } from './threads/what-is-asked.ts';
import { feedbackStore } from './threads/feedback-store.ts';
import { ThreadStore } from './threads/thread-store.ts';
import type { RunAction } from './protocol.ts';

/** Everything that Hoptrail is in one window, made when the first part of it is needed. */
export class Hoptrail {
  readonly sessions: SessionHolder;
  readonly models: ModelService;
  readonly panels: PanelHub;
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #conversations: Conversations;
  readonly #completions: Completions;
  readonly #learning: LearningService;
  readonly #suggestions: Suggestions;
  readonly #firstRun: FirstRun;
  readonly #reports = new ReportDocuments();

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    const learnt = learningFolder(context).fsPath;
    const home = openHoptrail({
      home: context.extensionPath,
      learningFolder: learnt,
      log: (level, text) => log[level](text),
      onProblem: (error) => log.warn(`Learning goes on without it: ${reportError(error).message}`),
    });
    this.models = new ModelService(context.secrets, log, learnt);
    const storage = storageFolder(context);
    this.#learning = learningService(home, log, feedbackStore(storage.fsPath));
    this.sessions = new SessionHolder(context, log, this.models, home);
    const threads = new ThreadStore(vscode.Uri.joinPath(storage, 'threads').fsPath);
    this.#conversations = new Conversations({
      store: threads,
      research: async (question, signal, effort, without) => {
        const session = await this.sessions.get();
        const { index } = session.engine;
        const scope = await scopeWithout(question.scope, without, index);
        return session.engine.research(
          { ...question, scope },
          { ...session.researchOptions(effort), firstHits: true },
          signal,
          effort === 'quotes' ? { model: undefined } : undefined,
        );
      },
      now: Date.now,
      newId: randomUUID,
      report: (error) => this.#report(error),
    });
    this.#completions = new Completions(this.sessions);
    const insertedAnswers = new InsertedAnswers(this.#learning);
    this.#suggestions = new Suggestions(
      this.sessions,
      (questions) => this.panels.sendSuggestions(questions),
      () => this.#conversations.isRunning,
      log,
    );
    this.panels = new PanelHub({
      extensionUri: context.extensionUri,
      log,
      sessions: this.sessions,
      models: this.models,
      conversations: this.#conversations,
      threads,
      learning: this.#learning,
      insertedAnswers,
      completions: this.#completions,
      suggestions: () => this.#suggestions.get(),
      now: Date.now,
      busy: () => this.#suggestions.makeRoom(),
      runAction: (action) => this.#runAction(action),
    });
    this.#firstRun = new FirstRun({
      memory: context.globalState,
      sessions: this.sessions,
      onPanelShown: this.panels.onDidShow,
      open: async () => vscode.commands.executeCommand(`${VIEW_ID}.focus`, { preserveFocus: true }),
    });
    const status = new IndexStatusItem();
    context.subscriptions.push(
      this.models,
      insertedAnswers,
      this.panels,
      new RelatedView(this.sessions, log),
      this.#reports,
      this.#firstRun,
      status,
      this.#suggestions,
      this.sessions.onState((state) => {
        status.update(state);
        void setContext('phase', state.phase);
      }),
      {
        dispose: this.#conversations.listen((_threadId, message) => {
          if (message.type === 'event' && message.event.type === 'answer-end') void setContext('hasTrail', true);
        }),
      },
      this.models.onDidChange((model) => status.setModel(model?.name ?? null)),
    );
    void this.models.current().then((model) => status.setModel(model?.name ?? null));
  }

  /** Begins to index, when the settings want that and there is something to index. */
  startIfWanted(): void {
    void this.sessions.ifWanted().then(
      (session) => !session && this.#firstRun.openUnread(),
      () => undefined, // told through the state
    );
  }

  /** Runs a command. What goes wrong is told once, with the button that helps; nobody waits until that is read. */
  async run(command: CommandName, args: readonly unknown[]): Promise<void> {
    try {
      await this.#commands()[command](args[0], args[1]);
    } catch (error) {
      this.#report(error);
    }
  }

  async dispose(): Promise<void> {
    this.#conversations.stopAll();
    await this.sessions.dispose();
  }

  /** What each command does with its arguments. */
  #commands(): Record<CommandName, (first: unknown, second: unknown) => unknown> {
    const { panels, sessions, models } = this;
    const { secrets } = this.#context;
    const conversations = this.#conversations;
    const learning = this.#learning;
    return {
      'hoptrail.ask': (question) => ask(panels, question),
      'hoptrail.newThread': () => panels.newThread(),
      'hoptrail.openInEditor': () => panels.openEditor(),
      'hoptrail.quickAnswer': (question) => quickAnswer({ sessions, panels, conversations }, question),
      'hoptrail.askAboutSelection': () => askAboutSelection(panels),
      'hoptrail.askInFolder': (target) => askInFolder(panels, target),
      'hoptrail.connectFiles': (clicked, selected) =>
        connectFiles({ panels, sessions, conversations, completions: this.#completions }, clicked, selected),
      'hoptrail.nextHop': () => panels.walk('next'),
      'hoptrail.previousHop': () => panels.walk('previous'),
      'hoptrail.rebuildIndex': async () => (await sessions.get()).update({ rebuild: true }),
      'hoptrail.toggleIndexing': async () => {
        const { index } = (await sessions.get()).engine;
        await (sessions.state?.phase === 'paused' ? index.resume() : index.pause());
      },
      'hoptrail.showIndexReport': () => showIndexReport(sessions, this.#reports),
      'hoptrail.chooseModel': () =>
        panels.keepKeyboard(() => chooseModel({ models, secrets, used: usedEndpoints(this.#context.globalState) })),
      'hoptrail.setApiKey': () => panels.keepKeyboard(() => setApiKey({ models, secrets })),
      'hoptrail.showMenu': () => showMenu(sessions.state, (action) => this.#runAction(action)),
      'hoptrail.showLearning': () => showLearning(learning, () => models.refresh()), // a fine-tuned one may have answered
      'hoptrail.fineTune': async () => {
        const { fineTune } = await import('./learned/fine-tune.ts'); // brings the client of the service with it
        await fineTune({ models, secrets, learning });
      },
      'hoptrail.diagnose': async () => diagnose(this.#context, sessions.state, await models.state(), this.#reports),
    };
  }

  /** What the buttons of the panel, of messages and of the menu do. */
  async #runAction(action: RunAction): Promise<void> {
    switch (action) {
      case 'remove-emptied':
        return (await this.sessions.get()).update({ emptied: true });
      case 'retry':
        return void (await this.sessions.restart().catch(() => undefined)); // told through the state
      case 'open-folder':
        return void (await vscode.commands.executeCommand('workbench.action.files.openFolder'));
      case 'manage-trust':
        return void (await vscode.commands.executeCommand('workbench.trust.manage'));
      case 'open-settings':
        return void (await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:hoptrail.hoptrail'));
      case 'show-log':
        return this.#log.show();
      case 'choose-model':
        return this.run('hoptrail.chooseModel', []);
      case 'set-key':
        return this.run('hoptrail.setApiKey', []);
      case 'rebuild-index':
        return this.run('hoptrail.rebuildIndex', []);
      case 'toggle-indexing':
        return this.run('hoptrail.toggleIndexing', []);
      case 'show-report':
        return this.run('hoptrail.showIndexReport', []);
    }
  }

  #report(error: unknown): void {
    this.#log.error(error instanceof Error ? error : String(error));
    // A window that goes away rejects what it was to show: that is nothing to show again.
    this.#tell(error).catch((another: unknown) => this.#log.error(`cannot be told: ${String(another)}`));
  }

  async #tell(error: unknown): Promise<void> {
    const report = reportError(error);
    const { action } = report;
    const text = errorInOneText(report, vscode.l10n.t);
    const button = action === undefined ? [] : [actionLabel(action, vscode.l10n.t)];
    const chosen = await vscode.window.showErrorMessage(`Hoptrail: ${text}`, ...button);
    if (chosen !== undefined && action !== undefined)
      await this.#runAction(action).catch((another: unknown) => this.#report(another));
  }
}

/** Tells `when` clauses. */
async function setContext(key: 'phase' | 'hasTrail', value: unknown): Promise<void> {
  await vscode.commands.executeCommand('setContext', `hoptrail.${key}`, value);
}
