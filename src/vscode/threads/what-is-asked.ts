import type { Scope, Selection, Without } from '../protocol.ts';
import type { IndexService, PassageFilter } from '#search';

/** A selection of one line up to this length stands in the question's own line. */
const SHORT = 80;

/**
 * A question together with the lines that it is about, as the run reads it: the question first, then the lines. A
 * symbol that it names already is not said twice.
 */
export function withSelection(question: string, selection: Selection | undefined): string {
  if (!selection) return question;
  const { path, startLine, text, symbol } = selection;
  if (symbol && question.includes(text)) return question;
  const trimmed = text.trim();
  if (trimmed.length <= SHORT && !trimmed.includes('\n')) return `${question} ("${trimmed}" in ${path})`;
  const quoted = trimmed.split(/\r?\n/).map((line) => `> ${line}`);
  return [question, '', `${path}:${startLine}`, ...quoted].join('\n');
}

/** A scope as the retriever takes it. */
export function scopeFilter(scope: Scope): PassageFilter | undefined {
  if (scope.kind === 'workspace') return undefined;
  return { paths: scope.kind === 'folder' ? [scope.path] : scope.paths };
}

/**
 * Where a run looks that must not see some passages: those named, and all of the files named, as they are indexed now.
 */
export async function scopeWithout(
  scope: PassageFilter | undefined,
  without: Without | undefined,
  index: Pick<IndexService, 'passagesOf'>,
): Promise<PassageFilter | undefined> {
  if (!without) return scope;
  const ofFiles = await Promise.all(without.paths.map((path) => index.passagesOf(path)));
  const ids = new Set([...without.passageIds, ...ofFiles.flat().map((passage) => passage.id)]);
  return ids.size === 0 ? scope : { ...scope, excludeIds: [...ids] };
}

/** What either of two leaves out. */
export function joinWithout(a: Without | undefined, b: Without | undefined): Without | undefined {
  if (!a || !b) return a ?? b;
  return {
    passageIds: [...new Set([...a.passageIds, ...b.passageIds])],
    paths: [...new Set([...a.paths, ...b.paths])],
  };
}
