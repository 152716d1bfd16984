import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nextEstimate, type IndexEstimate } from '../../../webview/index-estimate.ts';
import { readyIndex } from '../../doubles/panel-page.ts';

/** The estimates over a build whose rate is given for each second. */
function estimates(rates: readonly number[], total = 4000): IndexEstimate[] {
  let estimate: IndexEstimate | undefined;
  let done = 0;
  return rates.map((passagesPerSecond, second) => {
    done += passagesPerSecond;
    estimate = nextEstimate(
      estimate,
      { ...readyIndex, phase: 'embedding', passagesToEmbed: total, passagesEmbedded: done, passagesPerSecond },
      second * 1000,
    );
    assert.ok(estimate);
    return estimate;
  });
}

describe('nextEstimate', () => {
  it('gives a time left that only falls, however the rate jumps', () => {
    const shown = estimates([40, 5, 60, 2, 50, 40, 3, 45, 44, 41, 10, 40]).map(({ secondsLeft = NaN }) => secondsLeft);
    for (const [index, seconds] of shown.entries()) {
      const before = shown[index - 1];
      if (before === undefined) continue;
      assert.ok(seconds <= before, `${before} → ${seconds}`);
      assert.ok(before - seconds <= 3 + 1e-9, 'not in leaps');
    }
  });

  it('comes to what is measured where the rate is steady', () => {
    const last = estimates(Array.from({ length: 60 }, () => 40)).at(-1);
    assert.ok(Math.abs((last?.secondsLeft ?? 0) - (4000 - 60 * 40) / 40) < 5, JSON.stringify(last));
    assert.equal(last?.perSecond, 40);
  });

  it('smooths the rate', () => {
    const [, second] = estimates([40, 4]);
    assert.ok((second?.perSecond ?? 0) > 30);
  });

  it('begins anew with new work, and is none without work', () => {
    const before: IndexEstimate = { phase: 'embedding', perSecond: 10, secondsLeft: 5, work: 100, done: 50, at: 0 };
    const state = { ...readyIndex, phase: 'embedding' as const, passagesEmbedded: 0, passagesPerSecond: 10 };
    assert.equal(nextEstimate(before, { ...state, passagesToEmbed: 1000 }, 0)?.secondsLeft, 100);
    assert.equal(nextEstimate(before, readyIndex, 0), undefined);
    assert.equal(nextEstimate(undefined, { ...state, passagesToEmbed: 9, passagesPerSecond: 0 }, 0), undefined);
  });

  it('counts files while they are read, and shows nothing of it before it is known', () => {
    let estimate: IndexEstimate | undefined;
    let done = 0;
    const shown = [20, 60, 10, 30, 0, 40, 30, 30].map((files, index) => {
      const state = { ...readyIndex, phase: 'reading' as const, filesTotal: 600, filesDone: done };
      estimate = nextEstimate(estimate, state, index * 1000);
      done += files;
      return estimate;
    });
    assert.deepEqual([shown[0]?.perSecond, shown[0]?.secondsLeft], [0, undefined]);
    assert.deepEqual([shown[1]?.perSecond, shown[1]?.secondsLeft], [20, 29]);
    const left = shown.slice(1).map((one) => one?.secondsLeft ?? NaN);
    assert.ok(
      left.every((seconds, index) => index === 0 || seconds < (left[index - 1] ?? 0)),
      left.join(' '),
    );
    const soon = nextEstimate(estimate, { ...readyIndex, phase: 'reading', filesTotal: 600, filesDone: 599 }, 7300);
    assert.equal(soon, estimate, 'files are not counted over less than a second');
    const next = { ...readyIndex, phase: 'embedding' as const, passagesToEmbed: 900, passagesEmbedded: 0 };
    assert.equal(nextEstimate(estimate, { ...next, passagesPerSecond: 9 }, 8000)?.secondsLeft, 100, 'its own work');
  });
});
