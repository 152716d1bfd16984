import * as vscode from 'vscode';
import { reportError } from '#base';
import {
  type Answer,
  type FromWebview,
  type RunAction,
  type Thread,
  type ThreadTurn,
  type ToWebview,
} from '../protocol.ts';
import { copyAnswer, exportThread, exportTour, insertAnswer } from '../commands/export-commands.ts';
import { isSupportedWorkspace, shownPath } from '../index/workspace-roots.ts';
import type { InsertedAnswers } from '../learned/inserted-answers.ts';
import type { LearningService } from '../learned/learning-service.ts';
import type { ModelService } from '../model/model-service.ts';
import { openPassage } from '../open-passage.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { Completions } from './completions.ts';
import { CannotAskError, type Conversations } from '../threads/conversations.ts';
import type { ThreadStore } from '../threads/thread-store.ts';
import { answerIn, passageIn, trailIn } from '../threads/turn-passages.ts';
import { pickScope } from './pick-scope.ts';
import { validateFromWebview } from './validate.ts';

/**
 * Milliseconds that somebody takes to find a command in the list of them: the list takes the keyboard from the panel
 * before the command begins.
 */
const FINDING_MS = 30_000;

/** What a page that does not show its thread yet is told once it does; it asks for everything else when it is ready. */
const KEPT: ReadonlySet<ToWebview['type']> = new Set(['error', 'fill-input', 'restore-input', 'scope', 'walk']);

/** What every panel works with; one set for the window. */
export interface PanelServices {
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
  sessions: SessionHolder;
  models: ModelService;
  conversations: Conversations;
  threads: ThreadStore;
  learning: LearningService;
  insertedAnswers: InsertedAnswers;
  completions: Completions;
  /** Up to three questions that have an answer here; empty while there is none. */
  suggestions(): Promise<string[]>;
  /** Somebody types or asks: what is done when nobody waits makes room. */
  busy(): void;
  now(): number;
  /** Resolves when it is done; what goes wrong is told there. */
  runAction(action: RunAction): Promise<void>;
  /** A hop or another passage was opened from a panel. */
  opened(turn: ThreadTurn, passageId: string): void;
}

type Asking = Extract<FromWebview, { type: 'ask' }>;

