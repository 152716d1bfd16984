import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { PanelHub } from '../../../../src/vscode/panel/panel-hub.ts';
import type { Conversations, HowToAsk } from '../../../../src/vscode/threads/conversations.ts';
import { FakeSessions } from '../../../doubles/vscode/fake-sessions.ts';
import { FakeQuickPick } from '../../../doubles/vscode/fake-quick-pick.ts';
import { commands, openFolders, resetVscode, Uri, window } from '../../../doubles/vscode/vscode.ts';
import { noReferences, type ReferenceQuery } from '../../../../src/search/domain/reference-answer.ts';
import { settled } from '../../../doubles/waiting.ts';

const { Completions } = await import('../../../../src/vscode/panel/completions.ts');
const { connectFiles } = await import('../../../../src/vscode/commands/connect-files.ts');

describe('connectFiles', () => {
  let sessions: FakeSessions;
  let connected: string[][];
  let asked: ReferenceQuery[];
  let picks: FakeQuickPick[];
  const events: ResearchEvent[] = [];
  const ask = async (_threadId: string, text: string, _scope: unknown, { research }: HowToAsk): Promise<void> => {
    assert.ok(research);
    for await (const event of await research(
      { text, history: [], runId: 'shown' },
      new AbortController().signal,
      'usual',
    ))
      events.push(event);
  };
  const run = (selected?: unknown, clicked?: unknown): Promise<void> =>
    connectFiles(
      {
        panels: { reveal: async () => undefined, activeThreadId: async () => 'thread' } as unknown as PanelHub,
        sessions: sessions.holder,
        conversations: { ask } as unknown as Conversations,
        completions: new Completions(sessions.holder),
      },
      clicked,
      selected,
    );
  /** The list that was opened last, once it is there. */
  const list = async (count: number): Promise<FakeQuickPick> => {
    for (let turn = 0; turn < 20 && picks.length < count; turn++) await settled();
    assert.equal(picks.length, count);
    return picks.at(-1) ?? assert.fail();
  };
  const choose = async (count: number, label: RegExp): Promise<void> => {
    const pick = await list(count);
    pick.activeItems = pick.items.filter((item) => label.test(item.label)).slice(0, 1);
    pick.accept();
  };
  const cursorAt = (word: string, languageId = 'typescript'): void => {
    window.activeTextEditor = {
      document: { languageId, getWordRangeAtPosition: () => ({}), getText: () => word },
      selection: { isEmpty: true },
    };
  };

  beforeEach(() => {
    sessions = new FakeSessions();
    connected = [];
    asked = [];
    picks = [];
    events.length = 0;
    window.createQuickPick = () => {
      picks.push(new FakeQuickPick());
      return picks.at(-1);
    };
    sessions.retriever.references = async (query) => {
      asked.push(query);
      return noReferences(query, { files: 2, passages: 2, embedded: 2, indexing: false });
    };
    sessions.retriever.passages = async () => [];
    sessions.retriever.connect = async (from, to) => {
      connected.push([from, to, sessions.files.join()]);
      return {
        chains: [],
        hits: [],
        hopMilliseconds: [],
        coverage: { files: 2, passages: 2, embedded: 2, indexing: false },
      };
    };
  });
  afterEach(resetVscode);

  it('asks for two files of an index that was not open yet', async () => {
    const done = run();
    await settled();
    sessions.read('a.md', 'b.md', 'c.md');
    const labels = (await list(1)).items.map(({ label }) => label);
    assert.deepEqual(labels, ['a.md', 'b.md', 'c.md']);
    await choose(1, /a\.md/);
    assert.deepEqual(
      (await list(2)).items.map(({ label }) => label),
      ['b.md', 'c.md'],
    );
    await choose(2, /b\.md/);
    await done;
    assert.deepEqual(connected, [['a.md', 'b.md', 'a.md,b.md,c.md']]);
  });

  it('connects what is selected as the run that is shown, once the files are read', async () => {
    openFolders({ path: '/one/docs', name: 'docs' }, { path: '/two/docs', name: 'docs' });
    const done = run([Uri.file('/one/docs/a.md'), Uri.file('/two/docs/a.md')]);
    await settled();
    assert.deepEqual([sessions.tried, connected], [1, []]);
    sessions.read('docs/a.md', 'docs-2/a.md');
    await done;
    assert.deepEqual(connected, [['docs/a.md', 'docs-2/a.md', 'docs/a.md,docs-2/a.md']]);
    assert.deepEqual([...new Set(events.map((event) => event.runId))], ['shown']);
    assert.ok(events[0]?.type === 'run-start' && events[0].question === 'How are docs/a.md and docs-2/a.md connected?');
  });

  it('asks nothing of somebody who chooses nothing', async () => {
    sessions.read('a.md', 'b.md');
    const done = run();
    (await list(1)).hide();
    await done;
    assert.deepEqual([connected, events], [[], []]);
  });

  it('takes two typed names, and offers those that the editor knows', async () => {
    sessions.read('src/a.ts');
    commands.executeCommand = async () => [
      { name: 'serveStatic()', location: { uri: Uri.file('/one/src/a.ts'), range: { start: { line: 4 } } } },
      { name: 'serve', location: { uri: Uri.file('/one/src/a.ts'), range: { start: { line: 9 } } } },
    ];
    openFolders({ path: '/one', name: 'one' });
    const done = run();
    const pick = await list(1);
    pick.type('serve');
    await settled();
    assert.deepEqual(
      pick.items.map(({ label, description }) => [label, description]),
      [
        ['src/a.ts', undefined],
        ['$(symbol-method) serve', 'A name in code'],
        ['$(symbol-method) serveStatic', 'src/a.ts:5'],
      ],
    );
    await choose(1, /serveStatic/);
    (await list(2)).type('Store.merge()');
    await choose(2, /merge/);
    await done;
    assert.deepEqual(asked, [{ symbol: 'serveStatic', to: 'Store.merge()', kind: 'reaches' }]);
    assert.deepEqual(connected, []);
    assert.ok(
      events[0]?.type === 'run-start' && events[0].question === 'How are serveStatic and Store.merge() connected?',
    );
  });

  it('takes the beginning of a file for that file, and for a name only where the editor knows it as one', async () => {
    sessions.read('notes/mast-power.md', 'src/serve.ts');
    commands.executeCommand = async (_command, query) =>
      query === 'serve'
        ? [{ name: 'serve', location: { uri: Uri.file('/one/src/serve.ts'), range: { start: { line: 4 } } } }]
        : [];
    openFolders({ path: '/one', name: 'one' });
    const done = run();
    const pick = await list(1);
    const files = ['notes/mast-power.md', 'src/serve.ts'];
    for (const [typed, others] of [
      ['mast-power.md', []],
      ['Mast', []],
      ['serve', ['$(symbol-method) serve']],
    ] as const) {
      pick.type(typed);
      await settled();
      assert.deepEqual(
        pick.items.map(({ label }) => label),
        [...files, ...others],
      );
    }
    pick.hide();
    await done;
  });

  it('begins with the name at the cursor in the editor’s menu, and offers it elsewhere', async () => {
    openFolders({ path: '/one', name: 'one' });
    sessions.read('src/a.ts', 'src/b.ts');
    cursorAt('serveStatic');
    const done = run(undefined, Uri.file('/one/src/a.ts'));
    await choose(1, /b\.ts/);
    await done;
    assert.deepEqual(asked, [{ symbol: 'serveStatic', to: 'src/b.ts', kind: 'reaches' }]);
    void run();
    assert.equal((await list(2)).items[0]?.label, '$(symbol-method) serveStatic');
  });

  it('begins with the file where the cursor stands at no name of a program', async () => {
    openFolders({ path: '/one', name: 'one' });
    sessions.read('notes/a.md', 'b.md');
    cursorAt('supplier', 'markdown');
    const done = run(undefined, Uri.file('/one/notes/a.md'));
    await choose(1, /b\.md/);
    await done;
    assert.deepEqual([connected.map(([from, to]) => [from, to]), asked], [[['notes/a.md', 'b.md']], []]);
  });
});
