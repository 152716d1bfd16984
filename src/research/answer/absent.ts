import type { AbsentWord, ChainResult } from '#search';

/** Names of a question that no file has, where it is about them: whatever was found speaks of something else. */
export const decidingNames = (absent: readonly AbsentWord[] | undefined): string[] =>
  (absent ?? []).filter(({ decides }) => decides).map(({ text }) => text);

/**
 * Tells beside an answer which words of its question no file has. Nothing is told while files are
 * still being read, nor of a question that was not looked up.
 */
export function noticeAbsent(
  context: { notice(code: string, message: string): void },
  found: Pick<ChainResult, 'absent' | 'coverage'> | undefined,
): void {
  const absent = found?.absent ?? [];
  if (absent.length === 0 || found?.coverage.indexing) return;
  const words = absent.map(({ text }) => `“${text}”`).join(', ');
  context.notice(
    'absent-words',
    absent.length === 1
      ? `No file has this word of the question: ${words}.`
      : `No file has these words of the question: ${words}.`,
  );
}
