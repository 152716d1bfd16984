// Makes hoptrail-PLATFORM-VERSION.vsix: `npm run package` for this machine's platform, and for another with
// `npm run package -- --target win32-x64`. LanceDB's package of another platform is fetched once and kept in .tmp.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX, listFiles } from '@vscode/vsce';
import { assertWhole, nativeFiles } from './packaging/needed-files.ts';
import { fetchPackage, platformOf, targetNamed, withoutSymbols } from './packaging/native-packages.ts';
import { thirdPartyNotices } from './third-party-notices.mjs';
import { parsingFiles } from './parsing-files.mjs';
import { repositoryRoot as root } from './vscode-host/locations.ts';

process.on('uncaughtException', ({ message }) => {
  console.error(`No package: ${message}`);
  process.exit(1);
});

const stage = path.join(root, '.tmp', 'vsix');
const here = `${process.platform}-${process.arch}`;
const { target } = parseArgs({ options: { target: { type: 'string', default: here } } }).values;
const { lancedb, onnxruntime } = targetNamed(target);
const runtime = `bin/napi-v6/${target.replace('-', '/')}`;

const readJson = (file) => JSON.parse(readFileSync(path.resolve(root, file), 'utf8'));

/** What ships of each native package; the rest of them are other platforms' binaries and installers. */
function nativeParts() {
  let folder = path.join(root, 'node_modules', lancedb);
  if (!existsSync(folder)) {
    const locked = readJson('package-lock.json').packages[`node_modules/${lancedb}`];
    const spec = `${lancedb}@${locked.version}`;
    folder = path.join(root, '.tmp', 'natives', spec);
    fetchPackage(spec, locked, folder);
  }
  return [
    { name: lancedb, folder, paths: [readJson(path.join(folder, 'package.json')).main] },
    { name: 'onnxruntime-node', paths: ['dist', ...onnxruntime.map((file) => `${runtime}/${file}`)] },
    { name: 'onnxruntime-common', paths: ['dist/cjs'] },
  ].map((part) => ({ folder: path.join(root, 'node_modules', part.name), ...part }));
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
      natives.map(({ name, folder }) => [name, readJson(path.join(folder, 'package.json')).version]),
    ),
  };
}

function fillStage(natives) {
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
  for (const name of own) cpSync(path.join(root, name), path.join(stage, name), { recursive: true });
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(shippedManifest(natives), null, 2));
  for (const { name, folder, paths } of natives) {
    const staged = path.join(stage, 'node_modules', name);
    const filter = (source) => !/\.(map|d\.ts)$/.test(source);
    for (const part of paths)
      cpSync(path.join(folder, part), path.join(staged, part), { recursive: true, filter, dereference: true });
    // Their own dependencies serve their installers alone.
    const { dependencies, devDependencies, scripts, ...manifest } = readJson(path.join(folder, 'package.json'));
    writeFileSync(path.join(staged, 'package.json'), JSON.stringify(manifest, null, 2));
  }
  for (const file of nativeFiles(natives)) {
    const library = readFileSync(path.join(stage, file));
    if (platformOf(library) !== target)
      throw new Error(
        `${file} is made for ${platformOf(library) ?? 'no platform: it is no library'}, not for ${target}.`,
      );
    writeFileSync(path.join(stage, file), withoutSymbols(library));
  }
  const { 'lab.cjs': experiments, ...bundles } = JSON.parse(readFileSync(inputs, 'utf8'));
  const bundled = [...new Set(Object.values(bundles).flat())].sort();
  const foreign = bundled.filter((file) => /^(?:lab|test|scripts)\//.test(file));
  if (foreign.length > 0) throw new Error(`Bundles that ship hold ${foreign.join(', ')}.`);
  rmSync(inputs);
  const shipped = [...natives.map(({ name }) => name), '@vscode/tree-sitter-wasm', 'tree-sitter-wasms'];
  writeFileSync(path.join(stage, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, bundled, shipped));
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;

const natives = nativeParts();
fillStage(natives);
const { version } = readJson('package.json');
const file = path.join(root, `hoptrail-${target}-${version}.vsix`);
rmSync(file, { force: true });
const names = await listFiles({ cwd: stage, dependencies: true });
assertWhole(names, root, natives, [...(await parsingFiles(root)).keys()]);
await createVSIX({ cwd: stage, packagePath: file, target, dependencies: true, skipLicense: false });
const parts = names
  .map((name) => ({ name, size: statSync(path.join(stage, name)).size }))
  .sort((a, b) => b.size - a.size);
rmSync(stage, { recursive: true, force: true });

console.log(
  `\n${path.relative(process.cwd(), file)}: ${megabytes(statSync(file).size).trim()}, ${parts.length} files; unpacked, the biggest are`,
);
for (const { name, size } of parts.slice(0, 10)) console.log(`${megabytes(size)}  ${name}`);
