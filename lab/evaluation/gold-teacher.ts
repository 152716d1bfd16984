import { join } from 'node:path';
import type { RunRecord } from '#research';
import { ExperienceStore, type Provenance, RunCollector } from '#learning/lab';
import { fileOnDisk } from '#base';

/**
 * Stores what runs teach whose right answers are known. The evaluation runs one question after the other and reports
 * the F1 of each.
 */
export interface GoldTeacher {
  onNode(record: RunRecord, provenance?: Provenance): void;
  /** The run that recorded last has ended: F1 of its answer against the right one, 0..1. Resolves when it is stored. */
  judge(f1: number): Promise<void>;
}

/** Keeps what they teach in a folder, beside what is there. */
export function teachByGold(folder: string, onProblem: (error: unknown) => void): GoldTeacher {
  const collector = new RunCollector(new ExperienceStore(fileOnDisk(join(folder, 'experience.jsonl'))), { onProblem });
  let runId: string | undefined;
  return {
    onNode(record, provenance) {
      runId = record.runId;
      collector.onNode(record, provenance);
    },
    async judge(goldF1) {
      if (runId !== undefined) collector.feedback(runId, { goldF1 });
      runId = undefined;
      await collector.settled();
    },
  };
}
