import { html, nothing, type TemplateResult } from 'lit';
import type { Without } from '#protocol';
import { followUps } from '../follow-ups.ts';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';

/** So many files are offered to be left out. */
const MOST_FILES = 3;

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** One button that asks again without something. */
function againButton(turn: TurnView, label: string, without: Without, actions: PanelActions): TemplateResult {
  return html`<button class="link-button again" type="button" @click=${() => actions.askAgain(turn.runId, without)}>
    ${label}
  </button>`;
}

/** Below a passage that does not belong: the same question without it, or without its file. */
export function againWithoutPassage(
  turn: TurnView,
  passage: { id: string; path: string },
  actions: PanelActions,
): TemplateResult | typeof nothing {
  if (turn.run.status === 'running') return nothing;
  return html`<div class="again-row">
    ${againButton(turn, t('Ask again without it'), { passageIds: [passage.id], paths: [] }, actions)}
    ${againButton(turn, t('Ask again without {0}', nameOf(passage.path)), { passageIds: [], paths: [passage.path] }, actions)}
  </div>`;
}

/** After a thumb down: the same question without what the answer cites, or without one of its files. */
export function againAfterThumbDown(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { answer, status } = turn.run;
  if (turn.feedback.rating !== 'down' || !answer || status === 'running') return nothing;
  const passageIds = [...new Set(answer.citations.map((citation) => citation.passageId))];
  if (passageIds.length === 0) return nothing;
  const paths = [
    ...new Set(answer.passages.filter((passage) => passageIds.includes(passage.id)).map((passage) => passage.path)),
  ];
  return html`<div class="again-row">
    ${againButton(turn, passageIds.length === 1 ? t('Ask again without this passage') : t('Ask again without these {0} passages', passageIds.length), { passageIds, paths: [] }, actions)}
    ${paths.slice(0, MOST_FILES).map((path) => againButton(turn, t('Ask again without {0}', nameOf(path)), { passageIds: [], paths: [path] }, actions))}
  </div>`;
}

/** What the trail points at and does not walk: each a question of one click. */
export function followUpsView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const questions = turn.run.status === 'done' ? followUps(turn.run) : [];
  if (questions.length === 0) return nothing;
  return html`<ul class="suggestions follow-ups" aria-label=${t('Follow-up questions')}>
    ${questions.map(
      ({ question, path }) =>
        html`<li>
          <button class="suggestion" type="button" title=${path} @click=${() => actions.ask(question)}>
            <span class="codicon codicon-arrow-small-right" aria-hidden="true"></span><span>${question}</span>
          </button>
        </li>`,
    )}
  </ul>`;
}
