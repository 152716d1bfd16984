import { folderOf, wordList } from '#base';
import type { Passage, PassageLink } from '../domain/passage.ts';
import { codeLanguageOf } from './code/language-of.ts';
import { PathTable, ancestors, decoded, joinPath, nearest, withoutQuery } from './links/path-table.ts';
import { fileFormats } from './formats/file-formats.ts';

/**
 * Fills `path` of links from the set of all indexed paths. Knows names only, reads nothing. Resolving is a pure
 * function of the paths it holds and the passage, so that resolving again after files came and went gives what a fresh
 * index would.
 */
export class LinkResolver {
  readonly #table: PathTable;

  /** `paths` as in SourceFile.path. */
  constructor(paths: Iterable<string>) {
    this.#table = new PathTable(paths);
  }

  /** A file appeared: links of any passage may lead to it from now on. */
  add(path: string): void {
    this.#table.add(path);
  }

  /** Passages with their links resolved; a passage in which nothing changes comes back as the same object. */
  resolve(passages: readonly Passage[]): Passage[] {
    return passages.map((passage) => {
      const links = passage.links.map((link) => this.#resolveLink(link, passage));
      return links.every((link, i) => link === passage.links[i]) ? passage : { ...passage, links };
    });
  }

  #resolveLink(link: PassageLink, passage: Passage): PassageLink {
    switch (link.kind) {
      case 'define':
      case 'url':
        return link;
      case 'markdown':
        return withPath(link, resolveMarkdownLink(link.target, passage.path, this.#table), link.anchor);
      case 'wikilink':
        return withPath(link, resolveWikilink(link.target, passage.path, this.#table), link.anchor);
      case 'path':
        return withPath(link, resolvePathName(link.target, passage.path, this.#table), link.anchor);
      case 'import':
        return this.#resolveImported(link, link.target, passage);
      case 'call':
        return link.via === undefined ? link : this.#resolveImported(link, link.via, passage);
    }
  }

  #resolveImported(link: PassageLink, imported: string, passage: Passage): PassageLink {
    const { module, name } = splitImported(imported);
    const [first, ...rest] = name === undefined ? [] : name.split('.');
    const found = codeLanguageOf(passage.language)?.resolveImport?.(module, first, passage.path, this.#table);
    // A package's symbol may lie in any of its files: a call then keeps its name only, which finds the definition.
    const path = found?.isPackage && link.kind === 'call' ? undefined : found?.path;
    return withPath(link, path, found?.nameIsModule ? rest.join('.') || undefined : name);
  }
}

/** `./store.ts#Store.merge` into its module and name; a leading `#` is part of the module. */
function splitImported(imported: string): { module: string; name?: string } {
  const at = imported.lastIndexOf('#');
  return at > 0 ? { module: imported.slice(0, at), name: imported.slice(at + 1) } : { module: imported };
}

function withPath(link: PassageLink, path: string | undefined, anchor: string | undefined): PassageLink {
  if (link.path === path && link.anchor === anchor) return link;
  const { path: _path, anchor: _anchor, ...rest } = link;
  return { ...rest, ...(path === undefined ? {} : { path }), ...(anchor === undefined ? {} : { anchor }) };
}

const DOCUMENT_EXTENSIONS = fileFormats.flatMap((format) => (format.linkedWithout ?? []).map((name) => `.${name}`));
const INDEX_NAMES = wordList(
  'README.md index.md _index.md index.mdx index.rst README.rst README.adoc index.adoc index.html',
);
/** A bare name that many files bear means none of them. */
const MOST_NAMESAKES = 12;

/** `[text](target)`, `:doc:`: relative to the file, or to the root when it begins with a slash. */
function resolveMarkdownLink(target: string, from: string, table: PathTable): string | undefined {
  const plain = decoded(withoutQuery(target));
  if (plain === '') return target.startsWith('#') ? from : undefined;
  const rooted = plain.startsWith('/');
  const bases = rooted ? ['', firstFolder(from), ...ancestors(from)] : [folderOf(from)];
  for (const base of bases) {
    const found = documentAt(joinPath(base, plain), table);
    if (found !== undefined) return found;
  }
  // Sites are often written as if their own folder were the root.
  const suffix = plain.replace(/^(?:\.{0,2}\/)+/, '').replace(/\/$/, '');
  if (suffix === '' || !(rooted || suffix.includes('/'))) return undefined;
  return nearest(
    [...table.endingWith(suffix), ...table.endingWithStem(suffix).filter(isDocumentPath)].filter(unique),
    from,
  );
}

/** `[[Page]]`, `[[folder/Page#Heading]]`: by file name anywhere, the nearest first, as note-taking programs do. */
function resolveWikilink(target: string, from: string, table: PathTable): string | undefined {
  const page = target.split('#')[0]?.trim().replace(/\\/g, '/').replace(/^\/+/, '') ?? '';
  if (page === '') return from;
  const beside =
    documentAt(joinPath(folderOf(from), page), table) ??
    documentAt(joinPath('', page), table) ??
    documentAt(joinPath(firstFolder(from), page), table);
  if (beside !== undefined) return beside;
  if (page.startsWith('.')) return undefined;
  const named = table.endingWithStem(page).filter(isDocumentPath);
  const spaced =
    named.length > 0
      ? named
      : [page.replace(/\s+/g, '-'), page.replace(/\s+/g, '_'), page.replace(/[-_]+/g, ' ')]
          .flatMap((form) => table.endingWithStem(form).filter(isDocumentPath))
          .filter(unique);
  if (spaced.length > 0)
    return nearest(spaced, from) ?? [...spaced].sort((a, b) => a.length - b.length || a.localeCompare(b))[0];
  return nearest(table.endingWith(page), from);
}

/** A file name or path in a text: beside the file, from a root, or the one file of that name. */
function resolvePathName(target: string, from: string, table: PathTable): string | undefined {
  const plain = target.replace(/^~\//, '').replace(/^@\//, '');
  const relative = table.findFirst([
    joinPath(folderOf(from), plain),
    joinPath('', plain),
    joinPath(firstFolder(from), plain),
  ]);
  if (relative !== undefined) return relative === from ? undefined : relative;
  const suffix = plain.replace(/^(?:\.{0,2}\/)+/, '');
  const named = table.endingWith(suffix);
  const found = named.length <= MOST_NAMESAKES ? nearest(named, from) : undefined;
  return found === from ? undefined : found;
}

function documentAt(path: string | undefined, table: PathTable): string | undefined {
  if (path === undefined) return undefined;
  const inside = path === '' ? '' : `${path}/`;
  return table.findFirst([
    path,
    ...DOCUMENT_EXTENSIONS.map((extension) => path + extension),
    path.replace(/\.html?$/, '.md'),
    ...INDEX_NAMES.map((name) => inside + name),
  ]);
}

const isDocumentPath = (path: string): boolean =>
  DOCUMENT_EXTENSIONS.some((extension) => path.toLowerCase().endsWith(extension));
const unique = (value: string, index: number, all: readonly string[]): boolean => all.indexOf(value) === index;
const firstFolder = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');
