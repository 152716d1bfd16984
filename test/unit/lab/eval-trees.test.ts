import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { questionsByTree, withTree } from '../../../lab/commands/eval-trees.ts';
import { loadQuestions } from '../../../lab/evaluation/dataset.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('questions about many trees', () => {
  let trees: string;
  before(() => {
    trees = temporaryFolder();
    for (const name of ['open', 'packed']) {
      mkdirSync(join(trees, name));
      writeFileSync(join(trees, name, 'a.py'), `NAME = '${name}'\n`);
    }
    execFileSync('tar', ['-czf', join(trees, 'packed.tar.gz'), '-C', trees, 'packed']);
    rmSync(join(trees, 'packed'), { recursive: true });
  });

  it('are asked tree by tree, with their gold lines', () => {
    const file = join(trees, 'questions.jsonl');
    const question = (tree: string | undefined, text: string): string =>
      JSON.stringify({
        question: text,
        answer: '',
        tree,
        files: ['a.py'],
        lines: [{ path: 'a.py', start: 1, end: 2 }],
      });
    writeFileSync(
      file,
      [question('open', 'A?'), question('packed', 'B?'), question('open', 'C?'), question(undefined, 'D?')].join('\n'),
    );
    const byTree = questionsByTree(loadQuestions(file));
    assert.deepEqual(
      [...byTree].map(([tree, questions]) => [tree, questions.map(({ question: text }) => text)]),
      [
        ['open', ['A?', 'C?']],
        ['packed', ['B?']],
      ],
    );
    assert.deepEqual(byTree.get('packed')?.[0]?.lines, [{ path: 'a.py', start: 1, end: 2 }]);
  });

  it('find each as a folder or packed, and leave nothing behind', async () => {
    const read = (folder: string): Promise<string> => Promise.resolve(readFileSync(join(folder, 'a.py'), 'utf8'));
    assert.equal(await withTree(trees, 'open', read), "NAME = 'open'\n");
    let unpacked = '';
    await withTree(trees, 'packed', async (folder) => {
      unpacked = folder;
      assert.equal(await read(folder), "NAME = 'packed'\n");
    });
    assert.ok(unpacked !== '' && !existsSync(unpacked));
    await assert.rejects(withTree(trees, 'missing', read), /neither a folder missing nor missing\.tar\.gz/);
  });
});
