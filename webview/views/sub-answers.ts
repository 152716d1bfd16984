import { html, nothing, type TemplateResult } from 'lit';
import { type Answer, placeOfSubAnswer, shownSubAnswers } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';
import { sourceLink } from './place.ts';

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
  return sourceLink(passage.path, line, (event) => {
    const toSide = event.ctrlKey || event.metaKey;
    if (citation === undefined) actions.post({ type: 'open', runId: turn.runId, passageId: passage.id, toSide });
    else actions.openCitation(turn, citation, toSide);
  });
}
