/** Earlier questions, oldest first, and where the arrow keys stand in them. */
export interface InputHistory {
  entries: readonly string[];
  /** entries.length: below the newest, where the draft is. */
  position: number;
  /** What was typed before the arrow keys took over. */
  draft: string;
}

const MOST = 100;

export function makeHistory(entries: readonly string[]): InputHistory {
  const kept = entries.slice(-MOST);
  return { entries: kept, position: kept.length, draft: '' };
}

/** With one more question; a repeated one moves to the end. */
export function remember(history: InputHistory, question: string): InputHistory {
  return makeHistory([...history.entries.filter((entry) => entry !== question), question]);
}

/** One step up or down; undefined when there is nothing further that way. */
export function step(
  history: InputHistory,
  direction: 'older' | 'newer',
  current: string,
): { history: InputHistory; text: string } | undefined {
  const position = history.position + (direction === 'older' ? -1 : 1);
  if (position < 0 || position > history.entries.length) return undefined;
  const draft = history.position === history.entries.length ? current : history.draft;
  return { history: { ...history, position, draft }, text: history.entries[position] ?? draft };
}
