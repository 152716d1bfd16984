import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { PanelActions, UiState } from '../panel-context.ts';
import type { PanelState } from '../panel-state.ts';
import { t } from '../strings.ts';
import { emptyState } from './empty-state.ts';
import { errorCard } from './error-card.ts';
import { headerView, indexStrip } from './header.ts';
import { threadsView } from './threads.ts';
import { turnView } from './turn.ts';

/** Everything above the composer. */
export function appView(state: PanelState, ui: UiState, actions: PanelActions): TemplateResult {
  const usable = state.workspace?.supported !== false && state.workspace?.name !== null;
  const listed = usable && ui.threadsOpen;
  return html` <header class="top">
      <h1 class="visually-hidden">Hoptrail</h1>
      ${usable ? headerView(state, ui, actions) : nothing}
      ${usable && state.index && !listed ? indexStrip(state.index, state.estimate, actions) : nothing}
      ${
        state.error
          ? errorCard(state.error, (action) => actions.runAction(action), {
              role: 'alert',
              dismiss: () => actions.dismissError(),
            })
          : nothing
      }
    </header>
    <main class="scroll" id="scroll" tabindex="-1" aria-label=${t('Questions and answers')}>
      ${listed ? threadsView(state, ui, actions) : threadBody(state, ui, actions)}
    </main>
    <div class="visually-hidden" role="status" aria-live="polite">${state.announcement}</div>`;
}

function threadBody(state: PanelState, ui: UiState, actions: PanelActions): TemplateResult {
  const failed = state.index?.phase === 'failed' && state.workspace?.name !== null ? state.index.error : undefined;
  return html` ${failed ? errorCard(failed, (action) => actions.runAction(action), { role: 'alert' }) : nothing}
  ${state.turns.length === 0 && state.turnsTold ? emptyState(state, actions) : nothing}
  ${repeat(
    state.turns,
    (turn) => turn.runId,
    (turn, index) => {
      const isLast = index === state.turns.length - 1;
      const clock = turn.run.status === 'running' ? Math.floor(ui.now / 100) : 0;
      const editing = ui.editing?.runId === turn.runId ? ui.editing : undefined;
      return guard([turn, ui.near.has(turn.runId), ui.expandedHops, isLast, state.model, clock, editing], () =>
        turnView(turn, { ui, model: state.model, actions, isLast }),
      );
    },
  )}`;
}
