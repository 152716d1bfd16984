import type { SourceFile } from '../../model/source-file.ts';

/** A file changed within this time is worked on now. */
const RECENT_MS = 14 * 24 * 3600 * 1000;

/** Most useful first: open in an editor, changed of late (latest first), then near the top of the tree and short of name. */
export function mostUsefulFirst(files: readonly SourceFile[], openUris: ReadonlySet<string>, now: number): SourceFile[] {
  const ranked = files.map((file) => ({ file, open: openUris.has(file.uri), recent: now - file.mtimeMs < RECENT_MS, depth: file.path.split('/').length }));
  // A fresh clone or branch switch makes everything recent; then recency tells nothing and only the order of time remains.
  ranked.sort((a, b) =>
    Number(b.open) - Number(a.open) ||
    Number(b.recent) - Number(a.recent) ||
    (a.recent ? Math.round((b.file.mtimeMs - a.file.mtimeMs) / 60_000) : 0) ||
    a.depth - b.depth ||
    a.file.path.length - b.file.path.length ||
    (a.file.path < b.file.path ? -1 : 1));
  return ranked.map(({ file }) => file);
}
