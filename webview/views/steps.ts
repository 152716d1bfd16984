import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { translateError, translateSaid, type Answer, placeOfSubAnswer, shownSubAnswers } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import type { StepView } from '../run-view.ts';
import { t } from '../strings.ts';
import { operatorLabel, stepIcon, stepStatusLabel, codicon } from './labels.ts';
import { isToSide, opening, sourceLink } from './passages.ts';

/** The plan's sub-questions, unfolding while they are worked on and folded away once the answer stands. */
export function stepsView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { steps, status, answer } = turn.run;
  // One extractive step without a sub-question of its own says nothing that the trail does not say better.
  const only = steps[0];
  if (
    !only ||
    (steps.length === 1 &&
      only.status !== 'failed' &&
      (only.operator === 'extractive' || only.operator === 'single-step'))
  )
    return nothing;
  const unfolding = status === 'running' && answer === undefined;
  const answered = steps.filter((step) => step.status === 'answered').length;
  return html`<details class="fold steps" ?open=${unfolding}>
    <summary>
      ${codicon('chevron-right')}${steps.length === 1 ? t('1 step') : t('{0} steps', steps.length)}
      <span class="count">${t('{0} answered', answered)}</span>
    </summary>
    <ol class="step-list">
      ${repeat(
        steps,
        (step) => step.id,
        (step) => stepView(turn, step, actions),
      )}
    </ol>
  </details>`;
}

function stepView(turn: TurnView, step: StepView, actions: PanelActions): TemplateResult {
  const status = stepStatusLabel(step.status);
  return html`<li class="step depth-${Math.min(step.depth, 3)} ${step.status}">
    <span
      class="codicon codicon-${stepIcon(step.status)} ${step.status === 'running' ? 'codicon-modifier-spin' : ''}"
      role="img"
      aria-label=${status}
      title=${status}
    ></span>
    <div class="step-body">
      <div class="step-question">
        <bdi>${step.question}</bdi> <span class="operator">${operatorLabel(step.operator)}</span>
      </div>
      ${
        step.subAnswer && step.subAnswer.answer !== ''
          ? html`<div class="step-answer">
              <bdi>${step.subAnswer.answer}</bdi>
              ${step.subAnswer.passageIds.map((id) => foundPlace(turn, step, id, actions))}
            </div>`
          : nothing
      }
      ${step.status === 'nothing-found' ? html`<div class="quiet">${t('Nothing found')}</div>` : nothing}
      ${
        step.critique && step.critique.verdict !== 'keep'
          ? html`<div class="quiet">${translateSaid(step.critique.reason, t)}</div>`
          : nothing
      }
      ${step.error ? html`<div class="step-error">${translateError(step.error.message, t)}</div>` : nothing}
    </div>
  </li>`;
}

function foundPlace(
  turn: TurnView,
  step: StepView,
  passageId: string,
  actions: PanelActions,
): TemplateResult | typeof nothing {
  const found = step.retrievals
    .flatMap((retrieval) => [
      ...(retrieval.chain?.hops.map((hop) => hop.passage) ?? []),
      ...retrieval.hits.map((hit) => hit.passage),
    ])
    .find((passage) => passage.id === passageId);
  if (!found) return nothing;
  return sourceLink(found.path, found.startLine, opening(actions, turn.runId, passageId));
}

/** What was found on the way, under the answer: each sub-question with its answer and where that stands. */
export function subAnswersView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { answer, question } = turn.run;
  const found = answer && question !== undefined ? shownSubAnswers(question, answer) : [];
  if (!answer || found.length === 0) return nothing;
  return html`<div class="sub-answers">
    <h3 class="section-title">${t('Found on the way')}</h3>
    <ol class="plain">
      ${found.map(
        (one) =>
          html`<li>
            <span class="quiet"><bdi>${one.question}</bdi> →</span> <bdi>${one.answer}</bdi>
            ${sourceOf(one, answer, turn, actions)}
          </li>`,
      )}
    </ol>
  </div>`;
}

function sourceOf(
  one: ReturnType<typeof shownSubAnswers>[number],
  answer: Answer,
  turn: TurnView,
  actions: PanelActions,
): TemplateResult | typeof nothing {
  const place = placeOfSubAnswer(one, answer);
  if (!place) return nothing;
  const { passage, line, citation } = place;
  const open =
    citation === undefined
      ? opening(actions, turn.runId, passage.id)
      : (event: MouseEvent): void => actions.openCitation(turn, citation, isToSide(event));
  return sourceLink(passage.path, line, open);
}
