import { HoptrailError } from '../../../model/error-report.ts';

/** A workspace folder could not be listed (its drive is not mounted, it was renamed, it may not be read): nothing is known of what it holds now. */
export class UnreadableRootError extends HoptrailError {
  readonly code = 'root-unreadable';
  /** @param folder Its path. @param detail Why it could not be listed, in a few words. */
  constructor(folder: string, detail: string) {
    super(`The folder ${folder} cannot be read: ${detail}. What the index knows of it was kept.`, {
      advice: 'Make it available again (mount its drive, give it back its name, allow reading) and update the index, or take the folder out of the workspace.',
      action: 'retry',
    });
  }
}
