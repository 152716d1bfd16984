import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { serialize } from 'node:v8';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { IndexState } from '../../src/search/domain/index-state.ts';
import type { RunningIndexProcess } from '../../src/search/process/index-process-client.ts';
import type { DaemonPlace } from '../../src/search/process/daemon-place.ts';
import { builtCli } from '../doubles/run-hoptrail.ts';
import { ProcessHarness, processLives } from './process-harness.ts';
import { until } from '../doubles/waiting.ts';

const files = {
  'lighthouse.md': '# Lighthouse\n\nThe lighthouse keeper is Ada.\n',
  'ferry.md': '# Ferry\n\nThe ferry is called Ansa.\n',
};

/** What fifty questions at once may take more than one, in MB. */
const MOST_GROWTH_MB = 150;
/** The first of them is answered within this share of the time that all take. */
const FIRST_ANSWER = 0.4;

/** Memory of a process now and at most so far, in MB; 0 where the system does not tell it. */
async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { now: Math.round(kilobytes('VmRSS') / 1_024), most: Math.round(kilobytes('VmHWM') / 1_024) };
}

describe('the daemon of an index, which several use', function () {
  this.timeout(120_000);
  let harness: ProcessHarness;
  const agents: Client[] = [];

  beforeEach(async () => {
    harness = await ProcessHarness.create(files);
  });
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.close()));
    await harness.close();
  });

  /** As an agent uses the index: over `hoptrail mcp`, read as the others read it, lest it ask for another daemon. */
  const server = async (): Promise<Client> => {
    const made = new Client({ name: 'test', version: '1' });
    const settings = ['--no-gitignore', '--max-file-bytes', `${harness.config().maxFileBytes}`];
    const args = [builtCli, 'mcp', harness.workspace, '--index', path.join(harness.base, 'index'), ...settings];
    const env = { ...(process.env as Record<string, string>), XDG_DATA_HOME: harness.base };
    await made.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
    agents.push(made);
    return made;
  };
  const start = (): RunningIndexProcess => harness.start();
  const opened = async (): Promise<RunningIndexProcess> => {
    const running = start();
    await running.index.open(harness.config());
    await running.index.update({});
    return running;
  };
  const lock = (): string => path.join(harness.base, 'index', 'writer.lock');
  const owner = async (): Promise<DaemonPlace & { pid: number }> =>
    JSON.parse(await readFile(lock(), 'utf8')) as DaemonPlace & { pid: number };
  const best = async (running: RunningIndexProcess, question: string): Promise<string | undefined> =>
    (await running.retriever.search(question, { retriever: 'hybrid', limit: 1 })).hits[0]?.passage.path;

  it('answers, indexes and tells its state to all, and outlives any of them', async () => {
    const first = await opened();
    const second = start();
    const states: IndexState[] = [];
    second.onState((state) => states.push(state));
    assert.equal((await second.index.open(harness.config())).phase, 'ready');
    assert.equal(second.pid, first.pid);
    await harness.write({ 'windmill.md': '# Windmill\n\nA windmill turns on the hill.\n' });
    assert.equal((await second.index.update({})).files, 3);
    assert.equal(await best(first, 'windmill'), 'windmill.md');
    assert.ok(states.some(({ coverage }) => coverage.files === 3));
    await first.dispose();
    assert.equal(await best(second, 'lighthouse keeper'), 'lighthouse.md', 'who started it is gone');
    assert.equal((await second.index.state()).phase, 'ready');
  });

  it('is one, however many start it at the same moment', async () => {
    const all = Array.from({ length: 6 }, start);
    const states = await Promise.all(all.map((each) => each.index.open(harness.config())));
    assert.deepEqual([...new Set(states.map(({ phase }) => phase))], ['ready']);
    assert.equal(new Set(all.map(({ pid }) => pid)).size, 1);
  });

  it('is followed by another when it is killed, and loses no request of anybody', async () => {
    const first = await opened();
    const second = await opened();
    const asked = [first, second].flatMap((each) => Array.from({ length: 10 }, () => best(each, 'ferry')));
    process.kill(first.pid ?? 0, 'SIGKILL');
    assert.deepEqual([...new Set(await Promise.all(asked))], ['ferry.md']);
    assert.equal(first.pid, second.pid);
    await until(async () => (await second.index.state()).phase === 'ready', 'it writes');
    const { pid } = first;
    const again = [first, second].flatMap((each) => Array.from({ length: 10 }, () => best(each, 'ferry')));
    process.kill(pid ?? 0, 'SIGTERM');
    assert.deepEqual([...new Set(await Promise.all(again))], ['ferry.md'], 'nor when it ends in order');
  });

  it('makes room for other settings, but not while a window watches', async () => {
    const first = await opened();
    const before = first.pid;
    const other = start();
    await other.index.open({ ...harness.config(), excludeGlobs: ['**/ferry.md'] });
    assert.equal((await other.index.update({})).files, 1);
    await until(async () => (await first.index.state()).phase === 'ready', 'the first one goes on');
    assert.notEqual(other.pid, before);
    assert.equal(first.pid, other.pid, 'with the settings of the second');
    void other.index.update({ watched: true });
    await until(async () => (await other.index.state()).phase === 'ready', 'it watches');
    await assert.rejects(start().index.open(harness.config()), { code: 'index-held', message: /with other settings/ });
    await first.index.open(harness.config('elsewhere'));
    assert.notEqual(first.pid, other.pid, 'another index has another daemon');
  });

  it('waits for an old lock, replaces what is none, and says who holds one that lives', async () => {
    await mkdir(path.dirname(lock()), { recursive: true });
    const old = new Date(Date.now() - 60_000);
    for (const text of ['of some other program', JSON.stringify({ token: 'x', pid: 4_000_000, host: hostname() })]) {
      await writeFile(lock(), text);
      await utimes(lock(), old, old);
      const running = start();
      assert.equal((await running.index.open(harness.config())).phase, 'ready', text);
      await harness.end(running);
    }
    await mkdir(lock());
    await assert.rejects(start().index.open(harness.config()), { code: 'lock-blocked', message: /is a folder/ });
  });

  it('gives up what a client has shown and not saved when that is gone', async () => {
    const first = await opened();
    const second = start();
    await second.index.open(harness.config());
    await second.index.unsaved([
      { uri: harness.uri('ferry.md'), text: '# Ferry\n\nThe ferry is called Brackenspire.\n' },
    ]);
    const textOf = async (): Promise<string> =>
      (await first.index.passagesOf('ferry.md')).map(({ text }) => text).join('\n');
    assert.match(await textOf(), /Brackenspire/);
    await second.dispose();
    await until(async () => (await textOf()).includes('Ansa'), 'the file counts again');
  });

  it('leaves nothing behind when it ends', async () => {
    const first = await opened();
    const { address, pid } = await owner();
    if (process.getuid) {
      assert.equal((await stat(lock())).mode & 0o777, 0o600);
      assert.equal((await stat(path.dirname(address))).mode & 0o777, 0o700);
    }
    await first.dispose();
    await until(() => !processLives(pid), 'nobody uses it for a while');
    assert.deepEqual([existsSync(lock()), existsSync(address)], [false, false]);
  });

  it('answers fifty questions of ten at once: each its own, none before the others, in bounded memory', async function () {
    this.timeout(240_000);
    const CLIENTS = 10;
    const SERVERS = 2;
    const EACH = 5;
    const things = ['bell', 'crane', 'pump', 'sail', 'anchor', 'winch', 'mast', 'buoy', 'ladder', 'hatch'];
    const nameOf = (client: number, i: number): string => `${things[client]}-of-berth-${i + 1}.md`;
    for (const [client, thing] of things.entries())
      for (let i = 0; i < EACH; i++)
        await harness.write({
          [nameOf(client, i)]:
            `# The ${thing} of berth ${i + 1}\n\nThe ${thing} at berth ${i + 1} was made by firm ${client}${i}.\n`,
        });
    const first = await opened();
    const clients = [first, ...Array.from({ length: CLIENTS - SERVERS - 1 }, start)];
    const servers = await Promise.all(Array.from({ length: SERVERS }, server));
    for (const client of clients.slice(1)) await client.index.open(harness.config());
    assert.deepEqual([...new Set(clients.map(({ pid }) => pid))], [first.pid], 'one process for all');
    await first.retriever.search('warm', { retriever: 'beam', limit: 1 });
    const before = await memoryOf(first.pid ?? 0);
    // Two are worked on at once: until these are done, what all clients ask comes in, and then takes turns.
    const atWork = [1, 2].map((berth) =>
      first.retriever.search(`Who was at work at berth ${berth}?`, { retriever: 'beam', limit: 3 }),
    );

    /** Clients, in the order in which they were answered. */
    const answered: number[] = [];
    const began = performance.now();
    let firstAnswerMs = Infinity;
    const asked = async (number: number, ask: (question: string) => Promise<string | undefined>) =>
      Promise.all(
        Array.from({ length: EACH }, async (_, i) => {
          const found = await ask(`Who made the ${things[number]} of berth ${i + 1}?`);
          firstAnswerMs = Math.min(firstAnswerMs, performance.now() - began);
          return found;
        }),
      );
    const found = await Promise.all([
      ...clients.map((client, number) =>
        asked(number, async (question) => {
          const { hits } = await client.retriever.search(question, { retriever: 'beam', limit: 3 });
          answered.push(number);
          return hits[0]?.passage.path;
        }),
      ),
      ...servers.map((agent, i) =>
        asked(clients.length + i, async (query) => {
          const { structuredContent } = await agent.callTool({ name: 'search', arguments: { query } });
          return (structuredContent as { hits: { path: string }[] }).hits[0]?.path;
        }),
      ),
    ]);
    await Promise.all(atWork);
    const share = firstAnswerMs / (performance.now() - began);
    assert.deepEqual(
      found,
      things.map((_, number) => Array.from({ length: EACH }, (_each, i) => nameOf(number, i))),
    );
    assert.ok(share < FIRST_ANSWER, `the first was answered after ${share} of the time that all took`);
    // Two are worked on at once, and these may be of one client that came first.
    const had = clients.map(() => 0);
    for (const number of answered) {
      had[number] = (had[number] ?? 0) + 1;
      assert.ok(Math.max(...had) - Math.min(...had) <= 3, `answered so far: ${had.join(' ')}`);
    }
    const { now, most } = await memoryOf(first.pid ?? 0);
    if (!existsSync('/proc/self/status')) return; // the system does not tell it
    assert.ok(before.now > 0);
    assert.ok(most - before.now < MOST_GROWTH_MB, `it took ${most} MB, ${before.now} before and ${now} afterwards`);
  });

  it('is not hurt by who says something else, or does not know the secret', async () => {
    const first = await opened();
    const { address } = await owner();
    const frame = (message: unknown): Buffer => {
      const body = serialize(message);
      const header = Buffer.alloc(4);
      header.writeUInt32BE(body.length);
      return Buffer.concat([header, body]);
    };
    const nonce = 'n'.repeat(20);
    for (const said of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from([0, 0, 0, 3, 1, 2, 3]),
      Buffer.from([255, 255, 255, 255]),
      Buffer.alloc(0),
      frame({ type: 'request', id: 1, method: 'index.report', args: [] }),
      Buffer.concat([frame({ type: 'hello', nonce }), frame({ type: 'proof', proof: 'guessed', program: '' })]),
      Buffer.concat([
        frame({ type: 'hello', nonce }),
        frame({ type: 'enter', config: harness.config(), again: false }),
      ]),
    ]) {
      const socket = connect(address);
      let heard = '';
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      if (said.length > 0) socket.write(said);
      await closed; // also who says nothing is not kept
      assert.doesNotMatch(heard, /ferry|ready/);
    }
    assert.equal(await best(first, 'ferry'), 'ferry.md');
  });
});
