import { html, nothing, type TemplateResult } from 'lit';
import type { PanelActions } from '../panel-context.ts';
import type { PanelState } from '../panel-state.ts';
import { t } from '../strings.ts';
import { questionList } from './further.ts';
import { codicon, filesLabel, passagesLabel } from './labels.ts';

/** Before the first question: what can be asked here, and what works as things stand. */
export function emptyState(state: PanelState, actions: PanelActions): TemplateResult {
  const { workspace } = state;
  if (workspace && !workspace.supported) {
    return notice(
      'vm',
      t('Virtual workspaces are not supported'),
      t(
        'Hoptrail indexes files on the machine where its extension runs. Open a folder on disk, over Remote, ' +
          'or in a container.',
      ),
    );
  }
  if (workspace && workspace.name === null)
    return openFolder(t('No folder is open: open one of code or notes to ask about it.'), actions);
  if (state.index?.phase === 'ready' && state.index.coverage.files === 0)
    return openFolder(t('{0} holds no text that can be read yet.', workspace?.name ?? ''), actions);
  return html`<div class="empty">
    <h2 class="empty-title">${t('Ask what no single file answers')}</h2>
    <p class="quiet">${coverageText(state)}</p>
    ${questionList(
      t('Suggested questions'),
      state.suggestions.map((question) => ({ question })),
      actions,
    )}
    ${
      workspace && !workspace.trusted
        ? hint(
            'shield',
            t('Restricted mode: search and quotes work, language models stay off.'),
            t('Manage Trust'),
            () => actions.runAction('manage-trust'),
          )
        : state.model.id === null
          ? hint(
              'quote',
              t('No language model is chosen: answers are quotes with their trail.'),
              t('Choose Model'),
              () => actions.runAction('choose-model'),
            )
          : nothing
    }
  </div>`;
}

function coverageText(state: PanelState): string {
  const { index, workspace } = state;
  const name = workspace?.name ?? '';
  if (!index || index.coverage.passages === 0) return name;
  return [name, filesLabel(index.coverage.files), passagesLabel(index.coverage.passages)].join(' · ');
}

/** One sentence and one button. */
function openFolder(sentence: string, actions: PanelActions): TemplateResult {
  return html`<div class="empty">
      <span class="codicon codicon-folder-opened empty-icon" aria-hidden="true"></span>
      <h2 class="empty-title">${sentence}</h2>
    </div>
    <div class="empty-action">
      <vscode-button @click=${() => actions.runAction('open-folder')}>${t('Open Folder')}</vscode-button>
    </div>`;
}

function notice(icon: string, title: string, text: string): TemplateResult {
  return html`<div class="empty">
    <span class="codicon codicon-${icon} empty-icon" aria-hidden="true"></span>
    <h2 class="empty-title">${title}</h2>
    <p class="quiet">${text}</p>
  </div>`;
}

function hint(icon: string, text: string, label: string, run: () => void): TemplateResult {
  return html`<div class="hint">
    ${codicon(icon)}<span>${text} <button class="link-button" type="button" @click=${run}>${label}</button></span>
  </div>`;
}
