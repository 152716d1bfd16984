import { fileFormats } from '../formats/file-formats.ts';
import { ancestors, folderOf, joinPath, nearest, type PathTable, withoutQuery } from './path-table.ts';

const DOCUMENT_EXTENSIONS = fileFormats.flatMap((format) => (format.linkedWithout ?? []).map((name) => `.${name}`));
const INDEX_NAMES = ['README.md', 'index.md', '_index.md', 'index.mdx', 'index.rst', 'README.rst', 'index.html'];
/** A bare name that many files bear means none of them. */
const MOST_NAMESAKES = 12;

/** `[text](target)`, `:doc:`: relative to the file, or to the root when it begins with a slash. */
export function resolveMarkdownLink(target: string, from: string, table: PathTable): string | undefined {
  const plain = decode(withoutQuery(target));
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
export function resolveWikilink(target: string, from: string, table: PathTable): string | undefined {
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
export function resolvePathName(target: string, from: string, table: PathTable): string | undefined {
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

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target; // a stray percent sign is part of the name
  }
}
