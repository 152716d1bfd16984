import { html, nothing, type TemplateResult } from 'lit';
import { actionLabel, type ErrorReport, errorInWords } from '#protocol';
import { t } from '../strings.ts';
import { codicon, iconButton } from './labels.ts';

type Action = NonNullable<ErrorReport['action']>;

/**
 * What went wrong, what to do, and the one button that helps. `role`: alert where the card itself tells of what has
 * just happened.
 */
export function errorCard(
  error: ErrorReport,
  run: (action: Action) => void,
  options: { role?: 'alert'; dismiss?: () => void } = {},
): TemplateResult {
  const { action, message, advice } = errorInWords(error, t);
  const { role, dismiss } = options;
  return html`<div class="error-card" role=${role ?? nothing}>
    ${codicon('error')}
    <div class="error-text">
      <p>${message}</p>
      ${advice ? html`<p class="quiet">${advice}</p>` : nothing}
      ${action ? html`<vscode-button secondary @click=${() => run(action)}>${actionLabel(action, t)}</vscode-button>` : nothing}
    </div>
    ${dismiss ? iconButton('close', t('Dismiss'), dismiss) : nothing}
  </div>`;
}
