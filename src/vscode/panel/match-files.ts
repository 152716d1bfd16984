import { baseName } from '#base';

/**
 * Files that hold the letters of the prefix in order; names before folders, beginnings before middles, short before
 * long.
 */
export function matchFiles(paths: readonly string[], prefix: string, limit: number): string[] {
  const wanted = prefix.toLowerCase();
  const matches = paths.flatMap((path) => {
    const score = scoreOf(path.toLowerCase(), wanted);
    return score === undefined ? [] : [{ path, score }];
  });
  return matches
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || a.path.localeCompare(b.path))
    .slice(0, limit)
    .map(({ path }) => path);
}

/** Larger is better; undefined where it does not match. */
function scoreOf(path: string, wanted: string): number | undefined {
  if (wanted === '') return 0;
  const name = baseName(path);
  if (name.startsWith(wanted)) return 5;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 4;
  if (name.includes(wanted)) return 3;
  if (path.includes(wanted)) return 2;
  return isSubsequence(wanted, name) ? 1 : undefined;
}

function isSubsequence(wanted: string, text: string): boolean {
  let at = 0;
  for (const character of text) if (character === wanted[at]) at++;
  return at === wanted.length;
}
