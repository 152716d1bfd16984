import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Path to content. */
type Files = Readonly<Record<string, string | Uint8Array>>;

/** The folders that are still there: those that go with the running test, and those that go with the process. */
interface Made {
  ofTest: string[];
  ofProcess: string[];
  testRuns: boolean;
}

// A process that ends may still be writing, and Windows keeps what is open.
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };

// Not of the module: there is one for Mocha's hooks, and a second one for test files that await something at their top.
const shared = globalThis as { hoptrailFolders?: Made };
const made = (shared.hoptrailFolders ??= { ofTest: [], ofProcess: [], testRuns: false });
process.once('exit', () => {
  for (const folder of made.ofProcess.splice(0)) rmSync(folder, removal);
});

/** Puts files there, each with the folders above it. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/**
 * A new folder with these files. What a test or a hook around each test makes is removed after that test, whether it
 * passes or fails, and after its own hooks, so that these may close what is open in it; what a suite makes before its
 * tests is removed when the process ends.
 */
export function temporaryFolder(files: Files = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hoptrail-made-'));
  (made.testRuns ? made.ofTest : made.ofProcess).push(folder);
  writeFiles(folder, files);
  return folder;
}

/** For Mocha, which loads this file before every suite (`.mocharc.json`). */
export const mochaHooks = {
  beforeEach() {
    made.testRuns = true;
  },
  async afterEach() {
    made.testRuns = false;
    // Mocha would run no further test if this failed: what cannot be removed now is tried again at the end.
    for (const folder of made.ofTest.splice(0)) await rm(folder, removal).catch(() => made.ofProcess.push(folder));
  },
};
