import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { relocatePassage } from '../../../../src/vscode/open/relocate-passage.ts';

const passage = { text: 'def merge(a, b):\n    return a | b\n', startLine: 3, endLine: 5 };
const file = 'import os\n\ndef merge(a, b):\n    return a | b\n\nprint(1)\n';

describe('relocatePassage', () => {
  it('stays where nothing changed', () => {
    assert.deepEqual(relocatePassage(passage, file), { state: 'same', startLine: 3, endLine: 5 });
  });

  it('follows its text down and up', () => {
    assert.deepEqual(relocatePassage(passage, `# new\n# lines\n${file}`), { state: 'moved', startLine: 5, endLine: 7 });
    assert.deepEqual(relocatePassage(passage, file.replace('import os\n\n', '')), { state: 'moved', startLine: 1, endLine: 3 });
  });

  it('does not care for line ends and trailing spaces', () => {
    assert.equal(relocatePassage(passage, file.replaceAll('\n', ' \r\n')).state, 'same');
  });

  it('finds the meant lines alone when the rest of the passage changed', () => {
    const focused = { ...passage, focus: { startLine: 4, endLine: 4 } };
    assert.deepEqual(relocatePassage(focused, file.replace('merge', 'join')), { state: 'same', startLine: 4, endLine: 4 });
    assert.deepEqual(relocatePassage(focused, `\n${file.replace('merge', 'join')}`), { state: 'moved', startLine: 5, endLine: 5 });
  });

  it('takes the nearest of equal places', () => {
    const twice = `${file}\n\n\n${file}`;
    assert.equal(relocatePassage(passage, twice).startLine, 3);
    assert.equal(relocatePassage({ ...passage, startLine: 11, endLine: 13 }, twice).startLine, 12);
  });

  it('says that it changed, within the file as it is now', () => {
    assert.deepEqual(relocatePassage(passage, 'gone\n'), { state: 'changed', startLine: 2, endLine: 2 });
    assert.deepEqual(relocatePassage(passage, ''), { state: 'changed', startLine: 1, endLine: 1 });
  });

  it('finds any passage again behind inserted lines', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '{'), maxLength: 6 });
    fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.array(line, { maxLength: 5 }), (lines, before) => {
      const unique = lines.map((text, index) => `${text}#${index}`);
      const found = relocatePassage({ text: unique.join('\n'), startLine: 1, endLine: unique.length }, [...before, ...unique].join('\n'));
      assert.equal(found.startLine, before.length + 1);
      assert.notEqual(found.state, 'changed');
    }));
  });
});
