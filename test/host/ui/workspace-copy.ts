import { cpSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

/** Copies an example, such as `notes`, for tests that edit it. */
export function copyExample(name: string): string {
  const folder = path.join(temporaryFolder(), name);
  cpSync(path.join(repositoryRoot, 'examples', name), folder, { recursive: true });
  return folder;
}
