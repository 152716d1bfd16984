import { ALL_AGENTS, type AgentName } from './agent.ts';
import { makeGraph, singleAgent, votersOf, type EdgeTarget, type GraphEdge, type StrategyGraph } from './graph.ts';

/**
 * Stable name of a graph: the agent alone when there is one, else its edges, as in `no-retrieval>ircot,ircot>vote`. What settings,
 * records and the bandit's state call a strategy.
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
    const [from = '', to = '', ...rest] = part.trim().split('>').map((end) => end.trim());
    if (rest.length > 0 || !isAgent(from) || !isTarget(to)) return undefined;
    edges.push([from, to]);
  }
  return makeGraph(edges);
}

const WORDS: Record<AgentName, string> = {
  'no-retrieval': 'no retrieval',
  'one-retrieval': 'one retrieval',
  ircot: 'step-by-step retrieval',
  'beam-extractive': 'quotes from the trail',
  belle: 'a full plan',
};

/** A graph in words: "no retrieval, seen by step-by-step retrieval". */
export function describeGraph(graph: StrategyGraph): string {
  const parts = graph.agents.map((agent) => {
    const readers = graph.edges.flatMap(([from, to]) => (from === agent && to !== 'vote' ? [WORDS[to]] : []));
    return readers.length > 0 ? `${WORDS[agent]}, seen by ${readers.join(' and ')}` : undefined;
  });
  const voters = votersOf(graph).map((agent) => WORDS[agent]);
  const seen = parts.filter((part) => part !== undefined).join('; ');
  if (voters.length === 1) return seen || (voters[0] ?? '');
  return `${seen ? `${seen}; ` : ''}a vote of ${voters.slice(0, -1).join(', ')} and ${voters.at(-1)}`;
}

const AGENTS: ReadonlySet<string> = new Set(ALL_AGENTS);
const isAgent = (name: string): name is AgentName => AGENTS.has(name);
const isTarget = (name: string): name is EdgeTarget => name === 'vote' || isAgent(name);
