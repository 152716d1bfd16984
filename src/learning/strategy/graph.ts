import type { OperatorName } from '#research';

interface AgentDescription {
  operator: OperatorName;
  /** To those that see its answer. */
  introducedAs: string;
  /** In a sentence about a strategy. */
  title: string;
}

/** The agents of the AQA paper, weakest first: ties in a vote go to the later. */
export const AGENTS = {
  // NoR: the model answers from memory
  'no-retrieval': {
    operator: 'chain-of-thought',
    introducedAs: 'Somebody who looked nothing up',
    title: 'no retrieval',
  },
  // OneR: one retrieval, then an answer
  'one-retrieval': { operator: 'single-step', introducedAs: 'Somebody who looked once', title: 'one retrieval' },
  // IRCoT: a thought, a retrieval for it, and so on
  ircot: {
    operator: 'iterative-step',
    introducedAs: 'Somebody who looked step by step',
    title: 'step-by-step retrieval',
  },
} as const satisfies Record<string, AgentDescription>;

export type AgentName = keyof typeof AGENTS;

/** Weakest first. */
export const PAPER_AGENTS = Object.keys(AGENTS) as readonly AgentName[];

/** Where an answer goes: to another agent, which sees it, or to the vote. */
type EdgeTarget = AgentName | 'vote';
export type GraphEdge = readonly [from: AgentName, to: EdgeTarget];

/**
 * A communication graph over agents with a final majority vote (AQA): acyclic, the vote with an edge in and none out,
 * each agent isolated or with a path to the vote. Isolated agents do not run and are left out. Made by {@link
 * makeGraph} only.
 */
export interface StrategyGraph {
  /** The agents that run, in an order in which each agent comes after all its predecessors. */
  readonly agents: readonly AgentName[];
  /** Sorted by source, then target: equal graphs have equal edges. */
  readonly edges: readonly GraphEdge[];
}

/** A graph of these edges; undefined when they break one of the rules above. */
export function makeGraph(edges: readonly GraphEdge[]): StrategyGraph | undefined {
  const distinct = [...new Map(edges.map((edge) => [edge.join('>'), edge])).values()].sort(byPlace);
  const members = PAPER_AGENTS.filter((agent) => distinct.some(([from, to]) => from === agent || to === agent));
  if (!members.every((agent) => reachesVote(agent, distinct, new Set()))) return undefined;
  const agents = orderOf(members, distinct);
  return agents && agents.length > 0 ? { agents, edges: distinct } : undefined;
}

/** The graph of one agent whose answer is the vote. */
const singleAgent = (agent: AgentName): StrategyGraph => ({ agents: [agent], edges: [[agent, 'vote']] });

export const predecessorsOf = (graph: StrategyGraph, agent: AgentName): AgentName[] =>
  graph.edges.filter(([, to]) => to === agent).map(([from]) => from);

/** Agents whose answers are counted. */
export const votersOf = (graph: StrategyGraph): AgentName[] =>
  graph.edges.filter(([, to]) => to === 'vote').map(([from]) => from);

function reachesVote(agent: AgentName, edges: readonly GraphEdge[], seen: Set<AgentName>): boolean {
  if (seen.has(agent)) return false;
  seen.add(agent);
  return edges.some(([from, to]) => from === agent && (to === 'vote' || reachesVote(to, edges, seen)));
}

/** Topological order (Kahn 1962), ties in the order of the agents; undefined when there is a cycle. */
function orderOf(members: readonly AgentName[], edges: readonly GraphEdge[]): AgentName[] | undefined {
  const order: AgentName[] = [];
  while (order.length < members.length) {
    const next = members.find(
      (agent) => !order.includes(agent) && edges.every(([from, to]) => to !== agent || order.includes(from)),
    );
    if (next === undefined) return undefined;
    order.push(next);
  }
  return order;
}

const placeOf = (target: EdgeTarget): number =>
  target === 'vote' ? PAPER_AGENTS.length : PAPER_AGENTS.indexOf(target);
const byPlace = (a: GraphEdge, b: GraphEdge): number => placeOf(a[0]) - placeOf(b[0]) || placeOf(a[1]) - placeOf(b[1]);

