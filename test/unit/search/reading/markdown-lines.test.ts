import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { Heading, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { describe, it } from 'mocha';
import { readFrontMatter } from '../../../../src/search/reading/formats/markdown/front-matter.ts';
import { readBlocks, plainInline } from '../../../../src/search/reading/formats/markdown/markdown-blocks.ts';
import { markdownLinks } from '../../../../src/search/reading/formats/markdown/markdown-links.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { repositoryRoot } from './reading-harness.ts';

/**
 * The full parser, which takes seconds per megabyte and is therefore only asked here whether the quick one is right.
 */
const parse = (text: string): Root =>
  fromMarkdown(text, {
    extensions: [gfm(), frontmatter()],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown()],
  });

const headingsOf = (root: Root): string[] =>
  root.children.flatMap((node) =>
    node.type === 'heading' ? [`${node.position?.start.line}-${node.position?.end.line} h${node.depth}`] : [],
  );

function scanned(text: string): { headings: string[]; links: string[] } {
  const source = new SourceText(text);
  const firstLine = (readFrontMatter(source)?.endLine ?? 0) + 1;
  const blocks = readBlocks(source, firstLine);
  return {
    headings: blocks.headings.map((heading) => `${heading.startLine}-${heading.endLine} h${heading.depth}`),
    links: markdownLinks(source, blocks, firstLine)
      .flatMap((link) => (link.kind === 'markdown' ? [`${link.line} ${link.target}`] : []))
      .sort(),
  };
}

function linksOf(root: Root): string[] {
  const found: string[] = [];
  const definitions = new Map<string, string>();
  const visit = (node: Root | RootContent, use: (node: RootContent) => void): void => {
    if (node.type !== 'root') use(node);
    if ('children' in node) for (const child of node.children) visit(child as RootContent, use);
  };
  const add = (node: RootContent, target: string): void => {
    if (target !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(target)) found.push(`${node.position?.start.line} ${target}`);
  };
  visit(root, (node) => (node.type === 'definition' ? definitions.set(node.identifier, node.url) : undefined));
  visit(root, (node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') add(node, node.url);
    // Shortcut references are ordinary words in brackets far too often; only full and collapsed ones count.
    if ((node.type === 'linkReference' || node.type === 'imageReference') && node.referenceType !== 'shortcut')
      add(node, definitions.get(node.identifier) ?? '');
  });
  return found.sort();
}

function markdownFiles(): string[] {
  const folders = [
    'examples',
    'test/fixtures/reading',
    'docs',
    'node_modules/zod',
    'node_modules/commander',
    'node_modules/unpdf',
    'node_modules/micromark',
    'node_modules/yaml',
    'node_modules/mammoth',
    'node_modules/ignore',
    'node_modules/fast-check',
  ];
  return folders.flatMap((folder) =>
    readdirSync(path.join(repositoryRoot, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.md$/i.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
}

describe('readBlocks agrees with a full CommonMark parser', function () {
  this.timeout(60_000);

  it('on the headings and links of real files', () => {
    const files = markdownFiles().filter((file) => readFileSync(file).length < 40_000);
    assert.ok(files.length > 60, `${files.length} files`);
    for (const file of files) {
      const text = readFileSync(file, 'utf8')
        .replace(/^\uFEFF/, '')
        .replace(/\r\n?/g, '\n');
      const root = parse(text);
      const quick = scanned(text);
      assert.deepEqual(quick.headings, headingsOf(root), file);
      const html = /<(?:a|img|source|video)\s/i.test(text);
      if (!html)
        assert.deepEqual(
          quick.links,
          linksOf(root).map((link) => link.replace(/&amp;/g, '&')),
          file,
        );
    }
  });

  it('on definitions of links, and on prose that begins as they do', () => {
    const text =
      'See [one], [two] and [three].\n\n[one]: a.md\n[two]: b.md "With a title"\n[three]: <c.md>\n\nThe gain is\n[−5.5, 9.1]: nothing certain.';
    assert.deepEqual(scanned(text).links, linksOf(parse(text)));
  });

  it('on the headings of random blocks', () => {
    const block = fc.constantFrom(
      '# One',
      '## Two ##',
      '#not',
      '#',
      'para',
      'para\nmore',
      'Title\n===',
      'Sub\n---',
      'two\nlines\n-----',
      '---',
      '***',
      '- item',
      '- item\n\n  more',
      '1. one\n2. two',
      '> quote\n> # in quote',
      '```\n# no\n```',
      '~~~~ js\n# no\n~~~\n~~~~',
      '    # code',
      '- ```\n  # no\n  ```',
      '<!-- # no\n\n# no -->',
      '| a | b |\n|---|---|\n| # | x |',
      '<pre>\n# no\n</pre>',
      '   # three spaces',
      '\\# no',
      'a # b',
      '####### seven',
      '# `code` *and* [link](x.md)',
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        const text = blocks.join('\n\n');
        if (text.startsWith('---\n')) return; // may open front matter, which is read apart
        assert.deepEqual(scanned(text).headings, headingsOf(parse(text)), JSON.stringify(text));
      }),
      { numRuns: 400 },
    );
  });
});

describe('plainInline', () => {
  const heading = (text: string): Heading => {
    const node = parse(`# ${text}`).children[0];
    return node?.type === 'heading' ? node : assert.fail('a heading');
  };
  const textOf = (node: Heading | RootContent): string =>
    'value' in node
      ? node.value
      : 'children' in node
        ? node.children.map((child) => textOf(child as RootContent)).join('')
        : '';

  for (const text of [
    'Plain',
    'With `code` in it',
    '*Emphasis* and **strong**',
    'A [link](x.md) here',
    'snake_case_name stays',
    'A \\[bracket\\](x) and `a\\b`',
    '2 * 3 * 4',
    'Escaped \\*stars\\*',
  ]) {
    it(`reads ${text} as the parser does`, () => assert.equal(plainInline(text), textOf(heading(text))));
  }
  it('shows a wikilink by its shown words', () =>
    assert.equal(plainInline('See [[Page#Part|that page]] and [[Other]]'), 'See that page and Other'));
});
