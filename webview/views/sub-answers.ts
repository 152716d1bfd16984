import { html, nothing, type TemplateResult } from 'lit';
import { shownSubAnswers } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';
import { placeView } from './place.ts';

/** What was found on the way, under the answer: each sub-question with its answer and where that stands. */
export function subAnswersView({ runId, run }: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { answer } = run;
  const found = answer && run.question !== undefined ? shownSubAnswers(run.question, answer) : [];
  if (!answer || found.length === 0) return nothing;
  const passages = new Map(
    [...answer.passages, ...answer.chain.hops.map(({ passage }) => passage)].map((passage) => [passage.id, passage]),
  );
  const links = (ids: readonly string[]): TemplateResult[] =>
    ids.flatMap((id) => {
      const passage = passages.get(id);
      if (!passage) return [];
      return html`<button
        class="source-link"
        type="button"
        title=${`${passage.path}:${passage.startLine}`}
        @click=${(event: MouseEvent) => actions.post({ type: 'open', runId, passageId: id, toSide: event.ctrlKey || event.metaKey })}
      >
        ${placeView(passage.path.split('/').at(-1) ?? passage.path, passage.startLine)}
      </button>`;
    });
  return html`<div class="sub-answers">
    <h3 class="section-title">${t('Found on the way')}</h3>
    <ol class="plain">
      ${found.map(
        ({ question, answer: text, passageIds }) =>
          html`<li>
            <span class="quiet"><bdi>${question}</bdi> →</span> <bdi>${text}</bdi> ${links(passageIds.slice(0, 2))}
          </li>`,
      )}
    </ol>
  </div>`;
}
