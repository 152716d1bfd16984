// Bundles Hoptrail: the extension, the command line and the index process for Node, the panel for the webview,
// and the WebAssembly grammars with their patterns beside them.
//
//   node esbuild.mjs [--production] [--watch] [--outdir DIR] [--inputs FILE]
import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { parsingFiles } from './scripts/parsing-files.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    inputs: { type: 'string' }, // where to list the files of each bundle
    outdir: { type: 'string', default: 'dist' },
  },
});
const { production, watch } = options;
const dist = path.resolve(root, options.outdir);

/** Native code is never bundled: it is loaded from node_modules, by the index process alone. */
const nativePackages = ['@lancedb/lancedb-*', 'onnxruntime-node', 'onnxruntime-common', '*.node'];

/** esbuild leaves `import.meta` empty in CommonJS; libraries use it to find their own files. */
const nodeBanner = "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;";

/** @type {esbuild.BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: production ? 'none' : 'inline',
  logLevel: 'warning',
  metafile: true,
};

/** @type {esbuild.BuildOptions} */
const node = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  keepNames: true,
  define: {
    'import.meta.url': 'importMetaUrl',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  banner: { js: nodeBanner },
};

/** Leaves `import('…/NAME.ts')` and `import('#NAME')` to the bundle NAME.cjs in the same folder. */
function besideIt(name) {
  return {
    name: 'beside-it',
    setup: (build) =>
      build.onResolve({ filter: new RegExp(`/${name}\\.ts$|^#${name}$`) }, () => ({
        path: `./${name}.cjs`,
        external: true,
      })),
  };
}

/** @type {{ entry: string, file: string, options: esbuild.BuildOptions }[]} */
const bundles = [
  // Two files, as VS Code counts the time that the first takes to load: what activation does not need is in the second.
  {
    entry: 'src/vscode/extension.ts',
    file: 'extension.cjs',
    options: { ...node, external: ['vscode'], plugins: [besideIt('later')], supported: { 'dynamic-import': false } },
  },
  { entry: 'src/vscode/later.ts', file: 'later.cjs', options: { ...node, external: ['vscode'] } },
  {
    entry: 'src/cli/main.ts',
    file: 'cli.cjs',
    options: {
      ...node,
      external: nativePackages,
      plugins: [besideIt('lab')],
      supported: { 'dynamic-import': false },
      banner: { js: `#!/usr/bin/env node\n${nodeBanner}` },
    },
  },
  // Experiments: not in the package (.vscodeignore).
  { entry: 'lab/commands/index.ts', file: 'lab.cjs', options: { ...node, external: nativePackages } },
  {
    entry: 'src/search/process/index-process.ts',
    file: 'index-process.cjs',
    options: { ...node, external: nativePackages },
  },
  {
    entry: 'src/search/embedding/run-model-thread.ts',
    file: 'model-thread.cjs',
    options: { ...node, external: nativePackages },
  },
  { entry: 'src/search/process/process-guard.ts', file: 'process-guard.cjs', options: node },
  {
    entry: 'webview/main.ts',
    file: 'webview/main.js',
    options: {
      ...shared,
      platform: 'browser',
      format: 'iife',
      target: 'chrome128',
      loader: { '.ttf': 'file', '.woff2': 'file', '.svg': 'dataurl' },
      assetNames: '[name]',
    },
  },
];

async function copyParsingFiles() {
  for (const [name, file] of await parsingFiles(root)) {
    const target = path.join(dist, 'wasm', name);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(2).padStart(7)} MB`;
}

function printSizes() {
  for (const { file } of bundles) console.log(`${megabytes(statSync(path.join(dist, file)).size)}  ${file}`);
  const grammars = readdirSync(path.join(dist, 'wasm'), { recursive: true });
  const total = grammars.reduce((sum, name) => sum + statSync(path.join(dist, 'wasm', name)).size, 0);
  console.log(`${megabytes(total)}  wasm/ (${grammars.length} files)`);
}

await copyParsingFiles();
const builds = bundles.map(({ entry, file, options: build }) => ({
  ...build,
  entryPoints: [entry],
  outfile: path.join(dist, file),
}));
if (watch) {
  for (const build of builds) await (await esbuild.context(build)).watch();
  console.log('watching');
} else {
  // esbuild has printed what is wrong, and where.
  const results = await Promise.all(builds.map((build) => esbuild.build(build))).catch(() => process.exit(1));
  if (options.inputs !== undefined) {
    const inputs = bundles.map(({ file }, i) => [file, Object.keys(results[i]?.metafile?.inputs ?? {}).sort()]);
    writeFileSync(options.inputs, JSON.stringify(Object.fromEntries(inputs)));
  }
  printSizes();
}
