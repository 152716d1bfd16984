import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OneAtATime } from '../../../src/base/waiting.ts';

class BusyError extends Error {}

describe('one at a time', () => {
  it('lets no second in while one is under way, and the next when it has ended, well or not', async () => {
    const turns = new OneAtATime(() => new BusyError('A round of learning is running.'));
    let end: (result: string) => void = () => undefined;
    const first = turns.run(
      () =>
        new Promise<string>((resolve) => {
          end = resolve;
        }),
    );
    let ran = false;
    await assert.rejects(
      turns.run(async () => {
        ran = true;
      }),
      BusyError,
    );
    assert.equal(ran, false);
    end('done');
    assert.equal(await first, 'done');
    await assert.rejects(
      turns.run(async () => {
        throw new Error('failed');
      }),
      /failed/,
    );
    assert.equal(await turns.run(async () => 'next'), 'next');
  });
});
