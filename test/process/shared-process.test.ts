import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { IndexState } from '../../src/search/domain/index-state.ts';
import type { RunningIndexProcess } from '../../src/search/process/index-process-client.ts';
import { builtCli } from '../doubles/run-hoptrail.ts';
import { ProcessHarness } from './process-harness.ts';
import { until } from '../doubles/waiting.ts';

const files = {
  'lighthouse.md': '# Lighthouse\n\nThe lighthouse keeper is Ada.\n',
  'ferry.md': '# Ferry\n\nThe ferry is called Ansa.\n',
};

/** What fifty questions at once may take more than one, in MB. */
const MOST_GROWTH_MB = 150;
/** After so many milliseconds the first of them is answered, also where other work keeps the machine busy. */
const FIRST_ANSWER_MS = 5_000;

/** Memory of a process now and at most so far, in MB; 0 where the system does not tell it. */
async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { now: Math.round(kilobytes('VmRSS') / 1_024), most: Math.round(kilobytes('VmHWM') / 1_024) };
}

describe('an index process that several use', () => {
  let harness: ProcessHarness;
  let sockets = '';
  const agents: Client[] = [];

  beforeEach(async () => {
    harness = await ProcessHarness.create(files);
    sockets = path.join(harness.base, `hoptrail-${process.getuid?.()}`);
  });
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.close()));
    await harness.close();
  });

  /** As an agent uses the index: over `hoptrail mcp`, which meets the process where the command line does. */
  const server = async (): Promise<Client> => {
    const made = new Client({ name: 'test', version: '1' });
    const args = [builtCli, 'mcp', harness.workspace, '--follow', '--index', path.join(harness.base, 'index')];
    const env = { ...(process.env as Record<string, string>), TMPDIR: harness.base, XDG_DATA_HOME: harness.base };
    await made.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
    agents.push(made);
    return made;
  };
  const start = (): RunningIndexProcess => harness.start({ socketFolder: sockets });
  const host = async (): Promise<RunningIndexProcess> => {
    const first = start();
    await first.index.open(harness.config());
    await first.index.update({});
    await until(async () => (await readdir(sockets).catch(() => [])).length === 1, 'it can be met');
    return first;
  };
  const best = async (running: RunningIndexProcess, question: string): Promise<string | undefined> =>
    (await running.retriever.search(question, { retriever: 'hybrid', limit: 1 })).hits[0]?.passage.path;

  it('answers, indexes and tells its state to a second one, which starts none', async () => {
    const first = await host();
    const second = start();
    const states: IndexState[] = [];
    second.onState((state) => states.push(state));
    assert.equal((await second.index.open(harness.config())).phase, 'ready');
    assert.equal(second.pid, undefined);
    assert.equal(await best(second, 'lighthouse keeper'), 'lighthouse.md');
    await harness.write({ 'windmill.md': '# Windmill\n\nA windmill turns on the hill.\n' });
    assert.equal((await second.index.update({})).files, 3);
    assert.equal(await best(first, 'windmill'), 'windmill.md');
    assert.ok(states.some(({ coverage }) => coverage.files === 3));
    assert.equal((await stat(sockets)).mode & 0o777, 0o700);
    await second.dispose();
    assert.equal(await best(first, 'ferry'), 'ferry.md', 'it lives on when the guest is gone');
  });

  it('lets those who only follow see it, and change nothing', async () => {
    const first = await host();
    const second = start();
    const opened = await second.index.open({ ...harness.config(), follow: true, excludeGlobs: ['**/ferry.md'] });
    assert.equal(second.pid, undefined);
    assert.equal(opened.phase, 'read-only');
    assert.deepEqual(
      opened.notices.map(({ code }) => code),
      ['only-followed'],
    );
    assert.equal(opened.heldBy?.pid, first.pid);
    await harness.write({ 'windmill.md': '# Windmill\n\nA windmill turns on the hill.\n' });
    const report = await second.index.update({});
    assert.equal(report.files, 2);
    assert.equal(report.skippedKnown, undefined);
    await second.index.filesChanged([harness.uri('windmill.md')]);
    assert.equal((await first.index.state()).coverage.files, 2);
    await assert.rejects(second.index.update({ rebuild: true }), { code: 'index-not-writable' });
  });

  it('is followed by one of their own when it is killed', async () => {
    const first = await host();
    const second = start();
    await second.index.open(harness.config());
    await second.index.update({});
    assert.equal(second.pid, undefined);
    process.kill(first.pid ?? 0, 'SIGKILL');
    assert.equal(await best(second, 'lighthouse keeper'), 'lighthouse.md');
    const phases = (): Promise<IndexState['phase'][]> =>
      Promise.all([first, second].map(async (each) => (await each.index.state()).phase));
    await until(async () => (await phases()).includes('ready'), 'somebody writes');
    assert.equal(await best(first, 'ferry'), 'ferry.md', 'whoever is second uses the first one now');
    assert.ok(first.pid ?? second.pid, 'one of them has a process');
  });

  it('loses no request when it ends in order', async () => {
    const first = await host();
    const second = start();
    await second.index.open(harness.config());
    const asked = Array.from({ length: 20 }, () => best(second, 'ferry'));
    await first.dispose();
    assert.deepEqual([...new Set(await Promise.all(asked))], ['ferry.md']);
    assert.notEqual(second.pid, undefined);
    await until(async () => (await second.index.state()).phase === 'ready', 'it writes');
  });

  it('is not used by who wants the index read otherwise, learns, or takes over', async () => {
    const first = await host();
    const other = start();
    await other.index.open({ ...harness.config(), excludeGlobs: ['**/ferry.md'] });
    assert.notEqual(other.pid, undefined);
    const learner = start();
    await learner.index.open(harness.config());
    assert.equal(learner.pid, undefined);
    await learner.learner.use(undefined);
    assert.notEqual(learner.pid, undefined, 'what is learnt is its own');
    assert.equal(await best(learner, 'ferry'), 'ferry.md');
    const third = start();
    await third.index.open(harness.config());
    await third.index.open(harness.config('elsewhere'));
    assert.notEqual(third.pid, undefined, 'it opens another index');
    const taking = start();
    await taking.index.open({ ...harness.config(), takeOver: true });
    assert.notEqual(taking.pid, undefined);
    await until(async () => (await first.index.state()).phase === 'read-only', 'taken');
  });

  it('gives up what a guest has shown and not saved when that is gone', async () => {
    const first = await host();
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

  it('is not met in a folder that lets others in', async () => {
    await mkdir(sockets);
    await chmod(sockets, 0o755);
    const first = start();
    await first.index.open(harness.config());
    await first.index.update({});
    const second = start();
    assert.equal((await second.index.open(harness.config())).phase, 'read-only');
    assert.notEqual(second.pid, undefined);
    assert.deepEqual(await readdir(sockets), []);
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
    const first = await host();
    const clients = [first, ...Array.from({ length: CLIENTS - SERVERS - 1 }, start)];
    const servers = await Promise.all(Array.from({ length: SERVERS }, server));
    for (const client of clients.slice(1)) await client.index.open(harness.config());
    assert.deepEqual(
      clients.map(({ pid }) => pid).filter((pid) => pid !== undefined),
      [first.pid],
      'one process for all',
    );
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
          const { structuredContent } = await agent.callTool({ name: 'hoptrail_search', arguments: { query } });
          return (structuredContent as { passages: { path: string }[] }).passages[0]?.path;
        }),
      ),
    ]);
    await Promise.all(atWork);
    assert.deepEqual(
      found,
      things.map((_, number) => Array.from({ length: EACH }, (_each, i) => nameOf(number, i))),
    );
    assert.ok(firstAnswerMs < FIRST_ANSWER_MS, `the first was answered after ${Math.round(firstAnswerMs)} ms`);
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

  it('is not hurt by who says something else', async () => {
    const first = await host();
    const address = path.join(sockets, (await readdir(sockets))[0] ?? '');
    for (const said of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from([0, 0, 0, 3, 1, 2, 3]),
      Buffer.from([255, 255, 255, 255]),
      Buffer.alloc(0),
    ]) {
      const socket = connect(address);
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      if (said.length > 0) socket.write(said);
      await closed; // also who says nothing is not kept
    }
    const second = start();
    await second.index.open(harness.config());
    assert.equal(second.pid, undefined);
    assert.equal(await best(first, 'ferry'), 'ferry.md');
  });
});
