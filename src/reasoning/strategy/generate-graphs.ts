import type { AgentName } from './agent.ts';
import { makeGraph, type GraphEdge, type StrategyGraph } from './graph.ts';

/**
 * Every communication graph over these agents (AQA's action set: 97 over the paper's three). Built from below: each set of agents
 * that run, each acyclic way to connect them, and each choice of further voters. An agent that nobody sees must vote, so no graph
 * is made in vain but those with a cycle: 3^(n(n−1)/2) ways to connect n agents are looked at.
 */
export function generateGraphs(agents: readonly AgentName[]): StrategyGraph[] {
  return subsetsOf(agents).filter((members) => members.length > 0).flatMap((members) => wirings(pairsOf(members)).flatMap((inner) => withVoters(members, inner)));
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
  return pairs.reduce<GraphEdge[][]>((all, [a, b]) => all.flatMap((edges) => [edges, [...edges, [a, b] as const], [...edges, [b, a] as const]]), [[]]);
}

const subsetsOf = <T>(items: readonly T[]): T[][] => items.reduce<T[][]>((all, item) => [...all, ...all.map((subset) => [...subset, item])], [[]]);
const pairsOf = (agents: readonly AgentName[]): (readonly [AgentName, AgentName])[] => agents.flatMap((a, i) => agents.slice(i + 1).map((b) => [a, b] as const));
