import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/waiting.ts';

describe('the system clock', () => {
  it('does not wake at once from a sleep longer than timers can count to', async () => {
    const stop = new AbortController();
    const slept = systemClock.sleep(1e12, stop.signal).then(
      () => 'woke',
      (error: Error) => error.name,
    );
    await systemClock.sleep(20);
    stop.abort();
    assert.equal(await slept, 'AbortError');
  });

  it('sleeps nothing when it is cancelled before', async () => {
    await assert.rejects(systemClock.sleep(1e6, AbortSignal.abort()), { name: 'AbortError' });
  });
});
