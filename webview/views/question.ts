import { html, nothing, type TemplateResult } from 'lit';
import { baseName, type KeptNotice, type RunNotice, runNoticeInWords, type Selection } from '#protocol';
import { askProblem } from '../input.ts';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { secondsOf } from '../run-view.ts';
import { t } from '../strings.ts';
import { activityLabel, codicon, count, iconButton, secondsLabel } from './labels.ts';

/** What was asked, with what it was asked about; in its place its editor while somebody changes it. */
export function questionView(turn: TurnView, ui: UiState, actions: PanelActions): TemplateResult {
  const { runId, question } = turn;
  if (ui.editing?.runId === runId) return questionEditor(turn, ui.editing, actions);
  return html`<div class="asked">
      <h2 class="question">${question}</h2>
      ${
        turn.run.status === 'running'
          ? nothing
          : html`<span class="question-actions">
              ${iconButton('edit', t('Edit Question'), () => actions.editQuestion(runId, question, false))}
              ${iconButton('refresh', t('Repeat Question'), () => actions.askAgain(runId))}
            </span>`
      }
    </div>
    ${selectionView(turn)}`;
}

function selectionView({ selection }: TurnView): TemplateResult | typeof nothing {
  if (!selection) return nothing;
  return html`<div class="asked-about" title=${selectionTitle(selection)}>
    ${codicon(selectionIcon(selection))}<span><bdi>${selectionLabel(selection)}</bdi></span>
  </div>`;
}

export const selectionIcon = ({ symbol }: Selection): string => (symbol ? 'symbol-method' : 'list-selection');

/** What a pointer that rests on it is told: where a symbol is defined, what the selected lines say. */
export const selectionTitle = ({ path, startLine, text, symbol }: Selection): string =>
  symbol ? `${path}:${startLine}` : text;

/** A file and the lines of it that are selected; a symbol by its name. */
export function selectionLabel({ path, startLine, endLine, text, symbol }: Selection): string {
  if (symbol) return text;
  const name = baseName(path);
  return startLine === endLine ? `${name}:${startLine}` : `${name}:${startLine}–${endLine}`;
}

/** The heading stays for those who go by headings: the answer below has its own under it. */
function questionEditor(
  turn: TurnView,
  { text, asWritten }: NonNullable<UiState['editing']>,
  actions: PanelActions,
): TemplateResult {
  const send = (input: HTMLTextAreaElement | null | undefined): void => {
    const question = input?.value.trim() ?? '';
    const problem = askProblem(question, turn.scope);
    input?.setCustomValidity(problem ?? '');
    if (problem !== undefined) input?.reportValidity();
    else if (question !== '') actions.askInstead(turn, question, asWritten);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing || event.keyCode === 229) return; // Enter belongs to the input method
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send(event.currentTarget as HTMLTextAreaElement);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      actions.endEditing();
    }
  };
  return html`<form
    class="question-editor"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      send((event.currentTarget as HTMLElement).querySelector('textarea'));
    }}
  >
    <h2 class="visually-hidden">${turn.question}</h2>
    <textarea
      rows="3"
      dir="auto"
      aria-label=${t('Question')}
      .value=${text}
      @keydown=${onKey}
      @input=${(event: InputEvent) => (event.currentTarget as HTMLTextAreaElement).setCustomValidity('')}
    ></textarea>
    <div class="question-editor-actions">
      <button class="button" type="submit">${t('Ask')}</button>
      <button class="button secondary" type="button" @click=${() => actions.endEditing()}>${t('Cancel')}</button>
    </div>
  </form>`;
}

/** Where the question looked, and how it was understood; nothing where that goes without saying. */
export function aboutView(turn: TurnView, actions: PanelActions): TemplateResult {
  const parts = [turn.harder ? t('More effort') : undefined, scopeLabel(turn), withoutLabel(turn)];
  const said = parts.filter((part) => part !== undefined);
  return html`${
    said.length === 0
      ? nothing
      : html`<div class="quiet-line">
          ${said.map((part, index) => html`${index > 0 ? ' · ' : ''}<bdi>${part}</bdi>`)}
        </div>`
  }
  ${understoodView(turn, actions)}`;
}

