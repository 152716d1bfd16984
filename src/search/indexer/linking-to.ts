import { nameKeys, pathKey } from '../domain/link-keys.ts';
import type { IndexedPassage, PassageIndex } from '../store/passage-index.ts';

/** Passages that are read at most: a file to which more lead is found by its links from everywhere. */
const MOST = 200;
const PATH_KEY = 'path:';

/**
 * Passages of other files with a link that resolves to this file, to a heading of it or to a symbol that it defines.
 * Links by a name that several files bear count for none of them.
 */
export async function passagesLinkingTo(
  index: Pick<PassageIndex, 'passagesOf' | 'findLinkingTo'>,
  path: string,
): Promise<IndexedPassage[]> {
  const own = await index.passagesOf(path);
  const keys = new Set([pathKey(path), ...own.flatMap(nameKeys).filter((key) => key.startsWith(PATH_KEY))]);
  const found = await index.findLinkingTo([...keys], { limit: MOST });
  return found.map(({ passage }) => passage).filter((passage) => passage.path !== path);
}
