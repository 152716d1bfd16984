import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { codeLanguages } from '../../../../src/search/reading/code/code-languages.ts';
import { CodeParser } from '../../../../src/search/reading/code/code-parser.ts';
import { mendGrammar } from '../../../../src/search/reading/code/languages/swift/mend-grammar.ts';
import { currentRuntime } from '../../../../src/search/reading/code/tree-sitter-runtime.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { repositoryRoot } from './reading-harness.ts';

describe('the parser of source code', () => {
  it('starts its runtime afresh now and then, and reads as before', async () => {
    const parser = new CodeParser(repositoryRoot, (message) => assert.fail(message));
    const source = new SourceText('class Store:\n    def merge(self):\n        return 1\n');
    const runtimes = new Set<unknown>();
    const seen = new Set<string>();
    for (let i = 0; i < 1_100; i++) {
      seen.add(JSON.stringify(await parser.parse(source, 'store.py', 'python')));
      runtimes.add(currentRuntime());
    }
    assert.equal(seen.size, 1, 'one text, one reading');
    runtimes.delete(undefined); // between two of them
    assert.ok(runtimes.size >= 3, `${runtimes.size} runtimes in 1,100 texts`);
  });

  it('reads a damaged Swift text alike, whatever it read before', async () => {
    const damaged = new SourceText(
      `struct Tide {\n    let station: String\n}\n\nprotocol TideSource {\n    func ` +
        `latest(fo${' highest '.repeat(200)} r station: String) async throws -> Double\n}\n`,
    );
    const read = async (parser: CodeParser): Promise<string> =>
      JSON.stringify(await parser.parse(damaged, 'tide.swift', 'swift'));
    const first = await read(new CodeParser(repositoryRoot, (message) => assert.fail(message)));
    const parser = new CodeParser(repositoryRoot, (message) => assert.fail(message));
    await parser.parse(new SourceText('let a = 1\n'), 'a.swift', 'swift');
    assert.equal(await read(parser), first, 'it is not given up after three seconds');
  }).timeout(30_000);
});

describe('languages of one grammar', () => {
  it('are each read by their own patterns', async () => {
    const [script] = codeLanguages.filter(({ id }) => id === 'javascript');
    assert.ok(script);
    const tagsOnly = { ...script, id: 'tags', references: ['ecmascript/jsx.scm'] };
    const parser = new CodeParser(repositoryRoot, (message) => assert.fail(message), [script, tagsOnly]);
    const text = new SourceText('function berth() {}\n');
    const definitions = async (language: string): Promise<number | undefined> =>
      (await parser.parse(text, 'a.js', language)).references?.definitions.length;
    assert.equal(await definitions('javascript'), 1);
    assert.equal(await definitions('tags'), 0);
  });
});

describe('a text whose syntax takes too much memory', () => {
  it('is given up with the reason, and the next is read', async () => {
    // A slow machine takes longer to fill the memory than a text may take.
    const parser = new CodeParser(repositoryRoot, (message) => assert.fail(message), codeLanguages, 60_000);
    const text = new SourceText(`package a\n\nvar a = ${'/Kids ['.repeat(60_000)}`);
    await assert.rejects(parser.parse(text, 'a.go', 'go'), /more memory than a parser may have/);
    const { blocks } = await parser.parse(new SourceText('package a\n\nfunc b() {}\n'), 'b.go', 'go');
    assert.deepEqual(
      blocks.map(({ title }) => title),
      ['b'],
    );
  });
});

describe('namespaces for the rest of a file', () => {
  it('take the place of the one before', async () => {
    const parser = new CodeParser(repositoryRoot, (message) => assert.fail(message));
    const text = '<?php\nnamespace Port\\Desk;\nclass Guest {}\n\nnamespace Port\\Store;\nclass Chest {}\n';
    const { blocks, links } = await parser.parse(new SourceText(text), 'port.php', 'php');
    assert.deepEqual(
      blocks.map(({ title }) => title),
      ['Port\\Desk > Guest', 'Port\\Store > Chest'],
    );
    assert.ok(links.some(({ kind, target }) => kind === 'define' && target === 'Chest'));
  });
});

describe('a grammar is mended', () => {
  const grammar = readFileSync(path.join(repositoryRoot, 'node_modules/tree-sitter-wasms/out/tree-sitter-swift.wasm'));

  it('in one byte, where Swift asks for room for nothing', () => {
    const mended = mendGrammar(grammar);
    assert.equal(mended.length, grammar.length);
    assert.equal(mended.filter((byte, i) => byte !== grammar[i]).length, 1);
    assert.ok(WebAssembly.validate(Uint8Array.from(mended)));
  });

  it('and not at all when the place is not there', () => {
    assert.throws(() => mendGrammar(mendGrammar(grammar)), /swift grammar/);
  });
});
