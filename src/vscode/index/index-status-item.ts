import * as vscode from 'vscode';
import type { IndexState } from '#search';
import { indexProgress } from '../labels.ts';
import { errorInOneText } from '../error-words.ts';
import { megabytes } from './index-report.ts';
import { describeNotices } from '#search/notices';

/**
 * The item in the status bar: how far the index is, with all there is to know in its tooltip. Clicking opens the menu.
 */
export class IndexStatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('hoptrail.index', vscode.StatusBarAlignment.Right, 90);
  #model: string | null = null;
  #state: IndexState | undefined;

  constructor() {
    this.#item.name = vscode.l10n.t('Hoptrail Index');
    this.#item.command = 'hoptrail.showMenu';
    this.update(undefined);
    this.#item.show();
  }

  update(state: IndexState | undefined, model: string | null = this.#model): void {
    this.#state = state;
    this.#model = model;
    this.#item.text = `${ICONS[state?.phase ?? 'ready']} Hoptrail${progress(state)}`;
    this.#item.tooltip = tooltip(state, model);
    this.#item.backgroundColor =
      state?.phase === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.accessibilityInformation = { label: `Hoptrail. ${describeIndex(state)}` };
  }

  setModel(model: string | null): void {
    this.update(this.#state, model);
  }

  dispose(): void {
    this.#item.dispose();
  }
}

const ICONS: Record<IndexState['phase'], string> = {
  starting: '$(sync~spin)',
  reading: '$(sync~spin)',
  embedding: '$(sync~spin)',
  paused: '$(debug-pause)',
  failed: '$(error)',
  'read-only': '$(lock)',
  ready: '$(git-commit)',
};

function progress(state: IndexState | undefined): string {
  if (state?.phase !== 'reading' && state?.phase !== 'embedding' && state?.phase !== 'paused') return '';
  const done = indexProgress(state);
  return done === undefined ? '' : ` ${Math.floor(done * 100)} %`;
}

function tooltip(state: IndexState | undefined, model: string | null): vscode.MarkdownString {
  const { l10n } = vscode;
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = {
    enabledCommands: ['hoptrail.ask', 'hoptrail.showIndexReport', 'hoptrail.chooseModel', 'hoptrail.toggleIndexing'],
  };
  text.appendMarkdown(`**Hoptrail**\n\n`);
  text.appendText(`${describeIndex(state)}\n`);
  const rows: [string, string][] = [];
  if (state && state.coverage.passages > 0) {
    rows.push([l10n.t('Files'), String(state.coverage.files)], [l10n.t('Passages'), String(state.coverage.passages)]);
    rows.push([
      l10n.t('Found by meaning'),
      `${Math.floor((state.coverage.embedded / state.coverage.passages) * 100)} %`,
    ]);
  }
  if (state?.bytes !== undefined) rows.push([l10n.t('Size on disk'), megabytes(state.bytes)]);
  rows.push([l10n.t('Language model'), model ?? l10n.t('none, answers are quotes')]);
  text.appendMarkdown('\n\n| | |\n|---|---|\n');
  for (const [name, value] of rows) text.appendMarkdown(`| ${name} | ${value.replace(/[|\\`*_[\]<>]/g, '\\$&')} |\n`);
  const toggle =
    state?.phase === 'paused'
      ? `[${l10n.t('Resume')}](command:hoptrail.toggleIndexing)`
      : state?.phase === 'embedding' || state?.phase === 'reading'
        ? `[${l10n.t('Pause')}](command:hoptrail.toggleIndexing)`
        : undefined;
  const links = [
    `[${l10n.t('Ask')}](command:hoptrail.ask)`,
    `[${l10n.t('Report')}](command:hoptrail.showIndexReport)`,
    `[${l10n.t('Choose Model')}](command:hoptrail.chooseModel)`,
    toggle,
  ];
  text.appendMarkdown(`\n\n${links.filter((link) => link !== undefined).join(' · ')}`);
  return text;
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
        'Search by words is ready; search by meaning: {0} of {1} passages.',
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
      return state.error ? errorInOneText(state.error, l10n.t) : l10n.t('The index cannot be used.');
  }
}
