import type { ErrorReport } from '#base';
import type { IndexNotice, NoticeCode } from '../domain/notices.ts';
import type { Unquiet } from './quiet-machine.ts';
import type { IndexProgress } from './index-progress.ts';

/**
 * The error of a change to the files, or of the work that follows one, shown until the same work succeeds. The error of
 * an update is not cleared here.
 */
export class ChangeTrouble {
  readonly #progress: IndexProgress;
  #error: ErrorReport | undefined;

  constructor(progress: IndexProgress) {
    this.#progress = progress;
  }

  /** What was told last; undefined when it is over. */
  get told(): ErrorReport | undefined {
    return this.#error;
  }

  tell(error: ErrorReport): void {
    this.#error = error;
    this.#progress.tell({ error });
  }

  over(): void {
    if (this.#error && this.#progress.state().error === this.#error) this.#progress.tell({ error: undefined });
    this.#error = undefined;
  }
}

/**
 * The notices with what is to be said of passages that the embedding model refused, in place of what was said before.
 */
export function withRefusals(notices: readonly IndexNotice[], refused: number): IndexNotice[] {
  const others = without(notices, 'passages-refused');
  return refused > 0 ? [...others, { code: 'passages-refused', details: { passages: refused } }] : others;
}

/**
 * The notices with what is to be said of a tidying that failed, in place of what was said of an earlier one; undefined:
 * this one went well.
 */
export function withUntidied(notices: readonly IndexNotice[], failure: unknown): IndexNotice[] {
  const others = without(notices, 'untidied');
  if (failure === undefined) return others;
  return [
    ...others,
    { code: 'untidied', details: { why: failure instanceof Error ? failure.message : String(failure) } },
  ];
}

/** The notices with what the vectors wait for, in place of what was said before; undefined: they do not wait. */
export function withWaiting(notices: readonly IndexNotice[], why: Unquiet | undefined): IndexNotice[] {
  const others = without(notices, 'waits');
  return why ? [...others, { code: 'waits', details: { why } }] : others;
}

/** What of the notices is still worth knowing when an update has ended. */
export function noticesAfterUpdate(notices: readonly IndexNotice[], refused: number): IndexNotice[] {
  const wasDamaged = notices.some(({ code }) => code === 'damaged');
  return withRefusals(wasDamaged ? [{ code: 'rebuilt', details: {} }] : [], refused);
}

const without = (notices: readonly IndexNotice[], code: NoticeCode): IndexNotice[] =>
  notices.filter((notice) => notice.code !== code);
