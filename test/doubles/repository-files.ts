import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../scripts/vscode-host/locations.ts';

/** What a file of the repository says. */
export const readRepository = (file: string): string => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** The files below these folders but fixtures, by their paths from the top with `/`. */
export function filesBelow(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.relative(repositoryRoot, path.join(parentPath, name)).replaceAll('\\', '/'))
      .filter((file) => !file.startsWith('test/fixtures/')),
  );
}
