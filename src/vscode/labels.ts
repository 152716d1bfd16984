import type { ErrorReport } from '#base';
import type { Answer } from '#research';
import type { IndexState, QuestionType, Translate } from '#search';
import type { Saying } from './sayings.ts';

/*
 * What codes are called in the language of `t`, in the panel and in the editor's own lists and messages alike. Of a
 * code that another version has written, nothing is said.
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

/** A question's type, by its name. */
export const questionTypes: Record<QuestionType, Saying> = {
  inference: (t) => t('Inference'),
  comparison: (t) => t('Comparison'),
  temporal: (t) => t('Temporal'),
  lookup: (t) => t('Lookup'),
  overview: (t) => t('Overview'),
  null: (t) => t('Without an answer'),
};

/** Why there is no answer, in one sentence, with the names that no file has; runs of earlier versions do not say. */
export function refusalLabel({ refusal, absent = [] }: Pick<Answer, 'refusal' | 'absent'>, t: Translate): string {
  switch (refusal) {
    case 'nothing-speaks':
      return absent.length > 0 ? t('No file speaks of {0}.', absent.join(', ')) : t('No file speaks of this.');
    case 'no-line-answers':
      return t('These files speak of it; no line was found that answers.');
    case 'part-looked-at':
      return t('Only part was looked at, and no answer was found there.');
    case undefined:
      return t('No answer was found.');
  }
}

/** What a round of learning trains, by the name of its trainer. */
export function trainerLabel(trainer: string, t: Translate): string {
  switch (trainer) {
    case 'chain-scorer':
      return t('Choice of passage chains');
    case 'question-classifier':
      return t('Types of questions');
    case 'strategy-prior':
      return t('Expectations of strategies');
    case 'example-pool':
      return t('Examples of sub-questions');
    default:
      return trainer;
  }
}

/** How far the index is, 0..1; undefined when that is not known. */
export function indexProgress(state: IndexState): number | undefined {
  if (state.phase === 'reading') return state.filesTotal > 0 ? state.filesDone / state.filesTotal : undefined;
  const { passages, embedded } = state.coverage;
  return passages > 0 ? embedded / passages : undefined;
}
