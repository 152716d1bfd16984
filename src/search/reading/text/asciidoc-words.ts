/** AsciiDoc is shown as it stands. Kept for callers of other rooms until they stop asking. */
export const asciidocWords = (text: string): string => text;
