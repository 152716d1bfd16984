import { html, nothing, type TemplateResult } from 'lit';
import { baseName, type Without } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';
import { codicon } from './labels.ts';

/** So many files are offered to be left out. */
const MOST_FILES = 3;

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
    ${againButton(turn, t('Ask again without {0}', baseName(passage.path)), { passageIds: [], paths: [passage.path] }, actions)}
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
    ${againButton(
      turn,
      passageIds.length === 1
        ? t('Ask again without this passage')
        : t('Ask again without these {0} passages', passageIds.length),
      { passageIds, paths: [] },
      actions,
    )}
    ${paths
      .slice(0, MOST_FILES)
      .map((path) =>
        againButton(turn, t('Ask again without {0}', baseName(path)), { passageIds: [], paths: [path] }, actions),
      )}
  </div>`;
}

/** What the evidence leaves open: each is a question that one click asks. */
export function missingView({ run }: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { missing = [], abstained } = run.answer ?? {};
  if (missing.length === 0 || run.status === 'running') return nothing;
  return html`<div class="missing">
    <p class="quiet">${abstained ? t('Ask instead:') : t('Not answered by what was found:')}</p>
    ${questionList(t('Open questions'), missing, actions)}
  </div>`;
}

/** Questions, each asked by one click. */
export function questionList(
  label: string,
  questions: readonly string[],
  actions: PanelActions,
): TemplateResult | typeof nothing {
  if (questions.length === 0) return nothing;
  return html`<ul class="suggestions" aria-label=${label}>
    ${questions.map(
      (question) =>
        html`<li>
          <button class="suggestion" type="button" @click=${() => actions.ask(question)}>
            ${codicon('arrow-small-right')}<span>${question}</span>
          </button>
        </li>`,
    )}
  </ul>`;
}
