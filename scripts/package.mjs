// `npm run package`: hoptrail-PLATFORM-VERSION.vsix for this machine, or for another with `-- --target win32-x64`.
// `npm run package:cli`: hoptrail-cli-PLATFORM-VERSION.tgz, which `npm install --global` installs without a registry.
import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX, listFiles } from '@vscode/vsce';
import { assertWhole } from './packaging/needed-files.ts';
import { fillStage, nativePackages, shippedManifest } from './packaging/stage.ts';
import { parsingFiles } from './parsing-files.mjs';
import { repositoryRoot as root } from './vscode-host/locations.ts';

process.on('uncaughtException', ({ message }) => {
  console.error(`No package: ${message}`);
  process.exit(1);
});

const here = `${process.platform}-${process.arch}`;
const { target, kind } = parseArgs({
  options: { target: { type: 'string', default: here }, kind: { type: 'string', default: 'vsix' } },
}).values;
const natives = nativePackages(target);
const manifest = shippedManifest(natives);
const stage = path.join(root, '.tmp', kind);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;

async function packExtension() {
  const file = path.join(root, `hoptrail-${target}-${manifest.version}.vsix`);
  const own = readdirSync(root).filter((name) =>
    /^(package\.nls.*\.json|README\.md|LICENSE|CHANGELOG\.md|media|models|l10n|skills|\.vscodeignore)$/.test(name),
  );
  fillStage(stage, target, natives, manifest, own);
  rmSync(file, { force: true });
  const names = await listFiles({ cwd: stage, dependencies: true });
  assertWhole(names, root, natives, [...(await parsingFiles(root)).keys()]);
  await createVSIX({ cwd: stage, packagePath: file, target, dependencies: true, skipLicense: false });
  return { file, names };
}

/** The command line with its natives inside: installing it runs no script and asks no registry. */
async function packCommandLine() {
  const { name, version, description, license, repository, engines, bin, type } = manifest;
  const { vscode, ...node } = engines;
  const [os, cpu] = target.split('-');
  const dependencies = manifest.dependencies;
  const cli = { name, version, description, license, repository, type, engines: node, bin, os: [os], cpu: [cpu] };
  const own = ['README.md', 'LICENSE', 'CHANGELOG.md', 'models', 'skills', 'plugin.json', 'mcp.json'];
  fillStage(stage, target, natives, { ...cli, dependencies, bundleDependencies: Object.keys(dependencies) }, own);
  for (const editor of ['extension.cjs', 'later.cjs', 'webview'])
    rmSync(path.join(stage, 'dist', editor), { recursive: true, force: true });
  const packed = execFileSync('npm', ['pack', '--json', '--loglevel', 'error'], {
    cwd: stage,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ filename, files }] = JSON.parse(packed);
  const file = path.join(root, `hoptrail-cli-${target}-${version}.tgz`);
  renameSync(path.join(stage, filename), file);
  return { file, names: files.map(({ path: each }) => each) };
}

if (kind !== 'vsix' && kind !== 'cli') throw new Error(`--kind is vsix or cli, not ${kind}.`);
const { file, names } = await (kind === 'cli' ? packCommandLine() : packExtension());
const parts = names
  .map((name) => ({ name, size: statSync(path.join(stage, name)).size }))
  .sort((a, b) => b.size - a.size);
rmSync(stage, { recursive: true, force: true });
console.log(
  `\n${path.relative(process.cwd(), file)}: ${megabytes(statSync(file).size).trim()}, ${parts.length} files; unpacked, the biggest are`,
);
for (const { name, size } of parts.slice(0, 10)) console.log(`${megabytes(size)}  ${name}`);
