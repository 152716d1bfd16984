import { remembered } from '#base';
import {
  type ChainScorerWeights,
  createRetriever,
  type Edge,
  type Embedder,
  FeatureChainScorer,
  type Passage,
  type PassageIndex,
  type PassageProfiles,
  type ReaderWeights,
  type ReferenceGraph,
  type RetrieverName,
} from '#search/lab';
import type { DatasetQuestion } from '../evaluation/dataset.ts';
import { rangesAt, retrievalMetrics } from '../evaluation/retrieval-metrics.ts';
import { askRetrieval } from '../evaluation/runs/retrieval-run.ts';
import { instead } from '../instead.ts';
import { figureOf, markdownTable } from '../statistics.ts';

/** A way to search, over an index that may lack a part. */
export interface CodeSearch {
  name: string;
  retriever: RetrieverName;
  /** What is taken away of what the index tells. */
  without?: CodePart;
}

/** What may be left out of the edges, by what they say. */
const EDGES = {
  calls: ['calls'],
  types: ['types', 'extends', 'implements', 'overrides'],
  values: ['reads', 'sets', 'throws', 'keys'],
  imports: ['imports'],
  pages: ['documents'],
} satisfies Record<string, readonly Edge['relation'][]>;
type EdgePart = keyof typeof EDGES;

export const CODE_PARTS = ['anchors', 'edges', 'roles', ...(Object.keys(EDGES) as EdgePart[])] as const;
/**
 * Exact words of the question that the program singles out; edges as next hops, or those of one kind; files that stand
 * behind sources.
 */
type CodePart = (typeof CODE_PARTS)[number];

/** Figures of one question by one search. */
export interface CodeOutcome {
  search: string;
  /** Repository of the question, or the name for all those that have a single one. */
  group: string;
  id: string;
  metrics: Readonly<Record<string, number>>;
}

const CODE_METRICS = ['recall@5', 'all@5', 'recall@10', 'all@10', 'ranges@5', 'ranges@10'];

interface CodePorts {
  embedder: Embedder;
  profiles: PassageProfiles;
  reader: ReaderWeights;
  heads: ChainScorerWeights;
  signal: AbortSignal;
}

/** Asks a question as `eval retrieval --workspace` does. */
export async function askCode(
  question: DatasetQuestion,
  group: string,
  index: PassageIndex,
  { name, retriever, without }: CodeSearch,
  { embedder, profiles, reader, heads, signal }: CodePorts,
): Promise<CodeOutcome> {
  const { metrics } = await askRetrieval(question, {
    retriever: createRetriever({
      index: without === undefined ? index : withoutPart(index, without),
      embedder,
      scorer: new FeatureChainScorer(heads, profiles),
      reader,
      now: () => performance.now(),
      profiles,
    }),
    name: retriever,
    setting: 'workspace',
    chain: {},
    signal,
  });
  return { search: name, group, id: question.id, metrics };
}

const ablated = new WeakMap<ReferenceGraph, Partial<Record<CodePart, ReferenceGraph>>>();

/**
 * The same index without a part. Without roles no list tells the paths of what it found, by which a search puts what
 * stands behind after the rest; what only an exact word singled out keeps its own.
 */
export function withoutPart(index: PassageIndex, part: CodePart): PassageIndex {
  if (part === 'roles') {
    const rank: PassageIndex['rank'] = async (query, options) =>
      (await index.rank(query, options)).map(({ passage, score }) => ({
        passage: { ...passage, path: undefined },
        score,
      }));
    return instead(index, { rank });
  }
  const references = async (): Promise<ReferenceGraph | undefined> => {
    const graph = await index.references();
    if (graph === undefined) return undefined;
    const known = remembered(ablated, graph, (): Partial<Record<CodePart, ReferenceGraph>> => ({}));
    const none = (): [] => [];
    const without = (): Partial<ReferenceGraph> => {
      if (part === 'anchors') return { definitionsOf: none, keyUses: none, headOfFile: none };
      if (part === 'edges') return { program: instead(graph.program, { fileOf: new Map() }) };
      const gone: readonly Edge['relation'][] = EDGES[part];
      const rest = (edges: Edge[]): Edge[] => edges.filter(({ relation }) => !gone.includes(relation));
      return {
        edgesOf: (use) => rest(graph.edgesOf(use)),
        usesOf: (targets, kind, skip) => rest(graph.usesOf(targets, kind, skip)),
      };
    };
    return (known[part] ??= instead<ReferenceGraph>(graph, without()));
  };
  return instead(index, { references });
}

