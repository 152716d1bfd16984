import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CommitPace } from '../../../../src/search/indexer/pace.ts';

describe('CommitPace', () => {
  const made = (): { pace: CommitPace; pass: (ms: number) => void; commit: (ms: number) => Promise<void> } => {
    let time = 1000;
    const pass = (ms: number): void => void (time += ms);
    const pace = new CommitPace(() => time);
    return {
      pace,
      pass,
      commit: async (ms) => {
        pace.begins();
        await pace.measured(async () => pass(ms));
      },
    };
  };

  it('writes every 500 rows, or every five seconds, while a commit is cheap', async () => {
    const { pace, pass, commit } = made();
    assert.equal(pace.isDue(499), false);
    assert.equal(pace.isDue(500), true);
    await commit(50);
    assert.equal(pace.isDue(500), false, 'right after one');
    pass(500);
    assert.equal(pace.isDue(500), true);
    assert.equal(pace.isDue(10), false);
    pass(5_000);
    assert.equal(pace.isDue(10), true);
  });

  it('writes as much less often as a commit costs more', async () => {
    const { pace, pass, commit } = made();
    await commit(1_000);
    pass(8_000);
    assert.equal(pace.isDue(2_000), false);
    pass(1_000);
    assert.equal(pace.isDue(2_000), true, 'ten times what the last one took has gone by');
  });

  it('never lets a kill cost more than half a minute of embedding, or 4,000 vectors', async () => {
    const { pace, pass, commit } = made();
    await commit(20_000);
    assert.equal(pace.isDue(3_999), false);
    assert.equal(pace.isDue(4_000), true);
    pass(10_000);
    assert.equal(pace.isDue(1), true);
  });

  it('counts the time of a write that fails', async () => {
    const { pace, pass } = made();
    await assert.rejects(
      pace.measured(async () => {
        pass(2_000);
        throw new Error('The disk is full.');
      }),
      /disk is full/,
    );
    pass(6_000);
    assert.equal(pace.isDue(500), false);
  });
});
