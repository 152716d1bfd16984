import { html, nothing, type TemplateResult } from 'lit';
import { cache } from 'lit/directives/cache.js';
import { classMap } from 'lit/directives/class-map.js';
import { type Answer, type ModelState, refusalLabel, type TextSpan } from '#protocol';
import { answerElement, growInto } from '../answer/answer-element.ts';
import { plainText } from '../answer/citation-marks.ts';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { answerInView, trailOf } from '../run-view.ts';
import { t } from '../strings.ts';
import { liveActivities } from './activities.ts';
import { writtenAnswers } from './empty-state.ts';
import { errorCard } from './error-card.ts';
import { againAfterThumbDown, missingView } from './further.ts';
import { howView } from './how.ts';
import { codicon, iconButton, stoppedLabel } from './labels.ts';
import { firstHitsView, isToSide, placeView } from './passages.ts';
import { aboutView, activityLine, noticesView, questionView } from './question.ts';
import { trailView } from './trail.ts';

interface TurnOptions {
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
    ${questionView(turn, options.ui, options.actions)}
    ${cache(near ? fullTurn(turn, options) : html`<p class="far">${plainText(turn.run.answer?.short ?? turn.run.draft).slice(0, 200)}</p>`)}
  </article>`;
}

function fullTurn(turn: TurnView, { ui, model, actions, isLast }: TurnOptions): TemplateResult {
  const { run } = turn;
  const hasTrail = trailOf(run).length > 0;
  return html`<div
    class=${classMap({ 'turn-body': true, 'has-trail': hasTrail || run.firstHits !== undefined })}
    @click=${(event: MouseEvent) => openCited(event, turn, actions)}
    @pointerover=${(event: PointerEvent) => markCited(event, turn, actions)}
    @pointerout=${(event: PointerEvent) => unmarkCited(event, turn, actions)}
    @focusout=${(event: FocusEvent) => unmarkCited(event, turn, actions)}
    @focusin=${(event: FocusEvent) => markCited(event, turn, actions)}
  >
    <div class="main">
      ${aboutView(turn, actions)} ${activityLine(turn, ui.now)} ${liveActivities(turn, actions)} ${answerView(turn)}
      ${noticesView(turn, actions)} ${outcomeView(turn, actions)} ${missingView(turn, actions)}
      ${run.answer && run.answer.conflicts.length > 0 ? conflictsView(run.answer) : nothing}
    </div>
    ${hasTrail ? trailView(turn, ui, actions) : firstHitsView(turn, actions)}
    <div class="after">
      ${howView(turn, model, actions)} ${run.answer && run.status !== 'running' ? toolbar(turn, actions) : nothing}
      ${againAfterThumbDown(turn, actions)}
      ${isLast && run.status === 'done' && run.model === null ? writtenAnswers(model, actions) : nothing}
    </div>
  </div>`;
}

/** The rendered answer is kept until its text changes, so that a selection in it survives other events. */
const rendered = new WeakMap<Answer, HTMLElement>();
const drafts = new Map<string, { text: string; element: HTMLElement }>();

function elementOf(answer: Answer): HTMLElement {
  const element = rendered.get(answer) ?? answerElement(answer.text, answer);
  rendered.set(answer, element);
  return element;
}

function answerView({ runId, run }: TurnView): TemplateResult | typeof nothing {
  const { answer } = run;
  if (answer) {
    drafts.delete(runId);
    if (answer.abstained)
      return html`<div class="answer abstained">
        <p class="abstain-title">${refusalLabel(answer, t)}</p>
      </div>`;
    return html`<div class="answer">${elementOf(answer)}</div>`;
  }
  const quotes = answerInView(run);
  if (quotes)
    return html`<section class="answer meanwhile" aria-label=${t('Quotes for now')}>
      <h3 class="section-title">${t('Quotes for now')}</h3>
      ${elementOf(quotes)}
    </section>`;
  if (run.draft === '') return nothing;
  const known = drafts.get(runId);
  const next = known?.text === run.draft ? known.element : answerElement(run.draft, undefined);
  if (known && known.element !== next) growInto(known.element, next);
  const element = known?.element ?? next;
  drafts.set(runId, { text: run.draft, element });
  return html`<div class="answer streaming">${element}</div>`;
}

function outcomeView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { run } = turn;
  const again = html`<button class="link-button" type="button" @click=${() => actions.askAgain(turn.runId)}>
    ${t('Ask again')}
  </button>`;
  switch (run.status) {
    case 'failed':
      return run.error
        ? html`${errorCard(run.error, (action) => (action === 'retry' ? actions.askAgain(turn.runId) : actions.runAction(action)))}
          ${run.error.action === 'retry' ? nothing : html`<div class="outcome">${again}</div>`}`
        : nothing;
    case 'stopped':
      return html`<div class="outcome">${codicon('primitive-square')}<span>${stoppedLabel(run)}</span> ${again}</div>`;
    case 'cut-off':
      return html`<div class="outcome">
        ${codicon('debug-disconnect')}<span>${t('Cut off: the window was closed before this run ended.')}</span>
        ${again}
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
    ${iconButton(
      feedback.rating === 'down' ? 'thumbsdown-filled' : 'thumbsdown',
      t('Bad answer'),
      rate('down'),
      feedback.rating === 'down',
    )}
    ${iconButton('copy', t('Copy as Markdown'), () => actions.post({ type: 'copy', runId }))}
    ${iconButton('insert', t('Insert Answer at Cursor'), () => actions.post({ type: 'insert-answer', runId }))}
    ${iconButton('map', t('Export Sources as CodeTour'), () => actions.post({ type: 'export', what: 'tour', runId }))}
    ${iconButton('export', t('Export Thread'), () => actions.post({ type: 'export', what: 'thread', runId }))}
    <span class="thanks quiet" role="status"
      >${feedback.rating === undefined ? '' : t('Thanks for your feedback.')}</span
    >
    ${turn.run.status === 'done' && turn.run.model !== null ? effortButtons(runId, actions) : nothing}
  </div>`;
}

const effortButtons = (runId: string, actions: PanelActions): TemplateResult =>
  html`<span class="efforts">
    <button
      class="harder"
      type="button"
      title=${t('Asks again with more effort; costs more')}
      @click=${() => actions.thinkHarder(runId, false)}
    >
      ${codicon('lightbulb-sparkle')}${t('Think harder')}
    </button>
    <button
      class="harder"
      type="button"
      title=${t('Asks again with a plan that the model debates first; costs more')}
      @click=${() => actions.thinkHarder(runId, true)}
    >
      ${codicon('comment-discussion')}${t('Debate the plan')}
    </button>
  </span>`;

const citeOf = (event: Event): number | undefined => {
  const mark = (event.target as HTMLElement).closest<HTMLElement>('[data-cite]');
  return mark ? Number(mark.dataset['cite']) : undefined;
};

function openCited(event: MouseEvent, turn: TurnView, actions: PanelActions): void {
  const number = citeOf(event);
  if (number !== undefined) actions.openCitation(turn, number, isToSide(event));
}

/** Lights up the hop that a citation means, and shows the quoted line beside it. */
function markCited(event: Event, turn: TurnView, actions: PanelActions): void {
  const number = citeOf(event);
  const answer = answerInView(turn.run);
  const citation = answer?.citations.find((candidate) => candidate.number === number);
  if (!citation) return;
  actions.highlight(turn.runId, citation.passageId);
  const passage = answer?.passages.find((candidate) => candidate.id === citation.passageId);
  if (passage)
    actions.showHover(event.target as HTMLElement, {
      passage,
      marks: quoteSpans(passage.text, citation.quote),
      cited: citation,
    });
}

function unmarkCited(event: Event, turn: TurnView, actions: PanelActions): void {
  actions.highlight(turn.runId, undefined);
  if (citeOf(event) !== undefined) actions.hideHover();
}

function quoteSpans(text: string, quote: string | undefined): TextSpan[] {
  const start = quote === undefined || quote === '' ? -1 : text.indexOf(quote);
  return start < 0 ? [] : [{ start, end: start + (quote?.length ?? 0) }];
}
