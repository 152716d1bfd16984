import { html, nothing, type TemplateResult } from 'lit';
import { describeNotices, indexProgress, type IndexState, type RunAction } from '#protocol';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { PanelState } from '../panel-state.ts';
import { t } from '../strings.ts';
import type { IndexEstimate } from '../index-estimate.ts';
import { codicon, iconButton, count, filesLabel, passagesLabel, timeLeftLabel } from './labels.ts';

/** One line: which thread this is, and the way to the others. */
export function headerView(state: PanelState, ui: UiState, actions: PanelActions): TemplateResult {
  const open = ui.threadsOpen;
  return html`<div class="header">
    <button
      class="thread-button"
      type="button"
      aria-expanded=${open ? 'true' : 'false'}
      title=${t('Threads')}
      @click=${() => actions.toggleThreads()}
    >
      ${codicon(open ? 'arrow-left' : 'history')}
      <span class="thread-title">${open ? t('Threads') : state.turns.length > 0 ? state.title : t('New thread')}</span>
    </button>
    ${
      state.place === 'editor' && (state.turns.length > 0 || open)
        ? iconButton('add', t('New Thread'), () => actions.post({ type: 'new-thread' }))
        : nothing
    }
  </div>`;
}

/** What the index is doing, when it is anything but ready. */
export function indexStrip(
  state: IndexState,
  estimate: IndexEstimate | undefined,
  actions: PanelActions,
): TemplateResult | typeof nothing {
  const text = indexText(state, estimate);
  if (text === undefined) return nothing;
  const progress = indexProgress(state);
  const notice = state.phase === 'failed' ? undefined : describeNotices(state.notices, t);
  const control = phaseControl(state.phase);
  const busy = state.phase === 'starting' || state.phase === 'reading' || state.phase === 'embedding';
  return html`<section class="index-strip" aria-label=${t('Index')}>
    <div class="index-line">
      <span class="index-text">${text}</span>
      ${control ? iconButton(control.icon, control.label, () => actions.runAction(control.action)) : nothing}
      ${state.phase === 'starting' ? nothing : iconButton('output', t('Show Index Report'), () => actions.runAction('show-report'))}
    </div>
    ${
      busy
        ? html`<vscode-progress-bar
            class="index-bar"
            .ariaLabel=${t('Index progress')}
            .max=${100}
            .value=${progress === undefined ? undefined : Math.round(progress * 100)}
          ></vscode-progress-bar>`
        : nothing
    }
    ${detailView(state)} ${notice ? html`<div class="notice">${codicon('info')}<span>${notice}</span></div>` : nothing}
  </section>`;
}

/** One button for both, so that the keyboard stays on it. */
function phaseControl(phase: IndexState['phase']): { icon: string; label: string; action: RunAction } | undefined {
  const action = 'toggle-indexing';
  if (phase === 'embedding' || phase === 'reading') return { icon: 'debug-pause', label: t('Pause Indexing'), action };
  return phase === 'paused' ? { icon: 'debug-continue', label: t('Resume Indexing'), action } : undefined;
}

/** How much there is, and what can be asked meanwhile. */
function detailView(state: IndexState): TemplateResult | typeof nothing {
  const { files, passages } = state.coverage;
  if ((state.phase !== 'reading' && state.phase !== 'embedding') || passages === 0) return nothing;
  return html`<div class="index-detail quiet">
    <span>${filesLabel(files)} · ${passagesLabel(passages)}</span>
    <span>${state.phase === 'reading' ? t('You can already ask about what is read.') : t('You can ask now.')}</span>
  </div>`;
}

function indexText(state: IndexState, estimate: IndexEstimate | undefined): string | undefined {
  const percent = Math.floor((indexProgress(state) ?? 0) * 100);
  const left = estimate?.secondsLeft === undefined ? '' : ` · ${timeLeftLabel(estimate.secondsLeft)}`;
  switch (state.phase) {
    case 'starting':
      return t('Starting the index');
    case 'reading':
      return state.filesTotal > 0
        ? t('Reading {0} of {1} files', count(state.filesDone), count(state.filesTotal)) + left
        : t('Looking for files');
    case 'embedding':
      return t('Getting ready to search by meaning: {0} %', percent) + left;
    case 'paused':
      return t('Indexing is paused at {0} %', percent);
    case 'read-only':
      return t('Another window keeps this index up to date');
    case 'ready':
      return describeNotices(state.notices, t);
    case 'failed':
      return undefined; // the error card says it
  }
}
