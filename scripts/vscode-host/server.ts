import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installHost, type InstalledHost } from './install.ts';

/** How a server host is started. */
export interface ServerOptions {
  /** Settings on top of the quiet defaults below. */
  settings?: Record<string, unknown>;
  /** Added to the environment of the server and so of its extension hosts. */
  env?: NodeJS.ProcessEnv;
  /** Packages installed before the start. */
  vsix?: string[];
  /** Folders of extensions that are used as they lie, as if they were installed. */
  linked?: string[];
  /** True: an address's payload counts, which suites need; the price is that VS Code shows no notification toasts. */
  driver?: boolean;
  /** True: workspace trust is on and folders start out restricted. */
  restricted?: boolean;
  /** The interface's language, such as `de`, as far as extensions bring it: the editor's own texts stay English. */
  locale?: string;
  /** Kept when the server stops; undefined: a temporary folder that goes with it. */
  dataDirectory?: string;
  /**
   * Wished for; another free one when it is taken. Storage is kept by address, so the same port finds the same storage
   * again.
   */
  port?: number;
}

/** A Mocha suite that runs inside the extension host of a real VS Code. */
export interface HostSuite extends ServerOptions {
  name: string;
  /** Folder of the extension under development. */
  extension: string;
  /** Test files in TypeScript; each is bundled for the host. */
  files: string[];
  /** The folder or .code-workspace file that is open. */
  target: string;
  grep?: string;
  /** Milliseconds for the whole suite, the start of the host not counted. */
  limit?: number;
}

/** A running VS Code server. */
export interface HostServer {
  /** `127.0.0.1:PORT` */
  authority: string;
  dataDirectory: string;
  logFile: string;
  /** Replaces the settings; open windows follow at once. */
  writeSettings(settings: Record<string, unknown>): void;
  /** Ends the server and everything it started. */
  stop(): Promise<void>;
}

const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.agentHost.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'files.autoSave': 'off', // as on the desktop; a browser's default saves by itself
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

