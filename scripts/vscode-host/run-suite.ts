import { existsSync, mkdirSync, mkdtempSync, openSync, readSync, closeSync, rmSync, cpSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { failedSuite, judgeSuite, type SuiteExit, type SuiteResult } from '../testing/suite-result.ts';
import { launchBrowser } from './browser.ts';
import { runInDesktop } from './desktop.ts';
import { artifactsDirectory, repositoryRoot } from './locations.ts';
import { type HostSuite, startServer, workbenchAddress } from './server.ts';

/** Bundles the runner and the tests to out/; returns the paths of the bundles. */
async function compile(suite: HostSuite): Promise<{ runner: string; tests: string[] }> {
  const outdir = path.join(repositoryRoot, 'out', suite.name);
  const runner = path.join(repositoryRoot, 'scripts/vscode-host/in-host-runner.ts');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [runner, ...suite.files].map((file) => ({ in: file, out: bundleName(file) })),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  });
  const bundle = (file: string): string => path.join(outdir, `${bundleName(file)}.cjs`);
  return { runner: bundle(runner), tests: suite.files.map(bundle) };
}

function bundleName(file: string): string {
  return path
    .relative(repositoryRoot, path.resolve(repositoryRoot, file))
    .replace(/\.ts$/, '')
    .replaceAll(path.sep, '-');
}

/** Prints what a growing file gains; returns the function that prints the rest and stops. */
function follow(file: string, print: (text: string) => void): () => void {
  let offset = 0;
  const printNew = (): void => {
    if (!existsSync(file)) return;
    const handle = openSync(file, 'r');
    const chunk = Buffer.alloc(1 << 20);
    const length = readSync(handle, chunk, 0, chunk.length, offset);
    closeSync(handle);
    offset += length;
    if (length > 0) print(chunk.toString('utf8', 0, length));
  };
  const timer = setInterval(printNew, 250);
  return () => {
    clearInterval(timer);
    printNew();
  };
}

async function runInServer(
  suite: HostSuite,
  runner: string,
  env: NodeJS.ProcessEnv,
  limit: number,
): Promise<SuiteExit> {
  const server = await startServer({ ...suite, driver: true, env: { ...suite.env, ...env } });
  const browser = await launchBrowser().catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<SuiteExit>((resolve) => {
      timer = setTimeout(() => resolve({ code: null, timedOut: true }), limit);
      page.on('crash', () => resolve({ code: null, timedOut: false }));
      // VS Code calls these two functions of the window when extensionTestsPath is set.
      void page.exposeFunction('codeAutomationExit', (code: number) => resolve({ code, timedOut: false }));
    });
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.goto(workbenchAddress(server, suite.target, { extension: suite.extension, tests: runner }), {
      timeout: 120_000,
    });
    const exit = await ended;
    clearTimeout(timer);
    if (exit.timedOut || exit.code !== 0) {
      const folder = path.join(artifactsDirectory, suite.name);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await page
        .screenshot({ path: path.join(folder, 'window.png') })
        .catch((error: unknown) => console.error(`no screenshot: ${String(error)}`));
      const logs = path.join(server.dataDirectory, 'data', 'logs');
      if (existsSync(logs)) cpSync(logs, path.join(folder, 'logs'), { recursive: true, force: true });
    }
    return exit;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/**
 * Runs a suite in the extension host, in the server host or (VSCODE_HOST=desktop) in the desktop VS Code.
 * Never throws: whatever goes wrong is a failed suite.
 */
export async function runHostSuite(
  suite: HostSuite,
  print: (text: string) => void = (text) => process.stdout.write(text),
): Promise<SuiteResult> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-suite-'));
  const resultFile = path.join(scratch, 'result.json');
  const logFile = path.join(scratch, 'log.txt');
  const started = Date.now();
  const stopFollowing = follow(logFile, print);
  try {
    const { runner, tests } = await compile(suite);
    const env: NodeJS.ProcessEnv = {
      TEST_FILES: JSON.stringify(tests),
      TEST_RESULT_FILE: resultFile,
      TEST_LOG_FILE: logFile,
      ...(suite.grep === undefined ? {} : { TEST_GREP: suite.grep }),
    };
    const limit = suite.limit ?? 300_000;
    const exit =
      process.env['VSCODE_HOST'] === 'desktop'
        ? await runInDesktop(suite, runner, env, limit)
        : await runInServer(suite, runner, env, limit);
    return judgeSuite(suite.name, resultFile, exit, suite.grep !== undefined);
  } catch (error) {
    return failedSuite(
      suite.name,
      error instanceof Error ? (error.stack ?? error.message) : String(error),
      (Date.now() - started) / 1000,
    );
  } finally {
    stopFollowing();
    rmSync(scratch, { recursive: true, force: true });
  }
}
