import type { ErrorReport } from '#base';
import type { Answer } from '#research';
import type { IndexState, QuestionType, Translate } from '#search';
import type { ReferenceSource } from './references/language-servers.ts';

/*
 * Codes in the language of `t`, for the panel and for the editor's own lists and messages. Codes that another version
 * wrote have no words.
 */

/** The button that helps with an error. */
export const actionLabel = (action: NonNullable<ErrorReport['action']>, t: Translate): string =>
  ({
    'choose-model': t('Choose Model'),
    'set-key': t('Set API Key'),
    'rebuild-index': t('Rebuild Index'),
    'remove-emptied': t('Remove from Index'),
    'open-settings': t('Open Settings'),
    'show-log': t('Show Log'),
    retry: t('Try Again'),
    'open-folder': t('Open Folder'),
    'manage-trust': t('Manage Trust'),
  })[action];

/** A question's type in plain words. */
export const typeLabel = (type: QuestionType, t: Translate): string =>
  ({
    inference: t('needs an intermediate step'),
    comparison: t('comparison'),
    temporal: t('about time'),
    lookup: t('single fact'),
    overview: t('overview'),
    null: t('no answer found'),
  })[type];

/** Why there is no answer, in one sentence, with the names that no file mentions. */
export function refusalLabel({ refusal, absent = [] }: Pick<Answer, 'refusal' | 'absent'>, t: Translate): string {
  const names = absent.map((name) => `“${name}”`).join(', ');
  if (absent.length === 1) return t('{0} isn’t mentioned in any file.', names);
  if (absent.length > 1) return t('{0} aren’t mentioned in any file.', names);
  return refusal === 'part-looked-at'
    ? t('I couldn’t find an answer in the part that was searched.')
    : t('I couldn’t find an answer.');
}

/** Who made a list of references. */
export const sourceLabel = (source: ReferenceSource, t: Translate): string =>
  source === 'language-server' ? t('Found by the language server.') : t('Found by name in the index.');

/** How far the index is, 0..1; undefined when that is not known. */
export function indexProgress(state: IndexState): number | undefined {
  if (state.phase === 'reading') return state.filesTotal > 0 ? state.filesDone / state.filesTotal : undefined;
  const { passages, embedded } = state.coverage;
  return passages > 0 ? embedded / passages : undefined;
}
