/** Fills a folder with what a package holds: bundles without experiments, models, and the natives of one platform. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { thirdPartyNotices } from '../third-party-notices.mjs';
import { repositoryRoot as root } from '../vscode-host/locations.ts';
import {
  fetchPackage,
  type LockedPackage,
  platformOf,
  requirePinned,
  targetNamed,
  withoutSymbols,
} from './native-packages.ts';
import { nativeFiles } from './needed-files.ts';

type Manifest = Record<string, unknown> & { version: string; main: string };

const readJson = <T>(file: string): T => JSON.parse(readFileSync(path.resolve(root, file), 'utf8')) as T;
const manifestIn = (folder: string): Manifest => readJson<Manifest>(path.join(folder, 'package.json'));

/** What ships of a native package: paths in its folder. Other platforms' binaries and installers stay out. */
export interface NativePackage {
  name: string;
  folder: string;
  paths: string[];
  version: string;
}

/**
 * The native packages of a platform. LanceDB's of another platform is fetched once and kept in .tmp.
 * @throws Error if package-lock.json has no hash of one of them
 */
export function nativePackages(target: string): NativePackage[] {
  const { lancedb, onnxruntime } = targetNamed(target);
  const { packages } = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');
  const locked = (name: string): LockedPackage => requirePinned(name, packages[`node_modules/${name}`]);
  const own = (name: string): string => path.join(root, 'node_modules', name);
  const database = locked(lancedb);
  const spec = `${lancedb}@${database.version}`;
  const folder = existsSync(own(lancedb)) ? own(lancedb) : path.join(root, '.tmp', 'natives', spec);
  fetchPackage(spec, database, folder);
  const runtime = `bin/napi-v6/${target.replace('-', '/')}`;
  const parts = [
    { name: lancedb, folder, paths: [manifestIn(folder).main] },
    { name: 'onnxruntime-node', paths: ['dist', ...onnxruntime.map((file) => `${runtime}/${file}`)] },
    { name: 'onnxruntime-common', paths: ['dist/cjs'] },
  ].map((part) => ({ folder: own(part.name), ...part }));
  return parts.map((part) => {
    locked(part.name);
    return { ...part, version: manifestIn(part.folder).version };
  });
}

/** The manifest of the repository without what only development needs; its dependencies are the natives. */
export function shippedManifest(natives: readonly NativePackage[]): Manifest {
  const { scripts, devDependencies, overrides, allowScripts, private: hidden, imports, ...manifest } = manifestIn(root);
  return { ...manifest, dependencies: Object.fromEntries(natives.map(({ name, version }) => [name, version])) };
}

/**
 * Empties `stage` and fills it.
 * @param own Files and folders of the repository to copy
 * @throws Error for a native library of another platform, or a bundle with experiments
 */
export function fillStage(
  stage: string,
  target: string,
  natives: readonly NativePackage[],
  manifest: Record<string, unknown>,
  own: readonly string[],
): void {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const bundled = buildInto(path.join(stage, 'dist'));
  for (const name of own)
    if (existsSync(path.join(root, name))) cpSync(path.join(root, name), path.join(stage, name), { recursive: true });
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(manifest, null, 2));
  for (const native of natives) copyNative(stage, native);
  for (const file of nativeFiles(natives)) {
    const library = readFileSync(path.join(stage, file));
    const platform = platformOf(library);
    if (platform !== target)
      throw new Error(`${file} is made for ${platform ?? 'no platform: it is no library'}, not for ${target}.`);
    writeFileSync(path.join(stage, file), withoutSymbols(library));
  }
  const shipped = [...natives.map(({ name }) => name), '@vscode/tree-sitter-wasm', 'tree-sitter-wasms'];
  writeFileSync(path.join(stage, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, bundled, shipped));
}

/** Source files of the bundles that ship. @throws Error if one of them is an experiment, a test or a script */
function buildInto(dist: string): string[] {
  const inputs = path.join(root, '.tmp', 'inputs.json');
  const build = [path.join(root, 'esbuild.mjs'), '--production', '--outdir', dist, '--inputs', inputs];
  execFileSync(process.execPath, build, { stdio: ['ignore', 'ignore', 'inherit'] });
  const { 'lab.cjs': experiments, ...bundles } = readJson<Record<string, string[]>>(inputs);
  rmSync(inputs);
  rmSync(path.join(dist, 'lab.cjs'), { force: true });
  const bundled = [...new Set(Object.values(bundles).flat())].sort();
  const foreign = bundled.filter((file) => /^(?:lab|test|scripts)\//.test(file));
  if (foreign.length > 0) throw new Error(`Bundles that ship hold ${foreign.join(', ')}.`);
  return bundled;
}

function copyNative(stage: string, { name, folder, paths }: NativePackage): void {
  const staged = path.join(stage, 'node_modules', name);
  const filter = (source: string): boolean => !/\.(map|d\.ts)$/.test(source);
  for (const part of paths)
    cpSync(path.join(folder, part), path.join(staged, part), { recursive: true, filter, dereference: true });
  // Their dependencies and scripts serve installers alone.
  const { dependencies, devDependencies, optionalDependencies, scripts, ...manifest } = manifestIn(folder);
  writeFileSync(path.join(staged, 'package.json'), JSON.stringify(manifest, null, 2));
}
