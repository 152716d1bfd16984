import { existsSync } from 'node:fs';
import path from 'node:path';

// The runtime and the grammars that Microsoft builds for VS Code itself …
const fromVscode = [
  'tree-sitter',
  'tree-sitter-bash',
  'tree-sitter-c-sharp',
  'tree-sitter-cpp',
  'tree-sitter-go',
  'tree-sitter-java',
  'tree-sitter-javascript',
  'tree-sitter-php',
  'tree-sitter-python',
  'tree-sitter-ruby',
  'tree-sitter-rust',
  'tree-sitter-tsx',
  'tree-sitter-typescript',
];
// … and those it lacks, which load in the same runtime.
const fromTreeSitterWasms = ['tree-sitter-c', 'tree-sitter-kotlin', 'tree-sitter-swift'];

/**
 * The WebAssembly files that the index process parses code with, and the runtime's script, which it must be able to
 * start anew and therefore loads as a file; they go to dist/wasm under their own names.
 * @param {string} root the repository
 * @returns {string[]} absolute paths, all of them there
 */
export function wasmFiles(root) {
  const files = [
    path.join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter.js'),
    ...fromVscode.map((name) => path.join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm', `${name}.wasm`)),
    ...fromTreeSitterWasms.map((name) => path.join(root, 'node_modules/tree-sitter-wasms/out', `${name}.wasm`)),
  ];
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`grammar not installed (run npm ci): ${missing.join(', ')}`);
  return files;
}
