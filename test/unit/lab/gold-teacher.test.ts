import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { ExperienceStore } from '../../../src/learning/experience/experience-store.ts';
import { teachByGold } from '../../../lab/evaluation/gold-teacher.ts';
import { fileOnDisk } from '../../../src/base/line-file.ts';
import { ending, node } from '../learning/experience/run-records.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('runs whose right answer is known', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('teach where they are right, whatever else is said of them, and are taken back where they are wrong', async () => {
    const teacher = teachByGold(folder, (error) => {
      throw error;
    });
    const asked = async (runId: string, f1: number): Promise<void> => {
      for (const record of [
        node('s1', { runId, question: `${runId}?`, subQuestion: `Where does ${runId} buy rope?` }),
        ending({ runId, question: `${runId}?`, ...(f1 === 1 && { verdict: null }) }),
      ])
        teacher.onNode(record, { embedder: 'bundled' });
      await teacher.judge(f1);
    };
    await asked('right', 1);
    await asked('nearly', 0.8);
    await asked('wrong', 0.4); // its critique passed
    await teacher.judge(1); // the next question failed before it recorded anything
    const records = await new ExperienceStore(fileOnDisk(join(folder, 'experience.jsonl'))).list();
    assert.deepEqual([...new Set(records.map(({ source }) => source.runId))].sort(), ['nearly', 'right']);
    assert.ok(
      records.every(({ outcome, source }) => outcome.join() === 'citations,gold' && source.embedder === 'bundled'),
    );
  });
});
