import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import {
  DOCX_END,
  DOCX_START,
  deflatedRepetition,
  docxOf,
  docxOfBody,
  PDF_FONT,
  pdfOf,
  pdfStream,
  zipEntry,
} from '../../../../lab/bench/fuzz/made-documents.ts';
import { WatchedReader, type Reading } from '../../../../lab/bench/fuzz/watched-reader.ts';

const MEGABYTE = 2 ** 20;
const MOST_MEMORY = 700 * MEGABYTE;

/** An ordinary Job of Kubernetes, which has a prefix for its name and no name. */
const job = (labels: number): string => `apiVersion: batch/v1
kind: Job
metadata:
  generateName: load-tide-tables-
  labels:
${Array.from({ length: labels }, (_, i) => `    label-${i}: value-${i}\n`).join('')}spec:
  template:
    spec:
      restartPolicy: Never
`;

/** A PDF with one page object that its tree refers to `references` times and states to have `count` pages. */
const pdfOfReferences = (references: number, count: number): Uint8Array =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${'3 0 R '.repeat(references)}] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    pdfStream('BT /F1 12 Tf 20 200 Td (low water) Tj ET'),
    PDF_FONT,
  ]);

const pdfOfContent = (content: string): Uint8Array =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    pdfStream(content),
    PDF_FONT,
  ]);

interface Attack {
  file: string;
  what: string;
  content(): string | Uint8Array;
  /** Where it has to be left out: what the reason says. */
  leftOut?: RegExp;
}

const text = (file: string, what: string, content: () => string): Attack => ({ file, what, content });
const left = (file: string, what: string, content: () => Uint8Array, leftOut: RegExp): Attack => ({
  file,
  what,
  content,
  leftOut,
});

