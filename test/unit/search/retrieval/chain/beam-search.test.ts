import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IndexedPassage } from '../../../../../src/search/store/passage-index.ts';
import {
  beamSearch,
  logSigmoid,
  type BeamOptions,
  type BeamResult,
  type CandidateSource,
} from '../../../../../src/search/retrieval/chain/beam-search.ts';
import { profileQuestion } from '../../../../../src/search/retrieval/question.ts';
import { seededRandom } from '../../../../../src/base/numbers.ts';
import { ScriptedScorer } from '../../../../doubles/scripted-scorer.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const passage = (id: string): IndexedPassage => notePassage(id, id, id, { path: id });

const poolOf = (ids: readonly string[]): CandidateSource => {
  const passages = ids.map(passage);
  return { first: async () => passages, next: async () => ({ candidates: passages }) };
};

const QUESTION = profileQuestion('What leads on?', undefined, [], 0);

function search(
  ids: readonly string[],
  scorer: ScriptedScorer,
  options: Partial<BeamOptions> = {},
  signal?: AbortSignal,
): Promise<BeamResult> {
  let tick = 0;
  return beamSearch(
    QUESTION,
    poolOf(ids),
    scorer,
    { maxHops: 3, beam: 2, stop: 'model', threshold: -1, now: () => tick++, ...options },
    signal,
  );
}

const idsOf = (result: BeamResult, at = 0): string[] | undefined => result.chains[at]?.passages.map((each) => each.id);

/** Best score of any chain of exactly `length` passages, each set counted in its best order. */
function exhaustive(
  ids: readonly string[],
  length: number,
  next: (chain: readonly string[], candidate: string) => number,
): { score: number; chain: string[] } {
  let best = { score: -Infinity, chain: [] as string[] };
  const visit = (chain: string[], score: number): void => {
    if (chain.length === length) {
      if (score > best.score) best = { score, chain };
      return;
    }
    for (const id of ids) if (!chain.includes(id)) visit([...chain, id], score + logSigmoid(next(chain, id)));
  };
  visit([], 0);
  return best;
}

/** Any scores, but the same for the same question. */
function scoreTable(seed: number): (chain: readonly string[], candidate: string) => number {
  const known = new Map<string, number>();
  const random = seededRandom(seed);
  return (chain, candidate) => {
    const key = `${chain.join()}>${candidate}`;
    const value = known.get(key) ?? random() * 6 - 3;
    known.set(key, value);
    return value;
  };
}

