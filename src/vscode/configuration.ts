import * as vscode from 'vscode';
import { hashOf } from '#base';
import type { WorkspaceRoot } from '#search';
import { defaultResearchOptions } from '#research';
import { editorGlobs, readSettings, type Settings, workspaceIndexUri } from './settings.ts';

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

/** The encoding that a person set for files; undefined for the default, UTF-8. */
export function encodingSetting(): string | undefined {
  const encoding = vscode.workspace.getConfiguration('files').get<string>('encoding');
  return encoding === undefined || /^utf-?8/i.test(encoding) ? undefined : encoding;
}

/** Settings that change what the index holds or where it lies. */
const INDEX_KEYS = ['hoptrail.index', 'hoptrail.embedder', 'files.exclude', 'files.encoding', 'search.exclude'];

export function affectsIndex(event: vscode.ConfigurationChangeEvent): boolean {
  return INDEX_KEYS.some((key) => event.affectsConfiguration(key));
}

/**
 * Where the index and the threads of this workspace lie: the editor's storage, never the workspace. In the global part
 * of it, by the workspace's address: `storageUri` is locked by the window that came first, and a second window on the
 * same workspace, or a reloaded one whose predecessor is still ending, would be given another one, without index and
 * threads. Our files are made to be shared.
 */
export function storageFolder(context: Pick<vscode.ExtensionContext, 'globalStorageUri'>): vscode.Uri {
  return vscode.Uri.joinPath(context.globalStorageUri, 'workspaces', workspaceName());
}

/**
 * What tells this workspace apart from the others of this user: 16 hexadecimal digits of the hash of its address, or
 * `none`.
 */
function workspaceName(): string {
  const address = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  return address === undefined ? 'none' : hashOf(address.toString(), 16);
}

/**
 * Where this workspace's index lies: in its storage, or apart from the others in the place that the settings name
 * (`shared`; '': none).
 */
export function indexUriIn(storage: vscode.Uri, shared: string): string {
  return shared === '' ? vscode.Uri.joinPath(storage, 'index').fsPath : workspaceIndexUri(shared, workspaceName());
}

/** Where it lies what runs have taught: for all workspaces of this user. */
export const learningFolder = (context: Pick<vscode.ExtensionContext, 'globalStorageUri'>): vscode.Uri =>
  vscode.Uri.joinPath(context.globalStorageUri, 'learning');
