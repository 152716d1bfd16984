import type { ParseState, Parser, Tree } from '@vscode/tree-sitter-wasm';
import type { ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import type { CodeLanguage } from './code-language.ts';
import { codeLanguages } from './code-languages.ts';
import { readReferences } from './read-references.ts';
import { codeUnits } from '../units/code-units.ts';
import { outlineOf, statementBreaks } from './declarations.ts';
import { symbolUse } from './symbol-links.ts';
import {
  BYTES_PER_CHARACTER,
  currentRuntime,
  discardRuntime,
  type LoadedGrammar,
  loadGrammar,
  runtimeBytes,
} from './tree-sitter-runtime.ts';

/** The runtime reports after so many of its steps. */
const STEPS_PER_REPORT = 100;
/** Programs need 0.7 steps per character, and the oddest of 5,000 measured files 1.7. */
const STEPS_PER_CHARACTER = 2;
/** The worst of those files wasted 4,200 steps; a text made to confuse overflows the runtime's stack at 24,000. */
const MOST_WASTED = 10_000;
const WASTED_WORTH_DOUBT = 5_000;
/**
 * After so many texts a fresh runtime takes the place of the old: its memory never shrinks, and what a hostile text did
 * to it unnoticed must not slow down or spoil all that follow. A grammar loads in 17 to 110 ms.
 */
const PARSES_PER_RUNTIME = 500;
/** A trap in a runtime whose memory has grown so far is taken to be for want of more. */
const FULL_SHARE = 0.8;
/** What a process has worked is asked of the system so often. */
const CLOCK_MILLISECONDS = 20;

/**
 * Counts the steps of one parse that brought it no further than the usual number would have. Counted in steps and not
 * in time, so that a busy machine cuts a file no differently than an idle one; time is only the last resort.
 */
class ParseEffort {
  #wasted = 0;
  #most = 0;
  #furthest = 0;
  readonly #length: number;
  readonly #deadline: number;
  readonly #now: () => number;

  /**
   * For a text of so many characters, blank ones at its end not counted (the runtime never reports those), with so much
   * time.
   */
  constructor(length: number, milliseconds: number, now: () => number) {
    this.#length = length;
    this.#now = now;
    this.#deadline = now() + milliseconds;
  }

  /** True when the parse should be given up. */
  report(state: ParseState): boolean {
    const forward = Math.max(0, state.currentOffset / BYTES_PER_CHARACTER - this.#furthest);
    this.#furthest += forward;
    // At the end the runtime balances its tree, which moves nothing forward and is harmless.
    const atEnd = this.#furthest >= this.#length - 2;
    this.#wasted = atEnd ? 0 : Math.max(0, this.#wasted + STEPS_PER_REPORT - forward * STEPS_PER_CHARACTER);
    this.#most = Math.max(this.#most, this.#wasted);
    return this.#wasted > MOST_WASTED || this.#now() > this.#deadline;
  }

  /** True when the parse came near to what overflows the runtime's stack: it should not be used again. */
  get isDoubtful(): boolean {
    return this.#most > WASTED_WORTH_DOUBT;
  }
}

/**
 * A clock that starts now, in milliseconds. It counts the time that passes, or the processor time of this process where
 * that is less: so a busy machine, which gives this process little time, cuts no file short, and neither do other
 * threads of this process, which add to the processor time.
 */
function startTimer(): () => number {
  const started = performance.now();
  const before = process.cpuUsage();
  let worked = 0;
  let lookedAt = 0;
  return () => {
    const passed = performance.now() - started;
    // To ask the system takes longer than most that is timed by this.
    if (passed - lookedAt >= CLOCK_MILLISECONDS) {
      const { user, system } = process.cpuUsage(before);
      worked = Math.min(passed, (user + system) / 1_000);
      lookedAt = passed;
    }
    return worked + passed - lookedAt;
  };
}

/**
 * Parses source code. Grammars are kept; parsers and trees live only as long as one call, because a parser carries what
 * its grammar's scanner remembers of a damaged text into the next.
 */
export class CodeParser {
  /** By grammar and patterns: languages may share the one without the other. */
  #grammars = new Map<string, Promise<LoadedGrammar | undefined>>();
  /** The runtime that the grammars belong to, and how many texts it has parsed. */
  #runtime: object | undefined;
  #parsed = 0;
  readonly #broken = new Set<string>();
  readonly #wasmDir: string;
  readonly #log: (message: string) => void;
  readonly #languages: ReadonlyMap<string, CodeLanguage>;
  readonly #milliseconds: number;

  /** @param milliseconds That one text may take. */
  constructor(
    wasmDir: string,
    log: (message: string) => void,
    languages: readonly CodeLanguage[] = codeLanguages,
    milliseconds: number = readingLimits.grammarMilliseconds,
  ) {
    this.#wasmDir = wasmDir;
    this.#log = log;
    this.#milliseconds = milliseconds;
    this.#languages = new Map(languages.map((language) => [language.id, language]));
  }

  /** Whether there is a grammar for the language and it loads. */
  async supports(language: string): Promise<boolean> {
    return (await this.#grammarOf(language)) !== undefined;
  }

  /** Blocks and links of a source text. Rejects when the parser gives up or takes too long. */
  async parse(source: SourceText, path: string, language: string): Promise<ParsedFile> {
    const grammar = this.#languages.get(language);
    const loaded = await this.#grammarOf(language);
    if (!grammar || !loaded) throw new Error(`no grammar for ${language}`);
    const now = startTimer();
    const effort = new ParseEffort(source.text.trimEnd().length, this.#milliseconds, now);
    const runtime = currentRuntime();
    const parser = loaded.makeParser();
    let tree: Tree | null | undefined;
    try {
      // The runtime stops when the callback returns true; its typings forgot the result.
      const progressCallback = ((state) => effort.report(state)) as Exclude<
        Parameters<Parser['parse']>[2],
        undefined
      >['progressCallback'];
      tree = parser.parse(source.text, null, { progressCallback });
      if (tree) return readTree(tree, loaded, grammar, source, path, now);
      discardRuntime(); // resetting the parser could overflow its stack
      throw new Error('the text is too far from anything that the grammar knows');
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const isFull = runtimeBytes() > FULL_SHARE * readingLimits.grammarBytes;
      discardRuntime(); // a trap leaves its memory in an unknown state
      throw isFull ? new Error('its syntax takes more memory than a parser may have', { cause: error }) : error;
    } finally {
      // What was given up with its runtime must not be touched again.
      if (runtime === currentRuntime()) {
        tree?.delete();
        parser.delete();
      }
      this.#parsed += 1;
      const isLarge = runtimeBytes() > readingLimits.keptGrammarBytes;
      if (effort.isDoubtful || isLarge || this.#parsed >= PARSES_PER_RUNTIME) discardRuntime();
    }
  }

  #grammarOf(language: string): Promise<LoadedGrammar | undefined> {
    const { grammar, references, mendGrammar } = this.#languages.get(language) ?? {};
    if (!grammar || this.#broken.has(grammar)) return Promise.resolve(undefined);
    if (this.#runtime !== currentRuntime()) {
      this.#grammars = new Map();
      this.#parsed = 0;
    }
    const key = [grammar, ...(references ?? [])].join(' ');
    const known = this.#grammars.get(key);
    if (known) return known;
    const loading = loadGrammar(this.#wasmDir, grammar, references, mendGrammar).catch((error: unknown) => {
      this.#broken.add(grammar);
      this.#log(
        `Source code in ${language} is read as text blocks: its grammar did not load ` +
          `(${error instanceof Error ? error.message : String(error)}).`,
      );
      return undefined;
    });
    this.#runtime = currentRuntime();
    this.#grammars.set(key, loading);
    return loading;
  }
}

function readTree(
  tree: Tree,
  loaded: LoadedGrammar,
  grammar: CodeLanguage,
  source: SourceText,
  path: string,
  now: () => number,
): ParsedFile {
  const outline = outlineOf(tree.rootNode, grammar);
  const use = symbolUse(tree.rootNode, grammar, source, path, outline);
  return {
    blocks: outline.blocks,
    links: [...use.links, ...outline.defines, ...use.nested, ...textLinks(source, use.prose)],
    rest: { kind: 'code', family: 'code', title: '' },
    breakCost: statementBreaks(tree, source),
    units: codeUnits(tree.rootNode, grammar, source),
    ...(grammar.references !== undefined && {
      references: readReferences(tree.rootNode, loaded.patterns(), source, use.imports, now, grammar),
    }),
  };
}
