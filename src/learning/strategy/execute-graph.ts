import { HoptrailError, isAbortError, throwIfAborted } from '#base';
import {
  AgentFailure,
  ALL_AGENTS,
  type Agent,
  type AgentCost,
  type AgentName,
  type AgentReply,
  type Agents,
} from './agent.ts';
import { graphName, predecessorsOf, type StrategyGraph, votersOf } from './graph.ts';
import { countVotes, type VoteResult } from './vote.ts';

/** A graph names an agent that this run does not have. */
export class MissingAgentError extends HoptrailError {
  readonly code = 'strategy-agent-missing';
}

export interface GraphResult<Evidence> extends VoteResult {
  /** Every agent that answered. */
  replies: ReadonlyMap<AgentName, AgentReply<Evidence>>;
  /** Agents that failed, and with what; the others voted without them. There is no winner when no voter was left. */
  failures: ReadonlyMap<AgentName, unknown>;
  /**
   * Calls and tokens of all agents, also of those that failed; seconds of the longest path, since independent agents
   * run side by side.
   */
  cost: AgentCost;
}

/**
 * Runs a communication graph (AQA): an agent starts as soon as its predecessors have answered and sees what they said;
 * the vote counts the answers that go to it, and those that `beside` finds in what the agents read. An agent that fails
 * has said nothing, and has cost what it used. Rejects with AbortError on abort.
 */
export async function executeGraph<Evidence>(
  graph: StrategyGraph,
  agents: Agents<Evidence>,
  question: string,
  signal: AbortSignal,
  beside: (replies: ReadonlyMap<AgentName, AgentReply<Evidence>>) => readonly string[] = () => [],
): Promise<GraphResult<Evidence>> {
  const replies = new Map<AgentName, AgentReply<Evidence>>();
  const failures = new Map<AgentName, unknown>();
  const costs = new Map<AgentName, AgentCost>();
  const done = new Map<AgentName, Promise<void>>();
  for (const [name, agent] of membersOf(graph, agents)) {
    const before = predecessorsOf(graph, name);
    done.set(
      name,
      Promise.all(before.map((predecessor) => done.get(predecessor)))
        .then(async () => {
          throwIfAborted(signal);
          const seen = ALL_AGENTS.filter((other) => before.includes(other)).flatMap((other) => {
            const answer = replies.get(other)?.answer;
            return answer ? [{ agent: other, answer }] : [];
          });
          const reply = await agent({ question, seen }, signal);
          replies.set(name, reply);
          costs.set(name, reply.cost);
        })
        .catch((error: unknown) => {
          const failed = error instanceof AgentFailure;
          const cause = failed ? error.cause : error;
          if (isAbortError(cause) || signal.aborted) throw cause;
          failures.set(name, cause);
          if (failed) costs.set(name, error.cost);
        }),
    );
  }
  await Promise.all(done.values());
  const ballots = votersOf(graph).flatMap((agent) => {
    const reply = replies.get(agent);
    return reply ? [{ agent, answer: reply.answer }] : [];
  });
  return { ...countVotes(ballots, beside(replies)), replies, failures, cost: costOf(graph, costs) };
}

function membersOf<Evidence>(graph: StrategyGraph, agents: Agents<Evidence>): [AgentName, Agent<Evidence>][] {
  return graph.agents.map((name) => {
    const agent = agents[name];
    if (!agent)
      throw new MissingAgentError(`The strategy "${graphName(graph)}" needs "${name}", which cannot run here.`, {
        advice: 'Set hoptrail.strategy to auto.',
        action: 'open-settings',
      });
    return [name, agent];
  });
}

function costOf(graph: StrategyGraph, costs: ReadonlyMap<AgentName, AgentCost>): AgentCost {
  const cost: AgentCost = { calls: 0, tokens: 0, seconds: 0 };
  const finished = new Map<AgentName, number>();
  for (const name of graph.agents) {
    const own = costs.get(name) ?? { calls: 0, tokens: 0, seconds: 0 };
    const started = Math.max(0, ...predecessorsOf(graph, name).map((before) => finished.get(before) ?? 0));
    finished.set(name, started + own.seconds);
    cost.calls += own.calls;
    cost.tokens += own.tokens;
    cost.seconds = Math.max(cost.seconds, started + own.seconds);
  }
  return cost;
}
