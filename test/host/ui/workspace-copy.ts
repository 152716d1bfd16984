import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

/** Copies an example, such as `notes`, for tests that edit it. */
export function copyExample(name: string): string {
  const folder = path.join(temporaryFolder(), name);
  cpSync(path.join(repositoryRoot, 'examples', name), folder, { recursive: true });
  return folder;
}

/** Adds copies of each note that say the same with a number behind each sentence: vectors are kept by their text. */
export function multiplyNotes(folder: string, copies: number): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md')) continue;
    const text = readFileSync(path.join(folder, file), 'utf8');
    for (let copy = 2; copy <= copies; copy++)
      writeFileSync(path.join(folder, file.replace(/\.md$/, `-${copy}.md`)), text.replaceAll('. ', ` (${copy}). `));
  }
}
