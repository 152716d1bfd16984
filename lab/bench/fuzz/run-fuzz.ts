import { inputOf, fixturesBelow, type FuzzInput } from './inputs.ts';
import { WatchedReader, type Reading } from './watched-reader.ts';

/** One input and what became of it. */
export interface FuzzFinding {
  seed: number;
  name: string;
  madeBy: string;
  bytes: number;
  milliseconds: number;
  reading: Reading;
}

interface FuzzReport {
  inputs: number;
  read: number;
  fallbacks: number;
  leftOut: number;
  /** Hangs, crashes and broken promises. */
  failures: FuzzFinding[];
  slowest: FuzzFinding[];
  /** By extension: inputs and time. */
  formats: Map<string, { inputs: number; milliseconds: number }>;
  /** Most memory that a process held, and the input after which it did. */
  peakBytes: number;
  peakSeed: number;
}

const SLOWEST_KEPT = 10;

interface FuzzOptions {
  /** Which inputs are read; all when undefined. */
  takes?(input: FuzzInput): boolean;
  onFailure?(finding: FuzzFinding): void;
  onInput?(done: number, report: FuzzReport): void;
}

/** Reads the inputs of `count` seeds from `firstSeed` on, each in a watched process with five seconds for a file. */
export async function runFuzz(
  fixturesFolder: string,
  firstSeed: number,
  count: number,
  options: FuzzOptions = {},
): Promise<FuzzReport> {
  const fixtures = fixturesBelow(fixturesFolder);
  const reader = new WatchedReader(5_000);
  const report: FuzzReport = {
    inputs: 0,
    read: 0,
    fallbacks: 0,
    leftOut: 0,
    failures: [],
    slowest: [],
    formats: new Map(),
    peakBytes: 0,
    peakSeed: firstSeed,
  };
  try {
    for (let i = 0; i < count; i++) {
      const input = inputOf(firstSeed + i, fixtures);
      if (options.takes?.(input) === false) continue;
      const started = performance.now();
      const reading = await reader.read(input.name, input.bytes);
      note(report, input, reading, 'milliseconds' in reading ? reading.milliseconds : performance.now() - started);
      if (reader.peakBytes > report.peakBytes) report.peakSeed = input.seed;
      report.peakBytes = reader.peakBytes;
      const failed = report.failures.at(-1);
      if (failed?.seed === input.seed) options.onFailure?.(failed);
      options.onInput?.(i + 1, report);
    }
  } finally {
    reader.close();
  }
  return report;
}

function note(
  report: FuzzReport,
  { seed, name, madeBy, bytes }: FuzzInput,
  reading: Reading,
  milliseconds: number,
): void {
  const finding: FuzzFinding = { seed, name, madeBy, bytes: bytes.length, milliseconds, reading };
  report.inputs += 1;
  switch (reading.kind) {
    case 'read':
      report.read += 1;
      report.fallbacks += reading.fallback === undefined ? 0 : 1;
      break;
    case 'left-out':
      report.leftOut += 1;
      break;
    case 'promise-broken':
    case 'hung':
    case 'crashed':
      report.failures.push(finding);
  }
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const format = report.formats.get(extension) ?? { inputs: 0, milliseconds: 0 };
  report.formats.set(extension, { inputs: format.inputs + 1, milliseconds: format.milliseconds + milliseconds });
  report.slowest = [...report.slowest, finding].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST_KEPT);
}