/**
 * Every communication graph over these agents (AQA's action set: 97 over the paper's three). Built from below: each set
 * of agents that run, each acyclic way to connect them, and each choice of further voters. An agent that nobody sees
 * must vote, so no graph is made in vain but those with a cycle: 3^(n(n−1)/2) ways to connect n agents are looked at.
 */
export function generateGraphs(agents: readonly AgentName[] = PAPER_AGENTS): StrategyGraph[] {
  return subsetsOf(agents)
    .filter((members) => members.length > 0)
    .flatMap((members) => wirings(pairsOf(members)).flatMap((inner) => withVoters(members, inner)));
}

function withVoters(members: readonly AgentName[], inner: readonly GraphEdge[]): StrategyGraph[] {
  const unseen = members.filter((agent) => !inner.some(([from]) => from === agent));
  const seen = members.filter((agent) => !unseen.includes(agent));
  return subsetsOf(seen).flatMap((further) => {
    const graph = makeGraph([...inner, ...[...unseen, ...further].map((agent): GraphEdge => [agent, 'vote'])]);
    return graph ?? [];
  });
}

/** Each pair unconnected, or connected one way or the other. */
function wirings(pairs: readonly (readonly [AgentName, AgentName])[]): GraphEdge[][] {
  return pairs.reduce<GraphEdge[][]>(
    (all, [a, b]) => all.flatMap((edges) => [edges, [...edges, [a, b] as const], [...edges, [b, a] as const]]),
    [[]],
  );
}

const subsetsOf = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((all, item) => [...all, ...all.map((subset) => [...subset, item])], [[]]);
const pairsOf = (agents: readonly AgentName[]): (readonly [AgentName, AgentName])[] =>
  agents.flatMap((a, i) => agents.slice(i + 1).map((b) => [a, b] as const));

/**
 * Stable name of a graph: the agent alone when there is one, else its edges, as in `no-retrieval>ircot,ircot>vote`.
 * What settings, records and the bandit's state call a strategy.
 */
export function graphName(graph: StrategyGraph): string {
  const [only] = graph.agents;
  return only !== undefined && graph.agents.length === 1 ? only : graph.edges.map((edge) => edge.join('>')).join(',');
}

/** The graph of a name, whatever the order of its edges; undefined when it names none. */
export function parseGraphName(name: string): StrategyGraph | undefined {
  const trimmed = name.trim();
  if (isAgent(trimmed)) return singleAgent(trimmed);
  const edges: GraphEdge[] = [];
  for (const part of trimmed.split(',')) {
    const [from = '', to = '', ...rest] = part
      .trim()
      .split('>')
      .map((end) => end.trim());
    if (rest.length > 0 || !isAgent(from) || !isTarget(to)) return undefined;
    edges.push([from, to]);
  }
  return makeGraph(edges);
}

/** A graph in words: "no retrieval, seen by step-by-step retrieval". */
export function describeGraph(graph: StrategyGraph): string {
  const parts = graph.agents.map((agent) => {
    const readers = graph.edges.flatMap(([from, to]) => (from === agent && to !== 'vote' ? [AGENTS[to].title] : []));
    return readers.length > 0 ? `${AGENTS[agent].title}, seen by ${readers.join(' and ')}` : undefined;
  });
  const voters = votersOf(graph).map((agent) => AGENTS[agent].title);
  const seen = parts.filter((part) => part !== undefined).join('; ');
  if (voters.length === 1) return seen || (voters[0] ?? '');
  return `${seen ? `${seen}; ` : ''}a vote of ${voters.slice(0, -1).join(', ')} and ${voters.at(-1)}`;
}

const isAgent = (name: string): name is AgentName => Object.hasOwn(AGENTS, name);
const isTarget = (name: string): name is EdgeTarget => name === 'vote' || isAgent(name);

/** Operators of a graph's agents, in the order in which they may start. */
export const operatorsOf = ({ agents }: StrategyGraph): OperatorName[] => agents.map((agent) => AGENTS[agent].operator);
