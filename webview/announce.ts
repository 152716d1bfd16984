import { errorInOneText, refusalLabel, runNoticeInWords } from '#protocol';
import type { PanelState } from './panel-state.ts';
import { trailOf, type RunView } from './run-view.ts';
import { t } from './strings.ts';
import { stoppedLabel } from './views/labels.ts';

/**
 * What to say after a change of the last run's state, once; undefined: nothing worth a word. Tokens are never read out
 * one by one.
 */
export function announcement(before: PanelState, after: PanelState): string | undefined {
  const turn = after.turns.at(-1);
  if (!turn) return undefined;
  const earlier = before.turns.find((candidate) => candidate.runId === turn.runId);
  if (!earlier) return turn.run.status === 'running' ? t('Looking for an answer') : undefined;
  const told = turn.run.notices.at(-1);
  if (told?.code === 'model-silent' && turn.run.notices.length > earlier.run.notices.length)
    return runNoticeInWords(told, t);
  if (!earlier.run.meanwhile && turn.run.meanwhile && turn.run.draft === '') return t('Quotes for now');
  if (earlier.run.status === turn.run.status) return undefined;
  return endText(turn.run);
}

function endText(run: RunView): string | undefined {
  switch (run.status) {
    case 'running':
      return undefined;
    case 'done':
      return run.answer?.abstained ? refusalLabel(run.answer, t) : readyText(trailOf(run).length);
    case 'stopped':
      return stoppedLabel(run);
    case 'failed':
      return run.error ? errorInOneText(run.error, t) : '';
    case 'cut-off':
      return undefined;
  }
}

function readyText(sources: number): string {
  if (sources === 0) return t('Answer ready');
  return sources === 1 ? t('Answer ready, 1 source') : t('Answer ready, {0} sources', sources);
}
