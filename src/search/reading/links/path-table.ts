import { addTo, baseName, folderOf, stemOf } from '#base';

/** How names are compared: macOS and its archives write `é` as two characters, people as one. */
const lower = (value: string): string => value.normalize('NFC').toLowerCase();

/** Joins a relative path to a folder; undefined when it leaves the workspace. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** Folders above a file, innermost first. */
export function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) found.push(folder);
  return found;
}

/** A target up to its `?` or `#`. */
export function withoutQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

/** A target without its percent signs, as it is meant; as written where one is stray. */
export function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** All indexed paths, found by name in constant time. Case decides only where two paths differ in nothing else. */
export class PathTable {
  readonly #exact = new Set<string>();
  readonly #byLower = new Map<string, string[]>();
  readonly #byBase = new Map<string, string[]>();
  readonly #byStem = new Map<string, string[]>();
  /** Files right inside each folder, by the folder's path and by its name. */
  readonly #inFolder = new Map<string, string[]>();
  readonly #foldersByName = new Map<string, string[]>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    if (this.#exact.has(path)) return;
    this.#exact.add(path);
    const base = lower(baseName(path));
    const folder = folderOf(path);
    addTo(this.#byLower, lower(path), path);
    addTo(this.#byBase, base, path);
    addTo(this.#byStem, stemOf(base), path);
    if (!this.#inFolder.has(folder)) addTo(this.#foldersByName, lower(baseName(folder)), folder);
    addTo(this.#inFolder, folder, path);
  }

  /** The path as it is written on the disk; undefined when there is no such file. */
  find(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    return this.#exact.has(path) ? path : this.#byLower.get(lower(path))?.[0];
  }

  findFirst(candidates: Iterable<string | undefined>): string | undefined {
    for (const candidate of candidates) {
      const found = this.find(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Files whose path ends with the given one, whole folders compared. */
  endingWith(suffix: string): string[] {
    return ending(this.#byBase, suffix, (path) => path);
  }

  /** Files whose path without extension ends with the given one. */
  endingWithStem(suffix: string): string[] {
    return ending(this.#byStem, suffix, (path) => path.slice(0, path.length - baseName(path).length) + stemOf(path));
  }

  /** Folders whose path ends with the given one. */
  foldersEndingWith(suffix: string): string[] {
    return ending(this.#foldersByName, suffix, (folder) => folder);
  }

  /** Files right inside a folder, in order. */
  filesIn(folder: string): string[] {
    return [...(this.#inFolder.get(folder) ?? [])].sort();
  }
}

/** Of the paths with the last name of a suffix, those that end with it. */
function ending(byName: ReadonlyMap<string, string[]>, suffix: string, form: (path: string) => string): string[] {
  const wanted = lower(suffix);
  return (byName.get(baseName(wanted)) ?? []).filter((path) => `/${lower(form(path))}`.endsWith(`/${wanted}`));
}

/** The candidate that shares most folders with `from`; undefined when several are equally near. */
export function nearest(candidates: readonly string[], from: string): string | undefined {
  if (candidates.length <= 1) return candidates[0];
  const here = folderOf(from).split('/');
  const ranked = candidates
    .filter((candidate) => candidate !== from)
    .map((path) => ({ path, distance: distanceBetween(here, folderOf(path).split('/')) }))
    .sort((a, b) => a.distance - b.distance || a.path.localeCompare(b.path));
  const [first, second] = ranked;
  return first && first.distance !== second?.distance ? first.path : undefined;
}

/** Steps up and down between two folders. */
function distanceBetween(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common += 1;
  return a.length + b.length - 2 * common;
}
