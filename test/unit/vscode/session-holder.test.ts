import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { Hoptrail } from '../../../src/hoptrail.ts';
import type { IndexConfig } from '../../../src/search/index.ts';
import type { ModelService } from '../../../src/vscode/model/model-service.ts';
import type { Session as OpenSession } from '../../../src/vscode/session.ts';
import { EventEmitter, openFolders, resetVscode, Uri, workspace } from '../../doubles/vscode/vscode.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';
import { settled, until } from '../../doubles/waiting.ts';

const { Session } = await import('../../../src/vscode/session.ts');
const { SessionHolder } = await import('../../../src/vscode/session-holder.ts');

const nothing = () => ({ dispose: () => undefined });

const holderOf = (secrets: object = { onDidChange: nothing }): InstanceType<typeof SessionHolder> =>
  new SessionHolder(
    {
      globalStorageUri: Uri.file('/storage'),
      secrets,
      extension: { packageJSON: { version: '1.0.0' } },
    } as unknown as vscode.ExtensionContext,
    { error: () => undefined, warn: () => undefined } as unknown as vscode.LogOutputChannel,
    { current: async () => undefined, onDidChange: () => undefined } as unknown as ModelService,
    {} as Hoptrail,
  );

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
    holder = holderOf();
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

  it('makes its index known to the command line once that is open', async () => {
    const folder = temporaryFolder();
    const before = process.env['XDG_CACHE_HOME'];
    process.env['XDG_CACHE_HOME'] = join(folder, 'cache');
    try {
      openFolders({ path: folder, name: 'notes' });
      const asked = holderOf().get();
      await settled();
      const known = (): string[] =>
        existsSync(join(folder, 'cache')) ? readdirSync(join(folder, 'cache', 'hoptrail')) : [];
      assert.deepEqual(known(), []);
      opened['a']?.();
      await asked;
      await until(async () => known().some((name) => name.endsWith('.json')), 'it is known');
    } finally {
      if (before === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = before;
    }
  });

  describe('by hoptrail.indexing', () => {
    let indexing: string | undefined;
    let configs: IndexConfig[];
    let change: () => Promise<void>;

    beforeEach(() => {
      configs = [];
      const opening = Session.open;
      Session.open = (options) => {
        configs.push(options.config);
        return opening(options);
      };
      workspace.getConfiguration = () => ({ get: (key) => (key === 'indexing' ? indexing : undefined) });
      let changed: (event: vscode.ConfigurationChangeEvent) => void = () => undefined;
      Object.assign(workspace, {
        onDidChangeConfiguration: (listener: typeof changed) => {
          changed = listener;
          return { dispose: () => undefined };
        },
      });
      holder = holderOf();
      change = async () => {
        changed({
          affectsConfiguration: (section) => 'hoptrail.indexing'.startsWith(section) && section !== 'hoptrail.index',
        });
        await settled();
      };
    });

    it('opens the index with its folder: vectors at once (always) or while the machine has time (idle)', async () => {
      for (const [value, whenIdle] of [
        [undefined, undefined],
        ['always', undefined],
        ['idle', true],
      ] as const) {
        indexing = value;
        const one = holderOf();
        void one.ifWanted();
        await settled();
        assert.equal(configs.at(-1)?.whenIdle, whenIdle, value);
      }
      assert.equal(configs.length, 3);
    });

    it('opens it with the first question alone (manual)', async () => {
      indexing = 'manual';
      assert.equal(await holder.ifWanted(), undefined);
      assert.deepEqual(log, []);
      const asked = holder.get();
      await settled();
      opened['a']?.();
      assert.equal(await holder.ifWanted(), await asked, 'which is there from then on');
      assert.equal(configs[0]?.whenIdle, undefined);
    });

    it('follows the setting when it is changed', async () => {
      indexing = 'manual';
      await change();
      assert.deepEqual(log, []);
      indexing = 'idle';
      await change();
      assert.deepEqual(log, ['open a']);
      opened['a']?.();
      await settled();
      indexing = 'manual';
      await change();
      assert.deepEqual(log, ['open a'], 'what is open stays open');
      indexing = 'always';
      await change();
      closed['a']?.();
      await settled();
      assert.deepEqual(log, ['open a', 'close a', 'open b']);
      assert.deepEqual(
        configs.map(({ whenIdle }) => whenIdle),
        [true, undefined],
      );
    });
  });

  describe('after a failure', () => {
    let changed: (event: vscode.ConfigurationChangeEvent) => void;

    async function fail(one: InstanceType<typeof SessionHolder>): Promise<void> {
      const asked = one.get().catch(() => undefined);
      await settled();
      failed['a']?.(new Error('The embedding model cannot be used.'));
      await asked;
      assert.equal(one.state?.phase, 'failed');
    }

    beforeEach(() => {
      Object.assign(workspace, {
        onDidChangeConfiguration: (listener: typeof changed) => {
          changed = listener;
          return { dispose: () => undefined };
        },
      });
    });

    it('tries again when a setting of the index is another one', async () => {
      const one = holderOf();
      await fail(one);
      changed({ affectsConfiguration: (section) => section === 'hoptrail.embedder' });
      await settled();
      assert.deepEqual(log, ['open a', 'open b']);
    });

    it("tries again with the key that was set for the embedding model's endpoint, and with no other", async () => {
      const values: Record<string, string> = {
        'embedder.kind': 'endpoint',
        'embedder.baseUrl': 'https://vectors.example/v1',
        'embedder.model': 'small',
      };
      workspace.getConfiguration = () => ({ get: (key) => values[key] });
      const kept = new EventEmitter<{ key: string }>();
      const configs: IndexConfig[] = [];
      const opening = Session.open;
      Session.open = (options) => {
        configs.push(options.config);
        return opening(options);
      };
      const one = holderOf({ onDidChange: kept.event, get: async () => (configs.length > 0 ? 'new' : 'wrong') });
      await fail(one);
      kept.fire({ key: 'hoptrail.apiKey:https://models.example/v1' });
      await settled();
      assert.deepEqual(log, ['open a']);
      kept.fire({ key: 'hoptrail.apiKey:https://vectors.example/v1' });
      await settled();
      assert.deepEqual(log, ['open a', 'open b']);
      const keys = configs.map(({ embedder }) => embedder.kind === 'endpoint' && embedder.apiKey);
      assert.deepEqual(keys, ['wrong', 'new']);
    });
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
