import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { reportError } from '#base';
import type { Passage } from '#search';
import type { ResearchEvent } from '#research';
import { openPassage } from '../open-passage.ts';
import type { PanelHub } from '../panel/panel-hub.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { Conversations, FinishedRun } from '../threads/conversations.ts';
import { answerItems, busyItem, errorItem, searchItems, type QuickItem } from './quick-items.ts';

/** Milliseconds of silence before a search goes out: typing must never wait for one. */
const PAUSE_MS = 40;
const HITS = 15;

export interface QuickAnswerServices {
  sessions: SessionHolder;
  panels: PanelHub;
  conversations: Pick<Conversations, 'keep'>;
}

/** Type to see matching passages; Enter answers in place; the hops open from there. */
export async function quickAnswer(services: QuickAnswerServices, question: unknown): Promise<void> {
  const pick = vscode.window.createQuickPick<QuickItem>();
  const dialog = new QuickAnswerDialog(pick, services);
  await dialog.show(typeof question === 'string' ? question : '');
}

class QuickAnswerDialog {
  readonly #pick: vscode.QuickPick<QuickItem>;
  readonly #services: QuickAnswerServices;
  #request = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True once an answer stands in the list: typing searches again. */
  #moved = false;
  /** The run whose answer stands in the list. */
  #answered: FinishedRun | undefined;

  constructor(pick: vscode.QuickPick<QuickItem>, services: QuickAnswerServices) {
    this.#pick = pick;
    this.#services = services;
    pick.title = vscode.l10n.t('Hoptrail: Quick Answer');
    pick.placeholder = vscode.l10n.t('Type a question; Enter answers it');
    pick.matchOnDescription = false;
    pick.ignoreFocusOut = true; // previews take the focus for a moment
  }

  async show(question: string): Promise<void> {
    const pick = this.#pick;
    pick.onDidChangeValue((value) => this.#search(value));
    pick.onDidChangeActive((items) => void this.#preview(items[0]));
    pick.onDidAccept(() => void this.#accept());
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.action === 'open') void this.#open(item, true);
    });
    pick.onDidHide(() => {
      this.#cancel();
      pick.dispose();
    });
    pick.value = question;
    pick.show();
    if (question !== '') this.#search(question);
  }

  #search(value: string): void {
    this.#moved = false;
    this.#cancel();
    const query = value.trim();
    if (query === '') {
      this.#pick.items = [];
      this.#pick.busy = false;
      return;
    }
    this.#timer = setTimeout(() => void this.#searchNow(query, this.#request.signal), PAUSE_MS);
  }

  async #searchNow(query: string, signal: AbortSignal): Promise<void> {
    this.#pick.busy = true;
    try {
      const { engine } = await this.#services.sessions.get();
      const { hits } = await engine.retriever.search(query, { retriever: 'hybrid', limit: HITS, soon: true }, signal);
      if (signal.aborted) return;
      this.#pick.items = searchItems(query, hits);
      this.#pick.busy = false;
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  async #accept(): Promise<void> {
    const query = this.#pick.value.trim(); // the rows may still be those of what stood there before
    const item = this.#pick.activeItems[0];
    if (!item) return query === '' ? undefined : this.#answer(query);
    switch (item.action) {
      case 'answer':
        return this.#answer(query);
      case 'open':
        return this.#open(item, false);
      case 'panel': {
        this.#pick.hide();
        return this.#openInPanel(item.query);
      }
      case 'none':
        return undefined;
    }
  }

  /** The run that was made here goes on in a thread of its own; nothing is asked twice. */
  async #openInPanel(query: string): Promise<void> {
    const { panels, conversations } = this.#services;
    if (this.#answered?.question !== query) return panels.reveal({ type: 'fill-input', text: query, submit: true });
    await panels.showThread((await conversations.keep(this.#answered)).id);
  }

  async #answer(query: string): Promise<void> {
    this.#cancel();
    this.#answered = undefined;
    const { signal } = this.#request;
    this.#pick.busy = true;
    this.#pick.items = [busyItem(vscode.l10n.t('Looking for an answer…'))];
    try {
      const session = await this.#services.sessions.get();
      const events: ResearchEvent[] = [];
      const runId = randomUUID();
      for await (const event of session.engine.research(
        { text: query, history: [], runId },
        { ...session.researchOptions('quick'), firstHits: true },
        signal,
      )) {
        events.push(event);
        if (signal.aborted || (event.type !== 'first-hits' && event.type !== 'passages-retrieved')) continue;
        const doing =
          event.type === 'first-hits'
            ? vscode.l10n.t('Looking for an answer…')
            : vscode.l10n.t('Reading {0} passages…', event.hits.length);
        this.#pick.items = [busyItem(doing), ...searchItems(query, event.hits).slice(1)];
      }
      if (signal.aborted) return;
      this.#answered = { runId, question: query, events };
      this.#pick.items = answerItems(query, events);
      this.#pick.busy = false;
      this.#moved = false;
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  /** Shows the passage behind the list; the first active item is the list's own choice, not the person's. */
  async #preview(item: QuickItem | undefined): Promise<void> {
    if (!this.#moved) {
      this.#moved = true;
      return;
    }
    if (item?.action === 'open')
      await openPassage(item.passage, {
        focus: { startLine: item.line, endLine: item.line },
        toSide: false,
        preserveFocus: true,
      });
  }

  async #open({ passage, line }: { passage: Passage; line: number }, toSide: boolean): Promise<void> {
    this.#pick.hide();
    await openPassage(passage, { focus: { startLine: line, endLine: line }, toSide });
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#pick.busy = false;
    this.#pick.items = [errorItem(reportError(error))];
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
    this.#request = new AbortController();
  }
}
