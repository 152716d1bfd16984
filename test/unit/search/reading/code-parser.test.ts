import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CodeParser } from '../../../../src/search/reading/code/code-parser.ts';
import { currentRuntime } from '../../../../src/search/reading/code/tree-sitter-runtime.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { repositoryRoot } from './reading-harness.ts';

describe('the parser of source code', () => {
  it('starts its runtime afresh now and then, and reads as before', async () => {
    const parser = new CodeParser(repositoryRoot, (message) => assert.fail(message));
    const source = new SourceText('class Store:\n    def merge(self):\n        return 1\n');
    const runtimes = new Set<unknown>();
    const seen = new Set<string>();
    for (let i = 0; i < 1_100; i++) {
      seen.add(JSON.stringify(await parser.parse(source, 'store.py', 'python')));
      runtimes.add(currentRuntime());
    }
    parser.close();
    assert.equal(seen.size, 1, 'one text, one reading');
    runtimes.delete(undefined); // between two of them
    assert.ok(runtimes.size >= 3, `${runtimes.size} runtimes in 1,100 texts`);
  });
});