/** A table of means with their 95 % intervals: a line for each search and group. */
export function codeTable(outcomes: readonly CodeOutcome[]): string {
  const groups = [...new Set(outcomes.map(({ group }) => group)), ''];
  const rows = groups.flatMap((group) =>
    searchesOf(outcomes).map((search) => {
      const some = outcomes.filter((outcome) => outcome.search === search && (group === '' || outcome.group === group));
      const cells = CODE_METRICS.map((metric) => cellOf(some.flatMap(({ metrics }) => metrics[metric] ?? [])));
      return [group || 'all', search, `${some.length}`, ...cells];
    }),
  );
  return markdownTable(['', '', 'n', ...CODE_METRICS], rows);
}

/** How a search differs from each other one, question by question, with 95 % intervals. */
export function codeDifferences(outcomes: readonly CodeOutcome[], search: string): string {
  const own = new Map(outcomes.flatMap((one) => (one.search === search ? [[one.id, one.metrics]] : [])));
  const others = searchesOf(outcomes).filter((other) => other !== search);
  const rows = others.map((other) => {
    const pairs = outcomes.filter((outcome) => outcome.search === other);
    const cells = CODE_METRICS.map((metric) =>
      cellOf(
        pairs.flatMap(({ id, metrics }) => {
          const [a, b] = [own.get(id)?.[metric], metrics[metric]];
          return a === undefined || b === undefined ? [] : a - b;
        }),
      ),
    );
    return [other, ...cells];
  });
  return markdownTable([`${search} minus`, ...CODE_METRICS], rows);
}

const searchesOf = (outcomes: readonly CodeOutcome[]): string[] => [...new Set(outcomes.map(({ search }) => search))];

const FOUND_METRICS = ['files all@5', 'files recall@10', 'ranges@5', 'ranges@10'];
export type FoundMetrics = Readonly<Record<string, number>>;

/** Figures of a ranking of passages: files that an answer rests on, and stretches of them. */
export function foundMetrics({ files = [], lines = [] }: DatasetQuestion, ranked: readonly Passage[]): FoundMetrics {
  const byFile = retrievalMetrics([...new Set(ranked.map(({ path }) => path))], undefined, files);
  return {
    'files all@5': byFile['all@5'] ?? 0,
    'files recall@10': byFile['recall@10'] ?? 0,
    'ranges@5': rangesAt(5, ranked, lines),
    'ranges@10': rangesAt(10, ranked, lines),
  };
}

/** Ways to rank, and how each differs from the first, question by question, with 95 % intervals. */
export function waysTable(ways: Readonly<Record<string, readonly FoundMetrics[]>>): string {
  const [[first, now = []] = ['']] = Object.entries(ways);
  const cells = (valueOf: (metric: string, i: number) => number): string[] =>
    FOUND_METRICS.map((metric) => cellOf(now.map((_, i) => valueOf(metric, i))));
  const rows = Object.entries(ways).flatMap(([way, scores]) => {
    const value = (metric: string, i: number): number => scores[i]?.[metric] ?? 0;
    const less = (metric: string, i: number): number => value(metric, i) - (now[i]?.[metric] ?? 0);
    return [[way, ...cells(value)], ...(way === first ? [] : [[`${way}, less ${first}`, ...cells(less)]])];
  });
  return markdownTable([`${now.length} questions`, ...FOUND_METRICS], rows);
}

export function cellOf(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const {
    mean,
    ci95: [low, high],
  } = figureOf(values, 1);
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
