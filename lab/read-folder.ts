import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CodeParser, createPassageSource, type Passage } from '#search/lab';
import { root } from './places.ts';

/** How a folder is read for an experiment. */
interface FolderReading {
  useGitignore: boolean;
  /** Left out: about as many as of a model. */
  countTokens?: (text: string) => number;
  code?: CodeParser;
}

/** The passages of a folder, as the product reads it; their links are as they are written. */
export async function readFolder(
  folder: string,
  { useGitignore, countTokens = (text) => Math.ceil(text.length / 3), code }: FolderReading,
): Promise<Passage[]> {
  const source = createPassageSource(
    {
      roots: [{ uri: pathToFileURL(folder).href, name: path.basename(folder) }],
      excludeGlobs: [],
      useGitignore,
      maxFileBytes: 5 * 2 ** 20,
    },
    { countTokens, wasmDir: root, ...(code && { code }) },
  );
  const passages: Passage[] = [];
  for await (const event of source.crawl()) {
    const file = event.type === 'file' ? await source.read(event.file) : undefined;
    if (file && 'passages' in file) passages.push(...file.passages);
  }
  source.close();
  return passages;
}
