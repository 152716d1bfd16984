import { fileURLToPath, pathToFileURL } from 'node:url';
import { type HoptrailError, withoutTrailingSlashes } from '#base';
import type { SkippedFile, SourceFile } from '../domain/source-file.ts';
import type { WalkEvent } from '../reading/crawl/crawler.ts';

/**
 * Those of the paths (or URIs) that lie below one of the folders, in one pass over the paths: each is asked for the
 * folders above it, which are few, whatever the number of folders looked for. Folders are written without a slash at
 * their end.
 */
export function* lyingBelow(paths: Iterable<string>, folders: ReadonlySet<string>): Generator<string> {
  if (folders.size === 0) return;
  let shortest = Infinity;
  for (const folder of folders) shortest = Math.min(shortest, folder.length);
  for (const path of paths) if (isBelow(path, folders, shortest)) yield path;
}

function isBelow(path: string, folders: ReadonlySet<string>, shortest: number): boolean {
  for (let end = path.lastIndexOf('/'); end >= shortest; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Files that say what is left out of the folder that they lie in. */
const IGNORE_FILE = /\/\.(?:git|hoptrail)ignore$/;

/** What a walk came upon, sorted. */
export interface WalkedFiles {
  files: Map<string, SourceFile>;
  leftOut: Map<string, SkippedFile>;
  /** At and below these nothing could be seen. */
  unseen: Set<string>;
  /** Why nothing is known of whole roots. */
  unreadRoots: HoptrailError[];
}

/** Sorts what a walk comes upon. */
export async function gather(events: AsyncIterable<WalkEvent> | Iterable<WalkEvent>): Promise<WalkedFiles> {
  const walked: WalkedFiles = { files: new Map(), leftOut: new Map(), unseen: new Set(), unreadRoots: [] };
  for await (const event of events) {
    if (event.type === 'file') {
      walked.files.set(event.file.uri, event.file);
      continue;
    }
    walked.leftOut.set(event.skipped.path, event.skipped);
    if (event.unseen) walked.unseen.add(event.unseen.uri);
    if (event.unseen?.error) walked.unreadRoots.push(event.unseen.error);
  }
  return walked;
}

/** Those of the URIs that are one of the folders or lie below one. */
export function* lyingAtOrBelow(uris: ReadonlySet<string>, folders: ReadonlySet<string>): Generator<string> {
  for (const uri of folders) if (uris.has(uri)) yield uri;
  yield* lyingBelow(uris, folders);
}

/** Known files that are not there any more; of those that could not be seen nobody knows. */
export function vanished(
  known: ReadonlySet<string>,
  present: ReadonlyMap<string, SourceFile>,
  unseen: ReadonlySet<string>,
): string[] {
  const unknown = new Set(lyingAtOrBelow(known, unseen));
  return [...known].filter((uri) => !present.has(uri) && !unknown.has(uri));
}

/** The folders in which one of these files says what is left out. */
export function foldersOfIgnoreFiles(uris: readonly string[]): Set<string> {
  return new Set(uris.filter((uri) => IGNORE_FILE.test(uri)).map((uri) => uri.slice(0, uri.lastIndexOf('/'))));
}

/** Those of the folders that lie below no other. */
export function outermost(folders: ReadonlySet<string>): string[] {
  const within = new Set(lyingBelow(folders, folders));
  return [...folders].filter((folder) => !within.has(folder));
}

/**
 * A `file:` URI as the crawler writes it: editors encode some characters differently, and folders may end in a slash.
 */
export function sameUri(uri: string): string {
  return withoutTrailingSlashes(pathToFileURL(fileURLToPath(uri)).href);
}
