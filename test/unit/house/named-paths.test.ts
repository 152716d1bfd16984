import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { readRepository } from '../../doubles/repository-files.ts';

/** Built, installed, fetched or made while working: named by the pages, and not in the repository. */
const NOT_KEPT = new Set(['node_modules', 'dist', '.git', '.tmp', '.vscode-test', 'out', '.cache']);
/** Folders of the top level. A word that begins with one of them is a path. */
const ROOMS = ['src', 'webview', 'lab', 'test', 'scripts', 'docs', 'models', 'examples', 'media', 'l10n', 'stubs'];
/** Stands for a name that the reader fills in: `parse-NAME.ts`. */
const isPlaceholder = (name: string): boolean => /\b(?:NAME|PATH|STATE-THEME-WIDTH)\b/.test(name);
/** Endings of the repository's own files. */
const ENDINGS = ['ts', 'mts', 'mjs', 'py', 'json', 'md', 'png', 'gif', 'svg', 'css', 'yml', 'toml', 'txt'];

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (NOT_KEPT.has(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

/** `src/{a,b}/c` names two paths. */
function expandBraces(name: string): string[] {
  const [whole, choices] = /\{([^{}]*)\}/.exec(name) ?? [];
  if (whole === undefined || choices === undefined) return [name];
  return choices.split(',').flatMap((choice) => expandBraces(name.replace(whole, choice)));
}

/** Paths that a page names: from the top level in its words, of any folder between backticks, or as a link. */
function namedPaths(page: string): { full: string[]; ends: string[]; links: string[] } {
  const full = [
    ...page.matchAll(new RegExp(String.raw`(?<![\w./~:@-])(?:${ROOMS.join('|')})/[\w.{},@/-]*[\w}](?![\w*…<])`, 'g')),
  ].map(([name]) => name);
  const ends = [...page.matchAll(/`([^`\s]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => new RegExp(String.raw`^[a-z][\w.{},@/-]*\.(?:${ENDINGS.join('|')})$`).test(name));
  const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
  const named = (names: string[]): string[] => names.flatMap(expandBraces).filter((name) => !isPlaceholder(name));
  return { full: named(full), ends: named(ends), links };
}

const files = filesBelow('');
const pages = files.filter(
  (name) => name.endsWith('.md') && !/^(?:examples|stubs|test\/fixtures|models\/Xenova)\//.test(name),
);

describe('paths that a page names', () => {
  it('are found in words, in commands and in links', () => {
    assert.deepEqual(
      namedPaths(
        'See `src/{a,b}/c.ts`, lab/x.md; `run lab/y.ts` and `made/z.ts`, `docs/NAME.png`, [that](../t.md#top), [w](https://w)',
      ),
      {
        full: ['src/a/c.ts', 'src/b/c.ts', 'lab/x.md', 'lab/y.ts'],
        ends: ['src/a/c.ts', 'src/b/c.ts', 'made/z.ts'],
        links: ['../t.md'],
      },
    );
  });

  it('are looked for in every page', () => {
    for (const page of [
      'README.md',
      'DESIGN.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'docs/methods.md',
      'docs/results.md',
    ])
      assert.ok(pages.includes(page), page);
  });

  it('are named once where docs/methods.md says where the code of a method is', () => {
    const text = readRepository('docs/methods.md');
    const paragraphs = text.split(/\n\n/).filter((paragraph) => paragraph.startsWith('**Code.**'));
    assert.equal(paragraphs.length, 4, 'one for each method');
    for (const paragraph of paragraphs) {
      const { full } = namedPaths(paragraph);
      assert.deepEqual(full, [...new Set(full)]);
    }
  });

  for (const page of pages) {
    it(`exist: ${page}`, () => {
      const { full, ends, links } = namedPaths(readRepository(page));
      const here = (name: string): boolean => existsSync(path.join(repositoryRoot, path.dirname(page), name));
      const missing = [
        ...full.filter((name) => !existsSync(path.join(repositoryRoot, name)) && !here(name)),
        ...ends.filter((name) => !here(name) && !files.some((file) => file === name || file.endsWith(`/${name}`))),
        ...links.filter((name) => !here(name)),
      ];
      assert.deepEqual([...new Set(missing)], [], `${page} names what is not there`);
    });
  }
});
