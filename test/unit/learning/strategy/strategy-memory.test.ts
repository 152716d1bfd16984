import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { jsonLines, seededRandom } from '#base';
import { planActions } from '../../../../src/learning/strategy/plan-actions.ts';
import { productExploration } from '../../../../src/learning/strategy/strategy-selector.ts';
import { QUESTION_FEATURES } from '../../../../src/learning/strategy/question-features.ts';
import { StrategyMemory } from '../../../../src/learning/strategy/strategy-memory.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { appended, strategiesOnDisk } from '../../../../src/learning/strategy/strategy-store.ts';
import { ask, clock, finish, ListInMemory, prior, selectorWith, usage } from './selector-doubles.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('what the strategy selector learns and keeps', () => {
  it('learns from runs, moves away from what readers reject, and remembers after a restart', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    const first = await ask(selector, 'Where is rope bought?', 'lookup');
    for (let i = 0; i < 60; i += 1) {
      const { choice, runId } = await ask(selector, `Where is rope number ${i} bought?`, 'lookup');
      finish(selector, runId);
      await selector.feedback(runId, { thumb: choice?.strategy === first.choice?.strategy ? 'down' : 'up' });
    }
    const settled = (await ask(selector, 'Where is rope bought now?', 'lookup')).choice;
    assert.notEqual(settled?.strategy, first.choice?.strategy);
    await selector.settled();
    const again = selectorWith(store);
    assert.equal(
      (await ask(again.selector, 'Where is rope bought now?', 'lookup')).choice?.strategy,
      settled?.strategy,
    );
    const report = await again.selector.report();
    assert.equal(report.runs, 60);
    assert.equal(
      report.strategies.reduce((sum, row) => sum + row.runs, 0),
      60,
    );
    assert.equal(report.strategies.find((row) => row.strategy === first.choice?.strategy)?.quality, 0);
    assert.deepEqual(again.problems, []);
  });

  it('keeps what another window learnt, heard and forgot in the same file', async () => {
    const store = new ListInMemory();
    const [one, other] = [
      selectorWith(store, { now: clock() }).selector,
      selectorWith(store, { now: clock(0.5) }).selector,
    ];
    const early = await ask(one, 'Where is rope bought?', 'lookup');
    finish(one, early.runId);
    await one.settled();
    const late = await ask(other, 'Where is tar bought?', 'lookup');
    finish(other, late.runId);
    await one.feedback(early.runId, { thumb: 'down' });
    await one.settled();
    const third = await ask(other, 'Where is felt bought?', 'lookup');
    finish(other, third.runId);
    await other.settled();
    const { strategies, runs } = await selectorWith(store).selector.report();
    assert.equal(runs, 3);
    assert.ok(strategies.some((row) => row.quality < 1));
    assert.equal(
      (await selectorWith(store).selector.taught()).find((decision) => decision.runId === early.runId)?.thumb,
      'down',
    );
    await one.reset();
    const fourth = await ask(other, 'Where is wax bought?', 'lookup');
    finish(other, fourth.runId);
    await other.settled();
    assert.deepEqual(
      (await selectorWith(store).selector.taught()).map((decision) => decision.runId),
      [fourth.runId],
    );
  });

  it('loses nothing when two windows end their runs at once', async () => {
    const folder = temporaryFolder();
    const windows = [0, 0.25].map((offset) =>
      selectorWith(
        strategiesOnDisk(folder, (error) => assert.fail(String(error))),
        { now: clock(offset) },
      ),
    );
    for (let i = 0; i < 6; i += 1) {
      const asked = await Promise.all(
        windows.map(({ selector }) => ask(selector, `Where is rope ${i} bought?`, 'lookup')),
      );
      asked.forEach(({ runId }, w) => finish((windows[w] as (typeof windows)[number]).selector, runId));
    }
    await Promise.all(windows.map(({ selector }) => selector.settled()));
    assert.equal(
      (await selectorWith(strategiesOnDisk(folder, (error) => assert.fail(String(error)))).selector.report()).runs,
      12,
    );
    assert.deepEqual(
      windows.flatMap(({ problems }) => problems),
      [],
    );
  });

  it('makes its state anew from its choices when it starts from another prior, or from none', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    const { runId } = await ask(selector, 'Where is rope bought?', 'lookup');
    finish(selector, runId);
    await selector.settled();
    const without = selectorWith(store, { prior: undefined });
    assert.equal((await without.selector.report()).runs, 1);
    assert.equal(without.selector.beliefs(), undefined);
    await without.selector.believe({ weight: 0.125, quality: 1, cost: 1 });
    assert.equal((await selectorWith(store).selector.report()).runs, 1);
    const damaged = selectorWith(store, { prior: { version: 1 } });
    assert.equal(damaged.selector.beliefs(), undefined);
    assert.equal(damaged.problems.length, 1);
    assert.equal((await damaged.selector.report()).runs, 1);
  });

  it('believes its prior as told, keeps what runs taught, and remembers both', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store, { exploration: () => 0 });
    const askSeveral = async (of: typeof selector) =>
      (
        await ask(of, 'Who runs the port of the town where rope is bought?', 'inference', {
          strategy: 'thorough',
        })
      ).choice;
    assert.equal((await askSeveral(selector))?.strategy, 'ircot');
    const thrifty = { weight: 1, quality: 0.25, cost: 4 };
    await selector.believe(thrifty);
    assert.equal((await askSeveral(selector))?.strategy, 'usual', 'the cheapest');
    const { runId } = await ask(selector, 'Where is rope bought?', 'lookup');
    finish(selector, runId);
    await selector.settled();
    const again = selectorWith(store, { exploration: () => 0 });
    assert.equal((await askSeveral(again.selector))?.relativeCost, (await askSeveral(selector))?.relativeCost);
    assert.equal((await again.selector.report()).runs, 1);
    assert.equal((await again.selector.taught())[0]?.strategy, 'usual');
    await again.selector.believe(undefined);
    assert.equal((await askSeveral(again.selector))?.strategy, 'ircot');
    await again.selector.believe(thrifty);
    await again.selector.reset();
    assert.equal((await askSeveral(again.selector))?.strategy, 'ircot', 'a reset believes it as it came');
  });

  it('takes what an earlier version called the usual plan of several steps for step by step, which that was', async () => {
    const store = new ListInMemory();
    const local = new ScriptedLanguageModel([], { id: 'model-1.5b@localhost:1234' });
    const { selector } = selectorWith(store, { exploration: () => 0 });
    for (const type of ['lookup', 'overview', 'inference', 'comparison', 'temporal'] as const) {
      const { choice, runId } = await ask(selector, 'Where is rope bought?', type, {}, local);
      assert.equal(choice?.strategy, 'usual', type);
      finish(selector, runId);
    }
    await selector.settled();
    const learnt = async (text: string): Promise<string[]> => {
      const kept = new ListInMemory();
      kept.text = text;
      return (await selectorWith(kept).selector.taught()).map(({ strategy }) => strategy);
    };
    assert.deepEqual(await learnt(store.text), ['usual', 'usual', 'usual', 'usual', 'usual']);
    const before = store.text.replaceAll('"plans":2,', '');
    assert.notEqual(before, store.text);
    assert.deepEqual(await learnt(before), ['usual', 'usual', 'ircot', 'ircot', 'ircot']);
    const looks = before.replaceAll('"strategy":"usual"', '"strategy":"one-retrieval"');
    assert.deepEqual(await learnt(looks), ['usual', 'usual', 'usual', 'usual', 'usual'], 'one look is usual now');
  });

  it('corrects what it learnt when the word comes later, even after a restart', async () => {
    const store = new ListInMemory();
    const early = selectorWith(store);
    const { runId } = await ask(early.selector, 'Where is rope bought?', 'lookup');
    finish(early.selector, runId);
    const before = (await early.selector.report()).strategies[0]?.quality ?? 0;
    await early.selector.settled();
    const later = selectorWith(store);
    await later.selector.feedback(runId, { thumb: 'down' });
    assert.ok(before > 0.5);
    assert.equal((await later.selector.report()).strategies[0]?.quality, 0);
    await later.selector.feedback('nobody', { thumb: 'down' });
  });

  it('takes "think harder" as feedback, and answers it with something costlier', async () => {
    const { selector } = selectorWith();
    const first = await ask(selector, 'Where is rope bought?', 'lookup', { strategy: 'fast' });
    finish(selector, first.runId);
    await selector.feedback(first.runId, { thinkHarder: true });
    const harder = await ask(selector, 'Where is rope bought?', 'lookup', { strategy: 'thorough', effort: 'harder' });
    assert.ok((harder.choice?.relativeCost ?? 0) > (first.choice?.relativeCost ?? Infinity));
    assert.equal((await selector.report()).strategies[0]?.quality, 0.2);
  });

  it('goes beyond the run that the word was about, wherever else the question was asked since', async () => {
    const { selector } = selectorWith(undefined, { exploration: () => 0 });
    const asked = 'Where is rope bought?';
    const first = await ask(selector, asked, 'lookup', { strategy: 'fast' });
    finish(selector, first.runId);
    await selector.feedback(first.runId, { thinkHarder: true });
    const harder = { strategy: 'thorough', effort: 'harder' } as const;
    const second = await ask(selector, asked, 'lookup', harder);
    finish(selector, second.runId);
    assert.notEqual(second.choice?.strategy, first.choice?.strategy);
    const third = await ask(selector, asked, 'lookup', harder);
    assert.equal(third.choice?.strategy, second.choice?.strategy, 'nobody has said that the second did not do');
  });

  it('takes no repeated question for a complaint, however thorough it is asked', async () => {
    const { selector } = selectorWith(undefined, { exploration: () => 0 });
    const strategies: unknown[] = [];
    for (let i = 0; i < 3; i += 1) {
      const { choice, runId } = await ask(selector, 'Where is rope bought?', 'lookup', { strategy: 'thorough' });
      strategies.push(choice?.strategy);
      finish(selector, runId);
    }
    assert.equal(new Set(strategies).size, 1);
    assert.deepEqual(
      (await selector.taught()).map(({ thinkHarder, learnt }) => [thinkHarder, learnt?.quality]),
      Array.from({ length: 3 }, () => [undefined, 0.8]),
    );
  });

  it('makes its model while the first question is on its way, and again after a run that needs it, never for a choice', async () => {
    let loads = 0;
    const store = new (class extends ListInMemory {
      override read(): Promise<string> {
        loads += 1;
        return super.read();
      }
    })();
    const actions = planActions();
    const memory = new StrategyMemory({
      store,
      prior,
      actions,
      exploration: productExploration(),
      now: () => 0,
      onProblem: (error) => assert.fail(String(error)),
    });
    assert.equal(loads, 1, 'nobody has asked yet');
    const { bandit } = await memory.ready();
    for (const [i, scale] of [1e4, 1].entries()) {
      memory.decided({
        runId: `r${i}`,
        question: 'q',
        strategy: actions[0]?.name ?? '',
        beta: 0.5,
        features: new Float64Array(QUESTION_FEATURES.length).map((_, k) => scale * (1 + k / 7)),
      });
      memory.observe({ type: 'run-end', runId: `r${i}`, time: 0, usage });
    }
    assert.equal(bandit.model.reinversions, 0);
    await memory.settled();
    assert.equal(bandit.model.reinversions, 1);
  });

  it('starts as curious as its prior lets it: at 0.044 with the one that ships, at 0.7 without', async () => {
    const alphaWith = async (from: unknown): Promise<number> =>
      (
        await new StrategyMemory({
          store: new ListInMemory(),
          prior: from,
          actions: planActions(),
          exploration: productExploration(),
          now: () => 0,
          onProblem: () => undefined,
        }).ready()
      ).alpha;
    assert.ok(Math.abs((await alphaWith(prior)) - 0.7 / Math.sqrt(1 + 500 / 2)) < 1e-4);
    assert.equal(await alphaWith(undefined), 0.7);
  });

  it('learns nothing from a run that was cancelled or that the network broke, and something from an exhausted budget', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    const [cancelled, broken, spent] = [
      await ask(selector, 'a?', 'lookup'),
      await ask(selector, 'b?', 'lookup'),
      await ask(selector, 'c?', 'lookup'),
    ];
    finish(selector, cancelled.runId, { type: 'run-cancelled', usage });
    finish(selector, broken.runId, { type: 'run-error', error: { code: 'model-unreachable', message: '' }, usage });
    await selector.settled();
    assert.equal(store.changes, 0);
    finish(selector, spent.runId, { type: 'run-error', error: { code: 'budget-exhausted', message: '' }, usage });
    await selector.settled();
    assert.equal(store.changes, 1);
    assert.equal((await selector.report()).strategies[0]?.quality, 0);
  });

  it('reads what can be read of a damaged list, says what cannot, and leaves those lines where they are', async () => {
    const good = new ListInMemory();
    const { selector } = selectorWith(good);
    for (const text of ['a?', 'b?']) finish(selector, (await ask(selector, text, 'lookup')).runId);
    await selector.settled();
    const [first = '', second = ''] = good.text.trimEnd().split('\n');
    const damaged = [
      `${first.slice(0, 90)}\n${second}\n`,
      `[]\n${second}\n`,
      `{"kind":"tomorrow's"}\n${second}\n`,
      `${first.replace(/"of":\d+/, '"of":99')}\n${second}\n`,
      `${first.replace(/"strategy":"[^"]+"/, '"strategy":"telepathy"')}\n${second}\n`,
      `${first.replace('"features":[', '"features":[7,')}\n${second}\n`,
      `${first.replace('"features":[1,', '"features":[1e200,')}\n${second}\n`,
      `${first.replace(/"cost":[\d.]+/, '"cost":1e300')}\n${second}\n`,
    ];
    for (const text of damaged) {
      const store = new ListInMemory();
      store.text = text;
      const { selector: next, problems } = selectorWith(store, { exploration: () => 0 });
      const { choice, runId } = await ask(next, 'Where is rope bought?', 'lookup');
      assert.ok(choice);
      assert.equal((await next.report()).runs, 1);
      assert.match(String(problems), /1 lines cannot be read, and 0|0 lines cannot be read, and 1/, text.slice(0, 80));
      finish(next, runId);
      await next.settled();
      assert.ok(store.text.startsWith(text));
      assert.equal((await selectorWith(store).selector.report()).runs, 2);
    }
    const { selector: unprimed, problems } = selectorWith(new ListInMemory(), { prior: { version: 7 } });
    assert.ok((await ask(unprimed, 'Where is rope bought?', 'lookup')).choice);
    assert.equal(problems.length, 1);
  });

  it('adds to a list whose last line has lost its end, and loses no run that stands before', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    finish(selector, (await ask(selector, 'a?', 'lookup')).runId);
    await selector.settled();
    for (const cut of [(text: string) => text.trimEnd(), (text: string) => `${text}{"kind":"outc`]) {
      store.text = cut(store.text);
      const { selector: next } = selectorWith(store);
      finish(next, (await ask(next, 'b?', 'lookup')).runId);
      await next.settled();
    }
    assert.equal((await selectorWith(store).selector.report()).runs, 3);
  });

  it('keeps the newest runs of very many, and what was forgotten and believed before them', () => {
    const line = (i: number): string => `{"kind":"word","runId":"r${i}","thumb":"up"}\n`;
    const belief = { weight: 0.5, quality: 1, cost: 1 };
    const before = jsonLines([
      { kind: 'reset', time: 5 },
      { kind: 'belief', belief },
    ]);
    const many = Array.from({ length: 6000 }, (_, i) => line(i)).join('');
    const kept = appended(before + many, [{ kind: 'word', runId: 'last', thumb: 'down' }]);
    assert.ok(kept.startsWith(`${before}${line(1001)}`));
    assert.ok(kept.endsWith('"runId":"last","thumb":"down"}\n'));
    assert.equal(kept.trimEnd().split('\n').length, 5002);
  });

  it('is fitted to its list when it starts: the same as if it had learnt one by one, words included', async () => {
    const store = new ListInMemory();
    const memoryOf = (): StrategyMemory =>
      new StrategyMemory({
        store,
        prior,
        actions: planActions(),
        exploration: productExploration(),
        now: clock(),
        onProblem: (error) => assert.fail(String(error)),
      });
    const memory = memoryOf();
    const { bandit } = await memory.ready();
    const random = seededRandom(3);
    const features = (): Float64Array => new Float64Array(QUESTION_FEATURES.length).map(() => random());
    for (let i = 0; i < 30; i += 1) {
      const runId = `r${i}`;
      const strategy = planActions()[i % 7]?.name ?? '';
      memory.decided({ runId, question: `q${i}`, strategy, beta: 0.5, features: features() });
      memory.observe({ type: 'run-end', runId, time: 0, usage });
      if (i % 3 === 0) await memory.feedback(runId, { thumb: i % 2 === 0 ? 'up' : 'down' });
    }
    await memory.feedback('r0', { thumb: undefined });
    await memory.settled();
    assert.equal(store.text.trimEnd().split('\n').length, 41, 'a line for each run and each word');
    const again = (await memoryOf().ready()).bandit;
    assert.equal(again.steps, bandit.steps);
    const asked = features();
    bandit.estimate(asked).forEach(({ expected, width }, action) => {
      const fitted = again.estimate(asked)[action];
      assert.ok(Math.abs(expected.quality - (fitted?.expected.quality ?? NaN)) < 1e-9);
      assert.ok(Math.abs(expected.cost - (fitted?.expected.cost ?? NaN)) < 1e-9);
      assert.ok(Math.abs(width - (fitted?.width ?? NaN)) < 1e-9);
    });
  });

  describe('what an earlier version kept', () => {
    let folder = '';
    beforeEach(() => {
      folder = temporaryFolder();
    });
    const decision = (i: number): object => ({
      runId: `old-${i}`,
      question: 'hash',
      time: 100 + i,
      strategy: 'one-retrieval',
      beta: 0.5,
      features: QUESTION_FEATURES.map(() => 0),
      learnt: { quality: 0.8, cost: 0.1 },
    });
    const state = (runs: number): string =>
      JSON.stringify({
        version: 1,
        bandit: { questionFeatures: 2, parameters: '' },
        decisions: Array.from({ length: runs }, (_, i) => decision(i)),
        belief: { weight: 0.5, quality: 1, cost: 1 },
        prior: 'x',
        since: 50,
      });
    const opened = (): ReturnType<typeof selectorWith> => {
      const problems: unknown[] = [];
      const { selector } = selectorWith(
        strategiesOnDisk(folder, (error) => problems.push(error)),
        { onProblem: (error) => problems.push(error) },
      );
      return { selector, problems };
    };

    it('is taken over run by run', async () => {
      await writeFile(join(folder, 'strategies.json'), state(3));
      const { selector, problems } = opened();
      assert.equal((await selector.report()).runs, 3);
      await selector.feedback('old-1', { thumb: 'down' });
      await selector.settled();
      assert.deepEqual(problems, []);
      assert.deepEqual(await readdir(folder), ['strategies.jsonl']);
      assert.equal((await opened().selector.report()).strategies[0]?.runs, 3);
      await writeFile(join(folder, 'strategies.json'), state(5)); // it was used once more
      assert.equal((await opened().selector.report()).runs, 5);
    });

    it('is set aside where it cannot be taken over, or not as a whole, which is told; a reset deletes it', async () => {
      for (const [text, runs, told] of [
        [state(200), 200, /last 200 runs were taken over/],
        [state(3).slice(0, 200), 0, /cannot be read/],
      ] as const) {
        await writeFile(join(folder, 'strategies.json'), text);
        const { selector, problems } = opened();
        assert.equal((await selector.report()).runs, runs);
        assert.match(String(problems), told);
        assert.equal(await readFile(join(folder, 'strategies-before.json'), 'utf8'), text);
        await selector.reset();
        assert.deepEqual(await readdir(folder), ['strategies.jsonl']);
        assert.equal((await opened().selector.report()).runs, 0);
      }
    });
  });

  it('goes on when its state cannot be written', async () => {
    const store = new ListInMemory();
    const change = store.change.bind(store);
    store.change = async () => {
      throw new Error('disk full');
    };
    const { selector, problems } = selectorWith(store);
    finish(selector, (await ask(selector, 'a?', 'lookup')).runId);
    await selector.settled();
    assert.match(String(problems[0]), /disk full/);
    assert.equal((await selector.report()).runs, 1);
    store.change = change;
    finish(selector, (await ask(selector, 'b?', 'lookup')).runId);
    await selector.settled();
    assert.equal((await selectorWith(store).selector.report()).runs, 2, 'written down once it can be');
  });

  it('forgets on reset', async () => {
    const store = new ListInMemory();
    const { selector } = selectorWith(store);
    finish(selector, (await ask(selector, 'Where is rope bought?', 'lookup')).runId);
    await selector.reset();
    assert.deepEqual((await selector.report()).strategies, []);
    assert.equal((await selectorWith(store).selector.report()).runs, 0);
    assert.equal((await selector.report()).prior, (prior as { learntFrom: string }).learntFrom);
  });
});