/** One webview: answers its messages, and tells it what happens in its thread. */
export class PanelController implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #services: PanelServices;
  readonly #disposables: vscode.Disposable[] = [];
  /** How far the page is: one that is loading does not listen yet. */
  #page: 'loading' | 'listening' | 'shown' = 'loading';
  /** Messages for when the page shows its thread. */
  #waiting: ToWebview[] = [];
  #thread: Thread | undefined;
  /** The thread that is shown, or is being read to be shown; undefined before the first. */
  #wantedId: string | undefined;
  /** The thread that this page showed before the window was reloaded. */
  readonly #remembered: string | undefined;
  #query = '';
  #hasKeyboard = false;
  /** When the keyboard left for something that is no editor; 0 when it was never here. */
  #keyboardLeft = 0;
  /** Brings the keyboard to this webview. */
  readonly takeKeyboard: () => void;

  constructor(webview: vscode.Webview, services: PanelServices, takeKeyboard: () => void, remembered?: string) {
    this.#webview = webview;
    this.#remembered = remembered;
    this.takeKeyboard = takeKeyboard;
    this.#services = services;
    const { conversations, sessions, models } = services;
    this.#disposables.push(
      webview.onDidReceiveMessage((value: unknown) => void this.#receive(value)),
      {
        dispose: conversations.listen((threadId, message) => {
          if (threadId !== this.#thread?.id) return;
          this.post(message);
        }),
      },
      sessions.onState((state) => this.post({ type: 'index-state', state })),
      models.onDidChange(() => void this.#sendModel()),
      vscode.window.onDidChangeActiveTextEditor(() => {
        this.#keyboardLeft = 0;
        this.#sendActiveFile();
      }),
      vscode.window.onDidChangeTextEditorSelection(() => (this.#keyboardLeft = 0)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#sendWorkspace()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#sendWorkspace()),
    );
  }

  /** Whether the keyboard is here, or was until a moment ago and nobody has gone on in an editor since. */
  get hadKeyboard(): boolean {
    return this.#hasKeyboard || this.#services.now() - this.#keyboardLeft < FINDING_MS;
  }

  get thread(): Thread | undefined {
    return this.#thread;
  }

  /** Sends a message to the page; see {@link KEPT}. */
  post(message: ToWebview): void {
    if (this.#page !== 'shown' && KEPT.has(message.type)) this.#waiting.push(message);
    else if (this.#page !== 'loading') void this.#webview.postMessage(message);
  }

  /** The page was dropped; when it is shown again, it is loaded anew and says that it is ready. */
  hidden(): void {
    this.#page = 'loading';
  }

  /** Shows a thread; a new one when undefined or deleted. What was wished for last is shown, however long it takes. */
  async show(threadId: string | undefined): Promise<void> {
    const { conversations, threads } = this.#services;
    this.#wantedId = threadId;
    const known = threadId === undefined ? undefined : await conversations.open(threadId);
    if (this.#wantedId !== threadId) return;
    this.#thread = known ?? conversations.create();
    this.#wantedId = this.#thread.id;
    this.post({ type: 'thread', thread: this.#thread });
    if (this.#thread.turns.some((turn) => trailIn(turn.events).length > 0))
      await vscode.commands.executeCommand('setContext', 'hoptrail.hasTrail', true);
    // Where it cannot be stored which thread is shown, that is told, and the panel goes on.
    await threads.setActive(this.#thread.id).catch((error: unknown) => this.#tellError(error));
  }

  /** Shows the thread that is wished for here, else the one of before; a new one where it cannot be read (told). */
  async restore(): Promise<void> {
    let wanted: string | undefined;
    try {
      const last = this.#remembered ?? (await this.#services.threads.active());
      wanted = this.#wantedId ?? last;
      await this.show(wanted);
    } catch (error) {
      this.#tellError(error);
      if (this.#wantedId === wanted) await this.show(undefined); // else another was chosen meanwhile
    }
  }

  #tellError(error: unknown): void {
    this.#services.log.error(error instanceof Error ? error : String(error));
    this.post({ type: 'error', error: reportError(error) });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #receive(value: unknown): Promise<void> {
    const message = validateFromWebview(value);
    if (!message) {
      this.#services.log.warn('The panel sent a message that is not understood; it was ignored.');
      return;
    }
    try {
      await this.#handle(message);
    } catch (error) {
      this.#tellError(error);
      if (message.type === 'ask') this.post({ type: 'restore-input', text: message.question });
    }
  }

  async #handle(message: FromWebview): Promise<void> {
    const { conversations, completions, runAction } = this.#services;
    switch (message.type) {
      case 'ready':
        return this.#ready();
      case 'ask':
        return this.#ask(message);
      case 'ask-again':
        return conversations.again(message.runId, message.without);
      case 'think-harder':
        return this.#thinkHarder(message.runId, message.debate === true);
      case 'stop':
        return conversations.stop(message.runId);
      case 'quote-instead':
        return conversations.quoteInstead(message.runId);
      case 'open':
        return this.#open(message);
      case 'feedback':
        return this.#feedback(message);
      case 'new-thread':
        return this.show(undefined);
      case 'open-thread':
        return this.show(message.threadId);
      case 'rename-thread':
        await conversations.rename(message.threadId, message.title);
        return this.#sendThreads();
      case 'delete-thread':
        return this.#delete(message.threadId);
      case 'list-threads':
        this.#query = message.query;
        return this.#sendThreads();
      case 'copy':
        return this.#withTurn(message.runId, copyAnswer);
      case 'insert-answer':
        return this.#withTurn(message.runId, async (question, answer) => {
          const inserted = await insertAnswer(question, answer);
          if (inserted) this.#services.insertedAnswers.follow(inserted.document, inserted.text, message.runId);
        });
      case 'export':
        if (message.what === 'tour') return this.#withTurn(message.runId, exportTour);
        return this.#thread ? exportThread(this.#thread) : undefined;
      case 'complete':
        return completions.complete(message.prefix, (items) =>
          this.post({ type: 'completions', requestId: message.requestId, items }),
        );
      case 'keyboard':
        if (this.#hasKeyboard && !message.inside) this.#keyboardLeft = this.#services.now();
        this.#hasKeyboard = message.inside;
        return;
      case 'typing':
        return this.#services.busy();
      case 'pick-scope': {
        const scope = await pickScope(completions);
        if (scope) this.post({ type: 'scope', scope });
        return;
      }
      case 'run-action':
        await runAction(message.action);
        // The list and its questions have taken the keyboard; who wanted to ask goes on asking.
        if (message.action === 'choose-model' || message.action === 'set-key') this.takeKeyboard();
        return;
    }
  }

  async #ready(): Promise<void> {
    const { sessions, suggestions } = this.#services;
    this.#page = 'listening';
    this.#sendWorkspace();
    this.#sendActiveFile();
    if (sessions.state) this.post({ type: 'index-state', state: sessions.state });
    void this.#sendModel(); // the editor may take seconds to say which models it has
    await this.restore();
    this.#shows();
    // An open panel means that somebody wants to ask: the index had better be there, unless it is to wait for the
    // question.
    void sessions.ifWanted().then(
      async (session) => {
        if (session) this.post({ type: 'suggestions', questions: await suggestions() });
      },
      () => undefined,
    ); // told through the state
  }

  /** The page shows its thread, unless it was dropped meanwhile. */
  #shows(): void {
    if (this.#page !== 'listening') return;
    this.#page = 'shown';
    for (const message of this.#waiting.splice(0)) this.post(message);
  }

  async #ask({ question, scope, before, asWritten, selection, without }: Asking): Promise<void> {
    this.#services.busy();
    if (!this.#thread) await this.restore();
    if (!this.#thread) throw new CannotAskError('There is no thread to ask in.');
    await this.#services.conversations.ask(this.#thread.id, question, scope, { before, asWritten, selection, without });
  }

  async #open(message: Extract<FromWebview, { type: 'open' }>): Promise<void> {
    const found = this.#services.conversations.findTurn(message.runId);
    const passage = found && passageIn(found.turn.events, message.passageId);
    if (!found || !passage) return;
    const { startLine, endLine, toSide, preserveFocus } = message;
    const focus = startLine === undefined ? undefined : { startLine, endLine: endLine ?? startLine };
    await openPassage(passage, { focus, toSide, preserveFocus });
    this.#services.opened(found.turn, passage.id);
  }

  async #feedback({ runId, feedback }: Extract<FromWebview, { type: 'feedback' }>): Promise<void> {
    const found = await this.#services.conversations.setFeedback(runId, feedback);
    if (found) await this.#services.learning.judge(found.turn, feedback);
  }

  async #thinkHarder(runId: string, debate: boolean): Promise<void> {
    await this.#services.learning.thinkHarder(runId);
    await this.#services.conversations.thinkHarder(runId, debate ? 'debate' : 'harder');
  }

  async #delete(threadId: string): Promise<void> {
    await this.#services.conversations.delete(threadId);
    if (threadId === this.#thread?.id) await this.show(undefined);
    await this.#sendThreads();
  }

  #withTurn(runId: string, work: (question: string, answer: Answer) => Promise<void>): Promise<void> | undefined {
    const found = this.#services.conversations.findTurn(runId);
    const answer = found && answerIn(found.turn.events);
    return found && answer ? work(found.turn.question, answer) : undefined;
  }

  async #sendThreads(): Promise<void> {
    this.post({
      type: 'threads',
      threads: await this.#services.threads.list(this.#query),
      activeId: this.#thread?.id ?? null,
    });
  }

  async #sendModel(): Promise<void> {
    this.post({ type: 'model-state', model: await this.#services.models.state() });
  }

  /** Tells which file is shown. While the keyboard is in a panel beside it, no editor is active, but one is visible. */
  #sendActiveFile(): void {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const uri = (activeTextEditor ?? visibleTextEditors[0])?.document.uri;
    this.post({ type: 'active-file', path: (uri?.scheme === 'file' ? shownPath(uri) : undefined) ?? null });
  }

  #sendWorkspace(): void {
    const folders = vscode.workspace.workspaceFolders;
    const name =
      folders === undefined || folders.length === 0 ? null : (vscode.workspace.name ?? folders[0]?.name ?? null);
    this.post({ type: 'workspace', name, trusted: vscode.workspace.isTrusted, supported: isSupportedWorkspace() });
  }
}
