import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { IndexProgress } from '../../../../src/search/indexer/index-progress.ts';

describe('the state of paused work', () => {
  const progress = new IndexProgress({ now: () => 0, later: () => () => undefined }, () => ({
    files: 0,
    passages: 0,
    embedded: 0,
    indexing: false,
  }));
  const error = { code: 'index-damaged', message: 'The index is damaged.' };

  it('is paused whatever comes to be worked on, and failed where that fails', () => {
    progress.setPhase('reading');
    progress.setPaused(true);
    assert.equal(progress.state().phase, 'paused');
    progress.setPhase('embedding');
    assert.equal(progress.state().phase, 'paused');
    progress.tell({ error });
    progress.setPhase('failed');
    assert.deepEqual([progress.state().phase, progress.state().error?.code], ['failed', 'index-damaged']);
  });

  it('is paused again once the failure is over, and goes on where it was when it is resumed', () => {
    progress.tell({ error: undefined });
    progress.setPhase('embedding');
    assert.equal(progress.state().phase, 'paused');
    progress.setPaused(false);
    assert.equal(progress.state().phase, 'embedding');
  });

  it('is told when work rests, though it rested before', () => {
    const told: string[] = [];
    progress.comeToRest();
    progress.onChange(({ phase }) => told.push(phase));
    progress.comeToRest();
    assert.deepEqual(told, ['ready']);
  });
});
