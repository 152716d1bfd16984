import { render } from 'lit';
import { type ErrorReport, linesOfHop, type FromWebview, type Scope, type Selection, type ToWebview } from '#protocol';
import { announcement } from './announce.ts';
import { Composer, type ComposerMemory } from './composer.ts';
import { Following } from './following.ts';
import { PassageHover } from './hover.ts';
import { askProblem } from './input.ts';
import { NearTurns } from './near-turns.ts';
import type { PanelActions, UiState } from './panel-context.ts';
import { applyMessage, initialState, runningTurn, type PanelState, type TurnView } from './panel-state.ts';
import { answerInView, trailOf } from './run-view.ts';
import { t } from './strings.ts';
import { appView } from './views/app.ts';

/** What the editor keeps for a webview while it is hidden. */
interface Memory extends ComposerMemory {
  scope: Scope;
  /** The scope goes on into the next thread. */
  scopePinned?: boolean;
  /** The lines that the next question is about. */
  selection?: Selection;
  /** The thread that scope and selection were chosen in. */
  threadId?: string;
}

/** The editor's side of the webview, as far as the panel uses it. */
interface WebviewHost {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: Memory): void;
}

/** Told to whoever asks while a run goes on, as the extension says it of a thread. */
const BUSY: ErrorReport = {
  code: 'cannot-ask',
  message: 'A question of this thread is still being answered.',
  advice: 'Wait for its answer, or stop it.',
};

const isMemory = (value: unknown): value is Memory =>
  typeof value === 'object' && value !== null && 'draft' in value && 'history' in value && 'scope' in value;

/** Holds the panel's state and draws it at most once a frame. */
export class Panel {
  readonly #host: WebviewHost;
  readonly #app = document.createElement('div');
  readonly #hover = new PassageHover();
  readonly #composer: Composer;
  readonly #actions: PanelActions;
  #memory: Memory;
  #state: PanelState;
  #ui: UiState = { expandedHops: new Set(), near: new Set(), threadsOpen: false, threadQuery: '', now: Date.now() };
  #near: NearTurns | undefined;
  #following: Following | undefined;
  #frame = 0;

