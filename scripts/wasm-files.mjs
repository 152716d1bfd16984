import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';

/**
 * The runtime and the grammars that Microsoft builds for VS Code itself, and a package with those that it lacks, which
 * load in the same runtime.
 */
const FOLDERS = ['node_modules/@vscode/tree-sitter-wasm/wasm', 'node_modules/tree-sitter-wasms/out'];

/**
 * The WebAssembly files that the index process parses code with, and the runtime's script, which it must be able to
 * start anew and therefore loads as a file; they go to dist/wasm under their own names.
 * @param {string} root the repository
 * @returns {Promise<string[]>} absolute paths, all of them there
 */
export async function wasmFiles(root) {
  const names = [
    'tree-sitter.js',
    'tree-sitter.wasm',
    ...(await grammars(root)).map((name) => `tree-sitter-${name}.wasm`),
  ];
  return names.map((name) => {
    const file = FOLDERS.map((folder) => path.join(root, folder, name)).find((candidate) => existsSync(candidate));
    if (file === undefined) throw new Error(`${name} is not installed (run npm ci)`);
    return file;
  });
}

/**
 * What the descriptions of the languages name.
 * @param {string} root the repository
 * @returns {Promise<string[]>}
 */
async function grammars(root) {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(root, 'src/search/reading/code/code-languages.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  const { codeLanguages } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return [...new Set(codeLanguages.map((language) => language.grammar))];
}
