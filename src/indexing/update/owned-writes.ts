import { SerialQueue } from './serial-queue.ts';

/** The queue of everything that is written: each task begins by making sure that the index is still this window's to write. */
export class OwnedWrites extends SerialQueue {
  private readonly checkOwnership: () => Promise<void>;

  /** `checkOwnership` throws NotTheWriterError when it is not. */
  constructor(checkOwnership: () => Promise<void>) {
    super();
    this.checkOwnership = checkOwnership;
  }

  override run<T>(task: () => Promise<T>): Promise<T> {
    return super.run(async () => {
      await this.checkOwnership();
      return task();
    });
  }
}