/** What a running run is doing, and for how long. */
export function activityLine({ run }: TurnView, now: number): TemplateResult | typeof nothing {
  if (run.status !== 'running') return nothing;
  const seconds = secondsOf(run, now);
  return html`<div class="quiet-line activity">
    <span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true"></span
    ><span><bdi>${activityLabel(run)}</bdi>${seconds === undefined ? nothing : html` · ${secondsLabel(seconds)}`}</span>
  </div>`;
}

/** What bears on how far an answer can be trusted. Other notices stand in "How this was answered". */
const WEIGHTY: ReadonlySet<string> = new Set([
  'still-indexing',
  'from-memory',
  'model-failed',
  'budget-exhausted',
  'question-cut',
  'speaks-to-model',
]);

/** Notices that stand under the answer, and the way out while the model is silent. */
export function noticesView(turn: TurnView, actions: PanelActions): TemplateResult {
  const { run, runId } = turn;
  const silent = run.status === 'running' && run.draft === '' && run.notices.at(-1)?.code === 'model-silent';
  const weighty = run.notices.filter(({ code }) => WEIGHTY.has(code));
  return html`${weighty.map((notice) => noticeView(notice))}
  ${
    silent
      ? run.notices
          .slice(-1)
          .map((notice) =>
            noticeView(
              notice,
              html`<button class="link-button" type="button" @click=${() => actions.quoteInstead(runId)}>
                ${run.meanwhile ? t('Stop, and keep the quotes') : t('Show quotes instead')}
              </button>`,
            ),
          )
      : nothing
  }`;
}

/** Notices of no weight, for those who want to know how. */
export const quietNotices = ({ run }: TurnView): string[] =>
  run.notices
    .filter(({ code }) => !WEIGHTY.has(code) && code !== 'model-silent')
    .map((notice) => runNoticeInWords(notice, t))
    .filter((words) => words !== '');

function noticeView(
  notice: RunNotice | KeptNotice,
  button: TemplateResult | typeof nothing = nothing,
): TemplateResult | typeof nothing {
  const words = runNoticeInWords(notice, t);
  return words === '' ? nothing : html`<div class="notice">${codicon('info')}<span>${words} ${button}</span></div>`;
}

/** The question as it was understood, where that is not how it was written, with two ways to put it right. */
function understoodView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { asked, question, status } = turn.run;
  if (asked === undefined || question === undefined || question === asked) return nothing;
  return html`<div class="quiet understood">
    ${t('Understood as: {0}', question)}
    ${
      status === 'running'
        ? nothing
        : html`<button class="link-button" type="button" @click=${() => actions.askInstead(turn, turn.question, true)}>
              ${t('Ask as written')}</button
            ><button class="link-button" type="button" @click=${() => actions.editQuestion(turn.runId, question, true)}>
              ${t('Edit')}
            </button>`
    }
  </div>`;
}

function scopeLabel({ scope }: TurnView): string | undefined {
  if (scope.kind === 'folder') return t('in {0}', scope.path);
  if (scope.kind === 'files')
    return scope.paths.length === 1
      ? t('in {0}', baseName(scope.paths[0] ?? ''))
      : t('in {0} files', scope.paths.length);
  return undefined;
}

function withoutLabel({ without }: TurnView): string | undefined {
  if (!without) return undefined;
  const { passageIds, paths } = without;
  const parts = [
    paths.length === 1 ? baseName(paths[0] ?? '') : paths.length > 1 ? t('{0} files', count(paths.length)) : '',
    passageIds.length === 1 ? t('1 passage') : passageIds.length > 1 ? t('{0} passages', count(passageIds.length)) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : t('without {0}', parts.join(', '));
}
