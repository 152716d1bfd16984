import { fileURLToPath, pathToFileURL } from 'node:url';
import { withoutTrailingSlashes } from '#base';
import type { WorkspaceRoot } from '../domain/source-file.ts';
import type { PassageIndex } from './passage-index.ts';
import type { IndexStore } from './index-store.ts';
import { IndexDamagedError, OtherRootsError } from './storage-errors.ts';

/**
 * Why this index is not one for these folders: it holds passages, and was made for folders of which none is among them.
 * A workspace to which folders were added, or from which some were taken, is the same one; so are folders in another
 * order.
 */
export async function rootsConflict(
  store: IndexStore,
  roots: readonly WorkspaceRoot[],
): Promise<OtherRootsError | undefined> {
  const madeFor = await storedRoots(store);
  const wanted = rootUris(roots);
  if (!madeFor || madeFor.some((uri) => wanted.includes(uri)) || madeFor.length + wanted.length === 0) return undefined;
  return (await store.passages.count()) > 0 ? new OtherRootsError(madeFor.map(shown), wanted.map(shown)) : undefined;
}

/** Notes for which folders this index is. */
export async function noteRoots(store: IndexStore, roots: readonly WorkspaceRoot[]): Promise<void> {
  const value = JSON.stringify(rootUris(roots));
  if ((await store.meta.get('roots')) !== value) await store.meta.set('roots', value);
}

/** Undefined where nothing was noted yet. */
async function storedRoots(store: IndexStore): Promise<string[] | undefined> {
  const value = await store.meta.get('roots');
  if (value === undefined) return undefined;
  try {
    return (JSON.parse(value) as unknown[]).map(String);
  } catch (error) {
    throw new IndexDamagedError('its list of folders cannot be read', error);
  }
}

/** Sorted, and spelt in one way: editors write a drive's colon and letter differently from Node. */
function rootUris(roots: readonly WorkspaceRoot[]): string[] {
  const spelt = (uri: string): string =>
    withoutTrailingSlashes(pathToFileURL(fileURLToPath(uri)).href).replace(/^file:\/\/\/[A-Z]:/, (drive) =>
      drive.toLowerCase(),
    );
  return roots.map((root) => spelt(root.uri)).sort();
}

const shown = (uri: string): string => fileURLToPath(uri === 'file://' ? 'file:///' : uri);

/** An index that rejects every query with this reason. */
export function refusingIndex(reason: Error): PassageIndex {
  const refuse = (): Promise<never> => Promise.reject(reason);
  return {
    textSearch: refuse,
    vectorSearch: refuse,
    findByName: refuse,
    findLinkingTo: refuse,
    rank: refuse,
    read: refuse,
    get: refuse,
    passagesOf: refuse,
    documentFrequencies: refuse,
    coverage: refuse,
    references: refuse,
  };
}
