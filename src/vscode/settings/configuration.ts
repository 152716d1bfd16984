import * as vscode from 'vscode';
import type { WorkspaceRoot } from '#search';
import { defaultResearchOptions } from '#research';
import { editorGlobs, readSettings, type Settings } from './settings.ts';

export function currentSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration('hoptrail');
  return readSettings((key) => configuration.get(key), defaultResearchOptions);
}

/** Patterns that keep files out of the index: the editor's own, which each root can set for itself, and ours. */
export function excludeGlobs(settings: Settings, roots: readonly WorkspaceRoot[]): string[] {
  const editors = editorGlobs(roots, (section, root) =>
    vscode.workspace.getConfiguration(section, vscode.Uri.parse(root.uri)).get('exclude'),
  );
  return [...editors, ...settings.index.exclude];
}

/** Settings that change what the index holds or where it lies. */
const INDEX_KEYS = ['hoptrail.index', 'hoptrail.embedder', 'files.exclude', 'search.exclude'];

export function affectsIndex(event: vscode.ConfigurationChangeEvent): boolean {
  return INDEX_KEYS.some((key) => event.affectsConfiguration(key));
}
