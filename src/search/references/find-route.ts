import { setImmediate as nextTurn } from 'node:timers/promises';
import { MOST_STEPS, type ReferenceRelation } from '../domain/reference-answer.ts';
import { isCertain } from './join-names.ts';
import { isClassLike, type PlacedDefinition, qualifiedName } from './program.ts';
import type { Edge, ReferenceGraph } from './reference-graph.ts';

const MOST_REACHED = 20_000;
/** Definitions that are opened between two turns of the event loop. */
const SLICE = 20;

const CALLS: readonly ReferenceRelation[] = ['calls', 'overrides'];
const NAMES: readonly ReferenceRelation[] = [...CALLS, 'reads', 'sets', 'throws', 'types', 'extends', 'implements'];

/** A way from one symbol to another. */
interface Route {
  found: 'forwards' | 'backwards' | 'none';
  steps: Edge[];
  /** Where the way begins, then what each step leads to; both ends in all their meanings where there is none. */
  definitions: PlacedDefinition[];
  /** How many definitions were come to. */
  reached: number;
  /** Meanings of both names that are not on the way. */
  ambiguous: PlacedDefinition[];
}

/** An edge on the way, and the definition that it leads to. */
interface Step {
  edge: Edge;
  next: PlacedDefinition;
}

/**
 * The shortest way over sure edges from what one name means to what another does: over calls in either direction first,
 * then over all names. A class or a file stands for what it holds.
 * @param lies Whether steps may stand in a file.
 * @returns undefined where one of the two is unknown, and where both mean the same.
 */
export async function findRoute(
  graph: ReferenceGraph,
  from: string,
  to: string,
  lies: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<Route | undefined> {
  const [starts, goals] = [meaningsOf(graph, from), meaningsOf(graph, to)];
  if (goals.length === 0 || starts.every((start) => goals.includes(start))) return undefined;
  const named = [from, to].flatMap((symbol) => runningOf(graph, symbol));
  // What a file imports says nothing of one of its functions.
  const isOfFiles = [from, to].some((symbol) => graph.definitionsOf(symbol).length === 0);
  const reached = new Set<PlacedDefinition>();
  for (const relations of [CALLS, NAMES, ...(isOfFiles ? [[...NAMES, 'imports'] as const] : [])])
    for (const found of ['forwards', 'backwards'] as const)
      // A way around the names that join everything says more.
      for (const hubs of [false, true]) {
        const [begin, end] = found === 'forwards' ? [starts, goals] : [goals, starts];
        const way = await search(begin, end, relations, hubs);
        if (!way) continue;
        const definitions = [way.root, ...way.steps.map(({ next }) => next)];
        const ambiguous = named.filter((one) => !definitions.some((on) => belongs(on, one)));
        return { found, steps: way.steps.map(({ edge }) => edge), definitions, reached: reached.size, ambiguous };
      }
  // Of a file its first definition stands for all.
  const ends = new Set([...starts.slice(0, 1), ...named, ...goals.slice(0, 1)]);
  return { found: 'none', steps: [], definitions: [...ends], reached: reached.size, ambiguous: [] };

  async function search(
    begin: readonly PlacedDefinition[],
    end: readonly PlacedDefinition[],
    relations: readonly ReferenceRelation[],
    hubs: boolean,
  ): Promise<{ root: PlacedDefinition; steps: Step[] } | undefined> {
    const arrives = (at: PlacedDefinition): boolean => end.some((goal) => belongs(at, goal));
    const seen = new Map<PlacedDefinition, (Step & { at: PlacedDefinition }) | undefined>();
    for (const one of withMembers(graph, begin)) if (!arrives(one)) seen.set(one, undefined);
    let ring = [...seen.keys()];
    let opened = 0;
    for (let length = 1; length <= MOST_STEPS && ring.length > 0; length++) {
      const next: PlacedDefinition[] = [];
      for (const at of ring) {
        if (opened++ % SLICE === 0) await nextTurn();
        signal?.throwIfAborted();
        for (const step of stepsFrom(graph, at, length === 1, relations)) {
          if (!lies(step.edge.path) || seen.has(step.next) || seen.size > MOST_REACHED) continue;
          seen.set(step.next, { ...step, at });
          reached.add(at).add(step.next);
          if (arrives(step.next)) return wayTo(step.next, seen);
          if (hubs || !graph.program.isHub(step.next.name)) next.push(step.next);
        }
      }
      ring = next;
    }
    return undefined;
  }
}

/** All that a definition surely leads to. What is constructed on the way does what its constructor does. */
function stepsFrom(
  graph: ReferenceGraph,
  at: PlacedDefinition,
  isStart: boolean,
  relations: readonly ReferenceRelation[],
): Step[] {
  const constructs = (one: PlacedDefinition | undefined): boolean =>
    one?.within === at && (CONSTRUCTOR.test(one.name) || one.name === at.name);
  const runs = graph.program
    .usesIn(at)
    .filter(({ within }) => isStart || !isClassLike(at) || within === at || constructs(within));
  const edges = runs.flatMap((use) => graph.edgesOf(use));
  if (relations.includes('imports')) edges.push(...graph.importsIn(at.file));
  const sure = edges.filter((edge) => relations.includes(edge.relation) && isCertain(edge));
  // A method goes on in what stands in its place.
  const overriding = graph.overridesOf(at).flatMap((edge) => (edge.from ? { edge, next: edge.from } : []));
  return [...sure.map((edge) => ({ edge, next: edge.to })), ...overriding].filter(({ next }) => next !== at);
}

const CONSTRUCTOR = /^(?:constructor|__init__|__new__|__post_init__|initialize|__construct|init)$/;

/** What a symbol means, what runs before what is only called so. */
function runningOf(graph: ReferenceGraph, symbol: string): PlacedDefinition[] {
  const found = graph.definitionsOf(symbol);
  const running = found.filter((one) => one.kind === 'function' || one.kind === 'method' || isClassLike(one));
  return running.length > 0 ? running : found;
}

/** The same; of a file all that it defines at its top. */
function meaningsOf(graph: ReferenceGraph, symbol: string): PlacedDefinition[] {
  const found = runningOf(graph, symbol);
  if (found.length > 0 || !/[\w-]\.\w{1,5}$/.test(symbol)) return found;
  const files = graph.program.filesCalled(symbol);
  return files.flatMap(({ definitions }) => definitions.filter(({ container }) => container === ''));
}

/** True for a definition itself and for what a class holds, also where its methods are written outside of it. */
const belongs = (inner: PlacedDefinition, outer: PlacedDefinition): boolean =>
  inner === outer || (isClassLike(outer) && `${inner.container}.`.startsWith(`${qualifiedName(outer)}.`));

/** Classes with what they hold behind them. */
function withMembers(graph: ReferenceGraph, meanings: readonly PlacedDefinition[]): PlacedDefinition[] {
  const classes = meanings.filter(isClassLike);
  const all = classes.length === 0 ? [] : [...graph.program.definitions.values()].flat();
  return [...new Set([...meanings, ...all.filter((one) => classes.some((outer) => belongs(one, outer)))])];
}

/** From its root, in order. */
function wayTo(
  goal: PlacedDefinition,
  seen: ReadonlyMap<PlacedDefinition, (Step & { at: PlacedDefinition }) | undefined>,
): { root: PlacedDefinition; steps: Step[] } {
  const steps: Step[] = [];
  let root = goal;
  for (let step = seen.get(goal); step; step = seen.get(step.at)) {
    steps.unshift(step);
    root = step.at;
  }
  return { root, steps };
}
