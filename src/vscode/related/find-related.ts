import type { IndexService, LinkKind, Passage, PassageLink, Retriever } from '#search';

/** A passage that has to do with a file, and the line of it that says so. */
export interface RelatedPassage {
  passage: Passage;
  /** 1-based line in the passage's file. */
  line: number;
}

/** A file that the open one points at. */
interface LinkedFile {
  /** As the index shows it. */
  path: string;
  /** 1-based line of the open file with the first link to it. */
  line: number;
}

/** A link of the open file that leads to no file. */
interface BrokenLink {
  /** As it is written. */
  target: string;
  /** 1-based line of the open file. */
  line: number;
}

/** What the index knows of one file's surroundings. */
export interface Related {
  /** False: the file is not in the index. */
  indexed: boolean;
  linksHere: RelatedPassage[];
  linksTo: LinkedFile[];
  broken: BrokenLink[];
  /** Nearest in meaning to the passage at the cursor, or by its words where the index has no vectors yet. */
  nearest: RelatedPassage[];
}

export interface RelatedPorts {
  index: Pick<IndexService, 'passagesOf' | 'linkingTo'>;
  retriever: Pick<Retriever, 'search'>;
  /** Of links whose file is not in the index: those whose file is not on disk, either. A picture, say, is on disk. */
  withoutFile(links: readonly PassageLink[], signal: AbortSignal): Promise<readonly PassageLink[]>;
}

const NEAREST = 8;
/** Links that a person writes to lead to a file; others name things that need not be here. */
const WRITTEN: ReadonlySet<LinkKind> = new Set(['wikilink', 'markdown']);
const LEADING: ReadonlySet<LinkKind> = new Set([...WRITTEN, 'path', 'import', 'call']);

/** What links to a file, what it links to, which of its links are broken, and what is near the passage at a line. */
export async function findRelated(
  path: string,
  line: number,
  { index, retriever, withoutFile }: RelatedPorts,
  signal: AbortSignal,
): Promise<Related> {
  const own = await index.passagesOf(path);
  signal.throwIfAborted();
  if (own.length === 0) return { indexed: false, linksHere: [], linksTo: [], broken: [], nearest: [] };
  const [linking, broken, nearest] = await Promise.all([
    index.linkingTo(path),
    brokenLinks(own, withoutFile, signal),
    nearestTo(own, line, retriever, signal),
  ]);
  signal.throwIfAborted();
  return { indexed: true, linksHere: linksHere(linking, path), linksTo: linksTo(own, path), broken, nearest };
}

function linksHere(linking: readonly Passage[], path: string): RelatedPassage[] {
  return linking
    .map((passage) => ({
      passage,
      line: passage.links.find((link) => link.path === path)?.line ?? passage.startLine,
    }))
    .sort((a, b) => compare(a.passage.path, b.passage.path) || a.line - b.line);
}

function linksTo(own: readonly Passage[], path: string): LinkedFile[] {
  const found = new Map<string, LinkedFile>();
  for (const link of own.flatMap((passage) => passage.links)) {
    if (link.path === undefined || link.path === path || !LEADING.has(link.kind) || found.has(link.path)) continue;
    found.set(link.path, { path: link.path, line: link.line });
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

async function brokenLinks(
  own: readonly Passage[],
  withoutFile: RelatedPorts['withoutFile'],
  signal: AbortSignal,
): Promise<BrokenLink[]> {
  const open = own
    .flatMap((passage) => passage.links)
    .filter((link) => WRITTEN.has(link.kind) && link.path === undefined && !link.target.startsWith('#'));
  const once = new Map(open.map((link) => [`${link.line}:${link.target}`, link]));
  const broken = await withoutFile([...once.values()], signal);
  return broken.map(({ target, line }) => ({ target, line })).sort((a, b) => a.line - b.line);
}

async function nearestTo(
  own: readonly Passage[],
  line: number,
  retriever: RelatedPorts['retriever'],
  signal: AbortSignal,
): Promise<RelatedPassage[]> {
  const here = own.findLast((passage) => passage.startLine <= line) ?? own[0];
  if (!here) return [];
  const filter = { excludeIds: own.map((passage) => passage.id) };
  const query = `${here.title}\n${here.text}`;
  const search = async (retrieverName: 'vector' | 'text') =>
    (await retriever.search(query, { retriever: retrieverName, limit: NEAREST, filter }, signal)).hits;
  const byMeaning = await search('vector');
  const hits = byMeaning.length > 0 ? byMeaning : await search('text');
  return hits.map(({ passage }) => ({ passage, line: passage.startLine }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
