import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { Hoptrail } from '../../../src/hoptrail.ts';
import type { ModelService } from '../../../src/vscode/model/model-service.ts';
import type { Session as OpenSession } from '../../../src/vscode/session.ts';
import { settled } from '../../doubles/vscode/fake-sessions.ts';
import { openFolders, resetVscode, Uri } from '../../doubles/vscode/vscode.ts';

const { Session } = await import('../../../src/vscode/session.ts');
const { SessionHolder } = await import('../../../src/vscode/session-holder.ts');

describe('SessionHolder', () => {
  const open = Session.open;
  /** What happened, in order; each session has a letter. */
  let log: string[];
  /** Let a session open, keep it from opening, or let it close. */
  let opened: Record<string, () => void>;
  let failed: Record<string, (error: Error) => void>;
  let closed: Record<string, () => void>;
  let holder: InstanceType<typeof SessionHolder>;

  beforeEach(() => {
    log = [];
    [opened, failed, closed] = [{}, {}, {}];
    openFolders({ path: '/notes', name: 'notes' });
    Session.open = () => {
      const name = 'abc'.charAt(Object.keys(opened).length);
      log.push(`open ${name}`);
      const dispose = () =>
        new Promise<void>((resolve) => {
          log.push(`close ${name}`);
          closed[name] = resolve;
        });
      return new Promise((resolve, reject) => {
        opened[name] = () => resolve({ name, update: async () => undefined, dispose } as unknown as OpenSession);
        failed[name] = reject;
      });
    };
    const silent = { error: () => undefined, warn: () => undefined } as unknown as vscode.LogOutputChannel;
    holder = new SessionHolder(
      { globalStorageUri: Uri.file('/storage') } as unknown as vscode.ExtensionContext,
      silent,
      { current: async () => undefined, onDidChange: () => undefined } as unknown as ModelService,
      {} as Hoptrail,
    );
  });
  afterEach(() => {
    Session.open = open;
    resetVscode();
  });

  it('opens no session while an earlier one still holds the index', async () => {
    const first = holder.get();
    await settled();
    opened['a']?.();
    await first;
    const restarted = holder.restart();
    const asked = holder.get();
    await settled();
    assert.deepEqual(log, ['open a', 'close a']);
    closed['a']?.();
    await settled();
    assert.deepEqual(log, ['open a', 'close a', 'open b']);
    opened['b']?.();
    assert.equal(await asked, await restarted);
  });

  it('keeps the newer session when one that it replaced fails to open', async () => {
    const first = holder.get().catch((error: Error) => error.message);
    await settled();
    const restarted = holder.restart();
    const asked = holder.get();
    failed['a']?.(new Error('no native module'));
    assert.equal(await first, 'no native module');
    await settled();
    const again = holder.get();
    await settled();
    opened['b']?.();
    assert.equal(await again, await restarted);
    assert.equal(await again, await asked);
    assert.deepEqual(log, ['open a', 'open b']);
  });

  it('tries again after a failure', async () => {
    const first = holder.get().catch((error: Error) => error.message);
    await settled();
    failed['a']?.(new Error('no native module'));
    assert.equal(await first, 'no native module');
    const second = holder.get();
    await settled();
    opened['b']?.();
    await second;
    assert.deepEqual(log, ['open a', 'open b']);
  });
});
