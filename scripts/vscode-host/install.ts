import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDirectory } from './locations.ts';

/** code-server 4.139.1 carries VS Code 1.139.1. */
const CODE_SERVER = '4.139.1';
/** The Node that this VS Code's extension host runs on. */
const HOST_NODE = '24.21.0';

/** Where the parts of an installed host lie. */
export interface InstalledHost {
  /** VS Code's own folder: product.json, out, extensions. */
  vscode: string;
  /** The Node executable that runs it. */
  node: string;
  /** The server's entry point. */
  server: string;
}

function locate(directory: string): InstalledHost & { stamp: string } {
  const vscode = path.join(directory, 'package', 'lib', 'vscode');
  return {
    vscode,
    node: path.join(nodeHome(directory), 'bin', 'node'),
    server: path.join(vscode, 'out', 'server-main.js'),
    stamp: path.join(directory, 'installed.json'),
  };
}

function nodeHome(directory: string): string {
  return path.join(directory, 'node', 'node_modules', `node-linux-${process.arch}`);
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}

/** Runs a program quietly; its output is shown only when it fails. */
function run(command: string, args: string[], cwd: string, extra: NodeJS.ProcessEnv = {}): void {
  // What `npm test` puts into the environment would tell a nested npm that it works on another package.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|command|execpath|node_execpath)/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
    ...extra,
  };
  try {
    execFileSync(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 << 20 });
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().slice(-2000) : '';
    throw new Error(`${command} ${args.join(' ')} failed in ${cwd}\n${output}`, { cause });
  }
}

/** Parts of VS Code that no test of an extension needs: other platforms' binaries and the agent runtime. */
function slim(vscode: string, directory: string): void {
  const ripgrep = path.join(vscode, 'node_modules/@vscode/ripgrep-universal/bin');
  for (const platform of existsSync(ripgrep) ? readdirSync(ripgrep) : []) {
    if (platform !== `linux-${process.arch}`) rmSync(path.join(ripgrep, platform), { recursive: true });
  }
  for (const part of [
    `node_modules/@github/copilot-sdk-linux-${process.arch}`,
    'node_modules/@microsoft/mxc-sdk',
    'node_modules/@vscode/windows-process-tree',
    'extensions/copilot',
    'extensions/mermaid-markdown-features',
    'extensions/microsoft-authentication',
    'extensions/github-authentication',
    'extensions/github',
  ])
    rmSync(path.join(vscode, part), { recursive: true, force: true });
  rmSync(path.join(nodeHome(directory), 'share'), { recursive: true, force: true });
}

function installInto(directory: string, log: (line: string) => void): void {
  const { vscode, stamp } = locate(directory);
  mkdirSync(path.join(directory, 'node'), { recursive: true });
  writeFileSync(path.join(directory, 'node', 'package.json'), '{"private":true}');
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-save', `node-linux-${process.arch}@${HOST_NODE}`],
    path.join(directory, 'node'),
  );
  run('npm', ['pack', `code-server@${CODE_SERVER}`], directory);
  const tarball = `code-server-${CODE_SERVER}.tgz`;
  run('tar', ['xzf', tarball, 'package/lib/vscode', 'package/LICENSE'], directory);
  rmSync(path.join(directory, tarball));
  const own = {
    PATH: `${path.join(nodeHome(directory), 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: nodeHome(directory),
  };
  // Not `npm ci`: code-server's shrinkwrap is slightly out of step with its package.json, which `ci` refuses.
  run('npm', ['install', '--ignore-scripts', '--omit=dev'], vscode, own);
  // Two addons come as source. Without @vscode/spdlog output channels stay empty, without native-watchdog there is a
  // line in a log.
  if (['g++', 'make', 'python3'].every(onPath)) {
    try {
      run('npm', ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], vscode, own);
    } catch (error) {
      log(
        `optional addons could not be built, output channels will stay empty: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  } else {
    log('no g++, make and python3: optional addons left out, output channels will stay empty');
  }
  slim(vscode, directory);
  writeFileSync(stamp, stampContent());
}

function stampContent(): string {
  return JSON.stringify({ codeServer: CODE_SERVER, node: HOST_NODE, arch: process.arch });
}

/**
 * Makes a real VS Code that runs without a desktop: code-server's lib/vscode on a Node, both from the npm registry.
 * Cached under .vscode-test/; later calls return at once. Takes about 40 s and 430 MB the first time.
 * @throws Error on a platform for which the registry has no such parts, or when npm fails
 */
export function installHost(log: (line: string) => void = console.error): InstalledHost {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new Error(
      `The server host runs on Linux (x64, arm64), not on ${process.platform} ${process.arch}. Set VSCODE_HOST=desktop to use the desktop VS Code.`,
    );
  }
  const directory = path.join(cacheDirectory, `host-${CODE_SERVER}`);
  const host = locate(directory);
  if (existsSync(host.stamp) && readFileSync(host.stamp, 'utf8') === stampContent()) return host;
  log('installing VS Code (its server, 430 MB) from the npm registry: once, and some minutes on a slow line …');
  // Made aside and moved into place, so that a cut-off or a second installation leaves nothing half done.
  const aside = `${directory}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  try {
    installInto(aside, log);
    if (!existsSync(host.stamp)) rmSync(directory, { recursive: true, force: true });
    if (!existsSync(directory)) renameSync(aside, directory);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return host;
}