  constructor(host: WebviewHost) {
    this.#host = host;
    const kept = host.getState();
    this.#memory = isMemory(kept) ? kept : { draft: '', history: [], scope: { kind: 'workspace' } };
    this.#state = {
      ...initialState,
      place: document.body.dataset['place'] === 'editor' ? 'editor' : 'view',
      scope: this.#memory.scope,
      scopePinned: this.#memory.scopePinned === true,
      selection: this.#memory.selection,
      threadId: this.#memory.threadId ?? null,
    };
    const composerRoot = document.createElement('section');
    composerRoot.setAttribute('aria-label', t('Ask'));
    this.#app.className = 'app';
    document.body.append(this.#app, composerRoot);
    this.#actions = this.#makeActions();
    this.#composer = new Composer(
      composerRoot,
      {
        post: (message) => host.postMessage(message),
        ask: (question) => this.#ask(question),
        setScope: (scope) => this.#change({ ...this.#state, scope }),
        pinScope: (scopePinned) => this.#change({ ...this.#state, scopePinned }),
        setSelection: (selection) => this.#change({ ...this.#state, selection }),
        remember: (memory) => this.#remember(memory),
      },
      this.#memory,
    );
  }

  start(): void {
    this.#draw();
    const tellKeyboard = (inside: boolean): void => this.#host.postMessage({ type: 'keyboard', inside });
    if (document.hasFocus()) this.#composer.focus(); // never taken from an editor in which somebody is typing
    this.#host.postMessage({ type: 'ready' });
    setInterval(() => {
      if (runningTurn(this.#state)) this.#schedule();
    }, 200);
    if (document.hasFocus()) tellKeyboard(true);
    window.addEventListener('blur', () => tellKeyboard(false));
    window.addEventListener('focus', () => {
      tellKeyboard(true);
      if (document.activeElement === document.body) this.#composer.focus();
    });
  }

  receive(message: ToWebview): void {
    if (message.type === 'turn-start' || message.type === 'thread') {
      this.#following?.begin();
      this.#leaveThreads();
    }
    const before = this.#state;
    const next = applyMessage(before, message);
    this.#change(next.error === BUSY && !runningTurn(next) ? { ...next, error: undefined } : next);
    const spoken = announcement(before, this.#state);
    if (spoken !== undefined) this.#change({ ...this.#state, announcement: spoken });
    if (message.type === 'walk') this.#revealHop(message.runId, message.passageId);
    if (message.type === 'fill-input') this.#fillInput(message);
    if (message.type === 'restore-input') this.#composer.restore(message.text);
  }

  #makeActions(): PanelActions {
    const post = (message: FromWebview): void => this.#host.postMessage(message);
    return {
      post,
      ask: (question) => {
        if (this.#ask(question)) this.#composer.focus();
      },
      askAgain: (runId, without) => {
        if (this.#isBusy()) return;
        post({ type: 'ask-again', runId, ...(without && { without }) });
        this.#composer.focus();
      },
      askInstead: (turn, question, asWritten) => this.#askInstead(turn, question, asWritten),
      editQuestion: (runId, text, asWritten) => {
        this.#changeUi({ editing: { runId, text, asWritten } });
        this.#draw();
        const input = this.#app.querySelector<HTMLTextAreaElement>('.question-editor textarea');
        input?.focus();
        input?.setSelectionRange(text.length, text.length);
      },
      endEditing: () => {
        const { editing } = this.#ui;
        this.#changeUi({ editing: undefined });
        this.#draw();
        if (editing)
          this.#app
            .querySelector<HTMLElement>(`[data-run="${CSS.escape(editing.runId)}"] .question-actions button`)
            ?.focus();
      },
      thinkHarder: (runId, debate) => {
        if (!this.#isBusy()) post({ type: 'think-harder', runId, ...(debate && { debate }) });
      },
      quoteInstead: (runId) => {
        post({ type: 'quote-instead', runId });
        this.#composer.focus();
      },
      openHop: (turn, index, { toSide, preserveFocus }) => this.#openHop(turn, index, toSide, preserveFocus),
      openCitation: (turn, number, toSide) => {
        const citation = answerInView(turn.run)?.citations.find((candidate) => candidate.number === number);
        if (citation)
          post({
            type: 'open',
            runId: turn.runId,
            passageId: citation.passageId,
            startLine: citation.startLine,
            endLine: citation.endLine,
            toSide,
          });
      },
      toggleHop: (key) => {
        const expandedHops = new Set(this.#ui.expandedHops);
        if (!expandedHops.delete(key)) expandedHops.add(key);
        this.#hover.hide();
        this.#changeUi({ expandedHops });
      },
      toggleThreads: () => {
        this.#change({ ...this.#state, threads: undefined });
        this.#changeUi({ threadsOpen: !this.#ui.threadsOpen });
        if (this.#ui.threadsOpen) this.#actions.searchThreads('');
      },
      searchThreads: (query) => {
        this.#changeUi({ threadQuery: query });
        post({ type: 'list-threads', query });
      },
      openThread: (threadId) => {
        this.#changeUi({ deleting: undefined });
        post({ type: 'open-thread', threadId });
        this.#composer.focus();
      },
      deleteThread: (threadId) => this.#deleteThread(threadId),
      renameThread: (threadId) => {
        this.#changeUi({ renaming: threadId });
        this.#draw();
        this.#app.querySelector<HTMLInputElement>('.rename')?.select();
      },
      endRenaming: (threadId, byKey) => {
        this.#changeUi({ renaming: undefined });
        if (!byKey) return; // a field that is taken away while the panel is drawn ends its renaming as well
        this.#draw();
        this.#threadRow(threadId)?.querySelector<HTMLElement>('.thread-actions button')?.focus();
      },
      dismissError: () => this.#change({ ...this.#state, error: undefined }),
      runAction: (action) => post({ type: 'run-action', action }),
      showHover: (target, content) => this.#hover.show(target, content),
      hideHover: () => this.#hover.hide(),
      highlight: (runId, passageId) => this.#highlight(runId, passageId),
    };
  }

  /** Whether a run goes on: one at a time. Whoever wants to ask is told. */
  #isBusy(): boolean {
    if (!runningTurn(this.#state)) return false;
    this.#change({ ...this.#state, error: BUSY });
    return true;
  }

  /** Sends a question, unless a run is going on or the composer says why it cannot be sent. Whether it was sent. */
  #ask(question: string): boolean {
    const { scope, selection } = this.#state;
    if (this.#isBusy() || askProblem(question, scope) !== undefined) return false;
    this.#host.postMessage({ type: 'ask', question, scope, ...(selection && { selection }) });
    if (selection) this.#change({ ...this.#state, selection: undefined });
    return true;
  }

  #askInstead(turn: TurnView, question: string, asWritten: boolean): void {
    const { runId: before, scope, selection, without } = turn;
    if (this.#isBusy() || askProblem(question, scope) !== undefined) return;
    this.#host.postMessage({
      type: 'ask',
      question,
      scope,
      before,
      ...(asWritten && { asWritten }),
      ...(selection && { selection }),
      ...(without && { without }),
    });
    this.#changeUi({ editing: undefined });
    this.#composer.focus();
  }

  /** The keyboard is taken only where something was handed over to be typed on or sent. */
  #fillInput({ text, submit, selection }: Extract<ToWebview, { type: 'fill-input' }>): void {
    this.#draw();
    if (text !== undefined) this.#composer.fill(text);
    if (text === undefined && !submit && !selection) return;
    this.#composer.focus();
    if (submit) this.#composer.submit();
  }

  #leaveThreads(): void {
    const replaced = this.#ui.deleting !== undefined && this.#ui.deleting === this.#state.threadId;
    this.#changeUi({ threadsOpen: this.#ui.threadsOpen && replaced, deleting: undefined });
  }

  #deleteThread(threadId: string): void {
    this.#changeUi({ deleting: threadId });
    this.#host.postMessage({ type: 'delete-thread', threadId });
    const row = this.#threadRow(threadId);
    const neighbour = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>(
      '.thread-open',
    );
    (neighbour ?? this.#app.querySelector<HTMLElement>('.thread-search'))?.focus();
  }

  #threadRow(threadId: string): Element | null {
    return this.#app.querySelector(`[data-thread="${CSS.escape(threadId)}"]`);
  }

  #openHop(turn: TurnView, index: number, toSide: boolean, preserveFocus?: boolean): void {
    const hop = trailOf(turn.run)[index];
    if (!hop) return;
    const lines = linesOfHop(hop, turn.run.answer?.citations ?? []);
    this.#host.postMessage({
      type: 'open',
      runId: turn.runId,
      passageId: hop.passage.id,
      ...lines,
      toSide,
      preserveFocus,
    });
  }

  #revealHop(runId: string, passageId: string): void {
    this.#changeUi({ near: new Set([...this.#ui.near, runId]) });
    this.#draw();
    this.#app
      .querySelector(`[data-run="${CSS.escape(runId)}"] [data-passage="${CSS.escape(passageId)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }

  /** By class, not by state: it follows the pointer and must not redraw the thread. */
  #highlight(runId: string, passageId: string | undefined): void {
    const turn = this.#app.querySelector(`[data-run="${CSS.escape(runId)}"]`);
    for (const element of turn?.querySelectorAll('.lit') ?? []) element.classList.remove('lit');
    if (!turn || passageId === undefined) return;
    turn.querySelector(`[data-passage="${CSS.escape(passageId)}"]`)?.classList.add('lit');
    const view = this.#state.turns.find((candidate) => candidate.runId === runId);
    for (const citation of (view && answerInView(view.run))?.citations ?? []) {
      if (citation.passageId !== passageId) continue;
      for (const mark of turn.querySelectorAll(`[data-cite="${citation.number}"]`)) mark.classList.add('lit');
    }
  }

  #remember(change: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...change };
    this.#host.setState(this.#memory);
  }

  /** What the next question is about, and where it looks, is kept over a hidden view like the question itself. */
  #change(state: PanelState): void {
    const before = this.#state;
    this.#state = state;
    const { scope, scopePinned, selection, threadId } = state;
    if (
      scope !== before.scope ||
      scopePinned !== before.scopePinned ||
      selection !== before.selection ||
      threadId !== before.threadId
    )
      this.#remember({ scope, scopePinned, selection, threadId: threadId ?? undefined });
    this.#schedule();
  }

  #changeUi(change: Partial<UiState>): void {
    this.#ui = { ...this.#ui, ...change };
    this.#schedule();
  }

  #schedule(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#ui = { ...this.#ui, now: Date.now() };
    const focused = document.activeElement;
    render(appView(this.#state, this.#ui, this.#actions), this.#app);
    this.#composer.update(this.#state);
    const scroll = this.#app.querySelector<HTMLElement>('#scroll');
    if (!scroll) return;
    this.#keepFocus(focused, scroll);
    this.#near ??= new NearTurns(scroll, (near) => this.#changeUi({ near }));
    this.#near.watch(scroll);
    this.#following ??= new Following(scroll);
    this.#following.drawn(
      scroll.querySelector<HTMLElement>('.turn:last-of-type'),
      runningTurn(this.#state) !== undefined,
    );
  }

  /**
   * What had the keyboard may be gone, or have been moved: the keyboard stays with it, or goes to the input, and never
   * to nothing.
   */
  #keepFocus(focused: Element | null, scroll: HTMLElement): void {
    const lost = (): boolean => document.activeElement === document.body;
    if (!document.hasFocus() || !lost() || !(focused instanceof HTMLElement) || focused === document.body) return;
    focused.focus({ preventScroll: true });
    if (lost()) this.#composer.focus();
    if (lost()) scroll.focus();
  }
}
