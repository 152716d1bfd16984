import { documentTitle, type IndexService, type Passage } from '#search';

/** What files call themselves, by path. A file without a title, or one that cannot be looked up, is left out. */
export async function fileTitles(
  paths: Iterable<string>,
  index: Pick<IndexService, 'passagesOf'>,
): Promise<Record<string, string>> {
  const found = await Promise.all(
    [...new Set(paths)].map(async (path) => [path, titleOf(await index.passagesOf(path))] as const),
  );
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A document's title stands above every passage of it; the heading of a part above some. */
function titleOf(passages: readonly Passage[]): string | undefined {
  const tops = new Set(passages.map((passage) => documentTitle(passage.title)));
  const [top] = tops;
  return tops.size === 1 && top !== '' ? top : undefined;
}
