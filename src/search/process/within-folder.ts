import { relative } from 'node:path';
import { sum } from '#base';
import type { FileReport, IndexCoverage } from '../domain/index-state.ts';
import type { PassageFilter } from '../domain/passage-chain.ts';
import type { WorkspaceRoot } from '../domain/source-file.ts';
import { rootFolders } from '../reading/crawl/root-paths.ts';
import type { Ports } from './messages.ts';

/** A folder that is searched together with others, and these. */
export interface FolderAmongOthers {
  uri: string;
  /** All that are searched together, in their order. */
  roots: readonly WorkspaceRoot[];
}

type Asked = Pick<Ports, 'index' | 'retriever'>;

/**
 * The index of several folders as it is for one of them: only what lies there is found and listed, and paths are as
 * seen from there, `../code/main.py` for another folder's. What brings the index up to date is about all of them.
 */
export function withinFolder(ports: Asked, { uri, roots }: FolderAmongOthers): Asked {
  const folders = rootFolders(roots);
  const own = folders.find((root) => root.uri === uri);
  if (!own) throw new Error(`${uri} is none of the folders of this index`);
  const { prefix } = own;
  const isInside = ({ path }: { path: string }): boolean => path.startsWith(prefix);
  const written = (path: string): string => prefix + path;
  const seen = (path: string): string => {
    const root = folders.find((each) => path.startsWith(each.prefix));
    if (!root) return path;
    const inside = path.slice(root.prefix.length);
    return root === own ? inside : `${relative(own.folder, root.folder).replaceAll('\\', '/')}/${inside}`;
  };
  const within = (filter: PassageFilter | undefined): PassageFilter => ({
    ...filter,
    paths: filter?.paths?.map(written) ?? [prefix.slice(0, -1)],
  });
  const { index, retriever } = ports;

  let counted: { of: string; coverage: Pick<IndexCoverage, 'files' | 'passages'> } | undefined;
  /** Of vectors it is known only how many there are altogether. */
  const coverageOf = async (whole: IndexCoverage): Promise<IndexCoverage> => {
    const of = `${whole.files} ${whole.passages}`;
    if (counted?.of !== of) {
      const files = (await index.report()).files.filter(isInside);
      const passages = sum(files.map((file) => file.passages));
      counted = { of, coverage: { files: files.length, passages } };
    }
    const { files, passages } = counted.coverage;
    const share = whole.passages === 0 ? 1 : Math.min(1, whole.embedded / whole.passages);
    return { files, passages, embedded: Math.floor(share * passages), indexing: whole.indexing };
  };
  /** A reply of the index, its paths and its coverage as they are here. */
  const asSeen = async <T extends { coverage: IndexCoverage }>(reply: T): Promise<T> => ({
    ...withPaths(reply, seen),
    coverage: await coverageOf(reply.coverage),
  });

  return {
    index: {
      ...index,
      update: async (options, signal) => withPaths(await index.update(options, signal), seen),
      state: async (signal) => {
        const state = await index.state(signal);
        return { ...state, coverage: await coverageOf(state.coverage) };
      },
      report: async (signal) => {
        const { files, skipped, fallbacks, ...report } = await index.report(signal);
        const inside: Pick<FileReport, 'files' | 'skipped' | 'fallbacks'> = {
          files: files.filter(isInside),
          skipped: skipped.filter(isInside),
          fallbacks: fallbacks.filter(isInside),
        };
        return { ...report, ...withPaths(inside, seen) };
      },
      passagesOf: async (path, signal) => withPaths(await index.passagesOf(written(path), signal), seen),
      linkingTo: async (path, signal) =>
        withPaths((await index.linkingTo(written(path), signal)).filter(isInside), seen),
    },
    retriever: {
      ...retriever,
      search: async (query, options, signal) =>
        asSeen(await retriever.search(query, { ...options, filter: within(options.filter) }, signal)),
      chains: async (question, options, signal) =>
        asSeen(await retriever.chains(question, { ...options, filter: within(options.filter) }, signal)),
      connect: async (from, to, options, signal) =>
        asSeen(
          await retriever.connect(written(from), written(to), { ...options, filter: within(options.filter) }, signal),
        ),
      passages: async (ids, signal) => withPaths(await retriever.passages(ids, signal), seen),
      passagesOf: async (path, signal) => withPaths(await retriever.passagesOf(written(path), signal), seen),
      references: async (query, signal) => {
        const answer = await asSeen(await retriever.references({ ...query, paths: within(query).paths }, signal));
        return { ...answer, query, cutFiles: answer.cutFiles.map(seen) };
      },
    },
  };
}

/** The same with each `path` in it as `seen` gives it. */
function withPaths<T>(value: T, seen: (path: string) => string): T {
  if (Array.isArray(value)) return value.map((each: unknown) => withPaths(each, seen)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => [
      key,
      key === 'path' && typeof each === 'string' ? seen(each) : withPaths(each, seen),
    ]),
  ) as T;
}
