import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const LANGUAGES = ['de', 'es', 'fr', 'ja', 'zh-cn'];
const FILES = ['l10n/bundle.l10n', 'package.nls'];

const fileOf = (name: string): URL => new URL(`../../../${name}.json`, import.meta.url);
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(fileOf(name), 'utf8')) as Record<string, string>;

/** What a translation must hold as it is: places of values, icons, code, and what a link runs. */
const fixedParts = (text: string): string[] =>
  (text.match(/\{\d\}|\$\([a-z-]+\)|`[^`]*`|\(command:[^)]*\)|https?:\/\//g) ?? []).sort();

for (const file of FILES) {
  const english = read(file);
  for (const language of LANGUAGES) {
    describe(`${file}.${language}.json`, () => {
      const texts = existsSync(fileOf(`${file}.${language}`)) ? read(`${file}.${language}`) : {};

      it('has every text, and none that is gone', () => {
        assert.deepEqual(
          {
            missing: Object.keys(english).filter((key) => texts[key] === undefined),
            gone: Object.keys(texts).filter((key) => english[key] === undefined),
          },
          { missing: [], gone: [] },
          'translate what is missing; node scripts/l10n.mjs takes out of the bundles what is gone',
        );
      });

      it('keeps placeholders, icons, code and links', () => {
        for (const [key, text] of Object.entries(texts))
          assert.deepEqual(fixedParts(text), fixedParts(english[key] ?? ''), `${key}: ${text}`);
      });

      it('is in its language: hardly a text is the English one', () => {
        const same = Object.entries(texts).filter(([key, text]) => text === english[key] || text.trim() === '');
        assert.ok(same.length < Object.keys(english).length / 20, same.map(([key]) => key).join(', '));
      });
    });
  }
}
