import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ThreadSummary } from '#protocol';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { PanelState } from '../panel-state.ts';
import { t } from '../strings.ts';
import { iconButton } from './labels.ts';

/** Earlier threads: searched, opened, renamed, deleted. */
export function threadsView(state: PanelState, ui: UiState, actions: PanelActions): TemplateResult {
  const { threads } = state;
  return html`<section class="threads" aria-label=${t('Threads')}>
    <vscode-textfield
      class="thread-search"
      type="search"
      .label=${t('Search threads')}
      placeholder=${t('Search threads')}
      .value=${ui.threadQuery}
      @input=${(event: InputEvent) => actions.searchThreads((event.target as HTMLInputElement).value)}
    ></vscode-textfield>
    ${
      threads === undefined
        ? nothing
        : threads.length === 0
          ? html`<p class="quiet threads-none">
              ${ui.threadQuery === '' ? t('No threads yet.') : t('No thread matches.')}
            </p>`
          : html`<ul class="thread-list">
              ${repeat(
                threads,
                (thread) => thread.id,
                (thread) => threadRow(thread, state, ui, actions),
              )}
            </ul>`
    }
  </section>`;
}

function threadRow(thread: ThreadSummary, state: PanelState, ui: UiState, actions: PanelActions): TemplateResult {
  const active = thread.id === state.threadId;
  if (ui.renaming === thread.id) return renameRow(thread, actions);
  return html`<li class="thread-row ${active ? 'active' : ''}" data-thread=${thread.id}>
    <button
      class="thread-open"
      type="button"
      aria-current=${active ? 'true' : nothing}
      @click=${() => actions.openThread(thread.id)}
    >
      <span class="thread-name">${thread.title}</span>
      <span class="thread-when"
        >${whenLabel(thread.updated, ui.now)} ·
        ${thread.turns === 1 ? t('1 question') : t('{0} questions', thread.turns)}</span
      >
    </button>
    <span class="thread-actions">
      ${iconButton('edit', t('Rename'), () => actions.renameThread(thread.id))}
      ${iconButton('trash', t('Delete'), () => actions.deleteThread(thread.id))}
    </span>
  </li>`;
}

function renameRow(thread: ThreadSummary, actions: PanelActions): TemplateResult {
  let finished = false; // the field goes, and with it the focus: that must not rename a second time
  const finish = (input: HTMLInputElement, byKey: boolean): void => {
    if (finished) return;
    finished = true;
    const title = input.value.trim();
    if (title !== '' && title !== thread.title) actions.post({ type: 'rename-thread', threadId: thread.id, title });
    actions.endRenaming(thread.id, byKey);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault(); // the key must not press the button that has the keyboard next
    if (event.key === 'Enter') finish(event.target as HTMLInputElement, true);
    else {
      finished = true;
      actions.endRenaming(thread.id, true);
    }
  };
  return html`<li class="thread-row" data-thread=${thread.id}>
    <input
      class="rename"
      type="text"
      dir="auto"
      maxlength="200"
      aria-label=${t('Title of the thread')}
      .value=${thread.title}
      @keydown=${onKey}
      @blur=${(event: FocusEvent) => finish(event.target as HTMLInputElement, false)}
    />
  </li>`;
}

function whenLabel(time: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / 86_400_000); // of 23 or 25 hours where clocks change
  if (days <= 0) return new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(time);
  if (days === 1) return t('Yesterday');
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(time);
}

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
