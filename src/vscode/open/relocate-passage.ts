/** Where a passage stands now. Lines are 1-based and inclusive. */
export type Relocated =
  | { state: 'same' | 'moved'; startLine: number; endLine: number }
  /** Its text is not in the file any more; the lines are where it was, as far as the file still reaches. */
  | { state: 'changed'; startLine: number; endLine: number };

/** The lines of a passage as indexed, and those of them that are meant. */
export interface IndexedLines {
  text: string;
  startLine: number;
  endLine: number;
  /** The quoted lines, within the passage; the whole passage when undefined. */
  focus?: { startLine: number; endLine: number };
}

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).map((line) => line.trimEnd());

/**
 * Finds a passage again after its file was edited, by content: where it was, else the nearest place with the same lines,
 * else the nearest place with the meant lines alone. Ends of lines and spaces before them do not count.
 */
export function relocatePassage(passage: IndexedLines, fileText: string): Relocated {
  const file = linesOf(fileText);
  const lines = linesOf(passage.text);
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const focus = passage.focus ?? { startLine: passage.startLine, endLine: passage.endLine };
  const skip = Math.max(0, focus.startLine - passage.startLine);
  const length = Math.max(0, focus.endLine - focus.startLine);

  const whole = nearestMatch(file, lines, passage.startLine - 1);
  if (whole !== undefined) return found(whole + skip, length, focus.startLine, file.length);
  const wanted = lines.slice(skip, skip + length + 1);
  const part = wanted.some((line) => line.trim().length >= 8) ? nearestMatch(file, wanted, focus.startLine - 1) : undefined;
  if (part !== undefined) return found(part, length, focus.startLine, file.length);
  const startLine = Math.min(focus.startLine, Math.max(1, file.length));
  return { state: 'changed', startLine, endLine: Math.min(Math.max(startLine, focus.endLine), Math.max(1, file.length)) };
}

function found(index: number, length: number, before: number, fileLength: number): Relocated {
  const startLine = index + 1;
  return { state: startLine === before ? 'same' : 'moved', startLine, endLine: Math.min(startLine + length, fileLength) };
}

/** Index of the first line of the match closest to `near`; undefined when the lines stand nowhere together. */
function nearestMatch(file: readonly string[], lines: readonly string[], near: number): number | undefined {
  const matches = (at: number): boolean => at >= 0 && at + lines.length <= file.length && lines.every((line, offset) => file[at + offset] === line);
  if (lines.length === 0) return undefined;
  for (let distance = 0; distance <= file.length; distance++) {
    if (matches(near - distance)) return near - distance;
    if (distance > 0 && matches(near + distance)) return near + distance;
  }
  return undefined;
}
