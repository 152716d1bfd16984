import { existsSync } from 'node:fs';
import path from 'node:path';
import * as namespace from '@vscode/tree-sitter-wasm';
import type { Language } from '@vscode/tree-sitter-wasm';

// The runtime is a UMD module: Node gives its exports as `default`, a bundler as the namespace itself.
const runtime = ('default' in namespace ? namespace.default : namespace) as typeof namespace;

/** The packages' own folders, for running from the sources. */
const PACKAGE_FOLDERS = ['node_modules/@vscode/tree-sitter-wasm/wasm', 'node_modules/tree-sitter-wasms/out'];

let initialised: Promise<void> | undefined;

/** A grammar or the runtime in a flat folder (dist/wasm), or below a folder that has node_modules; undefined when it is in neither. */
export function findWasm(wasmDir: string, name: string): string | undefined {
  return ['.', ...PACKAGE_FOLDERS].map((folder) => path.join(wasmDir, folder, name)).find((file) => existsSync(file));
}

/** Loads the runtime once per process, then a grammar. Rejects when a file is missing or does not fit. */
export async function loadGrammar(wasmDir: string, name: string): Promise<Language> {
  const runtimeFile = findWasm(wasmDir, 'tree-sitter.wasm');
  const grammarFile = findWasm(wasmDir, `tree-sitter-${name}.wasm`);
  if (!runtimeFile || !grammarFile) throw new Error(`${runtimeFile ? `tree-sitter-${name}.wasm` : 'tree-sitter.wasm'} is not in ${wasmDir}`);
  initialised ??= runtime.Parser.init({ locateFile: () => runtimeFile });
  await initialised;
  return runtime.Language.load(grammarFile);
}

/** A parser for one grammar; its owner deletes it. */
export function makeParser(language: Language): InstanceType<typeof runtime.Parser> {
  return new runtime.Parser().setLanguage(language);
}
