import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemClock, type Clock } from '#base';

/** Why the machine has no time for indexing. */
export type Unquiet = 'busy' | 'battery';

export interface MachineReadings {
  /** Milliseconds of all processors together since the start: of work, and in all. */
  processors(): { worked: number; all: number };
  /** Milliseconds of processor that this process and its threads took. */
  own(): number;
  onBattery(): Promise<boolean>;
}

/** From this share of all processors on that others take, the machine is busy. */
const BUSY_SHARE = 0.35;
/** Having been busy, it is quiet below this share: work that begins and ends must not switch indexing on and off. */
const QUIET_SHARE = 0.2;
/** Between two looks while waiting. Processors are counted in steps of 10 ms: a shorter time says little. */
const LOOK_MS = 2_000;
/** A look says what was so since the one before, if that is so long ago; else what that one said. */
const LEAST_MS = 500;
const BATTERY_LOOK_MS = 60_000;

/**
 * Tells when the machine has time for work that nobody waits for: others leave the processors alone, and it has mains
 * power.
 */
export class QuietMachine {
  readonly #readings: MachineReadings;
  readonly #clock: Clock;
  #before: { at: number; worked: number; all: number; own: number };
  #last: Unquiet | undefined;
  #battery: { at: number; on: boolean } | undefined;

  constructor(readings: MachineReadings = machineReadings, clock: Clock = systemClock) {
    this.#readings = readings;
    this.#clock = clock;
    this.#before = this.#read();
  }

  /** What keeps the machine from being quiet now; undefined: nothing. */
  async look(): Promise<Unquiet | undefined> {
    if (await this.#onBattery()) return (this.#last = 'battery');
    const now = this.#read();
    if (now.at - this.#before.at < LEAST_MS || now.all <= this.#before.all) return this.#last;
    const others = now.worked - this.#before.worked - (now.own - this.#before.own);
    const share = others / (now.all - this.#before.all);
    this.#before = now;
    this.#last = share >= (this.#last === 'busy' ? QUIET_SHARE : BUSY_SHARE) ? 'busy' : undefined;
    return this.#last;
  }

  /**
   * Resolves when the machine is quiet, or when `unless` says that the work is wanted at once. Rejects on abort.
   * @param tell Told what is waited for, and with undefined that it is over.
   */
  async untilQuiet(
    unless: () => boolean,
    tell: (unquiet: Unquiet | undefined) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    let told: Unquiet | undefined;
    try {
      for (;;) {
        const unquiet = unless() ? undefined : await this.look();
        if (unquiet !== told) tell((told = unquiet));
        if (!unquiet) return;
        await this.#clock.sleep(LOOK_MS, signal);
      }
    } finally {
      if (told) tell(undefined); // called off
    }
  }

  #read(): { at: number; worked: number; all: number; own: number } {
    return { at: this.#clock.now(), ...this.#readings.processors(), own: this.#readings.own() };
  }

  async #onBattery(): Promise<boolean> {
    const now = this.#clock.now();
    if (!this.#battery || now - this.#battery.at >= BATTERY_LOOK_MS)
      this.#battery = { at: now, on: await this.#readings.onBattery().catch(() => false) };
    return this.#battery.on;
  }
}

const machineReadings: MachineReadings = {
  processors() {
    let worked = 0;
    let all = 0;
    for (const { times } of cpus()) {
      const work = times.user + times.nice + times.sys + times.irq;
      worked += work;
      all += work + times.idle;
    }
    return { worked, all };
  },
  own() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  onBattery: () => onBattery(process.platform),
};

/** What says whether a machine runs on its battery, where that takes a program. */
const BATTERY_PROGRAMS: Partial<Record<NodeJS.Platform, { command: string; args: string[]; says: RegExp }>> = {
  darwin: { command: 'pmset', args: ['-g', 'ps'], says: /drawing from 'Battery Power'/i },
  win32: {
    command: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', '(Get-CimInstance -ClassName Win32_Battery).BatteryStatus'],
    says: /^1\b/m, // discharging
  },
};

/** @param supplies Where Linux lists batteries and mains. */
export async function onBattery(platform: NodeJS.Platform, supplies = '/sys/class/power_supply'): Promise<boolean> {
  const program = BATTERY_PROGRAMS[platform];
  if (program) {
    const { stdout } = await promisify(execFile)(program.command, program.args, { timeout: 5_000, windowsHide: true });
    return program.says.test(stdout);
  }
  const read = (...parts: string[]): Promise<string> =>
    readFile(path.join(supplies, ...parts), 'utf8').then(
      (text) => text.trim(),
      () => '',
    );
  for (const name of await readdir(supplies).catch(() => []))
    if ((await read(name, 'type')) === 'Battery' && (await read(name, 'status')) === 'Discharging') {
      // A mouse has a battery, too: that of the machine gives power to all of it.
      if ((await read(name, 'scope')) !== 'Device') return true;
    }
  return false;
}
