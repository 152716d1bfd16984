import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { AutoTokenizer, env, type PreTrainedTokenizer } from '@huggingface/transformers';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import { isDocument } from '../../../../src/search/reading/formats/file-formats.ts';
import { counter, fixturesFolder, repositoryRoot } from './reading-harness.ts';

describe('WordPieceCounter', function () {
  this.timeout(60_000);
  let library: PreTrainedTokenizer;

  before(async () => {
    env.allowRemoteModels = false;
    env.localModelPath = path.join(repositoryRoot, 'models');
    library = await AutoTokenizer.from_pretrained('Xenova/bge-small-en-v1.5');
  });

  const agree = (text: string): void =>
    assert.equal(counter.count(text), library.encode(text).length, JSON.stringify(text.slice(0, 200)));

  it('agrees with the library on every fixture', () => {
    const files = readdirSync(fixturesFolder, { withFileTypes: true, recursive: true }).filter(
      (entry) => entry.isFile() && !isDocument(entry.name),
    );
    assert.ok(files.length > 40);
    for (const file of files) agree(readFileSync(path.join(file.parentPath, file.name), 'utf8'));
  });

  it('agrees on accents, scripts, marks, faces, special tokens and endless words', () => {
    for (const text of [
      '',
      ' ',
      'İstanbul ß naïve Café',
      '한국어 텍스트',
      '漢字かな交じり文',
      'Ελληνικά עברית العربية',
      'a\u200bb\ufeffc\u0000d',
      '\u{1f600}\u{1f468}\u200d\u{1f469}',
      '[MASK] and [CLS]x[SEP] but [other]',
      'x'.repeat(100),
      'x'.repeat(101),
      '½ ² ™ €5 “quoted” — dash…',
      'a\u0301b\u00a0c\u2028d',
      '\u{20000}\u{20001} ab',
      'getElementById __init__ HTTPServer2',
    ])
      agree(text);
  });

  it('agrees on any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string({ maxLength: 120 })), agree),
      { numRuns: 500 },
    );
  });
});
