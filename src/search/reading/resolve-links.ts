import type { Passage, PassageLink } from '../domain/passage.ts';
import type { CodeLanguage } from './code/code-language.ts';
import { codeLanguages } from './code/code-languages.ts';
import { PathTable } from './links/path-table.ts';
import { resolveMarkdownLink, resolvePathName, resolveWikilink } from './links/resolve-document-link.ts';

/**
 * Fills `path` of links from the set of all indexed paths. Knows names only, reads nothing. Resolving is a pure
 * function of the paths it holds and the passage, so that resolving again after files came and went gives what a fresh
 * index would.
 */
export class LinkResolver {
  private readonly table: PathTable;
  private readonly languages: ReadonlyMap<string, CodeLanguage>;

  /** `paths` as in SourceFile.path. */
  constructor(paths: Iterable<string>, languages: readonly CodeLanguage[] = codeLanguages) {
    this.table = new PathTable(paths);
    this.languages = new Map(
      languages.flatMap((language) => [language.id, ...(language.resolvesFor ?? [])].map((id) => [id, language])),
    );
  }

  /** A file appeared: links of any passage may lead to it from now on. */
  add(path: string): void {
    this.table.add(path);
  }

  /** Passages with their links resolved; a passage in which nothing changes comes back as the same object. */
  resolve(passages: readonly Passage[]): Passage[] {
    return passages.map((passage) => {
      const links = passage.links.map((link) => this.resolveLink(link, passage));
      return links.every((link, i) => link === passage.links[i]) ? passage : { ...passage, links };
    });
  }

  private resolveLink(link: PassageLink, passage: Passage): PassageLink {
    switch (link.kind) {
      case 'define':
      case 'url':
        return link;
      case 'markdown':
        return withPath(link, resolveMarkdownLink(link.target, passage.path, this.table), link.anchor);
      case 'wikilink':
        return withPath(link, resolveWikilink(link.target, passage.path, this.table), link.anchor);
      case 'path':
        return withPath(link, resolvePathName(link.target, passage.path, this.table), link.anchor);
      case 'import':
        return this.resolveImported(link, link.target, passage);
      case 'call':
        return link.via === undefined ? link : this.resolveImported(link, link.via, passage);
    }
  }

  private resolveImported(link: PassageLink, imported: string, passage: Passage): PassageLink {
    const { module, name } = splitImported(imported);
    const [first, ...rest] = name === undefined ? [] : name.split('.');
    const found = this.languages.get(passage.language)?.resolveImport?.(module, first, passage.path, this.table);
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
