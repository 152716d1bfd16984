import { ALL_AGENTS, type AgentName } from './agent.ts';

/** Where an answer goes: to another agent, which sees it, or to the vote. */
export type EdgeTarget = AgentName | 'vote';
export type GraphEdge = readonly [from: AgentName, to: EdgeTarget];

/**
 * A communication graph over agents with a final majority vote (AQA): acyclic, the vote with an edge in and none out, each agent
 * isolated or with a path to the vote. Isolated agents do not run and are left out. Made by {@link makeGraph} only.
 */
export interface StrategyGraph {
  /** Agents that run, so that every one stands behind its predecessors. */
  readonly agents: readonly AgentName[];
  /** Sorted by source, then target: equal graphs have equal edges. */
  readonly edges: readonly GraphEdge[];
}

/** A graph of these edges; undefined when they break one of the rules above. */
export function makeGraph(edges: readonly GraphEdge[]): StrategyGraph | undefined {
  const distinct = [...new Map(edges.map((edge) => [edge.join('>'), edge])).values()].sort(byPlace);
  const members = ALL_AGENTS.filter((agent) => distinct.some(([from, to]) => from === agent || to === agent));
  if (!members.every((agent) => reachesVote(agent, distinct, new Set()))) return undefined;
  const agents = orderOf(members, distinct);
  return agents && agents.length > 0 ? { agents, edges: distinct } : undefined;
}

/** The graph of one agent whose answer is the vote. */
export const singleAgent = (agent: AgentName): StrategyGraph => ({ agents: [agent], edges: [[agent, 'vote']] });

export const predecessorsOf = (graph: StrategyGraph, agent: AgentName): AgentName[] => graph.edges.filter(([, to]) => to === agent).map(([from]) => from);

/** Agents whose answers are counted. */
export const votersOf = (graph: StrategyGraph): AgentName[] => graph.edges.filter(([, to]) => to === 'vote').map(([from]) => from);

function reachesVote(agent: AgentName, edges: readonly GraphEdge[], seen: Set<AgentName>): boolean {
  if (seen.has(agent)) return false;
  seen.add(agent);
  return edges.some(([from, to]) => from === agent && (to === 'vote' || reachesVote(to, edges, seen)));
}

/** Topological order (Kahn 1962), ties in the order of the agents; undefined when there is a cycle. */
function orderOf(members: readonly AgentName[], edges: readonly GraphEdge[]): AgentName[] | undefined {
  const order: AgentName[] = [];
  while (order.length < members.length) {
    const next = members.find((agent) => !order.includes(agent) && edges.every(([from, to]) => to !== agent || order.includes(from)));
    if (next === undefined) return undefined;
    order.push(next);
  }
  return order;
}

const placeOf = (target: EdgeTarget): number => (target === 'vote' ? ALL_AGENTS.length : ALL_AGENTS.indexOf(target));
const byPlace = (a: GraphEdge, b: GraphEdge): number => placeOf(a[0]) - placeOf(b[0]) || placeOf(a[1]) - placeOf(b[1]);
