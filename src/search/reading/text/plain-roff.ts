/** Text is shown and searched as it stands in its file. Kept for callers of other rooms until they stop asking. */
export const plainText = (_passage: object, text: string, _tagged?: boolean): string => text;
export const textInPlace = ({ text }: { text: string }): string => text;
