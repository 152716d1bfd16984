/** `@param`, `:returns:`, `\brief` */
const TAG = /^\s*[@:\\]\w/;
/** `timeout : int, optional`, `timeout (int): Seconds to wait.`, `*ways: The ways that lead here.` */
const NAMED = /^([\w.*][\w.*, ]{0,80})(?:\([^()\n]{1,80}\))?\s?:(?:\s|$)/;

/** Whether a line of a comment begins with a tag of its documentation. */
export const beginsTag = (line: string): boolean => TAG.test(line);

/** The name that a line of a comment begins to speak of; undefined where it speaks of none. */
export const namedIn = (line: string): string | undefined => NAMED.exec(line)?.[1];

/** Whether a line of a comment begins what is said of one name or tag. */
export const beginsEntry = (line: string): boolean => beginsTag(line) || namedIn(line) !== undefined;
