import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { cache } from 'lit/directives/cache.js';
import type { Answer, ModelState } from '#protocol';
import { answerElement } from '../answer/answer-element.ts';
import { plainText } from '../answer/citation-marks.ts';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { secondsOf, trailOf } from '../run-view.ts';
import { t } from '../strings.ts';
import { errorCard } from './error-card.ts';
import { activityLabel, questionTypeLabel, refusalLabel, secondsLabel, stoppedLabel } from './labels.ts';
import { placeView } from './place.ts';
import { sectionsView } from './sections.ts';
import { stepsView } from './steps.ts';
import { iconButton, trailView } from './trail.ts';

export interface TurnOptions {
  ui: UiState;
  model: ModelState;
  actions: PanelActions;
  isLast: boolean;
}

/** One question and what became of it. Turns far from the viewport are drawn in two lines. */
export function turnView(turn: TurnView, options: TurnOptions): TemplateResult {
  const near = options.isLast || options.ui.near.has(turn.runId);
  return html`<article
    class=${classMap({ turn: true, running: turn.run.status === 'running' })}
    data-run=${turn.runId}
    aria-busy=${turn.run.status === 'running' ? 'true' : 'false'}
  >
    <h2 class="question">${turn.question}</h2>
    ${cache(near ? fullTurn(turn, options) : html`<p class="far">${plainText(turn.run.answer?.short ?? turn.run.draft).slice(0, 200)}</p>`)}
  </article>`;
}

function fullTurn(turn: TurnView, { ui, model, actions }: TurnOptions): TemplateResult {
  const { run } = turn;
  return html`<div
    class=${classMap({ 'turn-body': true, 'has-trail': trailOf(run).length > 0 })}
    @click=${(event: MouseEvent) => openCited(event, turn, actions)}
    @pointerover=${(event: PointerEvent) => markCited(event, turn, actions)}
    @pointerout=${() => actions.highlight(turn.runId, undefined)}
    @focusin=${(event: FocusEvent) => markCited(event, turn, actions)}
  >
    <div class="main">
      ${quietLine(turn, ui.now)} ${stepsView(turn, actions)} ${answerView(turn)} ${outcomeView(turn, actions)}
      ${run.answer && run.answer.conflicts.length > 0 ? conflictsView(run.answer) : nothing}
    </div>
    ${trailView(turn, ui, actions)}
    <div class="after">
      ${run.status === 'running' ? nothing : sectionsView(turn, model, actions)}
      ${run.answer && run.status !== 'running' ? toolbar(turn, actions) : nothing}
    </div>
  </div>`;
}

/** Type and plan as one quiet line. */
function quietLine(turn: TurnView, now: number): TemplateResult {
  const { run } = turn;
  const running = run.status === 'running';
  const seconds = secondsOf(run, now);
  const parts = [
    running ? activityLabel(run) : undefined,
    run.classification ? questionTypeLabel(run.classification.type) : undefined,
    !running && run.model === null && run.answer ? t('Quotes, no language model') : undefined,
    turn.harder ? t('Thinking harder') : undefined,
    scopeLabel(turn),
    seconds === undefined ? undefined : secondsLabel(seconds),
  ].filter((part) => part !== undefined && part !== '');
  return html`<div class="quiet-line">
      ${running ? html`<span class="codicon codicon-loading codicon-modifier-spin" aria-hidden="true"></span>` : nothing}<span
        >${parts.map((part, index) => html`${index > 0 ? ' · ' : ''}<bdi>${part}</bdi>`)}</span
      >
    </div>
    ${run.strategy && run.model !== null ? html`<div class="quiet strategy-line" title=${t('Strategy: {0}', run.strategy.name)}>${run.strategy.reason}</div>` : nothing}
    ${run.asked !== undefined && run.question !== undefined && run.question !== run.asked ? html`<div class="quiet">${t('Understood as: {0}', run.question)}</div>` : nothing}
    ${run.notices.map((notice) => html`<div class="notice"><span class="codicon codicon-info" aria-hidden="true"></span><span>${notice.message}</span></div>`)}`;
}

function scopeLabel({ scope }: TurnView): string | undefined {
  if (scope.kind === 'folder') return t('in {0}', scope.path);
  if (scope.kind === 'files')
    return scope.paths.length === 1
      ? t('in {0}', scope.paths[0]?.split('/').at(-1) ?? '')
      : t('in {0} files', scope.paths.length);
  return undefined;
}

/** The rendered answer is kept until its text changes, so that a selection in it survives other events. */
const rendered = new WeakMap<object, { text: string; element: HTMLElement }>();
const drafts = new Map<string, { text: string; element: HTMLElement }>();

