import { html, nothing, type TemplateResult } from 'lit';
import {
  baseName,
  type KeptNotice,
  noticeInWords,
  type RunNotice,
  translateSaid,
  type Answer,
  type Selection,
} from '#protocol';
import { askProblem } from '../input.ts';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { secondsOf, tookSeveralSteps, type RunView } from '../run-view.ts';
import { t } from '../strings.ts';
import { activityLabel, count, secondsLabel, codicon, iconButton } from './labels.ts';

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

/** What kind of question it is and how it was answered, as one quiet line; what was understood, and what to know. */
export function quietLine(turn: TurnView, now: number, actions: PanelActions): TemplateResult {
  const { run } = turn;
  const running = run.status === 'running';
  const seconds = secondsOf(run, now);
  const parts = [
    running ? activityLabel(run) : undefined,
    wayInWords(run),
    !running && run.model === null && run.answer ? t('quotes only') : undefined,
    confidenceLabel(run.answer),
    turn.harder ? t('Thinking harder') : undefined,
    scopeLabel(turn),
    withoutLabel(turn),
    seconds === undefined ? undefined : secondsLabel(seconds),
  ].filter((part) => part !== undefined && part !== '');
  return html`<div class="quiet-line">
      ${running ? html`<span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true"></span>` : nothing}<span
        >${parts.map((part, index) => html`${index > 0 ? ' · ' : ''}<bdi>${part}</bdi>`)}</span
      >
    </div>
    ${
      run.strategy && run.model !== null
        ? html`<div class="quiet strategy-line" title=${t('Strategy: {0}', run.strategy.name)}>
            ${translateSaid(run.strategy.reason, t)}
          </div>`
        : nothing
    }
    ${understoodView(turn, actions)} ${run.notices.map((notice) => noticeView(turn, notice, actions))}`;
}

/** That the model is silent is told while it is, with the way out. */
function noticeView(
  { runId, run }: TurnView,
  notice: RunNotice | KeptNotice,
  actions: PanelActions,
): TemplateResult | typeof nothing {
  const silent = notice.code === 'model-silent';
  const words = noticeInWords(notice, t);
  if (words === '' || (silent && (run.status !== 'running' || run.draft !== ''))) return nothing;
  return html`<div class="notice">
    ${codicon('info')}<span
      >${words}
      ${
        silent
          ? html`<button class="link-button" type="button" @click=${() => actions.quoteInstead(runId)}>
              ${run.meanwhile ? t('Stop, and keep the quotes') : t('Quote what was found')}
            </button>`
          : nothing
      }</span
    >
  </div>`;
}

/** The question as it was understood, where that is not how it was written, with the two ways to put it right. */
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

/**
 * How sure the reader is that what was found holds an answer, which is not that the line on top is it; nothing of a
 * refusal, which is said to be one.
 */
function confidenceLabel(answer: Answer | undefined): string | undefined {
  if (!answer || answer.abstained || answer.confidence === undefined) return undefined;
  return t('answer in sight: {0} %', Math.round(100 * answer.confidence));
}

/** Whether several steps are to be expected: by the plan of who asks a model, else by the type of the question. */
function expectsSeveral({ plan, usual, classification }: RunView): boolean {
  if (!usual) return classification?.type === 'inference';
  const planned = plan?.steps.map(({ operator }) => operator) ?? usual;
  return planned.length !== 1 || planned[0] !== 'single-step';
}

/** How the question is answered: how many steps that takes is guessed until the run shows it. */
function wayInWords(run: RunView): string | undefined {
  const type = run.classification?.type;
  switch (type) {
    case 'comparison':
      return t('Comparison');
    case 'temporal':
      return t('By dates');
    case 'overview':
      return t('Overview');
    case 'inference':
    case 'lookup': {
      const isSeveral = tookSeveralSteps(run) ?? (run.status === 'running' ? expectsSeveral(run) : undefined);
      return isSeveral === undefined ? undefined : isSeveral ? t('Several steps') : t('One step');
    }
    case 'null': // the refusal says it
    case undefined:
      return undefined;
  }
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
