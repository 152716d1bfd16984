// Makes hoptrail-PLATFORM-VERSION.vsix for this machine's platform: `npm run package`.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX, listFiles } from '@vscode/vsce';
import { thirdPartyNotices } from './third-party-notices.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const stage = path.join(root, '.tmp', 'vsix');
const target = `${process.platform}-${process.arch}`;
const nativeCpu = `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`;

const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** What ships of each native package; the rest of them are other platforms' binaries and installers. */
function nativeParts() {
  const lancedb = readdirSync(path.join(root, 'node_modules/@lancedb'))
    .filter((name) => name.startsWith('lancedb-'))
    .map((name) => `@lancedb/${name}`);
  if (lancedb.length === 0 || !existsSync(path.join(root, nativeCpu))) {
    throw new Error(
      `LanceDB or ONNX Runtime has no native package installed for ${target}: run npm ci on a platform that both support`,
    );
  }
  return [
    ...lancedb.map((name) => ({
      name,
      paths: readdirSync(path.join(root, 'node_modules', name)).filter((file) => file !== 'package.json'),
    })),
    { name: 'onnxruntime-node', paths: ['dist', path.relative('node_modules/onnxruntime-node', nativeCpu)] },
    { name: 'onnxruntime-common', paths: ['dist/cjs'] },
  ];
}

/** The dependencies that ship are the native packages: the bundles hold all others. */
function shippedManifest(natives) {
  const {
    scripts,
    devDependencies,
    overrides,
    allowScripts,
    private: unpublished,
    ...manifest
  } = readJson('package.json');
  return {
    ...manifest,
    dependencies: Object.fromEntries(
      natives.map(({ name }) => [name, readJson(`node_modules/${name}/package.json`).version]),
    ),
  };
}

function fillStage() {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const inputs = path.join(root, '.tmp', 'inputs.json');
  const build = [
    path.join(root, 'esbuild.mjs'),
    '--production',
    '--outdir',
    path.join(stage, 'dist'),
    '--inputs',
    inputs,
  ];
  execFileSync(process.execPath, build, { stdio: ['ignore', 'ignore', 'inherit'] });
  const own = readdirSync(root).filter((name) =>
    /^(package\.nls.*\.json|README\.md|LICENSE|CHANGELOG\.md|media|models|l10n|skills|\.vscodeignore)$/.test(name),
  );
  for (const name of [...own, 'docs/screenshots']) {
    if (existsSync(path.join(root, name))) cpSync(path.join(root, name), path.join(stage, name), { recursive: true });
  }
  const natives = nativeParts();
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(shippedManifest(natives), null, 2));
  for (const { name, paths } of natives) {
    const folder = `node_modules/${name}`;
    const filter = (source) => !/\.(map|d\.ts)$/.test(source);
    for (const part of paths)
      cpSync(path.join(root, folder, part), path.join(stage, folder, part), { recursive: true, filter });
    // Their own dependencies serve their installers alone.
    const { dependencies, devDependencies, scripts, ...manifest } = readJson(`${folder}/package.json`);
    writeFileSync(path.join(stage, folder, 'package.json'), JSON.stringify(manifest, null, 2));
  }
  const bundled = JSON.parse(readFileSync(inputs, 'utf8'));
  rmSync(inputs);
  const shipped = [...natives.map(({ name }) => name), '@vscode/tree-sitter-wasm', 'tree-sitter-wasms'];
  writeFileSync(path.join(stage, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, bundled, shipped));
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;

fillStage();
const { version } = readJson('package.json');
const file = path.join(root, `hoptrail-${target}-${version}.vsix`);
rmSync(file, { force: true });
await createVSIX({ cwd: stage, packagePath: file, target, dependencies: true, skipLicense: false });
const parts = (await listFiles({ cwd: stage, dependencies: true }))
  .map((name) => ({ name, size: statSync(path.join(stage, name)).size }))
  .sort((a, b) => b.size - a.size);
rmSync(stage, { recursive: true, force: true });

console.log(
  `\n${path.relative(process.cwd(), file)}: ${megabytes(statSync(file).size).trim()}, ${parts.length} files; unpacked, the biggest are`,
);
for (const { name, size } of parts.slice(0, 10)) console.log(`${megabytes(size)}  ${name}`);
