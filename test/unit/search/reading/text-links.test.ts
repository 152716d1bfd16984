import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fileFormats } from '../../../../src/search/reading/formats/file-formats.ts';
import { fileNamesIn, NO_FILE_NAMES } from '../../../../src/search/reading/links/text-links.ts';

const known = fileFormats.flatMap(({ extensions }) => Object.keys(extensions));
const leftOut = new Set([...NO_FILE_NAMES, ...known.filter((extension) => /^\d|\+/.test(extension))]);
const namesIn = (text: string): string[] => [...fileNamesIn(text)].map(({ name }) => name);

describe('words of a text', () => {
  it('name a file by every extension of a language or a format', () => {
    for (const extension of known)
      if (!leftOut.has(extension)) {
        const name = `quay/berth.${extension}`;
        assert.deepEqual(namesIn(`as ${name} says.`), [name]);
      }
  });

  it('but by those that are far more often something else', () => {
    for (const extension of leftOut) {
      assert.ok(!namesIn(`as berth.${extension} says.`).includes(`berth.${extension}`), extension);
    }
  });

  it('are none in calls, members and numbers', () => {
    assert.deepEqual(namesIn('node.text, this.props, point.d, version 3.1 and store.ts() are none; main.c is.'), [
      'main.c',
    ]);
  });
});
