import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { PanelHub } from '../../../../src/vscode/panel/panel-hub.ts';
import type { Conversations, HowToAsk } from '../../../../src/vscode/threads/conversations.ts';
import { FakeSessions, settled } from '../../../doubles/vscode/fake-sessions.ts';
import { openFolders, resetVscode, Uri, window } from '../../../doubles/vscode/vscode.ts';

const { Completions } = await import('../../../../src/vscode/panel/completions.ts');
const { connectFiles } = await import('../../../../src/vscode/commands/connect-files.ts');

describe('connectFiles', () => {
  let sessions: FakeSessions;
  let connected: string[][];
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
  const run = (selected?: unknown): Promise<void> =>
    connectFiles(
      {
        panels: { reveal: async () => undefined, activeThreadId: async () => 'thread' } as unknown as PanelHub,
        sessions: sessions.holder,
        conversations: { ask } as unknown as Conversations,
        completions: new Completions(sessions.holder),
      },
      undefined,
      selected,
    );

  beforeEach(() => {
    sessions = new FakeSessions();
    connected = [];
    events.length = 0;
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
    const offered: unknown[] = [];
    window.showQuickPick = async (files) => {
      offered.push(files);
      return (files as string[])[0];
    };
    const done = run();
    await settled();
    sessions.read('a.md', 'b.md', 'c.md');
    await done;
    assert.deepEqual(offered, [
      ['a.md', 'b.md', 'c.md'],
      ['b.md', 'c.md'],
    ]);
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
    await run();
    assert.deepEqual([connected, events], [[], []]);
  });
});
