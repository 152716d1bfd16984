import path from 'node:path';
import * as vscode from 'vscode';
import type { PassageLink } from '#search';

/** Signs that a glob pattern reads as something else than themselves. */
const GLOB_SIGNS = /[*?{}[\]]/g;

/** Whether a link of a document, which leads to no file of the index, leads to one on disk. */
export async function linkExists(link: PassageLink, document: vscode.Uri): Promise<boolean> {
  const target = withoutPlace(link.target);
  if (target === '') return true; // a place in the document itself
  if (link.kind === 'wikilink') return namedFileExists(target);
  const folder = vscode.workspace.getWorkspaceFolder(document)?.uri;
  const beside = vscode.Uri.joinPath(document, '..', target);
  const fromRoot = folder && vscode.Uri.joinPath(folder, target);
  for (const candidate of target.startsWith('/') ? [fromRoot] : [beside, fromRoot])
    if (candidate && (await isThere(candidate))) return true;
  return false;
}

/** The target without what names a place in it, and without its percent signs. */
function withoutPlace(target: string): string {
  const file = target.split(/[#?|]/)[0] ?? '';
  try {
    return decodeURIComponent(file).trim();
  } catch {
    return file.trim(); // a percent sign that means itself
  }
}

const isThere = (uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );

/** A wikilink names a file wherever it lies, with its ending or without. */
async function namedFileExists(name: string): Promise<boolean> {
  const pattern = path.posix.normalize(name).replace(/^\/+/, '').replace(GLOB_SIGNS, '?');
  const found = await vscode.workspace.findFiles(
    `**/{${pattern.replaceAll(',', '?')},${pattern.replaceAll(',', '?')}.*}`,
    undefined,
    1,
  );
  return found.length > 0;
}
