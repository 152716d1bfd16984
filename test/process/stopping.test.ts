/**
 * Commands end when they are told to, and where no index can lie they say so: the built file, real processes, real
 * places.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { builtCli } from '../doubles/run-hoptrail.ts';
import { processLives } from './process-harness.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';
import { until } from '../doubles/waiting.ts';

/** A command ends within a second; the rest is for a machine that is busy, which what is stopped would take longer. */
const SOON_MS = 10_000;

interface Started {
  child: ChildProcess;
  said(): string;
  ended: Promise<{ code: number; at: number }>;
}

describe('stopping a command', function () {
  this.timeout(120_000);
  let home: string;
  let notes: string;
  before(() => {
    home = temporaryFolder();
    notes = join(home, 'notes');
    mkdirSync(notes);
    for (let i = 0; i < 400; i++)
      writeFileSync(
        join(notes, `note-${i}.md`),
        `# Note ${i}\n\n${`Sentence ${i} about boats, harbours and keeper number ${i * 7}. `.repeat(30)}\n`,
      );
  });

  /** In a process group of its own, as a terminal starts it: Ctrl-C reaches every process of the group. */
  function start(...args: string[]): Started {
    const child = spawn(process.execPath, [builtCli, ...args], {
      env: { ...process.env, XDG_CACHE_HOME: join(home, 'cache'), NO_COLOR: '1', HOPTRAIL_LINGER_SECONDS: '0' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    // A signal that meets a process on its way out ends it by itself: shells tell that with the same number.
    const ended = once(child, 'close').then(() => ({
      code: child.exitCode ?? 128 + (child.signalCode ? constants.signals[child.signalCode] : 0),
      at: performance.now(),
    }));
    return { child, said: () => text, ended };
  }

  async function endsSoon({ child, said, ended }: Started, signal: 'SIGINT' | 'SIGTERM', index: string): Promise<void> {
    const told = performance.now();
    process.kill(-(child.pid ?? 0), signal);
    const { code, at } = await ended;
    assert.equal(code, signal === 'SIGINT' ? 130 : 143, said());
    assert.ok(at - told < SOON_MS, `${at - told} ms`);
    assert.doesNotMatch(said(), /unexpectedly|\n\s+at /);
    const lock = join(index, 'writer.lock');
    if (!existsSync(lock)) return;
    const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number };
    await until(() => !processLives(pid), 'the daemon is gone too', 15);
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends by ${signal} while the index is opened, read and embedded`, async () => {
      for (const [phase, sign, wait] of [
        ['opening', 'writer.lock', 0],
        ['reading', 'current.json', 300],
        ['embedding', 'current.json', 2_500],
      ] as const) {
        const index = join(home, `${signal}-${phase}`);
        const started = start('index', notes, '--index', index);
        await until(() => existsSync(join(index, sign)), `${sign} is there`);
        await new Promise((resolve) => setTimeout(resolve, wait));
        await endsSoon(started, signal, index);
      }
    });

    it(`ends by ${signal} while it serves agents, and while it waits for a question`, async () => {
      for (const command of ['mcp', 'chat']) {
        const index = join(home, `${signal}-${command}`);
        const started = start(command, notes, '--index', index);
        await until(() => existsSync(join(index, 'current.json')), 'the index is open');
        await endsSoon(started, signal, index);
      }
    });
  }

  it('ends while a language model does not answer', async () => {
    const small = join(home, 'small');
    mkdirSync(small);
    writeFileSync(join(small, 'note.md'), '# Elm Hut\n\nThe keeper of Elm Hut is Una.\n');
    let asked = false;
    const server = createServer(() => {
      asked = true;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const index = join(home, 'asking');
      const started = start(
        'ask',
        small,
        'Who keeps Elm Hut?',
        '--index',
        index,
        '--base-url',
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        '--model',
        'm',
        '--operator',
        'single-step',
      );
      await until(() => asked, 'the model is asked');
      await endsSoon(started, 'SIGINT', index);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('ends at once by a second signal', async () => {
    const index = join(home, 'twice');
    const started = start('index', notes, '--index', index);
    await until(() => existsSync(join(index, 'current.json')), 'the index is open');
    process.kill(-(started.child.pid ?? 0), 'SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = performance.now();
    if (started.child.exitCode === null) process.kill(-(started.child.pid ?? 0), 'SIGINT');
    const { code, at } = await started.ended;
    assert.equal(code, 130);
    assert.ok(at - second < SOON_MS);
  });

  it('goes on after it was stopped as if nothing had been', async () => {
    const index = join(home, 'goes-on');
    const few = join(home, 'few');
    mkdirSync(few);
    for (let i = 0; i < 20; i++)
      writeFileSync(join(few, `note-${i}.md`), `# Note ${i}\n\nThe keeper has the number ${i * 7}.\n`);
    const first = start('index', few, '--index', index);
    await until(() => existsSync(join(index, 'current.json')), 'the index is open');
    await endsSoon(first, 'SIGINT', index);
    const second = start('search', few, 'keeper number 70', '--retriever', 'text', '--index', index, '--json');
    await until(() => second.said().includes('\n'), 'it answers', 100);
    assert.equal((await second.ended).code, 0, second.said());
    assert.doesNotMatch(second.said(), /damaged|Another process/);
  });

  it('says where no index can lie, soon, instead of trying for ever', async () => {
    const file = join(home, 'a-file');
    writeFileSync(file, '');
    const impossible =
      process.platform === 'linux'
        ? ['/proc/hoptrail', '/proc/hoptrail/deeper', '/proc/self/fd', '/dev/full', '/dev/null/x', '/sys/hoptrail']
        : [];
    for (const place of [file, join(file, 'below'), ...impossible]) {
      const started = start('index', notes, '--index', place);
      const { code } = await Promise.race([
        started.ended,
        new Promise<never>((_, reject) => {
          setTimeout(() => {
            started.child.kill('SIGKILL');
            reject(new Error(`${place}: it goes on and on`));
          }, 30_000).unref();
        }),
      ]);
      assert.equal(code, 1, `${place}: ${started.said()}`);
      assert.match(started.said(), /No index can lie there|The index cannot be written/, place);
      assert.match(started.said(), /Name a folder|name another place with --index/, place);
    }
  });
});
