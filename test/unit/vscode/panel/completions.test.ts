import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FakeSessions } from '../../../doubles/vscode/fake-sessions.ts';
import { commands, openFolders, progress, resetVscode, Uri } from '../../../doubles/vscode/vscode.ts';
import { settled } from '../../../doubles/waiting.ts';

const { Completions } = await import('../../../../src/vscode/panel/completions.ts');

describe('Completions', () => {
  let sessions: FakeSessions;
  let completions: InstanceType<typeof Completions>;
  let delivered: string[][];
  const complete = (prefix: string): Promise<void> =>
    completions.complete(prefix, (items) => delivered.push(items.map((item) => item.path)));

  beforeEach(() => {
    sessions = new FakeSessions();
    completions = new Completions(sessions.holder);
    delivered = [];
  });
  afterEach(resetVscode);

  it('start an index that waits for somebody, and deliver its files as soon as they are read', async () => {
    const asked = complete('');
    await settled();
    assert.deepEqual([sessions.tried, delivered], [1, [[]]]);
    sessions.become('reading');
    sessions.read('a.md', 'b.md');
    await asked;
    assert.deepEqual(delivered, [[], ['a.md', 'b.md']]);
  });

  it('do not open a failed index again with every letter', async () => {
    sessions.failure = new Error('no native module');
    for (const prefix of ['a', 'ab', 'abc']) await complete(prefix);
    assert.equal(sessions.tried, 1);
    assert.deepEqual(delivered, [[], [], []]);
  });

  it('deliver nothing late for letters that were typed on', async () => {
    sessions.read('mast.md');
    openFolders({ path: '/notes', name: 'notes' });
    const answers: ((symbols: unknown[]) => void)[] = [];
    commands.executeCommand = () => new Promise((resolve) => answers.push(resolve));
    const range = { start: { line: 6 } };
    const symbol = (name: string) => [{ name, location: { uri: Uri.file(`/notes/${name}.ts`), range } }];
    const first = complete('ma');
    await settled();
    const second = complete('mas');
    await settled();
    answers[1]?.(symbol('mast'));
    answers[0]?.(symbol('main'));
    await Promise.all([first, second]);
    assert.deepEqual(delivered, [['mast.md'], ['mast.md'], ['mast.md', 'mast.ts']]);
  });

  it('say of a symbol where it is defined, and of a file no line', async () => {
    sessions.read('mast.md');
    openFolders({ path: '/notes', name: 'notes' });
    commands.executeCommand = async () => [
      { name: 'mastOf', location: { uri: Uri.file('/notes/src/mast.ts'), range: { start: { line: 6 } } } },
    ];
    const items: unknown[] = [];
    await completions.complete('mast', (delivered) => items.splice(0, items.length, ...delivered));
    assert.deepEqual(items, [
      { label: 'mast.md', detail: '', path: 'mast.md' },
      { label: 'mastOf', detail: 'src/mast.ts:7', path: 'src/mast.ts', line: 7 },
    ]);
  });

  it('list files and folders to pick from once they are read, with progress meanwhile', async () => {
    const listed = completions.folders();
    await settled();
    assert.deepEqual([sessions.tried, progress.shown.length], [1, 1]);
    sessions.read('docs/a/b.md', 'c.md');
    assert.deepEqual(await listed, ['docs', 'docs/a']);
    assert.deepEqual(await completions.filePaths(), ['docs/a/b.md', 'c.md']);
    assert.equal(progress.shown.length, 1);
  });

  it('list nothing for somebody who does not want to wait', async () => {
    const listed = completions.filePaths();
    await settled();
    progress.cancel();
    assert.equal(await listed, undefined);
  });

  it('tell whoever wants to pick what keeps the index from opening', async () => {
    sessions.failure = new Error('no native module');
    await assert.rejects(completions.filePaths(), /no native module/);
  });
});