const attacks: readonly Attack[] = [
  text(
    'brackets.go',
    '400 KB of brackets that nothing closes',
    () => `package a\n\nvar a = ${'/Kids ['.repeat(60_000)}`,
  ),
  text('namespaces.cs', '8,000 namespaces, each for the rest of the file', () =>
    'namespace Harbour.Desk.Taxes;\n\npublic class Tax\n{\n    public int Of(int fee) => fee * 2;\n}\n\n'.repeat(8_000),
  ),
  text('job-13.yaml', 'a Kubernetes Job without a name and with 13 labels', () => job(13)),
  text('job-40.yaml', 'a Kubernetes Job without a name and with 40 labels', () => job(40)),
  text('spaces.yaml', '100 KB of spaces between two letters', () => `a${' '.repeat(100_000)}b`),
  text('key-spaces.yaml', '1 MB of spaces before a colon', () => `a${' '.repeat(MEGABYTE)}: b\n`),
  text('dashes.yaml', '500,000 dashes, each of which opens a list', () => '- '.repeat(500_000)),
  text('closed-up.yaml', '1 MB of dashes', () => '-'.repeat(MEGABYTE)),
  text('keys.yaml', '1 MB of `a: `', () => 'a: '.repeat(350_000)),
  text('flow.yaml', '1 MB of opening braces', () => '{'.repeat(MEGABYTE)),
  text('lists.yaml', '1 MB of opening brackets, on lines', () => '[\n'.repeat(MEGABYTE / 2)),
  text('template.yaml', '1 MB of `{{ `', () => 'a: {{ '.repeat(MEGABYTE / 6)),
  text('quotes.yaml', '1 MB of quotes', () => '"'.repeat(MEGABYTE)),
  text('single-quotes.yaml', '1 MB of lines that open a quote', () => "k: '\n".repeat(MEGABYTE / 5)),
  text('question.yaml', '1 MB of question marks', () => '? '.repeat(MEGABYTE / 2)),
  text('anchors.yaml', '1 MB of anchors and aliases', () => '&a *a '.repeat(MEGABYTE / 6)),
  text('tags.yaml', '1 MB of tags', () => '!a '.repeat(MEGABYTE / 3)),
  text('comments.yaml', '1 MB of comment marks', () => ' #'.repeat(MEGABYTE / 2)),
  text('documents.yaml', '250,000 empty documents', () => '---\n'.repeat(MEGABYTE / 4)),
  text('scalars.yaml', '1 MB of block scalars without a text', () => 'k: |\n'.repeat(MEGABYTE / 5)),
  text('many-keys.yaml', '100,000 keys of one mapping', () =>
    Array.from({ length: 100_000 }, (_, i) => `key-${i}: ${i}\n`).join(''),
  ),
  text('same-keys.yaml', '100,000 times the same key', () => 'key: 1\n'.repeat(100_000)),
  text('stairs.yaml', '3,000 keys, each deeper than the one above', () =>
    Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}k${i}:\n`).join(''),
  ),
  text(
    'laughs.yaml',
    'aliases of aliases',
    () =>
      `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]\n`).join('')}`,
  ),
  text('front.md', 'a front matter of nested lists', () => `---\n${'- '.repeat(200_000)}\n---\n\ntext\n`),
  text(
    'front-aliases.md',
    'a front matter with aliases of aliases',
    () =>
      `---\na0: &a0 [x, x]\n${Array.from({ length: 300 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join('')}---\n\ntext\n`,
  ),
  text('heading-spaces.md', 'a heading with 200 KB of spaces', () => `# a${' '.repeat(200_000)}b`),
  text('heading-stars.md', 'a heading of 50,000 `*a `', () => `# ${'*a '.repeat(50_000)}`),
  text('heading-anchors.md', 'a heading of 50,000 ` {#`', () => `# ${' {#'.repeat(50_000)}`),
  text('heading-code.md', 'a heading of 200 KB of backticks', () => `# ${'`'.repeat(200_000)}`),
  text('heading-tags.md', 'a heading of 50,000 `<a `', () => `# ${'<a '.repeat(50_000)}`),
  text('heading-links.md', 'a heading of 50,000 `[[a`', () => `# ${'[[a'.repeat(50_000)}`),
  text('underlined.md', 'an underlined paragraph of 50,000 lines', () => `${'*a __b\n'.repeat(50_000)}===\n`),
  text('fences.md', '100,000 lines that open a fence of another length', () =>
    Array.from({ length: 3_000 }, (_, i) => `${'`'.repeat(3 + (3_000 - i))}\n`).join(''),
  ),
  text('hashes.md', '200 KB of ` #` behind a heading', () => `# a${' #'.repeat(100_000)} b`),
  text('links.md', '300 KB of lines of `[a](`', () => `${'[a]('.repeat(4_000)}\n`.repeat(20)),
  text('label.md', '1 MB of `[a` on lines', () => '[a\n'.repeat(MEGABYTE / 3)),
  text(
    'definition.md',
    '200 KB of `[a]:` and blank ones',
    () => `[a]:${' '.repeat(200_000)}\n${'[a]:\n'.repeat(40_000)}`,
  ),
  text('comments.md', '250,000 comments that never end', () => '<!-- a\n\n'.repeat(30_000)),
  text('table.md', 'a table rule of 200 KB of spaces', () => `| a |\n${' |-:'.repeat(50_000)}x\n| b |\n`),
  text('quotes.csv', '3 MB of quotes', () => '"'.repeat(3 * MEGABYTE)),
  text('open-quotes.csv', '1 MB of lines that open a quote', () => 'a,"bbbbbbbbbbbbbbbb\n'.repeat(MEGABYTE / 20)),
  text('commas.csv', '3 MB of commas', () => ','.repeat(3 * MEGABYTE)),
  text('deep.json', '1 MB of opening brackets', () => '['.repeat(MEGABYTE)),
  text('deep-lines.json', '300,000 objects inside each other, on lines', () => '{"a":\n'.repeat(300_000)),
  text('deep.ipynb', 'a notebook of 1 MB of opening brackets', () => `{"cells": [{"source": ${'['.repeat(MEGABYTE)}`),
  text('deep.html', '100,000 elements inside each other', () => '<div>\n'.repeat(100_000)),
  text('formatting.html', '30,000 elements of formatting that cross each other', () =>
    '<b><p> <i><a href=x>\n'.repeat(30_000),
  ),
  text('headings.html', '20,000 headings inside each other', () => '<h1><h2> a <b>\n'.repeat(20_000)),
  text(
    'rest.rst',
    '200 KB of spaces and backticks',
    () => `.. ${' '.repeat(200_000)}a\n${':a:`'.repeat(4_000)}\n${'`a <'.repeat(4_000)}\n`,
  ),
  text('lists.adoc', '20,000 items of lists inside each other', () =>
    ['* a', '. b', '** c', 'd:: e', 'f::: g', '+', '- h', ''].join('\n').repeat(20_000),
  ),
  text(
    'signs.adoc',
    '200 KB of spaces and of signs that open something',
    () =>
      ['a', 'xref:', '<<', '[[', ': ', '{a', '=', '|']
        .map((sign) => `a${' '.repeat(30_000)}${sign.repeat(20_000)}`)
        .join('\n') + `\n|===\n|a\n${'b\n'.repeat(50_000)}${'2+a|'.repeat(20_000)}`,
  ),
  text(
    'table.toml',
    '200 KB of spaces inside a table name, and of brackets',
    () => `[a${' '.repeat(200_000)}b\n${'[[ '.repeat(60_000)}\n${'a = ['.repeat(40_000)}\n`,
  ),
  text(
    'names.ts',
    '200 KB of one name with dots, called',
    () =>
      `${'// an ordinary comment, so that this does not look minified\n'.repeat(400)}let x: ` +
      `${'a.'.repeat(25_000)}b;\n${'a.'.repeat(25_000)}b();\n${'a'.repeat(25_000)}();\n`,
  ),
  text('callee.rb', 'names that end in question marks, joined by what joins nothing', () =>
    `${'aaaaaaaaaaaaaaaa'.repeat(2_000)}!-;\n`.repeat(20),
  ),
  text(
    'imports.ts',
    'an import with 100 KB of comments that never end',
    () => `import {${' /* '.repeat(25_000)}a} from './b';\nimport {${'{'.repeat(50_000)}} from 'c';\n`,
  ),
  text(
    'imports.py',
    'an import of 200 KB of spaces',
    () => `from a import (${' '.repeat(200_000)}b)\nimport a${' '.repeat(200_000)} as b\n`,
  ),
  text(
    'paths.txt',
    '500 KB of what may be the beginning of a path',
    () => `${'a-+'.repeat(50_000)}.md ${'http://a.'.repeat(20_000)}${'.'.repeat(200_000)}`,
  ),
  left(
    'bomb.docx',
    'a document that unpacks to 370 MB',
    () =>
      docxOf({
        deflated: deflatedRepetition(' '.repeat(MEGABYTE), 370, DOCX_START, DOCX_END),
        statedBytes: 370 * MEGABYTE + 200,
      }),
    /unpacks to 370 MB, the limit is 24 MB/,
  ),
  left(
    'liar.docx',
    'a document that states 1 KB and unpacks to 370 MB',
    () => docxOf({ deflated: deflatedRepetition(' '.repeat(MEGABYTE), 370, DOCX_START, DOCX_END), statedBytes: 1_000 }),
    /damaged/,
  ),
  left(
    'entries.docx',
    'a document of 20,000 entries',
    () =>
      docxOf(
        zipEntry('word/document.xml', `${DOCX_START}${DOCX_END}`),
        Array.from({ length: 20_000 }, (_, i) => zipEntry(`word/extra-${i}.xml`, '')),
      ),
    /20,003 entries, the limit is/,
  ),
  left(
    'deep.docx',
    'tables inside tables, 6,000 deep',
    () => docxOfBody('<w:tbl><w:tr><w:tc>'.repeat(6_000)),
    /nests its elements 18,002 deep in word.document.xml, the limit is 200/,
  ),
  left(
    'references.pdf',
    '200,000 references to pages',
    () => pdfOfReferences(200_000, 200_000),
    /200,000 pages, the limit is/,
  ),
  {
    file: 'uncounted.pdf',
    what: '200,000 references to pages, stated to be one',
    content: () => pdfOfReferences(200_000, 1),
  },
  { file: 'overcounted.pdf', what: 'one page, stated to be 200,000', content: () => pdfOfReferences(1, 200_000) },
];

describe('attacks on formats end within five seconds and 700 MB', function () {
  this.timeout(120_000);
  const reader = new WatchedReader(5_000);
  after(() => reader.close());

  for (const { file, what, content, leftOut } of attacks) {
    it(`${file}: ${what}`, async () => {
      const made = content();
      const reading: Reading = await reader.read(file, typeof made === 'string' ? Buffer.from(made) : made);
      if (leftOut === undefined) assert.equal(reading.kind, 'read', JSON.stringify(reading).slice(0, 600));
      else if (reading.kind === 'left-out') assert.match(reading.detail, leftOut);
      else assert.fail(JSON.stringify(reading).slice(0, 600));
      assert.ok(reader.peakBytes < MOST_MEMORY, `${Math.round(reader.peakBytes / MEGABYTE)} MB`);
    });
  }

  it('words.pdf: a page of 400,000 letters keeps what fits', async () => {
    const reading = await reader.read(
      'words.pdf',
      pdfOfContent(`BT /F1 12 Tf 20 200 Td ${'(low water ) Tj '.repeat(40_000)} ET`),
    );
    assert.equal(reading.kind, 'read', JSON.stringify(reading).slice(0, 600));
  });
});
