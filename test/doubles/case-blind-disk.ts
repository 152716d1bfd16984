import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type FileSystem, nodeFileSystem } from '../../src/search/reading/file-system.ts';

/** The real disk, where capitals and small letters make no difference in paths, as on Windows and macOS. */
export const caseBlindDisk: FileSystem = {
  list: async (folder) => nodeFileSystem.list(await spelt(folder)),
  stat: async (file) => nodeFileSystem.stat(await spelt(file)),
  realPath: async (file) => nodeFileSystem.realPath(await spelt(file)),
  read: async (file, options) => nodeFileSystem.read(await spelt(file), options),
};

async function spelt(asked: string): Promise<string> {
  let at = path.parse(asked).root;
  for (const part of path.relative(at, asked).split(path.sep).filter(Boolean)) {
    const names = await readdir(at).catch(() => []);
    at = path.join(at, names.find((name) => name.toLowerCase() === part.toLowerCase()) ?? part);
  }
  return at;
}
