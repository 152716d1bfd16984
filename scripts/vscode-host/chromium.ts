import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDirectory, repositoryRoot } from './locations.ts';

/** A browser to start, and what its environment must hold for it. */
export interface BrowserProgram {
  executablePath: string;
  env: Record<string, string>;
}

const installedBrowsers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  ],
  linux: ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser'],
};

/**
 * Unpacks the Chromium of the npm package @sparticuz/chromium, once, into the cache. The package writes to the
 * temporary folder of the process and brings the libraries of its own platform only where it recognises it; a process
 * of its own settles both.
 */
function unpackChromium(): string {
  const packageFile = path.join(repositoryRoot, 'node_modules/@sparticuz/chromium/package.json');
  if (!existsSync(packageFile)) throw new Error('@sparticuz/chromium is not installed: run npm ci');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const directory = path.join(cacheDirectory, `chromium-${version}`);
  if (existsSync(directory)) return directory;
  const aside = `${directory}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  try {
    const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: repositoryRoot,
      env: { ...process.env, TMPDIR: aside, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (!existsSync(directory)) renameSync(aside, directory);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return directory;
}

function missingLibraries(program: string, env: Record<string, string>): string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8', env: { ...process.env, ...env } });
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
}

function hasFonts(folder: string): boolean {
  return (
    existsSync(folder) && readdirSync(folder, { recursive: true }).some((name) => /\.(ttf|otf)$/.test(String(name)))
  );
}

/** The package's font stands in on a machine without any; on others the machine's own are used. */
function fontEnvironment(directory: string): Record<string, string> {
  if (hasFonts('/usr/share/fonts')) return {};
  const file = path.join(directory, 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${path.join(directory, 'fonts')}</dir><cachedir>${path.join(directory, 'fonts-cache')}</cachedir></fontconfig>\n`,
  );
  return { FONTCONFIG_FILE: file };
}

/**
 * The browser that shows the test host's workbench: the one named by CHROMIUM, else the npm package's on Linux x64,
 * else an installed Chrome.
 * @throws Error saying what to install or set
 */
export function findBrowser(): BrowserProgram {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, which does not exist`);
    return { executablePath: named, env: {} };
  }
  if (process.platform === 'linux' && process.arch === 'x64') {
    const directory = unpackChromium();
    const executablePath = path.join(directory, 'chromium');
    const fonts = fontEnvironment(directory);
    const env =
      missingLibraries(executablePath, {}).length === 0
        ? fonts
        : { ...fonts, LD_LIBRARY_PATH: path.join(directory, 'al2023', 'lib') };
    const missing = missingLibraries(executablePath, env);
    if (missing.length === 0) return { executablePath, env };
    throw new Error(
      `The browser from npm lacks ${missing.join(', ')} on this machine. Install them, or set CHROMIUM to an installed Chrome.`,
    );
  }
  const executablePath = (installedBrowsers[process.platform] ?? []).find((file) => existsSync(file));
  if (executablePath === undefined)
    throw new Error('No Chrome found on this machine. Install Google Chrome, or set CHROMIUM to its executable.');
  return { executablePath, env: {} };
}