function answerView({ runId, run }: TurnView): TemplateResult | typeof nothing {
  const { answer } = run;
  if (answer) {
    drafts.delete(runId);
    // Of a refusal, the title is drawn here and the nearest passages stand in the trail.
    const text = answer.abstained ? (answer.lead?.text ?? '') : answer.text;
    const known = rendered.get(answer) ?? { text, element: answerElement(text, answer) };
    rendered.set(answer, known);
    if (answer.abstained) return abstention(answer, known.element);
    return html`<div class="answer">${known.element}</div>`;
  }
  if (run.draft === '') return nothing;
  const known = drafts.get(runId);
  const element = known?.text === run.draft ? known.element : answerElement(run.draft, undefined);
  drafts.set(runId, { text: run.draft, element });
  return html`<div class="answer streaming">${element}</div>`;
}

/** Why there is no answer, and the line that comes nearest to being one. */
function abstention(answer: Answer, element: HTMLElement): TemplateResult {
  return html`<div class="answer abstained">
    <p class="abstain-title">
      <span class="codicon codicon-search-stop" aria-hidden="true"></span><span>${refusalLabel(answer.refusal)}</span>
    </p>
    ${answer.abstainReason ? html`<p class="quiet">${answer.abstainReason}</p>` : nothing}
    ${answer.lead ? element : nothing}
  </div>`;
}

function outcomeView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { run } = turn;
  const again = html`<button class="link-button" type="button" @click=${() => actions.ask(turn.question)}>
    ${t('Ask again')}
  </button>`;
  switch (run.status) {
    case 'failed':
      return run.error
        ? html`${errorCard(run.error, (action) => (action === 'retry' ? actions.ask(turn.question) : actions.runAction(action)))}
          ${run.error.action === 'retry' ? nothing : html`<div class="outcome">${again}</div>`}`
        : nothing;
    case 'stopped':
      return html`<div class="outcome">
        <span class="codicon codicon-primitive-square" aria-hidden="true"></span
        ><span>${stoppedLabel(run)}</span> ${again}
      </div>`;
    case 'cut-off':
      return html`<div class="outcome">
        <span class="codicon codicon-debug-disconnect" aria-hidden="true"></span
        ><span>${t('Cut off: the window was closed before this run ended.')}</span> ${again}
      </div>`;
    case 'running':
    case 'done':
      return nothing;
  }
}

function conflictsView(answer: Answer): TemplateResult {
  return html`<section class="conflicts" aria-label=${t('Sources that disagree')}>
    <h3 class="section-title">${t('Sources that disagree')}</h3>
    ${answer.conflicts.map(
      (conflict) =>
        html`<p>${conflict.statement}</p>
          <ul class="plain">
            ${conflict.hops.map(({ passage }) => html`<li class="quiet">${placeView(passage.path, passage.startLine)}</li>`)}
          </ul>`,
    )}
  </section>`;
}

function toolbar(turn: TurnView, actions: PanelActions): TemplateResult {
  const { runId, feedback } = turn;
  const rate = (rating: 'up' | 'down') => (): void =>
    actions.post({
      type: 'feedback',
      runId,
      feedback: { ...feedback, rating: feedback.rating === rating ? undefined : rating },
    });
  return html`<div class="toolbar" role="toolbar" aria-label=${t('Answer')}>
    ${iconButton(feedback.rating === 'up' ? 'thumbsup-filled' : 'thumbsup', t('Good answer'), rate('up'), feedback.rating === 'up')}
    ${iconButton(feedback.rating === 'down' ? 'thumbsdown-filled' : 'thumbsdown', t('Bad answer'), rate('down'), feedback.rating === 'down')}
    <span class="toolbar-gap"></span>
    ${iconButton('copy', t('Copy as Markdown'), () => actions.post({ type: 'copy', runId }))}
    ${iconButton('insert', t('Insert Answer at Cursor'), () => actions.post({ type: 'insert-answer', runId }))}
    ${iconButton('map', t('Export Trail as CodeTour'), () => actions.post({ type: 'export', what: 'tour', runId }))}
    ${iconButton('export', t('Export Thread'), () => actions.post({ type: 'export', what: 'thread', runId }))}
    ${
      turn.run.status === 'done' && turn.run.model !== null
        ? html`<button
            class="harder"
            type="button"
            title=${t('Ask again with a strategy that may cost more; Hoptrail learns from it that this answer did not do')}
            @click=${() => actions.thinkHarder(runId)}
          >
            <span class="codicon codicon-lightbulb-sparkle" aria-hidden="true"></span>${t('Think harder')}
          </button>`
        : nothing
    }
  </div>`;
}

const citeOf = (event: Event): number | undefined => {
  const mark = (event.target as HTMLElement).closest<HTMLElement>('[data-cite]');
  return mark ? Number(mark.dataset['cite']) : undefined;
};

function openCited(event: MouseEvent, turn: TurnView, actions: PanelActions): void {
  const number = citeOf(event);
  if (number !== undefined) actions.openCitation(turn, number, event.ctrlKey || event.metaKey || event.altKey);
}

function markCited(event: Event, turn: TurnView, actions: PanelActions): void {
  const number = citeOf(event);
  const citation = turn.run.answer?.citations.find((candidate) => candidate.number === number);
  if (citation) actions.highlight(turn.runId, citation.passageId);
}
