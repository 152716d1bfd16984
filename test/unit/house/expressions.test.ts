import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import {
  expressionsBelow,
  expressionsIn,
  growthOf,
  growthOfAll,
  keyOf,
  type FoundExpression,
} from '../../../scripts/testing/regular-expressions.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { exceptions, putTogether } from './expression-exceptions.ts';

describe('regular expressions', function () {
  this.timeout(600_000);
  let found: FoundExpression[];

  before(() => {
    found = expressionsBelow(repositoryRoot, ['src', 'webview']);
  });

  it('take time in proportion to the text, but for named ones that only see short texts', async () => {
    assert.ok(found.length > 400, `only ${found.length} were found`);
    const growth = await growthOfAll(found);
    const slow = found.filter((one) => one.pattern !== undefined && !growth.get(keyOf(one))?.safe);
    const named = (one: FoundExpression): boolean =>
      exceptions.some(({ file, begins }) => file === one.file && keyOf(one).startsWith(begins));
    assert.deepEqual(
      slow
        .filter((one) => !named(one))
        .map((one) => `${one.file}:${one.line} ${growth.get(keyOf(one))?.why}: ${keyOf(one)}`),
      [],
    );
    const unused = exceptions.filter(
      ({ file, begins }) => !slow.some((one) => one.file === file && keyOf(one).startsWith(begins)),
    );
    assert.deepEqual(unused, [], 'exceptions that nothing needs');
    for (const { file, longest } of exceptions)
      assert.ok(longest > 0 && longest <= 2_000, `${file}: an exception sees at most 2,000 characters`);
  });

  it('are written out, but for named ones that are put together of parts', async () => {
    const dynamic = found.filter((one) => one.pattern === undefined).map((one) => one.file);
    assert.deepEqual([...new Set(dynamic)].sort(), Object.keys(putTogether).sort());
    for (const [file, samples] of Object.entries(putTogether)) {
      assert.ok(samples.length > 0, `${file} shows none of what it puts together`);
      for (const { source, flags } of samples)
        assert.deepEqual({ file, source, ...(await growthOf(source, flags)) }, { file, source, safe: true, why: '' });
    }
  });

  it('that are slow are told from quick ones', async () => {
    assert.deepEqual(await growthOf('^(?:\\s+.*\\n)*?\\s+name', 'm').then(({ safe }) => safe), false);
    assert.deepEqual(await growthOf('\\s+$', '').then(({ why }) => why), 'polynomial 2');
    assert.deepEqual(await growthOf('^\\s+$', '').then(({ safe }) => safe), true);
    const [literal, built] = expressionsIn('a.ts', 'const a = /x+y/giu;\nconst b = new RegExp(`${a}`);');
    assert.deepEqual(
      [literal?.pattern, literal?.flags, literal?.line, built?.pattern, built?.line],
      ['x+y', 'giu', 1, undefined, 2],
    );
  });
});
