import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import { PauseGate } from '../../../../src/search/indexer/pace.ts';
import {
  type MachineReadings,
  onBattery,
  QuietMachine,
  type Unquiet,
} from '../../../../src/search/indexer/quiet-machine.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';
import { settled, until } from '../../../doubles/waiting.ts';

/** Two processors, in seconds of a clock that runs when somebody sleeps: `others` and `own` are shares of all. */
class Machine implements MachineReadings {
  others = 0;
  ownShare = 0;
  battery = false;
  sleeps = 0;
  #time = 0;
  #worked = 0;
  #ownWork = 0;
  readonly clock = {
    now: () => this.#time,
    sleep: (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      signal?.throwIfAborted();
      this.pass(milliseconds);
      this.sleeps += 1;
      this.atSleep?.(this.sleeps);
      return Promise.resolve();
    },
  };
  atSleep?: (sleeps: number) => void;

  pass(milliseconds: number): void {
    this.#time += milliseconds;
    this.#worked += 2 * milliseconds * (this.others + this.ownShare);
    this.#ownWork += 2 * milliseconds * this.ownShare;
  }
  processors(): { worked: number; all: number } {
    return { worked: this.#worked, all: 2 * this.#time };
  }
  own(): number {
    return this.#ownWork;
  }
  onBattery(): Promise<boolean> {
    return Promise.resolve(this.battery);
  }
}

const never = (): boolean => false;

describe('a machine that has time', () => {
  it('is one that others leave alone, however much indexing itself takes', async () => {
    const machine = new Machine();
    const quiet = new QuietMachine(machine, machine.clock);
    machine.ownShare = 0.95;
    machine.others = 0.05;
    machine.pass(1_000);
    assert.equal(await quiet.look(), undefined);
    machine.ownShare = 0.5;
    machine.others = 0.5;
    machine.pass(1_000);
    assert.equal(await quiet.look(), 'busy');
  });

  it('is waited for until others have ended, and no half-busy look begins it again', async () => {
    const machine = new Machine();
    const quiet = new QuietMachine(machine, machine.clock);
    machine.others = 0.9;
    machine.pass(1_000);
    machine.atSleep = (sleeps) => {
      machine.others = sleeps < 3 ? 0.9 : sleeps < 5 ? 0.3 : 0;
    };
    const told: (Unquiet | undefined)[] = [];
    await quiet.untilQuiet(never, (why) => told.push(why));
    assert.deepEqual(told, ['busy', undefined]);
    assert.equal(machine.sleeps, 6);
    machine.others = 0.3; // below what makes a quiet machine a busy one
    machine.pass(1_000);
    assert.equal(await quiet.look(), undefined);
  });

  it('does not run on its battery', async () => {
    const machine = new Machine();
    machine.battery = true;
    machine.atSleep = (sleeps) => {
      machine.battery = sleeps < 40;
    };
    const told: (Unquiet | undefined)[] = [];
    await new QuietMachine(machine, machine.clock).untilQuiet(never, (why) => told.push(why));
    assert.deepEqual(told, ['battery', undefined]);
    assert.ok(machine.sleeps >= 40 && machine.sleeps <= 70, `${machine.sleeps} looks`);
  });

  it('is not waited for by what is wanted at once, nor after an abort', async () => {
    const machine = new Machine();
    const quiet = new QuietMachine(machine, machine.clock);
    machine.others = 1;
    machine.pass(1_000);
    await quiet.untilQuiet(
      () => true,
      () => assert.fail('nothing is waited for'),
    );
    const abort = new AbortController();
    machine.atSleep = () => abort.abort();
    const told: (Unquiet | undefined)[] = [];
    await assert.rejects(
      quiet.untilQuiet(never, (why) => told.push(why), abort.signal),
      { name: 'AbortError' },
    );
    assert.deepEqual(told, ['busy', undefined]);
  });

  it('lets paused work wait at the gate all the same', async () => {
    let quiet = 0;
    const gate = new PauseGate(() => {
      quiet += 1;
      return Promise.resolve();
    });
    gate.pause();
    let through = false;
    const passed = gate.passWhenQuiet(never).then(() => (through = true));
    await settled();
    assert.equal(through, false);
    gate.resume();
    await passed;
    assert.equal(quiet, 1);
  });
});

describe('an index that is made while the machine has time', function () {
  this.timeout(60_000);
  it('is found by words meanwhile, says what it waits for, and takes what is edited or asked about at once', async () => {
    const texts = Array.from({ length: 90 }, (_, i) => [`note-${i}.md`, `# Note ${i}\n\nAbout harbour ${i}.\n`]);
    const harness = await IndexHarness.create(Object.fromEntries(texts) as Record<string, string>);
    try {
      const machine = new Machine();
      machine.others = 1;
      const quiet = new QuietMachine(machine, {
        ...machine.clock,
        sleep: async (milliseconds, signal) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          return machine.clock.sleep(milliseconds, signal);
        },
      });
      machine.pass(1_000);
      const embedder = new HashEmbedder();
      const service = harness.service(embedder, { quiet });
      await service.open(harness.config({ whenIdle: true }));
      const update = service.update({});
      const notices = async (): Promise<unknown> => (await service.state()).notices;
      await until(
        async () => isDeepStrictEqual(await notices(), [{ code: 'waits', details: { why: 'busy' } }]),
        'it waits',
      );
      assert.equal((await service.index.textSearch('harbour 17', { limit: 5 }))[0]?.passage.path, 'note-17.md');
      assert.equal(embedder.embedded.length, 0);
      await harness.write({ 'note-3.md': '# Note 3\n\nNow about lighthouses.\n' });
      await service.filesChanged([harness.uri('note-3.md')]);
      await until(() => embedder.embedded.some((text) => text.includes('lighthouses')), 'it is embedded');
      assert.ok((await service.state()).coverage.embedded < 90);
      const [asked] = await service.index.textSearch('harbour 29', { limit: 1 });
      service.prefer([asked?.passage.id ?? '', 'gone']);
      await until(() => embedder.embedded.some((text) => text.includes('harbour 29')), 'it is embedded');
      machine.others = 0;
      await update;
      assert.equal((await service.index.coverage()).embedded, 90);
      assert.deepEqual(await notices(), []);
    } finally {
      await harness.close();
    }
  });
});

