import { remembered } from '#base';
import type { Edge, PassageIndex, ReferenceGraph } from '#search/lab';
import { instead } from '../instead.ts';
import { figureOf } from '../statistics.ts';

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

/** A mean with its 95 % interval, for a cell of a table. */
export function cellOf(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const {
    mean,
    ci95: [low, high],
  } = figureOf(values, 1);
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
