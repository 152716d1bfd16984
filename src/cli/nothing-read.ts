import type { IndexReport, WorkspaceRoot } from '#search';
import { printable } from './terminal.ts';

/** Of folders without any text that can be read: that, and why; undefined of all others. */
export function nothingRead(
  { files, skipped }: Pick<IndexReport, 'files' | 'skipped'>,
  roots: readonly WorkspaceRoot[],
  { listed = false } = {},
): string | undefined {
  if (files > 0) return undefined;
  const holds = `${printable(roots.map(({ name }) => name).join(', '))} holds no text that can be read`;
  if (skipped.length === 0) return `${holds}: no file is there.`;
  return listed
    ? `${holds}: what is there is left out.`
    : `${holds}: what is there (${skipped.length}) is left out; hoptrail index lists it, and says why.`;
}
