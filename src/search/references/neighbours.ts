import { remembered } from '#base';
import { HUB, type PlacedUse, type ProgramFile } from './program.ts';
import { roleOf } from './modules.ts';
import { type Edge, importEdge, isCertain, type ReferenceGraph } from './reference-graph.ts';

/** Two passages that an edge joins. */
export interface Neighbour {
  /** The one at the other end. */
  passageId: string;
  edge: Edge;
  /** The edge leads away from the passage that was asked for. */
  outward: boolean;
  /** How much the edge says: less for what half of the program uses. */
  weight: number;
}

/** What an edge of each kind says of the two passages. */
const WEIGHTS: Readonly<Record<Edge['relation'], number>> = {
  calls: 1,
  extends: 1.5,
  implements: 1.5,
  overrides: 0.7,
  throws: 0.8,
  sets: 0.8,
  reads: 0.6,
  types: 0.6,
  imports: 0.3,
  keys: 0.3,
  defines: 0,
  documents: 0.5,
};
/** A test says less of its subject than what uses it in earnest. */
const IN_TEST = 0.4;
/** A passage with more uses than this is data. */
const MOST_USES = 400;

/** Passages by the edges that join them, for one graph. */
class Neighbours {
  readonly #graph: ReferenceGraph;
  readonly #known = new Map<string, readonly Neighbour[]>();
  /** How many names a file imports. */
  readonly #imported = new Map<string, number>();

  constructor(graph: ReferenceGraph) {
    this.#graph = graph;
  }

  /** Those of a passage along sure edges, both ways, each once, the weightiest first. */
  of(passageId: string): readonly Neighbour[] {
    return remembered(this.#known, passageId, () => this.#find(passageId));
  }

  /** The weightiest edge between two passages. */
  between(from: string, to: string): Neighbour | undefined {
    return this.of(from).find(({ passageId }) => passageId === to);
  }

  #find(passageId: string): Neighbour[] {
    const file = this.#graph.program.fileOf.get(passageId);
    if (!file) return [];
    const outward = file.uses
      .filter((use) => use.passageId === passageId && !readsField(use))
      .slice(0, MOST_USES)
      .flatMap((use) => (use.kind === 'key' ? this.#graph.keyEdgesOf(use) : this.#graph.edgesOf(use)));
    const own = file.definitions.filter((definition) => definition.passageId === passageId);
    outward.push(...this.#importsFrom(file, passageId), ...own.flatMap((one) => this.#graph.standsFor(one)));
    const inward = own
      .filter(({ name }) => !this.#graph.program.isHub(name))
      .flatMap((definition) => [
        ...this.#graph.usesOf([definition], 'uses', readsField),
        ...this.#graph.usesOf([definition], 'documents'),
      ])
      .filter(({ relation, path }) => relation !== 'imports' || this.#importsOf(path) <= HUB);
    const all = [
      ...outward.map((edge) => this.#neighbour(edge, edge.to.passageId, true)),
      ...inward.map((edge) => this.#neighbour(edge, edge.passageId, false)),
    ];
    const best = new Map<string, Neighbour>();
    for (const one of all.sort((a, b) => b.weight - a.weight))
      if (one.passageId !== passageId && isCertain(one.edge) && !best.has(one.passageId)) best.set(one.passageId, one);
    return [...best.values()];
  }

  /** What a passage imports; nothing where its file imports all and everything, as an index of a folder does. */
  #importsFrom(file: ProgramFile, passageId: string): Edge[] {
    if (this.#importsOf(file.path) > HUB) return [];
    return file.imports
      .filter((one) => one.passageId === passageId)
      .flatMap((one) =>
        one.names.flatMap(({ name }) =>
          this.#graph.importedSymbol(one.module, name, file).map((to) => importEdge({ ...one, file }, to)),
        ),
      );
  }

  /** Counted once a file: it is asked for every edge of an import, from what many files import too. */
  #importsOf(path: string): number {
    return remembered(this.#imported, path, () => {
      const imports = this.#graph.program.files.get(path)?.imports ?? [];
      return imports.reduce((sum, { names }) => sum + names.length, 0);
    });
  }

  #neighbour(edge: Edge, passageId: string, outward: boolean): Neighbour {
    const role = roleOf(edge.path) === 'test' ? IN_TEST : 1;
    const named = this.#graph.program.uses.get(edge.to.name)?.length ?? 0;
    const uses = edge.relation === 'imports' ? Math.max(named, this.#importsOf(edge.path)) : named;
    const weight = (WEIGHTS[edge.relation] * edge.confidence * role) / Math.log2(2 + uses);
    return { passageId, edge, outward, weight };
  }
}

/** Nearly every function reads fields of its own class: that joins it with nothing worth a look. */
const readsField = ({ kind, receiver }: PlacedUse): boolean =>
  kind === 'read' && (receiver.startsWith('^') || receiver === 'this' || receiver.startsWith('this.'));

const made = new WeakMap<ReferenceGraph, Neighbours>();

/** The neighbours of a graph; made once. */
export const neighboursIn = (graph: ReferenceGraph): Neighbours => remembered(made, graph, () => new Neighbours(graph));
