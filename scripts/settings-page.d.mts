/** The page of settings, as Markdown. `words` are the texts of package.nls.json by key. */
export function settingsPage(manifest: unknown, words: Record<string, string>): string;
