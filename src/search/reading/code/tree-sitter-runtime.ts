import path from 'node:path';
import type * as TreeSitterLibrary from '@vscode/tree-sitter-wasm';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type { Language, Parser, Query } from '@vscode/tree-sitter-wasm';
import { readingLimits } from '../reading-limits.ts';

type TreeSitter = typeof TreeSitterLibrary;

/** Where grammars and patterns stand in the repository, for running from the sources. */
const SOURCE_FOLDERS = [
  'node_modules/@vscode/tree-sitter-wasm/wasm',
  'node_modules/tree-sitter-wasms/out',
  'src/search/reading/code/languages',
];
const RUNTIME = 'tree-sitter.js';
/** Bytes of a page of WebAssembly's memory, and the pages that the runtime was built to begin with: 32 MB. */
const PAGE = 65_536;
const FIRST_PAGES = 512;

/**
 * In bytes of UTF-16 the runtime tells how far a parse has come, and is told where a query looks; nodes tell
 * characters.
 */
export const BYTES_PER_CHARACTER = 2;

/** Puts right what is wrong in a grammar's bytes. */
type GrammarMend = (bytes: Uint8Array) => Uint8Array;

/** One instance of the runtime with its memory, and the grammars loaded into it. */
interface Instance {
  wasmDir: string;
  library: TreeSitter;
  ready: Promise<void>;
  memory: WebAssembly.Memory;
}

let instance: Instance | undefined;

/**
 * Compiled code by file. V8 compiles the same bytes once as long as somebody holds what came of it: without this, each
 * fresh runtime would compile its grammars anew, for seconds of processor.
 */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function codeOf(file: string, mend: GrammarMend = (bytes) => bytes): Promise<Uint8Array> {
  const bytes = mend(readFileSync(file));
  const known = compiled.get(file) ?? WebAssembly.compile(bytes as BufferSource);
  compiled.set(file, known);
  await known;
  return bytes;
}

/** A file in the folder of all (dist/wasm), or below the repository; undefined when it is in neither. */
function findFile(wasmDir: string, name: string): string | undefined {
  return ['.', ...SOURCE_FOLDERS].map((folder) => path.join(wasmDir, folder, name)).find((file) => existsSync(file));
}

/** Tells one runtime from the next: a grammar must not be used once this differs from what it was at its loading. */
export const currentRuntime = (): object | undefined => instance;

/**
 * Gives the runtime up with all its memory; the next grammar starts a fresh one. Its stack of 64 KiB overflows into its
 * data unnoticed when a hostile text makes the error recovery recurse, and nothing in it can be trusted from then on.
 */
export function discardRuntime(): void {
  instance = undefined;
}

/** A grammar in the runtime. */
export interface LoadedGrammar {
  /** Makes a parser, which the caller has to delete. */
  makeParser(): Parser;
  /** Its patterns, compiled when first asked for; the runtime keeps them as long as it lives. */
  patterns(): Query;
}

/** Bytes that the runtime's memory has grown to. */
export const runtimeBytes = (): number => instance?.memory.buffer.byteLength ?? 0;

/**
 * Starts the runtime if need be and loads a grammar with the patterns of these files. Rejects when a file is missing or
 * does not fit.
 */
export async function loadGrammar(
  wasmDir: string,
  name: string,
  patternFiles: readonly string[] = [],
  mend?: GrammarMend,
): Promise<LoadedGrammar> {
  const grammarFile = needed(wasmDir, `tree-sitter-${name}.wasm`);
  instance = instance?.wasmDir === wasmDir ? instance : start(wasmDir);
  const { library, ready } = instance;
  await ready;
  const language: Language = await library.Language.load(await codeOf(grammarFile, mend));
  const patterns = patternFiles.map((file) => readFileSync(needed(wasmDir, file), 'utf8')).join('\n');
  let query: Query | undefined;
  return {
    makeParser: () => new library.Parser().setLanguage(language),
    patterns: () => (query ??= new library.Query(language, patterns)),
  };
}

/**
 * Runs the runtime's script anew: as a module it would be one instance for the whole life of the process, with no way
 * to replace it.
 */
function start(wasmDir: string): Instance {
  const script = needed(wasmDir, RUNTIME);
  const wasm = needed(wasmDir, 'tree-sitter.wasm');
  const require = createRequire(import.meta.url);
  codeOf(wasm).catch(() => undefined); // `ready` tells of the same failure
  // It imports two of Node's own modules dynamically, which a compiled function may not.
  const text = readFileSync(script, 'utf8').replaceAll('await import(', 'await importModule(');
  const run = compileFunction(text, ['exports', 'module', 'require', '__filename', '__dirname', 'importModule'], {
    filename: script,
  });
  const module: { exports: unknown } = { exports: {} };
  run(module.exports, module, require, script, path.dirname(script), async (name: string) => require(name) as unknown);
  const library = module.exports as TreeSitter; // the package's own declarations of what this script exports
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: readingLimits.grammarBytes / PAGE });
  // Its typings know one option of the many that the script takes.
  const options = { locateFile: () => wasm, wasmMemory: memory, printErr: () => undefined };
  return { wasmDir, library, ready: library.Parser.init(options), memory };
}

function needed(wasmDir: string, name: string): string {
  const file = findFile(wasmDir, name);
  if (!file) throw new Error(`${name} is not in ${wasmDir}`);
  return file;
}
