import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, type Scope } from '#protocol';
import { t } from '../strings.ts';
import { count } from '../views/labels.ts';

/** Why a question cannot be sent as it stands, and what to do about it; undefined when it can. */
export function askProblem(question: string, scope: Scope): string | undefined {
  if (question.trim().length > MAX_QUESTION_LENGTH) {
    return t(
      'The question is longer than {0} characters. Shorten it, or save its long part as a file here and ask about that.',
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
