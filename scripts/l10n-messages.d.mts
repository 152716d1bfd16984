export const repositoryRoot: string;
/** Every literal that is handed to `t`, once, in alphabetical order. */
export function collectMessages(): string[];
