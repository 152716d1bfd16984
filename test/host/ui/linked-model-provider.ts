import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';

/**
 * An extension that offers scripted models to the editor, as Copilot offers its own: vendor `notes`, ids `assistant`,
 * `spent`, `strict`.
 */
export interface LinkedModelProvider {
  /** For `linked` of VscodeHost.open. */
  folder: string;
  remove(): void;
}

/** Puts the fixture together with its script in a folder of its own. */
export async function linkedModelProvider(): Promise<LinkedModelProvider> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-provider-'));
  const folder = path.join(scratch, 'fake-model-provider');
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
  return { folder, remove: () => rmSync(scratch, { recursive: true, force: true }) };
}