describe('beamSearch', () => {
  it('finds the best chain of an exhaustive search when the beam is wide enough', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (let seed = 1; seed <= 25; seed++) {
      const next = scoreTable(seed);
      const result = await search(ids, new ScriptedScorer(next), { beam: 200 });
      const found = result.chains.filter((chain) => chain.passages.length === 3).sort((x, y) => y.score - x.score)[0];
      const best = exhaustive(ids, 3, next);
      // Two orders of one set count once, the better: a prefix that lost to its other order is not extended, and
      // exhaustive search may pass through it.
      if (found?.score !== best.score)
        assert.ok((found?.score ?? -Infinity) < best.score && losesByOrder(best.chain, next), `seed ${seed}`);
      else
        assert.deepEqual(
          found.passages.map((each) => each.id),
          best.chain,
        );
    }
  });

  it('finds exactly the best chain when scores do not depend on order', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (let seed = 1; seed <= 25; seed++) {
      const table = scoreTable(seed);
      // The value of a set does not depend on the order in which it was gathered.
      const next = (chain: readonly string[], candidate: string): number =>
        table([], candidate) + (chain.length > 0 ? 0.1 * chain.length : 0);
      const result = await search(ids, new ScriptedScorer(next), { beam: 50 });
      const found = result.chains.filter((chain) => chain.passages.length === 3).sort((x, y) => y.score - x.score)[0];
      assert.ok(Math.abs((found?.score ?? 0) - exhaustive(ids, 3, next).score) < 1e-12);
    }
  });

  it('keeps the chain that starts second best, which a beam of one gives up', async () => {
    const scores: Record<string, number> = { '>a': 2, '>b': 1.5, 'a>b': -3, 'a>c': -3, 'b>c': 4, 'b>a': -4 };
    const next = (chain: readonly string[], candidate: string): number => scores[`${chain.join()}>${candidate}`] ?? -5;
    const greedy = await search(['a', 'b', 'c'], new ScriptedScorer(next), { beam: 1, maxHops: 2 });
    const wide = await search(['a', 'b', 'c'], new ScriptedScorer(next), { beam: 2, maxHops: 2 });
    assert.deepEqual(idsOf(greedy), ['a', 'b']);
    assert.deepEqual(idsOf(wide), ['b', 'c']);
  });

  it('counts a set found in two orders once, in the better order', async () => {
    const next = (chain: readonly string[], candidate: string): number =>
      chain.length === 0 ? ({ a: 2, b: 1, c: -2 }[candidate] ?? -9) : chain[0] === 'b' ? 3 : 1;
    const result = await search(['a', 'b', 'c'], new ScriptedScorer(next), { beam: 3, maxHops: 2 });
    const pairs = result.chains.filter((chain) => chain.passages.length === 2);
    const sets = pairs.map((chain) =>
      chain.passages
        .map((each) => each.id)
        .sort()
        .join(),
    );
    assert.equal(new Set(sets).size, sets.length);
    const ab = pairs.find((chain) => chain.passages.every((each) => each.id !== 'c'));
    assert.deepEqual(
      ab?.passages.map((each) => each.id),
      ['b', 'a'],
    );
  });

  it('never repeats a passage and stops when the pool is used up', async () => {
    const result = await search(['a', 'b'], new ScriptedScorer(() => 1), { maxHops: 6 });
    assert.equal(idsOf(result)?.length, 2);
    assert.deepEqual([...(idsOf(result) ?? [])].sort(), ['a', 'b']);
  });

  it('gives nothing for an empty pool', async () => {
    const result = await search([], new ScriptedScorer(() => 1));
    assert.deepEqual(result.chains, []);
    assert.deepEqual(result.extensions, []);
  });

  it('breaks ties the same way every time', async () => {
    const runs = await Promise.all(
      [1, 2, 3].map(() => search(['d', 'b', 'a', 'c'], new ScriptedScorer(() => 0.5), { maxHops: 2 })),
    );
    for (const run of runs)
      assert.deepEqual(
        run.chains.map((chain) => chain.passages.map((each) => each.id)),
        runs[0]?.chains.map((chain) => chain.passages.map((each) => each.id)),
      );
    assert.deepEqual(idsOf(runs[0] as BeamResult), ['a', 'b']);
  });

  it('stops one hop after the most complete chain and returns that chain', async () => {
    const scorer = new ScriptedScorer(
      () => -1,
      (chain) => (chain.length === 2 ? 3 : -3),
    );
    const result = await search(['a', 'b', 'c', 'd', 'e', 'f'], scorer, { maxHops: 6, beam: 1 });
    assert.equal(idsOf(result)?.length, 2);
    assert.equal(Math.max(...result.chains.map((chain) => chain.passages.length)), 3);
  });

  it('goes past a hop that completes nothing while the next one is likely, and not where it is not', async () => {
    const complete = (chain: readonly string[]): number => [-9, -4, 1, -2, 3, -9, -9][chain.length] ?? -9;
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const likely = await search(ids, new ScriptedScorer(() => 1, complete), { maxHops: 6, beam: 1 });
    assert.equal(idsOf(likely)?.length, 4);
    const unlikely = await search(ids, new ScriptedScorer(() => -1, complete), { maxHops: 6, beam: 1 });
    assert.equal(idsOf(unlikely)?.length, 2);
  });

  it('goes on while nothing is complete and the next hop is likely', async () => {
    const complete = (chain: readonly string[]): number => [-9, -4, -5, -6, -7, 1][chain.length] ?? -9;
    const result = await search(['a', 'b', 'c', 'd', 'e', 'f'], new ScriptedScorer(() => 1, complete), {
      maxHops: 6,
      beam: 1,
    });
    assert.equal(idsOf(result)?.length, 5);
  });

  it('stops by the threshold, as in the paper, with the chain before', async () => {
    const next = (chain: readonly string[]): number => (chain.length < 2 ? 1 : -2);
    const stopped = await search(['a', 'b', 'c', 'd'], new ScriptedScorer(next, () => 0), {
      stop: 'threshold',
      maxHops: 6,
    });
    assert.equal(idsOf(stopped)?.length, 2);
    const loose = await search(['a', 'b', 'c', 'd'], new ScriptedScorer(next, () => 0), {
      stop: 'threshold',
      threshold: -3,
      maxHops: 4,
    });
    assert.equal(idsOf(loose)?.length, 4);
  });

  it('stops in mid-hop when aborted, before the next chain is scored', async () => {
    const controller = new AbortController();
    const scorer = new ScriptedScorer(
      () => 1,
      undefined,
      () => controller.abort(),
    );
    await assert.rejects(search(['a', 'b', 'c', 'd'], scorer, { beam: 2 }, controller.signal), { name: 'AbortError' });
    assert.equal(scorer.extended.length, 1);
  });

  it('reports one time per hop', async () => {
    const result = await search(['a', 'b', 'c', 'd'], new ScriptedScorer(() => 1), { maxHops: 3 });
    assert.equal(result.hopMilliseconds.length, 4);
    assert.ok(result.hopMilliseconds.every((ms) => ms > 0));
  });
});

/** Whether some prefix of the chain, as a set, has a better order than the chain's own. */
function losesByOrder(
  chain: readonly string[],
  next: (chain: readonly string[], candidate: string) => number,
): boolean {
  const scoreOf = (ids: readonly string[]): number =>
    ids.reduce((sum, id, i) => sum + logSigmoid(next(ids.slice(0, i), id)), 0);
  const [a = '', b = ''] = chain;
  return scoreOf([b, a]) > scoreOf([a, b]);
}
