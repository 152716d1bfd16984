import { isAbortError, throwIfAborted } from '../../llm/abort.ts';
import { HoptrailError } from '../../model/error-report.ts';
import { ALL_AGENTS, type Agent, type AgentCost, type AgentName, type AgentReply, type Agents } from './agent.ts';
import { graphName } from './graph-name.ts';
import { predecessorsOf, votersOf, type StrategyGraph } from './graph.ts';
import { countVotes, type VoteResult } from './vote.ts';

/** A graph names an agent that this run does not have. */
export class MissingAgentError extends HoptrailError {
  readonly code = 'strategy-agent-missing';
}

export interface GraphResult<Evidence> extends VoteResult {
  /** Every agent that answered. */
  replies: ReadonlyMap<AgentName, AgentReply<Evidence>>;
  /** Agents that failed; the others voted without them. */
  failures: ReadonlyMap<AgentName, unknown>;
  /** Calls and tokens of all agents; seconds of the longest path, since independent agents run side by side. */
  cost: AgentCost;
}

/**
 * Runs a communication graph (AQA): an agent starts as soon as its predecessors have answered and sees what they said; the vote
 * counts the answers that go to it. An agent that fails has said nothing; when no voter answers, the first failure is thrown.
 * Rejects with AbortError on abort.
 */
export async function executeGraph<Evidence>(graph: StrategyGraph, agents: Agents<Evidence>, question: string, signal: AbortSignal): Promise<GraphResult<Evidence>> {
  const replies = new Map<AgentName, AgentReply<Evidence>>();
  const failures = new Map<AgentName, unknown>();
  const done = new Map<AgentName, Promise<void>>();
  for (const [name, agent] of membersOf(graph, agents)) {
    const before = predecessorsOf(graph, name);
    done.set(name, Promise.all(before.map((predecessor) => done.get(predecessor))).then(async () => {
      throwIfAborted(signal);
      const seen = ALL_AGENTS.filter((other) => before.includes(other)).flatMap((other) => {
        const answer = replies.get(other)?.answer;
        return answer ? [{ agent: other, answer }] : [];
      });
      replies.set(name, await agent({ question, seen }, signal));
    }).catch((error: unknown) => {
      if (isAbortError(error) || signal.aborted) throw error;
      failures.set(name, error);
    }));
  }
  await Promise.all(done.values());
  const ballots = votersOf(graph).flatMap((agent) => { const reply = replies.get(agent); return reply ? [{ agent, answer: reply.answer }] : []; });
  if (ballots.length === 0) throw [...failures.values()][0];
  return { ...countVotes(ballots), replies, failures, cost: costOf(graph, replies) };
}

function membersOf<Evidence>(graph: StrategyGraph, agents: Agents<Evidence>): [AgentName, Agent<Evidence>][] {
  return graph.agents.map((name) => {
    const agent = agents[name];
    if (!agent) throw new MissingAgentError(`The strategy "${graphName(graph)}" needs "${name}", which cannot run here.`, { advice: 'Set hoptrail.strategy to auto.', action: 'open-settings' });
    return [name, agent];
  });
}

function costOf<Evidence>(graph: StrategyGraph, replies: ReadonlyMap<AgentName, AgentReply<Evidence>>): AgentCost {
  const cost: AgentCost = { calls: 0, tokens: 0, seconds: 0 };
  const finished = new Map<AgentName, number>();
  for (const name of graph.agents) {
    const own = replies.get(name)?.cost ?? { calls: 0, tokens: 0, seconds: 0 };
    const started = Math.max(0, ...predecessorsOf(graph, name).map((before) => finished.get(before) ?? 0));
    finished.set(name, started + own.seconds);
    cost.calls += own.calls;
    cost.tokens += own.tokens;
    cost.seconds = Math.max(cost.seconds, started + own.seconds);
  }
  return cost;
}
