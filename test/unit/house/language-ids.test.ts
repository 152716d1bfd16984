import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import ts from 'typescript';
import { codeLanguages } from '../../../src/search/reading/code/code-languages.ts';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

/** What a language decides stands in its descriptor, so that one that is added needs no other file. */
const OWN = 'src/search/reading/code/languages/';

/** Files that name languages all the same, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/search/reading/formats/components.ts': 'the languages of scripts in components',
  'src/search/reading/formats/html.ts': 'the languages of scripts in pages',
  'src/search/reading/formats/markdown/markdown.ts': 'the language of expressions in MDX',
  'src/search/reading/formats/parse-notebook.ts': 'the language of notebooks that name none',
  'webview/passage/tokenise.ts': 'colours, also of languages without a grammar; the panel knows no descriptors',
};

const IDS = new Set(codeLanguages.flatMap(({ id, family = id }) => [id, family]));
/** Lists of words, as `wordSet` takes them, name languages where so many of them do. */
const MANY = 3;

const namesLanguages = (text: string): boolean =>
  IDS.has(text) || text.split(/\s+/).filter((word) => IDS.has(word)).length >= MANY;

/** Literals and keys of a program that are ids of languages, each with its line. */
function languagesIn(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    const key = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) ? node.name : undefined;
    const told = ts.isStringLiteralLike(node) ? node : key;
    if (told && namesLanguages(told.text))
      found.push(`${path}:${file.getLineAndCharacterOfPosition(told.getStart()).line + 1} ${told.text}`);
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

describe('what a language decides', () => {
  it('is found where it is compared, listed or a key', () => {
    const of = (text: string): number => languagesIn('a.ts', text).length;
    assert.equal(of("if (language === 'go') stop();"), 1);
    assert.equal(of("switch (language) { case 'rust': stop(); }"), 1);
    assert.equal(of("const CLOSED = new Set(['ecmascript', 'python']);"), 2);
    assert.equal(of("const FAMILIES = { javascript: 'ecmascript' };"), 2);
    assert.equal(of("const CLOSED = wordSet('java kotlin swift');"), 1);
    assert.equal(of("const go = (c: string) => wordList('go on');"), 0);
  });

  it('stands in its folder', () => {
    const files = filesBelow('src', 'webview').filter((file) => file.endsWith('.ts') && !file.startsWith(OWN));
    assert.ok(files.length > 400);
    const found = files.flatMap((file) => {
      const languages = languagesIn(file, readRepository(file));
      if (file in ALLOWED) assert.ok(languages.length > 0, `${file} names no language any more`);
      return file in ALLOWED ? [] : languages;
    });
    assert.deepEqual(found, []);
  });
});
