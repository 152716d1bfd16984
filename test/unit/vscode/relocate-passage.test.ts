import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';

const { relocatePassage } = await import('../../../src/vscode/open-passage.ts');

const passage = { text: 'def merge(a, b):\n    return a | b\n', startLine: 3, endLine: 5 };
const file = 'import os\n\ndef merge(a, b):\n    return a | b\n\nprint(1)\n';

describe('relocatePassage', () => {
  it('stays where nothing changed', () => {
    assert.deepEqual(relocatePassage(passage, file), { state: 'same', startLine: 3, endLine: 5 });
  });

  it('follows its text down and up', () => {
    assert.deepEqual(relocatePassage(passage, `# new\n# lines\n${file}`), { state: 'moved', startLine: 5, endLine: 7 });
    assert.deepEqual(relocatePassage(passage, file.replace('import os\n\n', '')), {
      state: 'moved',
      startLine: 1,
      endLine: 3,
    });
  });

  it('does not care for line ends and trailing spaces', () => {
    assert.equal(relocatePassage(passage, file.replaceAll('\n', ' \r\n')).state, 'same');
  });

  it('finds the meant lines alone when the rest of the passage changed', () => {
    const focused = { ...passage, focus: { startLine: 4, endLine: 4 } };
    assert.deepEqual(relocatePassage(focused, file.replace('merge', 'join')), {
      state: 'same',
      startLine: 4,
      endLine: 4,
    });
    assert.deepEqual(relocatePassage(focused, `\n${file.replace('merge', 'join')}`), {
      state: 'moved',
      startLine: 5,
      endLine: 5,
    });
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

  it('finds its text far above, in a file that got much shorter', () => {
    const lines = Array.from({ length: 600 }, (_, index) => `line ${index + 1}`);
    const far = { text: lines.slice(499, 503).join('\n'), startLine: 500, endLine: 503 };
    assert.deepEqual(relocatePassage(far, lines.slice(490).join('\n')), { state: 'moved', startLine: 10, endLine: 13 });
  });

  it('finds any passage again behind inserted lines', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '{'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.array(line, { maxLength: 5 }), (lines, before) => {
        const unique = lines.map((text, index) => `${text}#${index}`);
        const found = relocatePassage(
          { text: unique.join('\n'), startLine: 1, endLine: unique.length },
          [...before, ...unique].join('\n'),
        );
        assert.equal(found.startLine, before.length + 1);
        assert.notEqual(found.state, 'changed');
      }),
    );
  });
});

describe('relocatePassage for a part of a long line', () => {
  const line = '{"alpha":1,"beta":2,"gamma":3,"beta":2}';
  const part = { text: '"beta":2', startLine: 2, endLine: 2, startColumn: 12 };

  it('stays where nothing changed', () => {
    assert.deepEqual(relocatePassage(part, `[\r\n${line}\r\n]`), {
      state: 'same',
      startLine: 2,
      endLine: 2,
      startColumn: 12,
      endColumn: 20,
    });
    assert.equal(relocatePassage({ ...part, startColumn: 31 }, `[\n${line}\n]`).startColumn, 31);
  });

  it('takes line and column from where its text stands now', () => {
    assert.deepEqual(relocatePassage(part, `[\n${line.replace('1', '1000')}\n]`), {
      state: 'moved',
      startLine: 2,
      endLine: 2,
      startColumn: 15,
      endColumn: 23,
    });
    assert.deepEqual(relocatePassage(part, `\n\n[\n  ${line}`), {
      state: 'moved',
      startLine: 4,
      endLine: 4,
      startColumn: 14,
      endColumn: 22,
    });
  });

  it('says that it changed, within the line as it is now', () => {
    assert.deepEqual(relocatePassage(part, `[\n{}\n]`), {
      state: 'changed',
      startLine: 2,
      endLine: 2,
      startColumn: 3,
      endColumn: 3,
    });
    assert.deepEqual(relocatePassage(part, ''), {
      state: 'changed',
      startLine: 1,
      endLine: 1,
      startColumn: 1,
      endColumn: 1,
    });
  });
});
