import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';

const { whatBecameOf } = await import('../../../../src/vscode/learned/inserted-answers.ts');

const answer =
  '**Hamish Adeyemi** keeps the account with Halden Cells [1](suppliers/halden-cells.md#L11).\nHis extension ' +
  'is 461 [2](people.md#L4), and claims go through him as well.';

describe('what became of an answer in a document', () => {
  it('is kept, changed or removed', () => {
    assert.equal(whatBecameOf(answer, `# Notes\n\n${answer}\n\nMore.\n`), 'kept');
    assert.equal(whatBecameOf(answer, answer.replace('\n', '\n\n  ')), 'kept', 'spaces do not count');
    assert.equal(
      whatBecameOf(answer, `Before.\n${answer.replace('His extension is 461', 'He can be reached by extension 461')}`),
      'changed',
    );
    assert.equal(whatBecameOf(answer, '# Notes\n\nMore.\n'), 'removed');
    assert.equal(whatBecameOf(answer, 'Hamish keeps the account.'), 'removed');
    assert.equal(whatBecameOf('no', 'no'), 'kept');
    assert.equal(whatBecameOf('no', 'another'), 'removed');
  });
});
