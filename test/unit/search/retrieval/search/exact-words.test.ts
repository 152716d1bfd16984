import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exactList, exactWordsOf, holderOf } from '../../../../../src/search/retrieval/exact-words.ts';
import { hybridSearch } from '../../../../../src/search/retrieval/hybrid-search.ts';
import { readQuestion } from '../../../../../src/search/retrieval/question.ts';
import type { PassageFilter } from '../../../../../src/search/domain/passage-chain.ts';
import { MemoryPassageIndex } from '../../../../../lab/heads/memory-passage-index.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';
import { WordEmbedder } from '../../../../doubles/word-embedder.ts';

/** Rows of a table, a passage each; the nearer to the question, the earlier. */
const rows = Array.from({ length: 30 }, (_, i) => {
  const vector = new Float32Array(2).map((_each, at) => (at === 0 ? Math.cos(i / 30) : Math.sin(i / 30)));
  const text = `| svc-${1000 + i} | host-${2000 + i} | port ${11000 + i} | 2026-11-${10 + i} |`;
  return { ...notePassage(`row${i}`, 'Services', text, { path: i < 25 ? 'a.md' : 'b.md' }), vector };
});
const index = new MemoryPassageIndex(rows);
/** To which every question about a table is the same. */
const embedder = Object.assign(new WordEmbedder(), { embedQuery: async () => new Float32Array([1, 0]) });

const found = async (query: string, filter?: PassageFilter): Promise<string[]> => {
  const lists = ['text', 'vector', 'link'] as const;
  const { ranked } = await hybridSearch(index, embedder, readQuestion(query), { depth: 40, lists, filter });
  return ranked.map(({ passage }) => passage.id);
};
const holders = async (query: string, filter?: PassageFilter): Promise<string[]> =>
  (await exactList(index, exactWordsOf(query), filter)).map(({ passage }) => passage.id);

describe('exact words', () => {
  it('are numbers, ids, versions, codes, dates and times, whatever stands around them', () => {
    assert.deepEqual(exactWordsOf('Which service has port 11500?'), ['11500']);
    assert.deepEqual(exactWordsOf('Does svc-1500 raise E1234 since v1.2.3, on 2026-11-28 at 17:30?'), [
      'svc-1500',
      'e1234',
      'v1.2.3',
      '2026-11-28',
      '17:30',
    ]);
    assert.deepEqual(exactWordsOf('Why is err_4711 thrown (#1234)? And 1,500 or 0.25/0.75...'), [
      'err_4711',
      '1234',
      '1,500',
      '0.25/0.75',
    ]);
    assert.deepEqual(exactWordsOf('端口11500是哪个服务?'), ['11500']);
  });

  it('are neither quantities of one or two digits, nor ordinals, nor words', () => {
    assert.deepEqual(exactWordsOf('Did the 4th Baron have 5 houses, 12 in the 1990s, or twenty-one?'), []);
  });

  it('stand as they are written, not in a longer one', () => {
    const holds = (text: string, word: string): boolean => holderOf(word)(text);
    assert.ok(holds('See localhost:11500.', '11500'));
    assert.ok(holds('auth,8080,3', '8080'), 'a row of values');
    assert.ok(holds('2024-01-01,11500,7', '11500'));
    assert.equal(holds('11,500 of them', '500'), false);
    assert.equal(holds('11,500 of them', '11'), false);
    assert.ok(holds('Since V1.2.', 'v1.2'));
    assert.ok(holds('端口11500是', '11500'));
    for (const text of ['111500', '11500x', '11500.5'])
      assert.equal(holds(`It is ${text} of them.`, '11500'), false, text);
    assert.equal(holds('Since 1.2.3.', '1.2'), false);
    assert.equal(holds('Of 1x2.', '1.2'), false);
  });

  it('bring the only passage that holds them to the front, however far its vector is', async () => {
    for (const query of ['11029', 'svc-1029', 'Which service has port 11029?', 'What was on 2026-11-39?'])
      assert.equal((await found(query))[0], 'row29', query);
    assert.deepEqual((await found('Do 11027 and 11029 differ?')).slice(0, 2), ['row27', 'row29']);
  });

  it('are worth the more, the more a passage holds, and nothing where many do', async () => {
    assert.deepEqual(await holders('Which of 11029 and 11003 is on 2026-11-13?'), ['row3', 'row29']);
    const years = rows.map((each) => ({ ...each, text: `${each.text} in 2026` }));
    assert.deepEqual(await exactList(new MemoryPassageIndex(years), exactWordsOf('What was in 2026?'), undefined), []);
    const six = new MemoryPassageIndex(rows.map((row, i) => (i < 6 ? { ...row, text: `${row.text} E42` } : row)));
    assert.deepEqual(await exactList(six, exactWordsOf('What is E42?'), undefined), []);
  });

  it('are looked for where is searched', async () => {
    assert.deepEqual(await holders('11029', { paths: ['a.md'] }), []);
    assert.deepEqual(await holders('11029', { paths: ['b.md'] }), ['row29']);
  });

  it('change nothing where a query has none', async () => {
    const { ranked } = await hybridSearch(index, embedder, readQuestion('Which service has a host?'), {
      depth: 40,
      lists: ['text', 'vector', 'link'],
    });
    assert.ok(ranked.length > 0 && ranked.every(({ parts }) => parts.exact === undefined));
  });
});
