/** The patterns of `files.exclude` and `search.exclude` that are switched on; those with a `when` clause depend on siblings and are left to the editor. */
export function activeGlobs(...settings: unknown[]): string[] {
  const active = settings.flatMap((setting) => (typeof setting === 'object' && setting !== null ? Object.entries(setting) : []))
    .filter(([, value]) => value === true).map(([glob]) => glob);
  return [...new Set(active)];
}

/**
 * The editor's patterns that are on in any of these roots. One index has one list for all roots, so that a folder's own settings
 * leave files out of the others, too: rather too little is read than what somebody has hidden.
 *
 * @param read The setting as it holds in a root.
 */
export function editorGlobs<Root>(roots: readonly Root[], read: (section: 'files' | 'search', root: Root) => unknown): string[] {
  return activeGlobs(...roots.flatMap((root) => [read('files', root), read('search', root)]));
}
