import { folderOf } from '#base';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MOST_STEPS, type ReferenceRelation } from '../domain/reference-answer.ts';
import { codeLanguageOf } from '../reading/code/language-of.ts';
import { roleOf } from './modules.ts';
import { CLASS_LIKE, type PlacedDefinition, type PlacedUse, qualifiedName } from './program.ts';
import { type Edge, importEdge, isCertain, type ReferenceGraph } from './reference-graph.ts';

const MOST_REACHED = 20_000;
/** Calls between two symbols and what leads to both. */
const MOST_ABOVE = 3;
/** Definitions that are opened between two turns of the event loop. */
const SLICE = 200;
/** Definitions whose callers are looked up between two turns: each may have many. */
const CALLED_SLICE = 20;

const CALLS: readonly ReferenceRelation[] = ['calls'];
const NAMES: readonly ReferenceRelation[] = [...CALLS, 'reads', 'sets', 'throws', 'types', 'extends', 'implements'];
const FILES: readonly ReferenceRelation[] = [...NAMES, 'imports'];
/** Ways of going, the first that arrives is taken. Calls in either direction say more than all else. */
const ROUNDS = [
  { relations: CALLS, hubs: false, backwards: false },
  { relations: CALLS, hubs: true, backwards: false },
  { relations: CALLS, hubs: false, backwards: true },
  { relations: CALLS, hubs: true, backwards: true },
  { relations: NAMES, hubs: false, backwards: false },
  { relations: NAMES, hubs: false, backwards: true },
  { relations: FILES, hubs: false, backwards: false },
  { relations: FILES, hubs: false, backwards: true },
] as const;
type Round = (typeof ROUNDS)[number];

/** An edge on the way, and the definition that it leads to. */
interface Step {
  edge: Edge;
  next: PlacedDefinition;
}

/** A way from one symbol to another. */
interface Route {
  found: 'forwards' | 'backwards' | 'meeting' | 'none';
  steps: Edge[];
  /** Where the way begins, then what each step leads to; both ends in all their meanings where there is none. */
  definitions: PlacedDefinition[];
  /** How many definitions were come to. */
  reached: number;
  /** Meanings of both names that are not on the way. */
  ambiguous: PlacedDefinition[];
}