async function freePort(wanted: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

async function installVsix(
  host: InstalledHost,
  dataDirectory: string,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const args = [
    host.server,
    '--server-data-dir',
    dataDirectory,
    '--accept-server-license-terms',
    '--install-extension',
    file,
    '--force',
  ];
  const child = spawn(host.node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`installing ${file} failed with code ${code}:\n${output}`);
}

/** Enters extensions into the server's list of installed ones, where they lie. */
function linkExtensions(dataDirectory: string, folders: string[]): void {
  const listFile = path.join(dataDirectory, 'extensions', 'extensions.json');
  mkdirSync(path.dirname(listFile), { recursive: true });
  const installed = existsSync(listFile)
    ? (JSON.parse(readFileSync(listFile, 'utf8')) as { identifier: { id: string } }[])
    : [];
  const linked = folders.map((folder) => {
    const { publisher, name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const location = { $mid: 1, scheme: 'file', path: folder };
    return {
      identifier: { id: `${publisher}.${name}` },
      version,
      location,
      relativeLocation: undefined,
      metadata: { source: 'vsix', pinned: true },
    };
  });
  const others = installed.filter(({ identifier }) => !linked.some((entry) => entry.identifier.id === identifier.id));
  writeFileSync(listFile, JSON.stringify([...others, ...linked]));
}

/** Enters a language pack without texts: a language without a pack is none to the editor. */
function enterLanguagePack(dataDirectory: string, locale: string): void {
  const texts = path.join(dataDirectory, 'data', `${locale}.i18n.json`);
  writeFileSync(texts, JSON.stringify({ version: '1.0.0', contents: {} }));
  const extensions = [{ extensionIdentifier: { id: `hoptrail.language-${locale}` }, version: '1.0.0' }];
  const pack = { hash: locale, extensions, label: locale, translations: { vscode: texts } };
  writeFileSync(path.join(dataDirectory, 'data', 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
}

/** Starts a server and waits until it answers. */
export async function startServer(options: ServerOptions = {}): Promise<HostServer> {
  const host = installHost();
  const dataDirectory = options.dataDirectory ?? mkdtempSync(path.join(os.tmpdir(), 'hoptrail-host-'));
  const settingsFile = path.join(dataDirectory, 'data', 'Machine', 'settings.json');
  mkdirSync(path.dirname(settingsFile), { recursive: true });
  const trust =
    options.restricted === true
      ? {
          'security.workspace.trust.enabled': true,
          'security.workspace.trust.startupPrompt': 'never',
          'security.workspace.trust.banner': 'never',
        }
      : { 'security.workspace.trust.enabled': false };
  const writeSettings = (settings: Record<string, unknown>): void =>
    writeFileSync(settingsFile, JSON.stringify({ ...quietSettings, ...trust, ...settings }, null, 2));
  writeSettings(options.settings ?? {});

  // An npm script's or another Electron's variables have no business in the server.
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    XDG_CACHE_HOME: path.join(dataDirectory, 'cache'), // what windows of tests tell is for no command line outside
    HOPTRAIL_LINGER_SECONDS: '2', // an index process that outlives its window writes into what is removed here
    ...options.env,
  };
  delete env['ELECTRON_RUN_AS_NODE'];
  delete env['NODE_OPTIONS'];
  for (const file of options.vsix ?? []) await installVsix(host, dataDirectory, file, env);
  if (options.locale !== undefined) enterLanguagePack(dataDirectory, options.locale);
  if (options.linked !== undefined) linkExtensions(dataDirectory, options.linked);

  const port = await freePort(options.port ?? 0).catch(() => freePort(0));
  const logFile = path.join(dataDirectory, 'server.log');
  const log = openSync(logFile, 'w');
  const supervisor = fileURLToPath(new URL('./supervise.mjs', import.meta.url));
  const child = spawn(
    process.execPath,
    [
      supervisor,
      host.node,
      host.server,
      '--server-data-dir',
      dataDirectory,
      '--accept-server-license-terms',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--without-connection-token',
      '--disable-telemetry',
      '--reconnection-grace-time',
      '10', // seconds that the extension host of a closed window lives on; hours, by default
      ...(options.locale === undefined ? [] : ['--locale', options.locale]),
      ...(options.driver === true ? ['--enable-smoke-test-driver'] : []),
      ...(options.restricted === true ? [] : ['--disable-workspace-trust']),
    ],
    { env, stdio: ['ignore', log, log, 'ipc'], detached: true },
  );
  closeSync(log);

  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL');
      await exited;
    }
    if (options.dataDirectory !== undefined) return;
    try {
      rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    } catch (error) {
      // A process of the host that outlives it may write still; what it leaves lies among the temporary files.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    }
  };
  const authority = `127.0.0.1:${port}`;
  for (let attempt = 0; !(await answers(`http://${authority}/version`)); attempt++) {
    if (child.exitCode !== null || child.signalCode !== null || attempt > 800) {
      const output = readFileSync(logFile, 'utf8').slice(-3000);
      await stop();
      throw new Error(`VS Code's server did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return { authority, dataDirectory, logFile, writeSettings, stop };
}

async function answers(address: string): Promise<boolean> {
  return await fetch(address).then(
    (response) => response.ok,
    () => false,
  );
}

/**
 * The address of a workbench on a folder or a .code-workspace file, or of an empty one. `payload` is VS Code's own way
 * to name what is under test; it counts only in a server with `driver`, and only one extension under development does.
 */
export function workbenchAddress(
  server: HostServer,
  target: string | undefined,
  payload: { extension?: string; tests?: string } = {},
): string {
  const remote = (file: string): string => `vscode-remote://${server.authority}${file}`;
  const address = new URL(`http://${server.authority}/`);
  if (target === undefined) address.searchParams.set('ew', 'true');
  else address.searchParams.set(target.endsWith('.code-workspace') ? 'workspace' : 'folder', target);
  const entries = [
    ...(payload.extension === undefined ? [] : [['extensionDevelopmentPath', remote(payload.extension)]]),
    ...(payload.tests === undefined ? [] : [['extensionTestsPath', remote(payload.tests)]]),
  ];
  if (entries.length > 0) address.searchParams.set('payload', JSON.stringify(entries));
  return address.href;
}
