import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { excludeMatcher } from '../../../../src/search/reading/crawl/ignore-rules.ts';

describe('patterns of settings', () => {
  it('leave out what they name', () => {
    const matches = excludeMatcher(['**/*.min.*', '/build/', '**/{a,b}/**', 'docs/*-draft-*.md']);
    for (const name of ['x/lib.min.js', 'build', 'q/a/r.md', 'docs/1-draft-2.md']) assert.ok(matches(name), name);
    for (const name of ['x/lib.js', 'q/build', 'q/c/r.md', 'docs/draft.md'])
      assert.equal(matches(name), undefined, name);
  });

  it('with many stars hold nothing up', () => {
    const matches = excludeMatcher([`${'*a'.repeat(8)}*b`]);
    const started = performance.now();
    matches('a'.repeat(250));
    assert.ok(performance.now() - started < 2_000);
    assert.ok(matches(`${'xa'.repeat(8)}b`), 'what they left out is still left out');
  });
});
