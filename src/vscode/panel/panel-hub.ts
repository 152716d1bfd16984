import * as vscode from 'vscode';
import { linesOfHop, reasonInWords, type ThreadTurn, type ToWebview } from '../protocol.ts';
import { openPassage } from '../open-passage.ts';
import { answerIn, trailIn } from '../threads/turn-passages.ts';
import { fillWebview } from './fill-webview.ts';
import { PanelController, type PanelServices } from './panel-controller.ts';
import { PANEL_TYPE, VIEW_ID } from '../manifest-names.ts';

interface View {
  view: vscode.WebviewView;
  controller: PanelController;
}

/** All places where the panel is shown: the view, and editors. Knows where the walk along a trail stands. */
export class PanelHub implements vscode.Disposable {
  readonly #services: PanelServices;
  readonly #controllers = new Set<PanelController>();
  #view: View | undefined;
  /** Told of the view once it is there. */
  readonly #waiting: ((view: View) => void)[] = [];
  #position: { runId: string; passageId: string } | undefined;
  readonly #stopListening: () => void;
  readonly #shown = new vscode.EventEmitter<void>();
  /** The panel has come to be seen somewhere. */
  readonly onDidShow = this.#shown.event;

  constructor(services: Omit<PanelServices, 'opened'>) {
    this.#services = {
      ...services,
      opened: (turn, passageId) => {
        if (trailIn(turn.events).some((hop) => hop.passage.id === passageId)) this.#stand(turn.runId, passageId);
      },
    };
    // A new answer is walked from its beginning.
    this.#stopListening = services.conversations.listen((_threadId, message) => {
      if (
        message.type === 'event' &&
        message.event.type === 'answer-end' &&
        message.event.runId !== this.#position?.runId
      )
        this.#position = undefined;
    });
  }

  /** Fills the view in the side bar. `state`: what its page kept before the window was reloaded. */
  resolveView(view: vscode.WebviewView, state?: unknown): void {
    const controller = this.#attach(view.webview, 'view', () => void this.reveal(), state);
    const opened = { view, controller };
    this.#view = opened;
    for (const tell of this.#waiting.splice(0)) tell(opened);
    view.onDidChangeVisibility(() => {
      if (!view.visible) controller.hidden();
    });
    view.onDidDispose(() => {
      this.#view = undefined;
      this.#detach(controller);
    });
  }

  /** Opens the panel as an editor, with the view's thread. */
  async openEditor(): Promise<void> {
    const panel = vscode.window.createWebviewPanel(PANEL_TYPE, 'Hoptrail', vscode.ViewColumn.Active);
    this.resolveEditor(panel);
  }

  /** `state`: as in {@link resolveView}. */
  resolveEditor(panel: vscode.WebviewPanel, state?: unknown): void {
    panel.iconPath = vscode.Uri.joinPath(this.#services.extensionUri, 'media', 'hoptrail-color.svg');
    const controller = this.#attach(panel.webview, 'editor', () => panel.reveal(), state);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) controller.hidden();
    });
    panel.onDidDispose(() => this.#detach(controller));
  }

  /** Brings the view to the front and tells it something. The editor fills a view that was never open a while later. */
  async reveal(message?: ToWebview): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
    const { view, controller } = this.#view ?? (await new Promise<View>((resolve) => this.#waiting.push(resolve)));
    view.show(false);
    if (message) controller.post(message);
  }

  /** Does what takes the keyboard with its lists and boxes, and gives it back to the panel that had it. */
  async keepKeyboard(work: () => Promise<void>): Promise<void> {
    const had = [...this.#controllers].find((controller) => controller.hadKeyboard);
    await work();
    had?.takeKeyboard();
  }

  /** A new thread in the view. */
  async newThread(): Promise<void> {
    await this.reveal();
    await this.#view?.controller.show(undefined);
  }

  /** The thread that the view shows, or is about to show when its page is there. */
  async activeThreadId(): Promise<string> {
    const controller = this.#view?.controller;
    if (controller && !controller.thread) await controller.restore();
    return controller?.thread?.id ?? this.#services.conversations.create().id;
  }

  /** Shows a thread in the view. */
  async showThread(threadId: string): Promise<void> {
    await this.reveal();
    await this.#view?.controller.show(threadId);
  }

  sendSuggestions(questions: string[]): void {
    for (const controller of this.#controllers) controller.post({ type: 'suggestions', questions });
  }

  /** Opens the next or previous hop of the trail that was walked last, or of the newest one. At its ends it stays. */
  async walk(direction: 'next' | 'previous'): Promise<void> {
    const turn = this.#turnToWalk();
    const hops = turn ? trailIn(turn.events) : [];
    if (!turn || hops.length === 0) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('There are no sources to go through yet.'), 3000);
      return;
    }
    const from =
      this.#position?.runId === turn.runId ? hops.findIndex((hop) => hop.passage.id === this.#position?.passageId) : -1;
    const index = direction === 'next' ? Math.min(from + 1, hops.length - 1) : Math.max(from - 1, 0);
    const hop = hops[index];
    if (!hop) return;
    const focus = linesOfHop(hop, answerIn(turn.events)?.citations ?? []);
    await openPassage(hop.passage, { toSide: false, focus });
    this.#stand(turn.runId, hop.passage.id);
    vscode.window.setStatusBarMessage(
      vscode.l10n.t(
        'Source {0} of {1}: {2}',
        index + 1,
        hops.length,
        reasonInWords(hop.why, vscode.l10n.t).text || hop.passage.path,
      ),
      6000,
    );
  }

  dispose(): void {
    this.#stopListening();
    for (const controller of this.#controllers) controller.dispose();
  }

  #turnToWalk(): ThreadTurn | undefined {
    const { conversations } = this.#services;
    const walked = this.#position && conversations.findTurn(this.#position.runId)?.turn;
    const shown = [...this.#controllers].flatMap((controller) => controller.thread?.turns ?? []);
    if (walked && shown.includes(walked)) return walked;
    const lastTime = (turn: ThreadTurn): number => turn.events.at(-1)?.time ?? 0;
    return shown
      .filter((turn) => trailIn(turn.events).length > 0)
      .sort((a, b) => lastTime(a) - lastTime(b))
      .at(-1);
  }

  #stand(runId: string, passageId: string): void {
    this.#position = { runId, passageId };
    for (const controller of this.#controllers) controller.post({ type: 'walk', runId, passageId });
  }

  #attach(
    webview: vscode.Webview,
    place: 'view' | 'editor',
    takeKeyboard: () => void,
    state: unknown,
  ): PanelController {
    const controller = new PanelController(webview, this.#services, takeKeyboard, threadIn(state));
    this.#controllers.add(controller);
    this.#shown.fire();
    fillWebview(webview, this.#services.extensionUri, place);
    return controller;
  }

  #detach(controller: PanelController): void {
    this.#controllers.delete(controller);
    controller.dispose();
  }
}

/** The thread that a page showed, by what it kept (the Memory of webview/panel.ts). */
function threadIn(state: unknown): string | undefined {
  const id = typeof state === 'object' && state !== null && 'threadId' in state ? state.threadId : undefined;
  return typeof id === 'string' ? id : undefined;
}
