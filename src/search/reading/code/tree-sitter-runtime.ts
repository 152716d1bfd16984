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

async function codeOf(name: string, file: string): Promise<Uint8Array> {
  const bytes = mendGrammar(name, readFileSync(file));
  const known = compiled.get(file) ?? WebAssembly.compile(bytes as BufferSource);
  compiled.set(file, known);
  await known;
  return bytes;
}

/** A file in the folder of all (dist/wasm), or below the repository; undefined when it is in neither. */
function findFile(wasmDir: string, name: string): string | undefined {
  return ['.', ...SOURCE_FOLDERS].map((folder) => path.join(wasmDir, folder, name)).find((file) => existsSync(file));
}

/**
 * Marks the runtime that grammars of now belong to; another one means that they must not be used any more.
 */
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
  /** A parser belongs to whoever made it, who deletes it. */
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
): Promise<LoadedGrammar> {
  const grammarFile = needed(wasmDir, `tree-sitter-${name}.wasm`);
  instance = instance?.wasmDir === wasmDir ? instance : start(wasmDir);
  const { library, ready } = instance;
  await ready;
  const language: Language = await library.Language.load(await codeOf(name, grammarFile));
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
  codeOf('runtime', wasm).catch(() => undefined); // `ready` tells of the same failure
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

/**
 * `calloc(0, 4)`, as compiled: the constants 0 and 4, the call of the first imported function, the end of the function.
 * The scanner of Swift's grammar (tree-sitter-swift up to 0.7.1, `tree_sitter_swift_external_scanner_create`) asks so
 * for room for its four bytes.
 */
const NO_ROOM = Uint8Array.of(0x41, 0x00, 0x41, 0x04, 0x10, 0x00, 0x0b);
const PLACE_OF_COUNT = 1;

/** A grammar is not the file that its mend was made for. */
export class UnknownGrammarError extends Error {
  constructor(name: string, places: number) {
    super(`the ${name} grammar has ${places} places to mend where one was expected`);
  }
}

/**
 * A grammar's bytes as they should be. Swift's scanner gets no room for its state, so that it begins with whatever the
 * heap held there: after any other text it may take itself to be inside a raw string and look for its end at each
 * character, seconds long. Here it gets its room, set to zero. Other grammars are given back as they are.
 *
 * @throws UnknownGrammarError when the place is not there exactly once
 */
export function mendGrammar(name: string, bytes: Uint8Array): Uint8Array {
  if (name !== 'swift') return bytes;
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = found.indexOf(NO_ROOM);
  const second = found.indexOf(NO_ROOM, first + 1);
  if (first < 0 || second >= 0) throw new UnknownGrammarError(name, first < 0 ? 0 : 2);
  const mended = Uint8Array.from(bytes);
  mended[first + PLACE_OF_COUNT] = 1;
  return mended;
}
