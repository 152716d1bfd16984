import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isNoLanguage } from '../../../../src/search/reading/text/no-language.ts';
import { repositoryRoot } from './reading-harness.ts';

describe('text that is no language', () => {
  let state = 7;
  /** Mulberry32. */
  const random = (most: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
  const letters = (count: number, of: string): string =>
    Array.from({ length: count }, () => of[random(of.length)]).join('');

  it('is told by its form', () => {
    const abc = 'abcdefghijklmnopqrstuvwxyz';
    const words = Array.from({ length: 20_000 }, () => letters(4 + random(6), abc)).join(' ');
    assert.ok(isNoLanguage(words), 'random words');
    assert.ok(isNoLanguage(letters(60_000, '0123456789abcdef')), 'hexadecimal digits without a blank');
    const lines = Array.from({ length: 900 }, () => letters(76, `${abc}${abc.toUpperCase()}0123456789+/`)).join('\n');
    assert.ok(isNoLanguage(lines), 'base64');
  });

  it('is no prose, in whatever script, and nothing short', () => {
    const prose = readdirSync(path.join(repositoryRoot, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(path.join(repositoryRoot, 'docs', name), 'utf8'))
      .join('\n');
    assert.ok(prose.length > 50_000);
    assert.ok(!isNoLanguage(prose));
    assert.ok(!isNoLanguage('渡し船は春に選ばれた。イネスさんが決めた。'.repeat(2_000)));
    assert.ok(!isNoLanguage('เรือข้ามฟากถูกเลือกในฤดูใบไม้ผลิ'.repeat(2_000)));
    assert.ok(!isNoLanguage(letters(5_000, '0123456789abcdef')));
  });
});
