import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  contextRoom,
  estimateTokens,
  fitPassages,
  sentenceEnds,
} from '../../../../src/research/language-model/context-window.ts';
import type { Passage, PassageKind } from '../../../../src/search/domain/passage.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const passage = (id: string, text: string, kind: PassageKind = 'section'): Passage =>
  notePassage(id, id, text, { path: `${id}.md`, endLine: 9, kind });
const sentences = (text: string, kind: PassageKind = 'section'): string[] => {
  let from = 0;
  return sentenceEnds(text, kind).map((end) => {
    const one = text.slice(from, end).trim();
    from = end;
    return one;
  });
};
const words = (count: number): string =>
  Array.from({ length: count }, (_, i) => `Sentence number ${i} is here.`).join(' ');

describe('sentenceEnds', () => {
  it('keeps wrapped lines, abbreviations and numbers together', () => {
    assert.deepEqual(sentences('Dr. Hale went to St. Anne with 3.5 kg\nof wire. It broke! "Why?" she asked.'), [
      'Dr. Hale went to St. Anne with 3.5 kg\nof wire.',
      'It broke!',
      '"Why?" she asked.',
    ]);
  });

  it('ends at headings, list items and blank lines', () => {
    assert.deepEqual(sentences('# Costs\n\nWe pay\n- for wire\n- for salt\n\nThen no more'), [
      '# Costs',
      'We pay',
      '- for wire',
      '- for salt',
      'Then no more',
    ]);
  });

  it('ends code at lines', () => {
    assert.deepEqual(sentences('const a = "x. Y";\nreturn a;', 'function'), ['const a = "x. Y";', 'return a;']);
  });

  it('ends Chinese sentences', () => {
    assert.deepEqual(sentences('渡轮从港口出发。决定由港务长作出。'), ['渡轮从港口出发。', '决定由港务长作出。']);
  });
});

describe('fitPassages', () => {
  it('leaves everything whole when there is room', () => {
    const fit = fitPassages(
      [
        { passage: passage('a', words(3)), relevance: 1 },
        { passage: passage('b', words(3)), relevance: 2 },
      ],
      { tokens: 1000 },
    );
    assert.deepEqual(
      fit.passages.map((one) => [one.passage.id, one.cut]),
      [
        ['a', false],
        ['b', false],
      ],
    );
    assert.equal(fit.cut, undefined);
  });

  it('keeps the relevant whole, cuts the next at a sentence end and says so', () => {
    const [low, high, middle] = [passage('low', words(40)), passage('high', words(10)), passage('middle', words(40))];
    const fit = fitPassages(
      [
        { passage: low, relevance: 1 },
        { passage: high, relevance: 3 },
        { passage: middle, relevance: 2 },
      ],
      { tokens: 200 },
    );
    assert.deepEqual(
      fit.passages.map((one) => [one.passage.id, one.cut]),
      [
        ['high', false],
        ['middle', true],
      ],
    );
    assert.deepEqual(fit.dropped, [low]);
    const cut = fit.passages[1]?.text ?? '';
    assert.ok(middle.text.startsWith(cut) && cut.endsWith('is here.'));
    assert.deepEqual(fit.cut, { shortened: ['middle.md'], left: 1, of: 3 });
  });

  it('cuts no hop of the trail while there is anything else to cut, and then all hops alike', () => {
    const hops = [passage('first', words(30)), passage('last', words(30))];
    const other = passage('other', words(30));
    const candidates = [
      { passage: other, relevance: 9 },
      ...hops.map((hop) => ({ passage: hop, relevance: 1, hop: true })),
    ];
    const enough = fitPassages(candidates, { tokens: 2 * (estimateTokens(words(30)) + 12) + 20 });
    assert.deepEqual(
      enough.passages.map((one) => [one.passage.id, one.cut]),
      [
        ['first', false],
        ['last', false],
      ],
    );
    assert.deepEqual(enough.cut, { shortened: [], left: 1, of: 3, onTrail: 0 });
    const tight = fitPassages(candidates, { tokens: estimateTokens(words(30)) + 40 });
    assert.deepEqual(
      tight.passages.map((one) => [one.passage.id, one.cut]),
      [
        ['first', true],
        ['last', true],
      ],
    );
    const [one, two] = tight.passages.map(({ text }) => estimateTokens(text));
    assert.ok(Math.abs((one ?? 0) - (two ?? 0)) <= 12, `${one} and ${two}`);
    assert.deepEqual(tight.cut?.shortened, ['first.md', 'last.md']);
  });

  it('gives what a short hop leaves to the longer ones', () => {
    const fit = fitPassages(
      [
        { passage: passage('short', words(5)), relevance: 1, hop: true },
        { passage: passage('long', words(30)), relevance: 1, hop: true },
      ],
      { tokens: estimateTokens(words(5)) + estimateTokens(words(30)) + 24 },
    );
    assert.ok(fit.passages.length === 2 && fit.passages.every((one) => !one.cut));
  });

  it('drops a passage of which no sentence fits', () => {
    const fit = fitPassages([{ passage: passage('a', `${'word '.repeat(300)}.`), relevance: 1 }], { tokens: 100 });
    assert.deepEqual(fit.passages, []);
    assert.equal(fit.dropped.length, 1);
  });

  it('never exceeds its room and always cuts where a sentence ends', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(60), fc.nat(5)), { maxLength: 8 }), fc.nat(900), (sizes, tokens) => {
        const candidates = sizes.map(([size, relevance], i) => ({
          passage: passage(`p${i}`, words(size + 1)),
          relevance,
          hop: relevance > 3,
        }));
        const fit = fitPassages(candidates, { tokens });
        const taken = fit.passages.reduce((sum, one) => sum + estimateTokens(one.text) + 12, 0);
        assert.ok(taken <= tokens);
        assert.equal(fit.passages.length + fit.dropped.length, candidates.length);
        for (const one of fit.passages) assert.ok(sentenceEnds(one.passage.text, 'section').includes(one.text.length));
      }),
      { numRuns: 100 },
    );
  });
});

describe('contextRoom', () => {
  it('subtracts prompt, reply and a reserve, and is never negative', () => {
    const messages = [{ role: 'user' as const, content: 'one two three' }];
    assert.equal(contextRoom({ contextTokens: 1000 }, messages, 200), 950 - 7 - 200);
    assert.equal(contextRoom({ contextTokens: 100 }, messages, 200), 0);
  });
});

describe('estimateTokens', () => {
  // Counted once with the tokenizers of Qwen 2.5 and GPT-4o.
  const cases: [string, number, number][] = [
    ['The quick brown fox jumps over the lazy dog.', 10, 10],
    ['export const slotsOf = (items: readonly string[]): number => items.length * 2;', 19, 19],
    ['如果天气允许且船员齐全，渡轮每天早上七点从港口出发。', 18, 22],
  ];
  for (const [text, least, most] of cases) {
    it(`is near the truth for "${text.slice(0, 20)}…"`, () => {
      const tokens = estimateTokens(text);
      assert.ok(tokens >= least * 0.85 && tokens <= most * 1.45, `${tokens}`);
    });
  }

  it('is 0 for nothing', () => assert.equal(estimateTokens(''), 0));
});
