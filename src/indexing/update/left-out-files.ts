import type { SkippedFile } from '../../model/source-file.ts';
import { lyingBelow } from './lying-below.ts';

/** What walks left out and why, by path as people see it. */
export class LeftOutFiles {
  private files = new Map<string, SkippedFile>();
  /** False until the folders were walked, or something else took their place. */
  complete = false;

  all(): Iterable<SkippedFile> {
    return this.files.values();
  }

  /** Everything was walked, and this was left out. */
  walked(leftOut: ReadonlyMap<string, SkippedFile>): void {
    this.files = new Map(leftOut);
    this.complete = true;
  }

  /** What lies at and below these paths was looked at again, and this was left out. '' is all; undefined is no place of ours. */
  lookedAgain(paths: readonly (string | undefined)[], leftOut: ReadonlyMap<string, SkippedFile>): void {
    const places = new Set(paths.flatMap((path) => (path === undefined ? [] : [path.replace(/\/$/, '')])));
    if (places.has('')) this.files.clear();
    for (const path of [...places, ...lyingBelow(this.files.keys(), places)]) this.files.delete(path);
    for (const [path, skipped] of leftOut) this.files.set(path, skipped);
  }
}
