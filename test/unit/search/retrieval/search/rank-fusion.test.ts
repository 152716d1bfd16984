import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IndexedPassage, ScoredPassage } from '../../../../../src/search/store/passage-index.ts';
import { foldPassages, fuse, type FusedPassage } from '../../../../../src/search/retrieval/fuse.ts';
import { isCopy } from '../../../../../src/search/retrieval/same-text.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const passage = (id: string, extra: Partial<IndexedPassage> = {}): IndexedPassage => ({
  ...notePassage(id, id, `text of ${id}`, { path: id, contentHash: id }),
  vector: new Float32Array([1]),
  ...extra,
});
const list = (...passages: IndexedPassage[]): ScoredPassage[] =>
  passages.map((each, i) => ({ passage: each, score: 10 - i }));
const WEIGHTS = { text: 0.5, vector: 1, link: 0.25, k: 10 };

describe('fuse', () => {
  it('adds weighted reciprocal ranks and keeps the parts', () => {
    const [a, b] = [passage('a'), passage('b')];
    const fused = fuse({ text: list(b, a), vector: list(a, b) }, WEIGHTS);
    assert.deepEqual(
      fused.map((entry) => entry.passage.id),
      ['a', 'b'],
    );
    assert.equal(fused[0]?.score, 0.5 / 12 + 1 / 11);
    assert.deepEqual(fused[0]?.parts, { text: { rank: 2, score: 9 }, vector: { rank: 1, score: 10 } });
  });

  it('does not drown passages that wait for their vector', () => {
    const waiting = passage('waiting', { vector: undefined });
    const ready = Array.from({ length: 5 }, (_, i) => passage(`ready${i}`));
    const fused = fuse({ text: list(waiting, ...ready), vector: list(...ready) }, WEIGHTS);
    assert.equal(fused[0]?.passage.id, 'waiting');
  });

  it('looks at each of a long list of equal matches a few times', () => {
    let looks = 0;
    const link = Array.from({ length: 2_000 }, (_, i) => ({
      passage: passage(`p${i}`),
      get score() {
        looks += 1;
        return 1;
      },
    }));
    assert.ok(fuse({ link }, WEIGHTS).every(({ parts }) => parts.link?.rank === 1));
    assert.ok(looks < 10 * link.length, `${looks} looks`);
  });

  it('lets equal numbers of name matches share a rank, and breaks ties by id', () => {
    const fused = fuse({ link: ['b', 'a'].map((id) => ({ passage: passage(id), score: 1 })) }, WEIGHTS);
    assert.deepEqual(
      fused.map((entry) => [entry.passage.id, entry.parts.link?.rank]),
      [
        ['a', 1],
        ['b', 1],
      ],
    );
  });
});

describe('foldPassages', () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve';
  const ranked = (...passages: IndexedPassage[]): FusedPassage[] =>
    passages.map((each) => ({ passage: each, score: 1, parts: {} }));

  it('folds equal content, overlap that repeats words, and near-identical text', async () => {
    const best = passage('best', { text: words, startLine: 1, endLine: 12, uri: 'file:///f' });
    const same = passage('same', { contentHash: 'best' });
    const part = passage('part', { text: 'three four five six', startLine: 3, endLine: 6, uri: 'file:///f' });
    const copy = passage('copy', { text: `${words}`.replace('twelve', 'twelve') });
    const folded = await foldPassages(ranked(best, same, part, copy, passage('other')), 10);
    assert.deepEqual(
      folded.map((hit) => hit.passage.id),
      ['best', 'other'],
    );
    assert.deepEqual(
      folded[0]?.folded.map((each) => each.id),
      ['same', 'part', 'copy'],
    );
  });

  it('keeps a member beside the outline that spans its lines', async () => {
    const outline = passage('outline', {
      text: 'class Store { merge(); split(); }',
      startLine: 1,
      endLine: 90,
      uri: 'file:///f',
    });
    const member = passage('member', {
      text: 'merge() { for (const row of rows) this.put(row); return rows.length }',
      startLine: 20,
      endLine: 40,
      uri: 'file:///f',
    });
    assert.equal((await foldPassages(ranked(outline, member), 10)).length, 2);
  });

  it('stops at the limit', async () => {
    assert.equal(
      (
        await foldPassages(
          ranked(passage('a', { text: words }), passage('b', { text: 'else' }), passage('c', { text: 'more' })),
          2,
        )
      ).length,
      2,
    );
  });
});

describe('isCopy', () => {
  const text = (id: string, words: readonly string[]): IndexedPassage => passage(id, { text: words.join(' ') });
  const words = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `w${from + i}`);

  it('is told by nine in ten of all words', () => {
    const all = words(0, 95);
    for (let other = 0; other <= 20; other++) {
      const union = 95 + other;
      const isSame = (95 - other) / union >= 0.9;
      assert.equal(isCopy(text('a', all), text('b', words(other, 95 + other))), isSame, `${other} others`);
      assert.equal(isCopy(text('a', all), text('c', words(0, 95 + other))), 95 / union >= 0.9, `${other} more`);
    }
  });

  it('is told of texts about different things by their first words', () => {
    const [some, others] = [text('a', words(0, 400)), text('b', words(500, 900))];
    assert.equal(isCopy(some, others), false);
    const has = Reflect.get(Set.prototype, 'has') as (this: Set<unknown>, word: unknown) => boolean;
    let looks = 0;
    Set.prototype.has = function (word) {
      looks += 1;
      return has.call(this, word);
    };
    try {
      assert.equal(isCopy(some, others), false);
    } finally {
      Set.prototype.has = has;
    }
    assert.ok(looks < 100, `${looks} words`);
  });
});
