import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, type Scope } from '#protocol';
import { t } from './strings.ts';
import { count } from './views/labels.ts';

/** Why a question cannot be sent as it stands, and what to do about it; undefined when it can. */
export function askProblem(question: string, scope: Scope): string | undefined {
  if (question.trim().length > MAX_QUESTION_LENGTH) {
    return t(
      'The question is longer than {0} characters. Shorten it, or save its long part as a file here and ask ' +
        'about that.',
      count(MAX_QUESTION_LENGTH),
    );
  }
  if (scope.kind === 'files' && scope.paths.length > MAX_SCOPE_FILES) {
    return t(
      'More than {0} files are chosen. Choose fewer, or a folder, or the whole workspace.',
      count(MAX_SCOPE_FILES),
    );
  }
  return undefined;
}

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
