import * as vscode from 'vscode';
import type { IndexState } from '#search';
import { describeNotices } from '#search/notices';

/** Whole percent of the index that is done; undefined when that is not known. */
export function indexPercent(state: IndexState): number | undefined {
  if (state.phase === 'reading')
    return state.filesTotal > 0 ? Math.floor((state.filesDone / state.filesTotal) * 100) : undefined;
  const { passages, embedded } = state.coverage;
  return passages > 0 ? Math.floor((embedded / passages) * 100) : undefined;
}

/** One sentence on what the index is doing. */
export function describeIndex(state: IndexState | undefined): string {
  const { l10n } = vscode;
  if (!state) return l10n.t('The index is not open.');
  switch (state.phase) {
    case 'starting':
      return l10n.t('The index is being opened.');
    case 'reading':
      return l10n.t('Reading files: {0} of {1}.', state.filesDone, state.filesTotal);
    case 'embedding':
      return l10n.t(
        'All text can be searched by words; {0} of {1} passages also by meaning.',
        state.coverage.embedded,
        state.coverage.passages,
      );
    case 'ready':
      return describeNotices(state.notices, l10n.t) ?? l10n.t('The index is up to date.');
    case 'paused':
      return l10n.t('Indexing is paused.');
    case 'read-only':
      return l10n.t('Another window keeps this index up to date.');
    case 'failed':
      return state.error?.message ?? l10n.t('The index cannot be used.');
  }
}
