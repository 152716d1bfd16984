import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { cacheFolder, hashOf, isRemote, localPath, makeFolder, replaceFile } from '#base';
import { rootFolders } from '../reading/crawl/root-paths.ts';
import { type EmbedderChoice, type IndexConfig, indexConfig } from './index-service.ts';

/** How an editor's window has opened the index of its folders, as it is written for the command line; without a key. */
const knownIndex = indexConfig
  .pick({ roots: true, indexUri: true, embedder: true, excludeGlobs: true, useGitignore: true, maxFileBytes: true })
  .extend({ version: z.string(), keyed: z.boolean() });

/** Folders that are searched together, in whichever order and however often they are named. */
export function nameOfFolders(folders: readonly string[]): string {
  const sorted = [...new Set(folders.map((path) => resolve(path)))].sort();
  return hashOf(sorted.join('\0'), 16);
}

/** Windows writes the letter of a drive now large, now small. */
const sameName = (path: string): string => (sep === '\\' ? path.toLowerCase() : path);

const fileOf = (folders: readonly string[], cache: string): string =>
  join(cache, `${nameOfFolders(folders.map(sameName))}.json`);

function withoutKey(choice: EmbedderChoice): EmbedderChoice {
  if (choice.kind !== 'endpoint') return choice;
  const { kind, baseUrl, model } = choice;
  return { kind, baseUrl, model };
}

/**
 * Makes known where the index of these folders lies and how it is read, so that the command line uses the same. Of
 * several windows the last one counts. An index that does not lie on this machine is not: nobody could see whether it
 * is still there.
 *
 * @param version Of the program: another one may write the index otherwise.
 */
export async function makeIndexKnown(config: IndexConfig, version: string, cache = cacheFolder()): Promise<void> {
  const { embedder } = config;
  const file = fileOf(
    rootFolders(config.roots).map(({ folder }) => realpathSync(folder)),
    cache,
  );
  if (isRemote(config.indexUri)) return rm(file, { force: true });
  const keyed = embedder.kind === 'endpoint' && embedder.apiKey !== undefined;
  await makeFolder(cache);
  const known = knownIndex.parse({ ...config, version, embedder: withoutKey(embedder), keyed });
  await replaceFile(file, JSON.stringify(known), 0o600);
}

/** Of which program the index has to be, and how it has to be embedded. */
interface Wanted {
  version: string;
  embedder: EmbedderChoice;
}

/**
 * How an editor's window has opened the index of exactly these folders. Undefined where none has, where that index is
 * gone, or where it was made by another version or is not embedded as wanted: a key is not written down, so that an
 * endpoint with one has to be named.
 */
export function knownIndexOf(
  folders: readonly string[],
  wanted: Wanted,
  cache = cacheFolder(),
): IndexConfig | undefined {
  return readKnown(fileOf(folders, cache), wanted);
}

/**
 * The same of a window that has this folder open together with others, and the address that it has there. Of several
 * windows the last one counts. Undefined, too, where another of its folders is gone: it could not be brought up to
 * date.
 */
export function knownIndexAround(
  folder: string,
  wanted: Wanted,
  cache = cacheFolder(),
): { config: IndexConfig; uri: string } | undefined {
  const newestFirst = knownFiles(cache)
    .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time);
  for (const { file } of newestFirst) {
    const config = readKnown(file, wanted);
    if (!config || config.roots.length < 2) continue;
    const roots = rootFolders(config.roots).map((root) => ({ ...root, place: realPlace(root.folder) }));
    const own = roots.find(({ place }) => place !== undefined && sameName(place) === sameName(folder));
    if (own && roots.every(({ place }) => place !== undefined)) return { config, uri: own.uri };
  }
  return undefined;
}

const knownFiles = (cache: string): string[] =>
  existsSync(cache)
    ? readdirSync(cache)
        .filter((name) => /^[0-9a-f]{16}\.json$/.test(name))
        .map((name) => join(cache, name))
    : [];

/** Undefined where nothing is any more. */
const realPlace = (folder: string): string | undefined => (existsSync(folder) ? realpathSync(folder) : undefined);

function readKnown(file: string, wanted: Wanted): IndexConfig | undefined {
  try {
    const { version, keyed, ...known } = knownIndex.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (version !== wanted.version || !existsSync(localPath(known.indexUri))) return undefined;
    if (isDeepStrictEqual(withoutKey(wanted.embedder), known.embedder)) return { ...known, embedder: wanted.embedder };
    return wanted.embedder.kind === 'bundled' && !keyed ? known : undefined;
  } catch {
    return undefined; // nothing is known, or no longer in words that this version understands
  }
}
