import type { ErrorReport } from '../../model/error-report.ts';
import type { IndexProgress } from '../update/index-progress.ts';

/** The error of a change, or of what follows changes, for as long as it holds: it is over when the same goes well. That of an update stays. */
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
