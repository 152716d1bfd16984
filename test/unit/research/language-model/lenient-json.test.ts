import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { jsonCandidates } from '../../../../src/research/language-model/lenient-json.ts';

const first = (reply: string): unknown => jsonCandidates(reply)[0];

describe('jsonCandidates', () => {
  const cases: [string, string, unknown][] = [
    ['plain JSON', '{"a": 1}', { a: 1 }],
    ['a code fence', 'Sure!\n```json\n{"a": [1, 2]}\n```\nHope that helps.', { a: [1, 2] }],
    ['an unclosed code fence', '```json\n{"a": [1, 2]}', { a: [1, 2] }],
    ['leading and trailing prose', 'The answer is {"a": "b"} as you asked.', { a: 'b' }],
    ['trailing commas', '{"a": [1, 2,], "b": 3,}', { a: [1, 2], b: 3 }],
    ['missing commas', '{"a": 1\n "b": 2}', { a: 1, b: 2 }],
    ['single quotes', "{'a': 'the \"old\" ferry', 'b': 'x'}", { a: 'the "old" ferry', b: 'x' }],
    ['typographic quotes', '{“a”: “b”}', { a: 'b' }],
    ['unescaped quotes in a string', '{"a": "the "old" pier", "b": 1}', { a: 'the "old" pier', b: 1 }],
    ['bare keys and Python literals', '{a: True, b: None, c_d: -1.5e2}', { a: true, b: null, c_d: -150 }],
    ['comments', '{"a": 1, // one\n /* two */ "b": 2}', { a: 1, b: 2 }],
    ['raw line breaks in strings', '{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    ['escapes', '{"a": "tab\\tquote\\" \\u00e9",}', { a: 'tab\tquote" é' }],
    ['a text cut in a string', '{"a": "one", "b": ["two", "thr', { a: 'one', b: ['two', 'thr'] }],
    ['a text cut after a key', '{"a": "one", "b":', { a: 'one', b: null }],
    ['thoughts before the reply', '<think>{"a": 0}? no.</think>{"a": 1}', { a: 1 }],
    ['what follows a thought that the prompt began', 'Is it {"a": 0}? No.\n</think>\nSo {"a": 1}', { a: 1 }],
    ['thoughts under other names', '<reasoning>{"a": 0}</reasoning>Or {"a": 3}?</thinking>{"a": 1}', { a: 1 }],
    [
      'marks of thoughts in a text',
      '{"a": "It ends with </think> or </thinking>."}',
      { a: 'It ends with </think> or </thinking>.' },
    ],
    ['a number alone', '42', 42],
  ];
  for (const [what, reply, value] of cases) {
    it(`reads ${what}`, () => assert.deepEqual(first(reply), value));
  }

  it('passes over brackets in prose', () => {
    assert.deepEqual(jsonCandidates('The set {a, b} [see above] gives {"type": "lookup"}.'), [{ type: 'lookup' }]);
  });

  it('gives every value that stands in the reply', () => {
    assert.deepEqual(jsonCandidates('First {"a": 1}, then {"b": 2}'), [{ a: 1 }, { b: 2 }]);
  });

  it('finds nothing in prose', () => {
    assert.deepEqual(jsonCandidates('I am sorry, I cannot.'), []);
    assert.deepEqual(jsonCandidates(''), []);
  });

  it('keeps __proto__ as data', () => {
    const value = first("{'__proto__': {'polluted': true}}") as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  it('survives deep nesting and endless repetition', () => {
    assert.deepEqual(jsonCandidates('['.repeat(5000)), []);
    assert.ok(Array.isArray(jsonCandidates('{oops '.repeat(20_000))));
  });

  it('reads every JSON value inside prose, and every cut of it without throwing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        assert.deepEqual(jsonCandidates(text)[0], JSON.parse(text));
        jsonCandidates(`So: ${text.slice(0, cut % (text.length + 1))}`);
      }),
      { numRuns: 300 },
    );
  });
});
