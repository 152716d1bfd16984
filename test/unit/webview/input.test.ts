import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { completionWord, makeHistory, remember, step, askProblem } from '../../../webview/input.ts';
import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, type Scope } from '../../../src/vscode/protocol.ts';

describe('input history', () => {
  it('walks back through questions and returns to what was being typed', () => {
    let history = makeHistory(['one', 'two']);
    const up = step(history, 'older', 'draft');
    assert.equal(up?.text, 'two');
    history = up?.history ?? history;
    const further = step(history, 'older', 'two');
    assert.equal(further?.text, 'one');
    history = further?.history ?? history;
    assert.equal(step(history, 'older', 'one'), undefined);
    history = step(history, 'newer', 'one')?.history ?? history;
    assert.equal(step(history, 'newer', 'two')?.text, 'draft');
  });

  it('keeps a repeated question once, and a hundred at most', () => {
    assert.deepEqual(remember(makeHistory(['a', 'b']), 'a').entries, ['b', 'a']);
    assert.equal(makeHistory(Array.from({ length: 150 }, (_, i) => String(i))).entries.length, 100);
  });
});

describe('completionWord', () => {
  it('finds the @word at the caret', () => {
    assert.deepEqual(completionWord('see @mast', 9), { start: 4, end: 9, prefix: 'mast' });
    assert.deepEqual(completionWord('@', 1), { start: 0, end: 1, prefix: '' });
    assert.equal(completionWord('see @mast now', 13), undefined);
    assert.equal(completionWord('a@b.org', 7), undefined);
  });
});

describe('askProblem', () => {
  const files = (length: number): Scope => ({
    kind: 'files',
    paths: Array.from({ length }, (_, index) => `n${index}.md`),
  });

  it('counts what would be sent, without the space around it', () => {
    const longest = 'x'.repeat(MAX_QUESTION_LENGTH);
    assert.equal(askProblem(` ${longest}\n`, { kind: 'workspace' }), undefined);
    assert.match(
      askProblem(`${longest}x`, { kind: 'workspace' }) ?? '',
      /^The question is longer than 20,000 characters\. Shorten it/,
    );
  });

  it('takes as many files as the extension does', () => {
    assert.equal(askProblem('Who?', files(MAX_SCOPE_FILES)), undefined);
    assert.match(askProblem('Who?', files(MAX_SCOPE_FILES + 1)) ?? '', /^More than 500 files are chosen\./);
  });
});
