/** The `@word` that the caret stands in. */
export interface CompletionWord {
  /** Offset of the `@`. */
  start: number;
  /** Offset of the caret. */
  end: number;
  prefix: string;
}

/** Finds the `@word` before the caret; an `@` inside a word (an address) is none. */
export function completionWord(text: string, caret: number): CompletionWord | undefined {
  const match = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret));
  if (!match) return undefined;
  const prefix = match[1] ?? '';
  return { start: caret - prefix.length - 1, end: caret, prefix };
}
