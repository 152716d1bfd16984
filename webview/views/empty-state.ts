import { html, nothing, type TemplateResult } from 'lit';
import type { ModelState } from '#protocol';
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
    return openFolder(t('Open a folder of code or notes to ask about it.'), actions);
  if (state.index?.phase === 'ready' && state.index.coverage.files === 0)
    return openFolder(t('“{0}” holds no text that can be read yet.', workspace?.name ?? ''), actions);
  const name = workspace?.name ?? '';
  return html`<div class="empty">
    <h2 class="empty-title">${t('Ask anything about “{0}”', name)}</h2>
    <p class="quiet">${stateText(state)}</p>
    ${questionList(t('Suggested questions'), state.suggestions, actions)}
    ${
      workspace && !workspace.trusted
        ? hint(
            'shield',
            t('Restricted mode: search and quotes work, language models stay off.'),
            t('Manage Trust'),
            () => actions.runAction('manage-trust'),
          )
        : writtenAnswers(state.model, actions)
    }
  </div>`;
}

/** The way from quotes to written answers; nothing once a model is chosen. */
export function writtenAnswers({ id }: ModelState, actions: PanelActions): TemplateResult | typeof nothing {
  if (id !== null) return nothing;
  return hint('sparkle', t('Answers are quotes from your files.'), t('Get written answers'), () =>
    actions.runAction('choose-model'),
  );
}

/** What is ready to be asked about. */
function stateText({ index }: PanelState): string {
  if (!index || index.coverage.passages === 0)
    return t('Your folder is indexed on this machine. Search by meaning is ready shortly after.');
  return [filesLabel(index.coverage.files), passagesLabel(index.coverage.passages)].join(' · ');
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
