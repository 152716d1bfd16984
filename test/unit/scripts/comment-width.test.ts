import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

const WIDEST = 120;
const COMMENT = /^\s*(?:\*|\/\/|\/\*)/;

describe('comments', () => {
  it(`are at most ${WIDEST} columns wide, which the formatter does not see to`, () => {
    const files = filesBelow('src', 'webview', 'lab', 'scripts', 'test').filter((name) => /\.(?:ts|mjs)$/.test(name));
    const wide = files.flatMap((file) =>
      readRepository(file)
        .split('\n')
        .flatMap((line, i) => (line.length > WIDEST && COMMENT.test(line) ? [`${file}:${i + 1}`] : [])),
    );
    assert.deepEqual(wide, []);
  });
});
