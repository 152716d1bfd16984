import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

const WIDEST = 120;
/** What a test compares with is easier to read on one line; a predicate of a pattern cannot be broken. */
const WIDE_ON_PURPOSE = new Set(['src/search/reading/code/languages/go/tags.scm']);
const COMMENT = /^\s*(?:\*|\/\/|\/\*)/;

/** Of a text or an expression that the formatter leaves as it is. */
const WIDEST_TEXT = 160;

/** Lines of the sources that are too wide, as `FILE:LINE`. */
const linesThat = (areTooWide: (line: string, file: string) => boolean): string[] =>
  filesBelow('src', 'webview', 'lab', 'scripts', 'test')
    .filter((name) => /\.(?:ts|mjs|scm)$/.test(name))
    .flatMap((file) =>
      readRepository(file)
        .split('\n')
        .flatMap((line, i) => (areTooWide(line, file) ? [`${file}:${i + 1}`] : [])),
    );

describe('lines', () => {
  it(`of comments are at most ${WIDEST} columns wide, which the formatter does not see to`, () => {
    assert.deepEqual(
      linesThat((line, file) => line.length > WIDEST && COMMENT.test(line) && !file.endsWith('.scm')),
      [],
    );
  });

  it(`of texts and expressions are at most ${WIDEST_TEXT} columns wide`, () => {
    assert.deepEqual(
      linesThat((line, file) => line.length > WIDEST_TEXT && !WIDE_ON_PURPOSE.has(file)),
      [],
    );
  });
});
