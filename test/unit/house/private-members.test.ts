import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

/** `private` or `protected` before anything but a constructor or what a library calls so: these have no other way. */
const OTHER_DIALECT = /^\s*(?:private|protected) (?!constructor\b|override\b).*/gm;

describe('what a class keeps to itself', () => {
  it('is written as #name', () => {
    assert.equal('  private readonly a = 1;\n  private constructor() {'.match(OTHER_DIALECT)?.length, 1);
    const files = filesBelow('src', 'webview', 'lab', 'scripts', 'test').filter((name) => /\.m?ts$/.test(name));
    const found = files.flatMap((file) =>
      (readRepository(file).match(OTHER_DIALECT) ?? []).map((line) => `${file}:${line}`),
    );
    assert.deepEqual(found, []);
  });
});
