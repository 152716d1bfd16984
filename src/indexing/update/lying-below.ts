/**
 * Those of the paths (or URIs) that lie below one of the folders, in one pass over the paths: each is asked for the folders above it, which are few,
 * whatever the number of folders looked for. Folders are written without a slash at their end.
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
