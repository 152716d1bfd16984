import { mean, sigmoid } from '#base';
import { type AgentName, type GraphEdge, makeGraph, type StrategyGraph } from '#learning/lab';

interface EdgeOptimisation {
  agents: readonly AgentName[];
  /** Mean reward of a graph over the questions it is chosen for. */
  reward(graph: StrategyGraph): number;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
  steps?: number;
  /** Graphs sampled per step. */
  batch?: number;
  learningRate?: number;
}

interface OptimisedEdges {
  graph: StrategyGraph;
  /** Probability of each edge at the end. */
  probabilities: { edge: GraphEdge; probability: number }[];
}

/**
 * The fixed graph that AQA compares with, found as in GPTSwarm (Zhuge et al. 2024, §3.2): each possible edge has a
 * probability; graphs are sampled, and edges of graphs that do better than the others of their batch become likelier
 * (REINFORCE, Williams 1992: the gradient over the whole batch, then a step). What a sample leaves without a path to
 * the vote is dropped. The graph returned is the best rewarded of a last batch together with the graph of all edges
 * above one half.
 */
export function optimiseEdges({
  agents,
  reward,
  random,
  steps = 300,
  batch = 8,
  learningRate = 0.3,
}: EdgeOptimisation): OptimisedEdges {
  const edges: GraphEdge[] = agents.flatMap((from) =>
    [...agents.filter((to) => to !== from), 'vote' as const].map((to): GraphEdge => [from, to]),
  );
  const logits = edges.map(() => 0);
  const sample = (): Sample => sampleGraph(edges, logits, random);
  for (let step = 0; step < steps; step += 1) {
    const samples = Array.from({ length: batch }, sample).map((drawn) => ({ ...drawn, reward: reward(drawn.graph) }));
    const middle = mean(samples.map((drawn) => drawn.reward));
    const spread = Math.sqrt(mean(samples.map((drawn) => (drawn.reward - middle) ** 2))) || 1;
    const slopes = logits.map(
      (logit, i) =>
        samples.reduce(
          (sum, drawn) => sum + ((drawn.reward - middle) / spread) * ((drawn.taken[i] ? 1 : 0) - sigmoid(logit)),
          0,
        ) / batch,
    );
    slopes.forEach((slope, i) => {
      logits[i] = clamp((logits[i] as number) + learningRate * slope);
    });
  }
  const likely = connected(edges.filter((_, i) => (logits[i] as number) > 0));
  const candidates = [...(likely ? [likely] : []), ...Array.from({ length: batch }, () => sample().graph)];
  const graph = candidates.reduce((best, other) => (reward(other) > reward(best) ? other : best));
  return { graph, probabilities: edges.map((edge, i) => ({ edge, probability: sigmoid(logits[i] as number) })) };
}

interface Sample {
  graph: StrategyGraph;
  taken: boolean[];
}

/** Draws until something is left that reaches the vote. */
function sampleGraph(edges: readonly GraphEdge[], logits: readonly number[], random: () => number): Sample {
  for (;;) {
    const taken = logits.map((logit) => random() < sigmoid(logit));
    const graph = connected(edges.filter((_, i) => taken[i]));
    if (graph) return { graph, taken };
  }
}

/**
 * The part of these edges that is a graph: an edge that would close a cycle, in their order, and what does not reach
 * the vote are left out.
 */
function connected(edges: readonly GraphEdge[]): StrategyGraph | undefined {
  const acyclic: GraphEdge[] = [];
  for (const edge of edges) if (edge[1] === 'vote' || !leadsTo(edge[1], edge[0], acyclic)) acyclic.push(edge);
  return makeGraph(acyclic.filter(([, to]) => leadsTo(to, 'vote', acyclic)));
}

const leadsTo = (from: string, to: string, edges: readonly GraphEdge[]): boolean =>
  from === to || edges.some(([a, b]) => a === from && leadsTo(b, to, edges));
/** Keeps every edge possible: the sampler could wait for ever otherwise. */
const clamp = (logit: number): number => Math.max(-4, Math.min(4, logit));
