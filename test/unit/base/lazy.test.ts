import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lazy } from '../../../src/base/waiting.ts';

describe('lazy', () => {
  it('makes a value when it is first asked for, and once', () => {
    const made: number[] = [];
    const value = lazy(() => void made.push(1));
    assert.equal(made.length, 0);
    value();
    value();
    assert.equal(made.length, 1, 'undefined is a value, too');
  });

  it('shares a promise between those who wait, and makes one that failed again', async () => {
    let calls = 0;
    const value = lazy(async () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
      return calls;
    });
    const [one, two] = await Promise.allSettled([value(), value()]);
    assert.deepEqual([one.status, two.status, calls], ['rejected', 'rejected', 1]);
    assert.deepEqual([await value(), await value()], [2, 2]);
  });

  it('makes again what threw', () => {
    let calls = 0;
    const value = lazy(() => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
      return calls;
    });
    assert.throws(value);
    assert.deepEqual([value(), value()], [2, 2]);
  });
});