/**
 * The shortest way over sure edges from what one name means to what another does: calls and what they construct and
 * dispatch to first, then all that a program says of names; the other way around where this way there is none; else
 * from what calls lead to both. A class or a file stands for what it holds.
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
  const starts = meaningsOf(graph, from);
  const goals = meaningsOf(graph, to);
  if (goals.length === 0 || starts.every((start) => goals.includes(start))) return undefined;
  const named = [...definitionsOf(graph, from), ...definitionsOf(graph, to)];
  const search = new RouteSearch(graph, lies);
  const routeOf = (found: Route['found'], root: PlacedDefinition, steps: readonly Step[]): Route => {
    const definitions = [root, ...steps.map(({ next }) => next)];
    return {
      found,
      steps: steps.map(({ edge }) => edge),
      definitions,
      reached: search.reached.size,
      ambiguous: named.filter((one) => !definitions.some((on) => belongs(on, one))),
    };
  };
  const ofFiles = graph.definitionsOf(from).length === 0 || graph.definitionsOf(to).length === 0;
  for (const round of ROUNDS) {
    if (round.relations === FILES && !ofFiles) continue; // what a file imports says nothing of one of its functions
    const [begin, end] = round.backwards ? [goals, starts] : [starts, goals];
    const way = await search.go(withMembers(graph, begin), end, round, signal);
    if (!way) continue;
    return routeOf(round.backwards ? 'backwards' : 'forwards', way.root, way.steps);
  }
  const both = await search.above(starts, goals, signal);
  if (both) return routeOf('meeting', both.root, both.steps);
  // Of a file its first definition stands for all.
  const ends = new Set([...starts.slice(0, 1), ...named, ...goals.slice(0, 1)]);
  return { found: 'none', steps: [], definitions: [...ends], reached: search.reached.size, ambiguous: [] };
}

class RouteSearch {
  readonly reached = new Set<PlacedDefinition>();
  readonly #graph: ReferenceGraph;
  readonly #lies: (path: string) => boolean;
  readonly #ways = new Map<PlacedDefinition, Step[]>();
  /** A hub was gone around. */
  #metHub = false;

  constructor(graph: ReferenceGraph, lies: (path: string) => boolean) {
    this.#graph = graph;
    this.#lies = lies;
  }

  async go(
    starts: readonly PlacedDefinition[],
    goals: readonly PlacedDefinition[],
    { relations, hubs }: Round,
    signal: AbortSignal | undefined,
  ): Promise<{ root: PlacedDefinition; steps: Step[] } | undefined> {
    if (hubs && !this.#metHub) return undefined; // the round before saw the same
    this.#metHub = false;
    const arrives = (at: PlacedDefinition): boolean => goals.some((goal) => belongs(at, goal));
    const roots = starts.filter((start) => !arrives(start));
    const seen = new Map<PlacedDefinition, { step: Step; before: PlacedDefinition } | undefined>();
    for (const root of roots) seen.set(root, undefined);
    let ring: readonly PlacedDefinition[] = roots;
    for (let length = 1; length <= MOST_STEPS && ring.length > 0; length++) {
      const next: PlacedDefinition[] = [];
      for (const [i, at] of ring.entries()) {
        if (i % SLICE === SLICE - 1) await nextTurn();
        signal?.throwIfAborted();
        const all = this.#stepsFrom(at, length === 1);
        for (const step of relations === FILES ? [...all, ...this.#importsBeside(at)] : all) {
          if (!relations.includes(step.edge.relation) && !isDispatch(step)) continue;
          if (seen.has(step.next) || seen.size > MOST_REACHED) continue;
          seen.set(step.next, { step, before: at });
          if (arrives(step.next)) {
            for (const one of seen.keys()) this.reached.add(one);
            return wayTo(step.next, seen);
          }
          // A way around what joins everything says more.
          if (hubs || !this.#graph.program.isHub(step.next.name)) next.push(step.next);
          else this.#metHub = true;
        }
      }
      ring = next;
    }
    for (const one of seen.keys()) this.reached.add(one);
    return undefined;
  }

  /** Ways from the nearest definition from which calls lead to both. */
  async above(
    starts: readonly PlacedDefinition[],
    goals: readonly PlacedDefinition[],
    signal: AbortSignal | undefined,
  ): Promise<{ root: PlacedDefinition; steps: Step[] } | undefined> {
    const one = await this.#callersOf(starts, signal);
    const other = await this.#callersOf(goals, signal);
    const shared = [...one].flatMap(([caller, far]) => {
      const further = other.get(caller);
      return further === undefined ? [] : [{ caller, far: far + further }];
    });
    const root = shared.sort((a, b) => a.far - b.far)[0]?.caller;
    if (!root) return undefined;
    const round = { relations: CALLS, hubs: false, backwards: false } as const;
    const ways = [await this.go([root], starts, round, signal), await this.go([root], goals, round, signal)];
    return ways.every((way) => way !== undefined)
      ? { root, steps: ways.flatMap((way) => way?.steps ?? []) }
      : undefined;
  }

  /** Who calls these, and who calls those, with how many calls lie between. */
  async #callersOf(
    targets: readonly PlacedDefinition[],
    signal: AbortSignal | undefined,
  ): Promise<Map<PlacedDefinition, number>> {
    const found = new Map<PlacedDefinition, number>();
    let ring = targets;
    for (let far = 1; far <= MOST_ABOVE; far++) {
      const callers: PlacedDefinition[] = [];
      for (const [i, one] of ring.entries()) {
        if (i % CALLED_SLICE === 0) await nextTurn();
        signal?.throwIfAborted();
        for (const edge of this.#graph.program.isHub(one.name) ? [] : this.#graph.usesOf([one], 'calls'))
          if (edge.from && isCertain(edge) && this.#lies(edge.path) && roleOf(edge.path) === 'source')
            callers.push(edge.from);
      }
      const fresh = [...new Set(callers)].filter((caller) => !found.has(caller));
      for (const caller of fresh) found.set(caller, far);
      // Who calls a constructor, calls its class.
      ring = fresh.flatMap((caller) => {
        const holder = this.#graph.program.around(caller.file, caller.line, ({ kind }) => CLASS_LIKE.has(kind));
        return holder && isConstructor(caller, holder) ? [holder] : [caller];
      });
    }
    return found;
  }

  /** All that a definition leads to. What is constructed on the way does what its constructor does. */
  #stepsFrom(at: PlacedDefinition, isStart: boolean): Step[] {
    const known = isStart ? undefined : this.#ways.get(at);
    if (known) return known;
    const isClass = CLASS_LIKE.has(at.kind);
    const runs = (use: PlacedUse): boolean => {
      if (isStart || !isClass) return true;
      const around = this.#graph.program.around(at.file, use.line);
      return around === at || (around !== undefined && isConstructor(around, at));
    };
    const inside = this.#graph.program.usesIn(at.file, at.line, at.endLine);
    const edges = inside.filter(runs).flatMap((use) => this.#graph.edgesOf(use));
    const steps = edges.map((edge): Step => ({ edge, next: edge.to }));
    if (at.container !== '')
      for (const edge of this.#graph.dispatchedTo(at)) if (edge.from) steps.push({ edge, next: edge.from });
    const sure = steps.filter(({ edge, next }) => next !== at && isCertain(edge) && this.#lies(edge.path));
    if (!isStart) this.#ways.set(at, sure);
    return sure;
  }

  /** What the file of a definition imports. */
  #importsBeside({ file }: PlacedDefinition): Step[] {
    if (!this.#lies(file.path)) return [];
    return file.imports.flatMap((one) =>
      one.names.flatMap(({ name }) =>
        this.#graph
          .importedSymbol(one.module, name, file)
          .map((to): Step => ({ edge: importEdge({ ...one, file }, to), next: to })),
      ),
    );
  }
}

/** What a symbol means, what runs before what is only called so. */
function definitionsOf(graph: ReferenceGraph, symbol: string): PlacedDefinition[] {
  const found = graph.definitionsOf(symbol);
  const running = found.filter(({ kind }) => kind === 'function' || kind === 'method' || CLASS_LIKE.has(kind));
  return running.length > 0 ? running : found;
}

/** The same; of a file all that it defines at its top. */
function meaningsOf(graph: ReferenceGraph, symbol: string): PlacedDefinition[] {
  const found = definitionsOf(graph, symbol);
  if (found.length > 0 || !isFile(symbol)) return found;
  return graph.program
    .filesCalled(symbol)
    .flatMap(({ definitions }) => definitions.filter(({ container }) => container === ''));
}

const isFile = (symbol: string): boolean => /[\w-]\.\w{1,5}$/.test(symbol) && !/[()]/.test(symbol);

/** A method goes on in what stands in its place. */
const isDispatch = ({ edge, next }: Step): boolean => edge.from === next;

/** True for a definition itself and for what a class holds, also where its methods are written outside of it. */
const belongs = (inner: PlacedDefinition, outer: PlacedDefinition): boolean =>
  inner === outer ||
  (CLASS_LIKE.has(outer.kind) &&
    `${inner.container}.`.startsWith(`${qualifiedName(outer)}.`) &&
    (inner.file === outer.file ||
      (!codeLanguageOf(outer.file.language)?.holdsMembersInside &&
        folderOf(inner.file.path) === folderOf(outer.file.path))));

/** Classes with what they hold behind them. */
function withMembers(graph: ReferenceGraph, meanings: readonly PlacedDefinition[]): PlacedDefinition[] {
  const classes = meanings.filter(({ kind }) => CLASS_LIKE.has(kind));
  if (classes.length === 0) return [...meanings];
  const all = [...graph.program.files.values()].flatMap(({ definitions }) => definitions);
  return [...new Set([...meanings, ...all.filter((one) => classes.some((outer) => belongs(one, outer)))])];
}

const CONSTRUCTORS = new Set([
  'constructor',
  '__init__',
  '__new__',
  '__post_init__',
  'initialize',
  '__construct',
  'init',
]);
const isConstructor = ({ name, container }: PlacedDefinition, holder: PlacedDefinition): boolean =>
  container === qualifiedName(holder) && (CONSTRUCTORS.has(name) || name === holder.name);

/** From its root, in order. */
function wayTo(
  goal: PlacedDefinition,
  seen: ReadonlyMap<PlacedDefinition, { step: Step; before: PlacedDefinition } | undefined>,
): { root: PlacedDefinition; steps: Step[] } {
  const steps: Step[] = [];
  let root = goal;
  for (let at = seen.get(goal); at; at = seen.get(at.before)) {
    steps.unshift(at.step);
    root = at.before;
  }
  return { root, steps };
}
