import { fileURLToPath, pathToFileURL } from 'node:url';
import { HoptrailError, withoutTrailingSlashes } from '#base';
import type { SkippedFile, SourceFile, WorkspaceRoot } from '../domain/source-file.ts';
import type { WalkEvent } from '../reading/crawl/crawler.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import type { FileRecord } from '../store/file-table.ts';
import type { UpdateOptions } from './index-service.ts';

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
interface WalkedFiles {
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

/** A file changed within this time is worked on now. */
const RECENT_MS = 14 * 24 * 3600 * 1000;

/**
 * Most useful first: open in an editor, changed of late (latest first), then near the top of the tree and short of
 * name.
 */
export function mostUsefulFirst(
  files: readonly SourceFile[],
  openUris: ReadonlySet<string>,
  now: number,
): SourceFile[] {
  const ranked = files.map((file) => ({
    file,
    open: openUris.has(file.uri),
    recent: now - file.mtimeMs < RECENT_MS,
    minute: Math.floor(file.mtimeMs / 60_000),
    depth: file.path.split('/').length,
  }));
  // A fresh clone or branch switch makes everything recent; then recency tells nothing and only the order of time
  // remains.
  ranked.sort(
    (a, b) =>
      Number(b.open) - Number(a.open) ||
      Number(b.recent) - Number(a.recent) ||
      (a.recent ? b.minute - a.minute : 0) ||
      a.depth - b.depth ||
      a.file.path.length - b.file.path.length ||
      (a.file.path < b.file.path ? -1 : 1),
  );
  return ranked.map(({ file }) => file);
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

/** Fewer files than this may go at once without a question. */
const FEWEST = 3;

/**
 * All files of a workspace folder are gone at once: its drive may not be mounted, and its mount point stayed as an
 * empty folder.
 */
class EmptiedRootError extends HoptrailError {
  readonly code = 'root-emptied';
  /** @param folder Its path. @param files How many files of it the index knows. */
  constructor(folder: string, files: number) {
    super(
      `The folder ${folder} holds nothing any more, and the index knows ${files} files of it: they were kept, ` +
        `as its drive may not be mounted.`,
      {
        advice:
          'Make the folder available again and update the index. If it is meant to be empty, say so: Remove ' +
          'from Index, or hoptrail index DIR --emptied.',
        action: 'remove-emptied',
      },
    );
  }
}

/** How many files an index holds of each root, by the root's address. */
export function filesPerRoot(records: Iterable<FileRecord>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rootUri, skip } of records) if (!skip) counts.set(rootUri, (counts.get(rootUri) ?? 0) + 1);
  return counts;
}

/** How folders are to be read. */
export interface ReadFoldersOptions extends Pick<UpdateOptions, 'hints' | 'emptied'> {
  /** How many files an earlier build that is to be replaced holds of each root. */
  before?: ReadonlyMap<string, number>;
}

interface EmptiedRootsOptions {
  roots: readonly WorkspaceRoot[];
  /** What the index knows. */
  records: Iterable<FileRecord>;
  /** How many files an earlier build that is to be replaced holds of each root. */
  before?: ReadonlyMap<string, number>;
  /**
   * Asked of a root in which the walk came upon no file: true when there is none. A walk of everything need not ask.
   */
  isEmpty?(rootUri: string): Promise<boolean>;
}

/**
 * Notes in what was walked that nobody knows what has become of the files of such roots, so that they are kept, and
 * why.
 */
export async function keepEmptiedRoots(
  walked: WalkedFiles,
  { roots, records, before, isEmpty = () => Promise.resolve(true) }: EmptiedRootsOptions,
): Promise<void> {
  const holding = new Set([...walked.files.values()].map((file) => file.rootUri));
  const known = new Map<string, FileRecord[]>(roots.filter(({ uri }) => !holding.has(uri)).map(({ uri }) => [uri, []]));
  for (const record of records) known.get(record.rootUri)?.push(record);
  for (const [rootUri, all] of known) {
    const going = all.filter((record) => !walked.unseen.has(record.uri));
    const count = Math.max(all.filter((record) => !record.skip).length, before?.get(rootUri) ?? 0);
    if (count < FEWEST || isUnseen(rootUri, going, walked) || isLeftOut(all, walked) || !(await isEmpty(rootUri)))
      continue;
    for (const { uri } of all) walked.unseen.add(uri);
    walked.unreadRoots.push(new EmptiedRootError(fileURLToPath(rootUri), count));
  }
}

/** True when it is told already that nothing could be seen there. */
function isUnseen(rootUri: string, records: readonly FileRecord[], { unseen, unreadRoots }: WalkedFiles): boolean {
  if (unseen.has(sameUri(rootUri))) return true;
  return unreadRoots.length > 0 && records.some(({ uri }) => [...lyingAtOrBelow(new Set([uri]), unseen)].length > 0);
}

/** True when settings or ignore files leave out what the index knows: then the files are there, and not wanted. */
function isLeftOut(records: readonly FileRecord[], { leftOut }: WalkedFiles): boolean {
  return !lyingAtOrBelow(new Set(records.map(({ path }) => path)), new Set(leftOut.keys())).next().done;
}

/** True when a root holds no file that is read. It ends at the first one. */
export async function holdsNoFile(source: FolderPassageSource, rootUri: string): Promise<boolean> {
  for await (const event of source.crawl(undefined, rootUri)) if (event.type === 'file') return false;
  return true;
}

/**
 * A person says that roots in which nothing could be seen are meant to be empty. Folders within a root that could not
 * be read stay unknown.
 */
export function forgetUnread(walked: WalkedFiles, roots: readonly WorkspaceRoot[]): void {
  for (const { uri } of roots) walked.unseen.delete(sameUri(uri));
  walked.unreadRoots = [];
}
