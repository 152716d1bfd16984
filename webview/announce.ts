import type { PanelState } from './panel-state.ts';
import { trailOf, type RunStatus } from './run-view.ts';
import { t } from './strings.ts';

/** What to say after a change of the last run's state; undefined: nothing worth a word. Tokens are never read out one by one. */
export function announcement(before: PanelState, after: PanelState): string | undefined {
  const turn = after.turns.at(-1);
  if (!turn) return undefined;
  const earlier = before.turns.find((candidate) => candidate.runId === turn.runId);
  if (!earlier) return turn.run.status === 'running' ? t('Looking for an answer') : undefined;
  if (earlier.run.status === turn.run.status) return undefined;
  return endText(turn.run.status, turn.run.answer?.abstained === true, trailOf(turn.run).length);
}

function endText(status: RunStatus, abstained: boolean, hops: number): string | undefined {
  switch (status) {
    case 'running': return undefined;
    case 'done': return abstained ? t('Not in this workspace') : t('Answer ready, trail of {0} hops', hops);
    case 'stopped': return t('Stopped. What was found is kept.');
    case 'failed': return undefined; // the alert speaks for itself
    case 'cut-off': return undefined;
  }
}
