import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { jsonLines } from '#base';
import { appended, strategiesOnDisk } from '../../../../src/learning/strategy/strategy-store.ts';
import { ask, clock, finish, ListInMemory, prior, selectorWith, usage } from './selector-doubles.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

type Selector = ReturnType<typeof selectorWith>['selector'];

describe('what the strategy selector learns and keeps', () => {
  /** A run of the default plan that ended well. */
  const run = async (selector: Selector, text = 'Where is rope bought?'): Promise<string> => {
    const { choice, runId } = await ask(selector, text, 'lookup');
    finish(selector, runId, { type: 'strategy-selected', strategy: choice?.strategy ?? 'plan', reason: '' });
    finish(selector, runId);
    return runId;
  };
  const runsIn = async (store: ListInMemory): Promise<number> => (await selectorWith(store).selector.report()).runs;

  it('keeps what another window learnt, heard and forgot in the same file', async () => {
    const store = new ListInMemory();
    const [one, other] = [
      selectorWith(store, { now: clock() }).selector,
      selectorWith(store, { now: clock(0.5) }).selector,
    ];
    const early = await run(one);
    await one.settled();
    await run(other);
    await one.feedback(early, { thumb: 'down' });
    await one.settled();
    await run(other);
    await other.settled();
    const { strategies, runs } = await selectorWith(store).selector.report();
    assert.equal(runs, 3);
    assert.ok((strategies[0]?.quality ?? 1) < 0.8, 'the thumb of one window reached the other');
    const { runId: begunBefore } = await ask(other, 'Where is wax bought?', 'lookup');
    finish(other, begunBefore, { type: 'strategy-selected', strategy: 'plan', reason: '' });
    await one.reset();
    finish(other, begunBefore);
    await run(other);
    await other.settled();
    assert.equal(await runsIn(store), 1, 'a run that had begun before the reset is forgotten with the rest');
  });

  it('loses nothing when two windows end their runs at once', async () => {
    const folder = temporaryFolder();
    const windows = [0, 0.25].map((offset) => selectorWith(strategiesOnDisk(folder), { now: clock(offset) }));
    for (let i = 0; i < 6; i += 1) await Promise.all(windows.map(({ selector }) => run(selector)));
    await Promise.all(windows.map(({ selector }) => selector.settled()));
    assert.equal((await selectorWith(strategiesOnDisk(folder)).selector.report()).runs, 12);
    assert.deepEqual(
      windows.flatMap(({ problems }) => problems),
      [],
    );
  });

  it('corrects what it learnt when the word comes later, even after a restart, and takes words back', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    const runId = await run(selector);
    const before = (await selector.report()).strategies[0]?.quality ?? 0;
    await selector.settled();
    const later = selectorWith(store).selector;
    const quality = async (): Promise<number | undefined> => (await later.report()).strategies[0]?.quality;
    for (const [word, expected] of [
      [{ thumb: 'down' }, 0],
      [{ thumb: undefined }, before],
      [{ edit: 'kept' }, 0.95],
      [{ thinkHarder: true }, 0.2],
    ] as const) {
      await later.feedback(runId, word);
      assert.equal(await quality(), expected, JSON.stringify(word));
    }
    await later.feedback('nobody', { thumb: 'down' });
    await later.settled();
    assert.equal((await selectorWith(store).selector.report()).strategies[0]?.quality, 0.2);
  });

  it('learns nothing from a run that was cancelled, that the network broke, or that may not be recorded', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    const begin = async (options = {}): Promise<string> => {
      const { runId } = await ask(selector, 'a?', 'lookup', options);
      finish(selector, runId, { type: 'strategy-selected', strategy: 'plan', reason: '' });
      return runId;
    };
    finish(selector, await begin(), { type: 'run-cancelled', usage });
    finish(selector, await begin(), { type: 'run-error', error: { code: 'model-unreachable', message: '' }, usage });
    finish(selector, await begin({ record: false }));
    await selector.settled();
    assert.equal(store.changes, 0);
    finish(selector, await begin(), { type: 'run-error', error: { code: 'budget-exhausted', message: '' }, usage });
    await selector.settled();
    assert.equal(store.changes, 1);
    assert.equal((await selector.report()).strategies[0]?.quality, 0, 'an exhausted budget is an outcome');
  });

  it('reads what can be read of a damaged list, and leaves the other lines where they are', async () => {
    const good = new ListInMemory();
    const { selector } = selectorWith(good);
    await run(selector);
    await run(selector);
    await selector.settled();
    const [first = '', second = ''] = good.text.trimEnd().split('\n');
    for (const [line, isTold] of [
      [first.slice(0, 90), true],
      ['[]', true],
      ['{"kind":"belief","belief":{}}', false],
      [first.replace(/"of":\d+/, '"of":2'), false],
      [first.replace(/"strategy":"[^"]+"/, '"strategy":"telepathy"'), false],
      [first.replace('"features":[', '"features":[0.7,'), false],
      [first.replace('"features":[1,', '"features":[1e200,'), false],
      [first.replace(/"cost":[\d.]+/, '"cost":1e300'), false],
    ] as const) {
      assert.notEqual(line, first);
      const store = new ListInMemory();
      store.text = `${line}\n${second}\n`;
      const next = selectorWith(store);
      await run(next.selector);
      await next.selector.settled();
      assert.equal((await next.selector.report()).runs, 2, line);
      assert.equal(/1 lines cannot be read/.test(String(next.problems)), isTold, line);
      assert.ok(store.text.startsWith(`${line}\n${second}\n`));
    }
  });

  it('drops the oldest lines, ends a line that was cut off, and keeps the time of a reset', () => {
    const reset = { kind: 'reset' as const, time: 7 };
    const word = (i: number) => ({ kind: 'word' as const, runId: `r${i}`, thumb: 'up' as const });
    const text = appended(
      jsonLines([reset]),
      Array.from({ length: 2500 }, (_, i) => word(i)),
    );
    const lines = text.trimEnd().split('\n');
    assert.deepEqual([lines[0], lines.length], [JSON.stringify(reset), 2001]);
    assert.equal(lines.at(-1), JSON.stringify(word(2499)));
    assert.equal(appended('{"kin', [reset]), `{"kin\n${jsonLines([reset])}`);
  });

  it('goes on when its list cannot be written, and writes it down once it can', async () => {
    const store = new ListInMemory();
    const change = store.change.bind(store);
    store.change = async () => {
      throw new Error('disk full');
    };
    const { selector, problems } = selectorWith(store);
    await run(selector);
    await selector.settled();
    assert.match(String(problems[0]), /disk full/);
    assert.equal((await selector.report()).runs, 1);
    store.change = change;
    await run(selector);
    await selector.settled();
    assert.equal(await runsIn(store), 2);
  });

  it('forgets on reset, and still knows what shipped', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    await run(selector);
    await selector.reset();
    assert.deepEqual((await selector.report()).strategies, []);
    assert.equal(await runsIn(store), 0);
    assert.equal((await selector.report()).prior, (prior as { learntFrom: string }).learntFrom);
  });
});
