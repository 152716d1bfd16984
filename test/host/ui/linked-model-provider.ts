import { cpSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

/**
 * An extension that offers scripted models to the editor, as Copilot offers its own: vendor `notes`, ids `assistant`,
 * `spent`, `strict`. @returns Its folder, for `linked` of VscodeHost.open: the fixture together with its script.
 */
export async function linkedModelProvider(): Promise<string> {
  const folder = path.join(temporaryFolder(), 'fake-model-provider');
  cpSync(path.join(repositoryRoot, 'test', 'fixtures', 'fake-model-provider'), folder, { recursive: true });
  await build({
    entryPoints: [path.join(repositoryRoot, 'test', 'doubles', 'model-scripts', 'notes-assistant.ts')],
    outfile: path.join(folder, 'notes-assistant.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  });
  return folder;
}
