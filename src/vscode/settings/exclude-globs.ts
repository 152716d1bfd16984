/** The patterns of `files.exclude` and `search.exclude` that are switched on; those with a `when` clause depend on siblings and are left to the editor. */
export function activeGlobs(...settings: unknown[]): string[] {
  const active = settings.flatMap((setting) => (typeof setting === 'object' && setting !== null ? Object.entries(setting) : []))
    .filter(([, value]) => value === true).map(([glob]) => glob);
  return [...new Set(active)];
}
