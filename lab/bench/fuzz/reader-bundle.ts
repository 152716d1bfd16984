import { readFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { root } from '../../places.ts';

/** Modules find their neighbours on the disk by their own address; in a bundle each keeps the one of its source. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const address = JSON.stringify(pathToFileURL(file).href);
      return { contents: (await readFile(file, 'utf8')).replaceAll('import.meta.url', address), loader: 'ts' };
    }),
};

/**
 * Makes one file of the process that reads the fuzzer's inputs, and gives its path. What ships is a bundle too: a
 * program that compiles its sources while it runs takes 110 MB more, which is none of the reader's memory.
 */
export async function bundleReader(): Promise<string> {
  // Below node_modules, where packages are found from.
  const folder = path.join(root, 'node_modules/.cache/hoptrail');
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, `fuzz-reader-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ['lab/bench/fuzz/reader-process.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    plugins: [sourceAddresses],
  });
  return outfile;
}
