import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DOCX_END, DOCX_START, docxOf, docxOfBody, zipEntry } from '../../../../lab/bench/fuzz/made-documents.ts';
import { codeLanguages } from '../../../../src/search/reading/code/code-languages.ts';
import { CodeParser } from '../../../../src/search/reading/code/code-parser.ts';
import { fileFormats, fileKindOf, isDocument } from '../../../../src/search/reading/formats/file-formats.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { asRead, readText, repositoryRoot } from './reading-harness.ts';
import { passagesOf } from './units-harness.ts';

const kindOf = (path: string, text = ''): string => {
  const { language, format } = fileKindOf(path, text);
  return `${language} ${format.name}`;
};

describe('formats of files', () => {
  it('are told by name, by extension and by how their text begins', () => {
    assert.equal(kindOf('a/Gemfile'), 'ruby code');
    assert.equal(kindOf('a/b.test.TSX'), 'typescriptreact code');
    assert.equal(kindOf('a/tsconfig.base.json'), 'jsonc json');
    assert.equal(kindOf('a/package.json'), 'json json');
    assert.equal(kindOf('a/LICENSE'), 'plaintext plain-text');
    assert.equal(kindOf('a/Dockerfile.dev'), 'dockerfile text');
    assert.equal(kindOf('a/run', '#!/usr/bin/env python3.11 -u'), 'python code');
    assert.equal(kindOf('a/run', '#!/bin/sh'), 'shellscript code');
    assert.equal(kindOf('a/run', '#!/opt/my_python/perl'), 'plaintext text');
    assert.equal(kindOf('a/run.unknown'), 'plaintext text');
    assert.deepEqual(['a.PDF', 'a.docx', 'a.md'].map(isDocument), [true, true, false]);
  });

  it('are those of what a pattern becomes', () => {
    assert.equal(kindOf('guide/index.html.md.erb'), 'markdown markdown');
    assert.equal(kindOf('chart/values.yaml.tmpl'), 'yaml yaml');
    assert.equal(kindOf('chart/_helpers.tpl'), 'gotmpl text');
    assert.equal(kindOf('config.toml.example'), 'toml toml');
    assert.equal(kindOf('notes.example'), 'plaintext text');
    assert.equal(kindOf('page.njk', '{% block body %}<p>Tides</p>'), 'html html');
    assert.equal(kindOf('hosts.j2', 'quay {{ address }}'), 'plaintext text');
    assert.equal(kindOf('chart/values.yaml.j2', 'page: <p>Tides</p>'), 'yaml yaml');
    assert.equal(kindOf('letter.docx.template'), 'plaintext text');
  });

  it('name a page by its metadata where its heading is filled in by a program', async () => {
    const page = '---\ntitle: Code freezes\n---\n\n# <%= page.title %>\n\nAvoid them.\n\n## When\nNever.\n';
    const source = new SourceText(page);
    const { format } = fileKindOf('freezes.html.md.erb');
    assert.ok('read' in format);
    const code = new CodeParser(repositoryRoot, (message) => assert.fail(message));
    const { blocks } = await format.read(source, 'freezes.html.md.erb', { language: 'markdown', code });
    const titles = JSON.stringify(blocks);
    assert.match(titles, /"Code freezes > When"/);
    assert.doesNotMatch(titles, /<%=/);
  });

  it('keep a sharp that a name ends with, and drop the mark of a link to a heading', async () => {
    const page =
      '<h1>Tides<a href="#tides">¶</a></h1><h2>C#</h2><p>Sharp.</p><h2>Depth<a href="#depth">#</a></h2><p>4 m.</p>';
    const titles = (await passagesOf('tides.html', page.replaceAll('<h', '\n\n<h'))).flatMap(({ links }) =>
      links.flatMap(({ kind, target }) => (kind === 'define' ? [target] : [])),
    );
    assert.deepEqual(titles, ['Tides', 'C#', 'Depth']);
    const paragraph = (words: string): string => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
    const table = `<w:tbl><w:tr><w:tc>${paragraph('Berth')}</w:tc><w:tc>${paragraph('#')}</w:tc></w:tr></w:tbl>`;
    const read = asRead(await readText('tides.docx', docxOfBody(table + paragraph('Written in C#'))));
    assert.equal(read.passages.map(({ text }) => text).join('\n\n'), 'Berth | #\n\nWritten in C#');
  });

  it('hold the comments of a Word document', async () => {
    const text = (words: string): string => `<w:r><w:t>${words}</w:t></w:r>`;
    const body = `<w:p>${text('The crane is old.')}<w:r><w:commentReference w:id="0"/></w:r></w:p>`;
    const comment = `<w:comment w:id="0" w:author="Ole"><w:p>${text('Replace it.')}</w:p></w:comment>`;
    const comments = `${DOCX_START}${comment}${DOCX_END}`
      .replaceAll('w:document', 'w:comments')
      .replace(/<.?w:body>/g, '');
    const { deflated, statedBytes } = zipEntry('', `${DOCX_START}${body}${DOCX_END}`);
    const read = asRead(
      await readText('a.docx', docxOf({ deflated, statedBytes }, [zipEntry('word/comments.xml', comments)])),
    );
    assert.match(read.passages.map((passage) => passage.text).join(), /old\..*Replace it\./s);
  });

  it('take a name that every object has for an ordinary one', () => {
    assert.equal(kindOf('a/notes.constructor'), 'plaintext text');
    assert.equal(kindOf('a/toString'), 'plaintext text');
  });

  it('are named once each, and no two claim the same files', () => {
    const claims = (of: 'extensions' | 'names' | 'interpreters'): string[] =>
      fileFormats.flatMap((format) => Object.keys(format[of] ?? {}));
    const twice = (all: readonly string[]): string[] => all.filter((one, i) => all.indexOf(one) !== i);
    assert.deepEqual(twice(fileFormats.map(({ name }) => name)), []);
    assert.deepEqual(twice(codeLanguages.map(({ id }) => id)), []);
    // The format of programs makes one table of all languages, in which a second claim would hide the first.
    assert.deepEqual(twice(codeLanguages.flatMap(({ extensions }) => extensions)), []);
    for (const of of ['extensions', 'names', 'interpreters'] as const) assert.deepEqual(twice(claims(of)), []);
  });
});
