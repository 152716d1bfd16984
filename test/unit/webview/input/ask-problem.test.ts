import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, type Scope } from '../../../../src/vscode/protocol.ts';
import { askProblem } from '../../../../webview/input/ask-problem.ts';

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
