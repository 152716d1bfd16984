import * as vscode from 'vscode';
import { defaultResearchOptions } from '../../reasoning/default-options.ts';
import { activeGlobs } from './exclude-globs.ts';
import { readSettings, type Settings } from './settings.ts';

export function currentSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration('hoptrail');
  return readSettings((key) => configuration.get(key), defaultResearchOptions);
}

/** Patterns that keep files out of the index: the editor's own and ours. */
export function excludeGlobs(settings: Settings): string[] {
  const files = vscode.workspace.getConfiguration('files').get('exclude');
  const search = vscode.workspace.getConfiguration('search').get('exclude');
  return [...activeGlobs(files, search), ...settings.index.exclude];
}

/** Settings that change what the index holds or where it lies. */
const INDEX_KEYS = ['hoptrail.index', 'hoptrail.embedder', 'files.exclude', 'search.exclude'];

export function affectsIndex(event: vscode.ConfigurationChangeEvent): boolean {
  return INDEX_KEYS.some((key) => event.affectsConfiguration(key));
}
