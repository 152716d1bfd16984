import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Folder in which the command line keeps the index of a workspace: under the user's cache, never in the workspace. */
export function defaultIndexUri(directory: string, environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  const name = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 16);
  return join(cacheFolder(environment, platform), 'hoptrail', name);
}

/** Folder of the index that holds an evaluation set. */
export function evaluationIndexUri(fingerprint: string, environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  return join(cacheFolder(environment, platform), 'hoptrail', `evaluation-${fingerprint}`);
}

/** Folder in which the command line keeps what it learns from its own runs. */
export function learningFolder(environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  return join(cacheFolder(environment, platform), 'hoptrail', 'learning');
}

function cacheFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (environment['XDG_CACHE_HOME']) return environment['XDG_CACHE_HOME'];
  if (platform === 'win32') return environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return join(homedir(), '.cache');
}
