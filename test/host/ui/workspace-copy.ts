import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

/** A folder of the repository, copied for tests that edit it. */
export interface WorkspaceCopy {
  folder: string;
  remove(): void;
}

/** Copies an example, such as `notes`. */
export function copyExample(name: string): WorkspaceCopy {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-ui-'));
  const folder = path.join(scratch, name);
  cpSync(path.join(repositoryRoot, 'examples', name), folder, { recursive: true });
  return { folder, remove: () => rmSync(scratch, { recursive: true, force: true }) };
}
