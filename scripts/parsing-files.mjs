import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';

/**
 * The runtime and the grammars that Microsoft builds for VS Code itself, and a package with those that it lacks, which
 * load in the same runtime.
 */
const FOLDERS = [
  'node_modules/@vscode/tree-sitter-wasm/wasm',
  'node_modules/tree-sitter-wasms/out',
  'src/search/reading/code/languages',
];

/**
 * What the index process parses code with: WebAssembly files, the runtime's script, which it must be able to start anew
 * and therefore loads as a file, and the languages' patterns. They go to dist/wasm.
 * @param {string} root the repository
 * @returns {Promise<Map<string, string>>} absolute paths, all of them there, by the name below dist/wasm
 */
export async function parsingFiles(root) {
  const languages = await codeLanguages(root);
  const names = new Set([
    'tree-sitter.js',
    'tree-sitter.wasm',
    ...languages.map(({ grammar }) => `tree-sitter-${grammar}.wasm`),
    ...languages.flatMap(({ references }) => references ?? []),
  ]);
  return new Map(
    [...names].map((name) => {
      const file = FOLDERS.map((folder) => path.join(root, folder, name)).find((candidate) => existsSync(candidate));
      if (file === undefined) throw new Error(`${name} is not there (run npm ci)`);
      return [name, file];
    }),
  );
}

/**
 * The descriptions of the languages.
 * @param {string} root the repository
 * @returns {Promise<{ grammar: string, references?: string[] }[]>}
 */
async function codeLanguages(root) {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(root, 'src/search/reading/code/code-languages.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  const described = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return described.codeLanguages;
}
