import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { carefulTokenCount } from '../../../../src/search/embedding/token-counter.ts';
import { counter, repositoryRoot } from '../reading/reading-harness.ts';

const digests = Array.from({ length: 40 }, (_, i) => createHash('sha256').update(`${i}`).digest());

describe('careful token count', () => {
  const dense: Record<string, string> = {
    base64: Buffer.concat(digests).toString('base64'),
    numbers: Array.from({ length: 300 }, (_, i) => (((i * 7_919) % 100_000) / 100).toFixed(2)).join(','),
    'minified code': readFileSync(path.join(repositoryRoot, 'node_modules/picomatch/lib/parse.js'), 'utf8').replace(
      /\s+/g,
      '',
    ),
    Japanese: '索引は単語で検索できます。埋め込みモデルは拒否しました。'.repeat(20),
    Russian: 'Указатель можно искать по словам, пока строятся векторы. '.repeat(20),
  };
  for (const [kind, text] of Object.entries(dense)) {
    it(`is not below what a word-piece tokenizer makes of ${kind}, where a token for three bytes is`, () => {
      const counted = counter.count(text);
      assert.ok(carefulTokenCount(text) >= counted, `${carefulTokenCount(text)} for ${counted}`);
      assert.ok(carefulTokenCount(text) <= 2 * counted, `${carefulTokenCount(text)} for ${counted}`);
    });
  }

  it('is never below a token for three bytes, and near that for prose', () => {
    const prose = readFileSync(path.join(repositoryRoot, 'docs/security.md'), 'utf8');
    for (const text of [...Object.values(dense), prose, '', 'a', '😀'.repeat(50), 'x'.repeat(2_000)]) {
      assert.ok(carefulTokenCount(text) >= Math.ceil(Buffer.byteLength(text) / 3) + 2);
    }
    assert.ok(carefulTokenCount(prose) <= (Buffer.byteLength(prose) / 3) * 1.1);
  });
});
