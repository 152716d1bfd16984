export const repositoryRoot: string;
/** Every literal that is handed to `t`, once, in alphabetical order. */
export function collectMessages(): string[];
/** Keys that translations lack, by file: those of the code and those of the manifest. */
export function lackingTexts(root: string): Map<string, string[]>;
