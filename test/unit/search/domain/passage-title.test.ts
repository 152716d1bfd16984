import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  asOnePart,
  documentTitle,
  isTitlePrefix,
  joinTitles,
  lastTitle,
  shortenTitle,
  titleOfParts,
  titleParts,
  titleUnder,
} from '../../../../src/search/domain/passage-title.ts';
import { filesBelow, readRepository } from '../../../doubles/repository-files.ts';

const name = fc.stringMatching(/^[A-Za-zÄ›-]{1,8}( > [a-z]{1,8}| [a-z]{1,8})?$/);

describe('the title of a passage', () => {
  it('is taken apart into the names that it was made of', () => {
    fc.assert(
      fc.property(fc.array(name.map(asOnePart), { maxLength: 6 }), (names) => {
        assert.deepEqual(titleParts(titleOfParts(names)), names);
      }),
    );
    assert.deepEqual(titleParts(''), []);
  });

  it('begins with its document and ends in its own name', () => {
    assert.equal(documentTitle('Ferries > Costs > 2024'), 'Ferries');
    assert.equal(lastTitle('Ferries > Costs > 2024'), '2024');
    assert.deepEqual([documentTitle(''), lastTitle('')], ['', '']);
  });

  it('stands under another one', () => {
    assert.equal(titleUnder('Ferries > Costs', '2024'), 'Ferries > Costs > 2024');
    assert.equal(titleUnder('', 'Ferries'), 'Ferries');
  });

  it('begins another title only with whole names', () => {
    assert.ok(isTitlePrefix('Ferries', 'Ferries > Costs'));
    assert.ok(!isTitlePrefix('Fer', 'Ferries > Costs'));
  });

  it('of two passages that become one lists what they do not share', () => {
    assert.equal(joinTitles('Ferries > Costs', 'Ferries > Crew', 100), 'Ferries > Costs, Crew');
    assert.equal(joinTitles('Ferries', 'Ferries > Crew', 100), 'Ferries > Crew');
  });

  it('keeps its first and its last names when it is too long', () => {
    assert.equal(shortenTitle('Ferries > Northern line > Costs > 2024', 20), 'Ferries > … > 2024');
  });

  it('is split nowhere else', () => {
    const elsewhere = filesBelow('src', 'webview', 'lab')
      .filter((file) => file.endsWith('.ts') && !file.endsWith('/passage-title.ts'))
      .filter((file) => /(['"`]) > \1|\} > |\/ > \//.test(readRepository(file)));
    assert.deepEqual(elsewhere, []);
  });
});
