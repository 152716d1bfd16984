/** Licences of what a package holds, as one text. */
export function thirdPartyNotices(root: string, bundled: readonly string[], shipped: readonly string[]): string;
