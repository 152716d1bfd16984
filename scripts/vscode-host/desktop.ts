import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SuiteExit } from '../testing/suite-result.ts';
import { cacheDirectory } from './locations.ts';
import type { HostSuite } from './server.ts';

/** The version that the server host is built from. */
const DESKTOP_VERSION = '1.139.1';

/**
 * Downloads the desktop VS Code (once) and returns its executable. Needs a network that reaches Microsoft's update
 * server.
 */
export async function desktopVscode(): Promise<string> {
  return await downloadAndUnzipVSCode({ version: DESKTOP_VERSION, cachePath: cacheDirectory });
}

/** Runs the same compiled suite as the server host in the desktop VS Code. Needs a display, or `xvfb-run`. */
export async function runInDesktop(
  suite: HostSuite,
  runner: string,
  env: NodeJS.ProcessEnv,
  limit: number,
): Promise<SuiteExit> {
  const userData = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-desktop-'));
  mkdirSync(path.join(userData, 'User'), { recursive: true });
  writeFileSync(path.join(userData, 'User', 'settings.json'), JSON.stringify(suite.settings ?? {}));
  const launchArgs = [
    suite.target,
    '--user-data-dir',
    userData,
    ...(suite.restricted === true ? [] : ['--disable-workspace-trust']),
  ];
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<SuiteExit>((resolve) => {
    timer = setTimeout(() => resolve({ code: null, timedOut: true }), limit);
  });
  const finished = runTests({
    vscodeExecutablePath: await desktopVscode(),
    extensionDevelopmentPath: suite.extension,
    extensionTestsPath: runner,
    extensionTestsEnv: { XDG_CACHE_HOME: path.join(userData, 'cache'), ...suite.env, ...env },
    launchArgs,
  }).then(
    (code): SuiteExit => ({ code, timedOut: false }),
    (): SuiteExit => ({ code: 1, timedOut: false }),
  );
  try {
    return await Promise.race([finished, overdue]);
  } finally {
    clearTimeout(timer);
    rmSync(userData, { recursive: true, force: true });
  }
}
