import * as vscode from 'vscode';
import type { Answer } from '#research';

/** Why there is no answer, in one sentence of the editor's language; runs of earlier versions do not say. */
export function refusalText({ refusal, absent = [] }: Answer): string {
  const { l10n } = vscode;
  switch (refusal) {
    case 'nothing-speaks':
      return absent.length > 0
        ? l10n.t('No file speaks of {0}.', absent.join(', '))
        : l10n.t('No file speaks of this.');
    case 'no-line-answers':
      return l10n.t('These files speak of it; no line was found that answers.');
    case 'part-looked-at':
      return l10n.t('Only part was looked at, and no answer was found there.');
    case undefined:
      return l10n.t('No answer was found.');
  }
}
