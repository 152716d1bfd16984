import type { ErrorReport } from '#base';
import type { IndexProgress } from './index-progress.ts';

/**
 * The error of a change, or of what follows changes, for as long as it holds: it is over when the same goes well. That
 * of an update stays.
 */
export class ChangeTrouble {
  private readonly progress: IndexProgress;
  private error: ErrorReport | undefined;

  constructor(progress: IndexProgress) {
    this.progress = progress;
  }

  /** What was told last; undefined when it is over. */
  get told(): ErrorReport | undefined {
    return this.error;
  }

  tell(error: ErrorReport): void {
    this.error = error;
    this.progress.tell({ error });
  }

  over(): void {
    if (this.error && this.progress.state().error === this.error) this.progress.tell({ error: undefined });
    this.error = undefined;
  }
}

/** What people are told of the index besides its phase. */
export const notices = {
  rebuiltAfterDamage: 'The index was damaged. It has been set aside and is being built again from your files.',
  rebuilt: 'The index was damaged and has been built again from your files. The damaged one was set aside.',
  growingBeside: 'The index is being rebuilt. The earlier one answers until the new one is ready.',
  otherWindow: 'Another window keeps this index up to date; this one reads it and takes over when the other is closed.',
  followed: 'This index is only followed here; another window keeps it up to date.',
  remote:
    'This index lies in remote storage: windows on this machine take turns in writing it; other machines must not write it at the same time.',
} as const;

const REFUSED = ' refused by the embedding model and can be found by words only. The index report names the files.';
const UNTIDIED = 'The index could not be tidied up';

/**
 * The notice with what is to be said of passages that the embedding model refused, in place of what it said of them
 * before.
 */
export function withRefusals(notice: string | undefined, refused: number): string | undefined {
  const told = `${refused} ${refused === 1 ? 'passage was' : 'passages were'}${REFUSED}`;
  return joined([withoutRefusals(notice ?? ''), refused > 0 ? told : '']);
}

/**
 * The notice with what is to be said of a tidying that failed, in place of what it said of an earlier one; undefined:
 * this one went well.
 */
export function withUntidied(notice: string | undefined, failure: unknown): string | undefined {
  const why = failure instanceof Error ? failure.message : String(failure);
  const told = `${UNTIDIED}: ${why.length > 300 ? `${why.slice(0, 299)}…` : why} It can be searched and written as before, and takes more space than it needs; rebuilding it cures that.`;
  return joined([withoutUntidied(notice ?? ''), failure === undefined ? '' : told]);
}

/** What of a notice is still worth knowing when an update has ended. */
export function noticeAfterUpdate(notice: string | undefined, refused: number): string | undefined {
  switch (withRefusals(withoutUntidied(notice ?? ''), 0)) {
    case notices.rebuiltAfterDamage:
      return withRefusals(notices.rebuilt, refused);
    case notices.remote:
      return withRefusals(notices.remote, refused);
    default:
      return withRefusals(undefined, refused);
  }
}

function withoutRefusals(notice: string): string {
  const at = notice.indexOf(REFUSED);
  if (at < 0) return notice;
  return (
    joined([notice.slice(0, at).replace(/\d{1,15} passages? (?:was|were)$/, ''), notice.slice(at + REFUSED.length)]) ??
    ''
  );
}

/** It always stands last. */
function withoutUntidied(notice: string): string {
  const at = notice.indexOf(UNTIDIED);
  return at < 0 ? notice : notice.slice(0, at);
}

const joined = (parts: readonly string[]): string | undefined =>
  parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ') || undefined;
