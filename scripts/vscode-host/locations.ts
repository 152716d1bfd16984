import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Downloads and build products of the test hosts; ignored by git, safe to delete. */
export const cacheDirectory = path.join(repositoryRoot, '.vscode-test');

/** Where suites leave screenshots and logs of what went wrong. */
export const artifactsDirectory = path.join(cacheDirectory, 'artifacts');