describe('the power of a Linux machine', () => {
  it('is its battery where one of its own discharges, whatever the mouse does', async () => {
    const folder = temporaryFolder();
    const supply = async (name: string, values: Record<string, string>): Promise<void> => {
      await mkdir(path.join(folder, name), { recursive: true });
      for (const [key, value] of Object.entries(values)) await writeFile(path.join(folder, name, key), `${value}\n`);
    };
    assert.equal(await onBattery('linux', path.join(folder, 'none')), false);
    await supply('AC', { type: 'Mains', online: '0' });
    await supply('hidpp_battery_0', { type: 'Battery', status: 'Discharging', scope: 'Device' });
    await supply('BAT0', { type: 'Battery', status: 'Charging' });
    assert.equal(await onBattery('linux', folder), false);
    await supply('BAT0', { status: 'Discharging' });
    assert.equal(await onBattery('linux', folder), true);
  });
});

describe('the power of a Mac and of Windows', () => {
  /** What a program of this name prints, in place of the one that only those systems have. */
  async function withProgram(name: string, prints: string, check: (called: () => Promise<string>) => Promise<void>) {
    const folder = temporaryFolder();
    const { PATH } = process.env;
    try {
      const asked = path.join(folder, 'asked');
      await writeFile(path.join(folder, 'prints'), prints);
      await writeFile(
        path.join(folder, name),
        `#!/bin/sh\nprintf '%s ' "$@" > '${asked}'\ncat '${path.join(folder, 'prints')}'\n`,
        { mode: 0o755 },
      );
      process.env.PATH = `${folder}${path.delimiter}${PATH}`;
      await check(() => readFile(asked, 'utf8'));
    } finally {
      process.env.PATH = PATH;
    }
  }

  it('is told by pmset', async () => {
    if (process.platform === 'win32') return; // which has no such scripts
    const battery = ' -InternalBattery-0 (id=4653155)\t87%; discharging; 4:31 remaining present: true\n';
    await withProgram('pmset', `Now drawing from 'Battery Power'\n${battery}`, async (asked) => {
      assert.equal(await onBattery('darwin'), true);
      assert.equal(await asked(), '-g ps ');
    });
    await withProgram('pmset', `Now drawing from 'AC Power'\n${battery}`, async () =>
      assert.equal(await onBattery('darwin'), false),
    );
  });

  it('is told by PowerShell', async () => {
    if (process.platform === 'win32') return;
    for (const [prints, is] of [
      ['1\r\n', true],
      ['2\r\n', false], // mains
      ['11\r\n', false], // partially charged
      ['', false], // no battery
    ] as const)
      await withProgram('powershell.exe', prints, async (asked) => {
        assert.equal(await onBattery('win32'), is, JSON.stringify(prints));
        assert.match(await asked(), /Win32_Battery/);
      });
  });

  it('counts as mains where nobody can tell', async () => {
    const { PATH } = process.env;
    process.env.PATH = '';
    try {
      await assert.rejects(onBattery('darwin'), { code: 'ENOENT' });
    } finally {
      process.env.PATH = PATH;
    }
    const machine = new Machine();
    machine.onBattery = () => Promise.reject(new Error('spawn pmset ENOENT'));
    machine.pass(1_000);
    assert.equal(await new QuietMachine(machine, machine.clock).look(), undefined);
  });
});
