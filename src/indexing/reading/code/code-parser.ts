import type { Language, Tree } from '@vscode/tree-sitter-wasm';
import type { ParsedFile, PlacedLink } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import { codeLanguages } from './code-language.ts';
import { outlineOf } from './declarations.ts';
import { joinLocalSymbols } from './local-symbols.ts';
import { statementBreaks } from './statement-breaks.ts';
import { symbolUse } from './symbol-links.ts';
import { loadGrammar, makeParser } from './tree-sitter-runtime.ts';

type Parser = ReturnType<typeof makeParser>;

/** Parses source code with one parser per language, kept until `close`. Trees live only as long as one call. */
export class CodeParser {
  private readonly parsers = new Map<string, Promise<Parser | undefined>>();
  private readonly wasmDir: string;
  private readonly log: (message: string) => void;
  private readonly now: () => number;

  constructor(wasmDir: string, log: (message: string) => void, now: () => number = () => performance.now()) {
    this.wasmDir = wasmDir;
    this.log = log;
    this.now = now;
  }

  /** Whether there is a grammar for the language and it loads. */
  async supports(language: string): Promise<boolean> {
    return (await this.parserFor(language)) !== undefined;
  }

  /** Blocks and links of a source text. Rejects when the parser gives up or takes too long. */
  async parse(source: SourceText, path: string, language: string): Promise<ParsedFile> {
    const grammar = codeLanguages[language];
    const parser = await this.parserFor(language);
    if (!grammar || !parser) throw new Error(`no grammar for ${language}`);
    const tree = this.parseTree(parser, source.text);
    try {
      const root = tree.rootNode;
      const { blocks, defines, seen } = outlineOf(root, grammar);
      const use = symbolUse(root, grammar, language, source, seen);
      const known = new Set(defines.map((define) => `${define.line}`));
      const nested = use.nested.filter((define) => !known.has(`${define.line}`));
      const links: PlacedLink[] = [...joinLocalSymbols(use.links, [...defines, ...nested], path), ...defines, ...nested, ...textLinks(source, use.prose)];
      return { blocks, links, rest: { kind: 'code', family: 'code', title: '' }, breakCost: statementBreaks(tree, source) };
    } finally {
      tree.delete();
    }
  }

  /** Deletes all parsers. */
  close(): void {
    for (const parser of this.parsers.values()) void parser.then((loaded) => loaded?.delete());
    this.parsers.clear();
  }

  private parseTree(parser: Parser, text: string): Tree {
    const deadline = this.now() + readingLimits.parseMilliseconds;
    // The runtime stops when the callback returns true; its typings forgot the result.
    const progressCallback = (() => this.now() > deadline) as () => void;
    const tree = parser.parse(text, null, { progressCallback });
    if (tree) return tree;
    parser.reset();
    throw new Error(`it took longer than ${readingLimits.parseMilliseconds / 1000} s`);
  }

  private parserFor(language: string): Promise<Parser | undefined> {
    const grammar = codeLanguages[language]?.grammar;
    if (!grammar) return Promise.resolve(undefined);
    const known = this.parsers.get(grammar);
    if (known) return known;
    const parser = loadGrammar(this.wasmDir, grammar).then(
      (loaded: Language) => makeParser(loaded),
      (error: unknown) => {
        this.log(`Source code in ${language} is read as text blocks: its grammar did not load (${error instanceof Error ? error.message : String(error)}).`);
        return undefined;
      },
    );
    this.parsers.set(grammar, parser);
    return parser;
  }
}
