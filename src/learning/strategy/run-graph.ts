import { HoptrailError, isAbortError, throwIfAborted } from '#base';
import {
  Budget,
  type Operator,
  type OperatorContext,
  type OperatorName,
  type OperatorResult,
  type OperatorTask,
  type SubAnswer,
  type TokenUsage,
} from '#research';
import {
  AGENTS,
  type AgentName,
  graphName,
  PAPER_AGENTS,
  predecessorsOf,
  type StrategyGraph,
  votersOf,
} from './graph.ts';
import { countVotes, saySame, type VoteResult } from './vote.ts';

/** A graph names an agent that this run does not have. */
export class MissingAgentError extends HoptrailError {
  readonly code = 'strategy-agent-missing';
}

export interface AgentInput {
  question: string;
  /** Answers of the predecessors, weakest first. */
  seen: readonly { agent: AgentName; answer: string }[];
}

/** What an answer has cost: model calls, tokens in and out together, seconds. */
interface AgentCost {
  calls: number;
  tokens: number;
  seconds: number;
}

export interface AgentReply<Evidence> {
  /** The short answer; '' where the agent found nothing. */
  answer: string;
  cost: AgentCost;
  /** What the answer rests on, in whatever form the caller needs. */
  evidence: Evidence;
}

/** An agent that came to no answer, and what it had used until then. The cause is what it failed with. */
export class AgentFailure extends Error {
  readonly cost: AgentCost;

  constructor(cause: unknown, cost: AgentCost) {
    super('An agent failed.', { cause });
    this.cost = cost;
  }
}

/** Port: one way of answering. Rejects with AbortError on abort, and with AgentFailure around the model's errors. */
export type Agent<Evidence> = (input: AgentInput, signal: AbortSignal) => Promise<AgentReply<Evidence>>;
export type Agents<Evidence> = Readonly<Partial<Record<AgentName, Agent<Evidence>>>>;

interface GraphResult<Evidence> extends VoteResult {
  /** Every agent that answered. */
  replies: ReadonlyMap<AgentName, AgentReply<Evidence>>;
  /** Agents that failed, and with what; the others voted without them. No winner: no voter was left. */
  failures: ReadonlyMap<AgentName, unknown>;
  /** Calls and tokens of all agents, also of those that failed; seconds of the longest path. */
  cost: AgentCost;
}

/**
 * Runs a communication graph (AQA): an agent starts as soon as its predecessors have answered, and sees what they said;
 * the vote counts the answers that go to it. Rejects with AbortError on abort.
 */
export async function executeGraph<Evidence>(
  graph: StrategyGraph,
  agents: Agents<Evidence>,
  question: string,
  signal: AbortSignal,
): Promise<GraphResult<Evidence>> {
  const replies = new Map<AgentName, AgentReply<Evidence>>();
  const failures = new Map<AgentName, unknown>();
  const costs = new Map<AgentName, AgentCost>();
  const done = new Map<AgentName, Promise<void>>();
  const members = graph.agents.map((name): [AgentName, Agent<Evidence>] => {
    const agent = agents[name];
    if (agent) return [name, agent];
    throw new MissingAgentError(`The strategy "${graphName(graph)}" needs "${name}", which cannot run here.`, {
      advice: 'Set hoptrail.strategy to auto.',
      action: 'open-settings',
    });
  });
  for (const [name, agent] of members) {
    const before = predecessorsOf(graph, name);
    const work = async (): Promise<void> => {
      await Promise.all(before.map((predecessor) => done.get(predecessor)));
      throwIfAborted(signal);
      const seen = PAPER_AGENTS.filter((other) => before.includes(other)).flatMap((other) => {
        const answer = replies.get(other)?.answer;
        return answer ? [{ agent: other, answer }] : [];
      });
      try {
        const reply = await agent({ question, seen }, signal);
        replies.set(name, reply);
        costs.set(name, reply.cost);
      } catch (error) {
        const cause: unknown = error instanceof AgentFailure ? error.cause : error;
        if (isAbortError(cause) || signal.aborted) throw cause;
        failures.set(name, cause);
        if (error instanceof AgentFailure) costs.set(name, error.cost);
      }
    };
    done.set(name, work());
  }
  await Promise.all(done.values());
  const ballots = votersOf(graph).flatMap((agent) => {
    const reply = replies.get(agent);
    return reply ? [{ agent, answer: reply.answer }] : [];
  });
  return { ...countVotes(ballots), replies, failures, cost: costOf(graph, costs) };
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

/** What an agent of a run leaves behind. */
interface OperatorEvidence {
  result: OperatorResult;
  /** What the run keeps when this agent wins. */
  kept: readonly Parameters<OperatorContext['keep']>[];
}

/** Agents that answer with BELLE's operators inside a run. Their steps are events of the run; none is streamed. */
export function operatorAgents(
  run: OperatorContext,
  task: OperatorTask,
  operator: (name: OperatorName) => Operator | undefined,
): Agents<OperatorEvidence> {
  const agents: Partial<Record<AgentName, Agent<OperatorEvidence>>> = {};
  for (const name of PAPER_AGENTS) {
    const worker = operator(AGENTS[name].operator);
    if (!worker) continue;
    agents[name] = async ({ question, seen }) => {
      const kept: Parameters<OperatorContext['keep']>[] = [];
      const budget = new AgentBudget(run.budget, () => run.now());
      const costNow = (): AgentCost => {
        const { calls, inputTokens, outputTokens, seconds } = budget.usage();
        return { calls, tokens: inputTokens + outputTokens, seconds };
      };
      const said = seen.map(({ agent, answer }) => ({
        by: AGENTS[agent].introducedAs,
        answer,
        lookedUp: operator(AGENTS[agent].operator)?.retrieves === true,
      }));
      try {
        const result = await worker.run(agentContext(run, budget, kept, laneOf(name, seen)), {
          ...task,
          question,
          final: false,
          seen: said,
        });
        return { answer: result.reading?.short ?? '', cost: costNow(), evidence: { result, kept } };
      } catch (error) {
        throw isAbortError(error) ? error : new AgentFailure(error, costNow());
      }
    };
  }
  return agents;
}

/** Agents that run side by side number what they are shown apart. */
const laneOf = (name: AgentName, seen: AgentInput['seen']): OperatorContext['lane'] => ({
  own: PAPER_AGENTS.indexOf(name) + 1,
  ended: seen.map(({ agent }) => PAPER_AGENTS.indexOf(agent) + 1),
});

/** The run as one agent sees it: all is the run's own but the sub-answers, and the count of what it uses. */
function agentContext(
  run: OperatorContext,
  budget: Budget,
  kept: Parameters<OperatorContext['keep']>[],
  lane: OperatorContext['lane'],
): OperatorContext {
  const own: SubAnswer[] = [];
  return new Proxy(run, {
    get(target, name) {
      if (name === 'budget') return budget;
      if (name === 'lane') return lane;
      if (name === 'subAnswers') return own;
      if (name === 'keep')
        return (...what: Parameters<OperatorContext['keep']>) => {
          own.push(what[0]);
          kept.push(what);
        };
      const value: unknown = Reflect.get(target, name, target); // its private members need the run itself
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Counts one agent's use apart, and passes it on to the run's budget, whose limits hold for all agents together. */
class AgentBudget extends Budget {
  readonly #run: Budget;

  constructor(run: Budget, now: () => number) {
    super(run.limits, now);
    this.#run = run;
  }

  override addCall(usage: TokenUsage, calls?: number): void {
    super.addCall(usage, calls);
    this.#run.addCall(usage, calls);
  }

  override addRetrieval(): void {
    super.addRetrieval();
    this.#run.addRetrieval();
  }

  override addNode(): void {
    super.addNode();
    this.#run.addNode();
  }

  override get nodesLeft(): number {
    return this.#run.nodesLeft;
  }

  override left(): ReturnType<Budget['left']> {
    return this.#run.left();
  }

  override exhausted(): string | undefined {
    return this.#run.exhausted();
  }
}

/**
 * Runs a graph inside a run: the winner's result is the run's, and what it found on the way is kept. Rejects with the
 * first failure where no voter is left.
 */
export async function runGraph(
  graph: StrategyGraph,
  agents: Agents<OperatorEvidence>,
  run: OperatorContext,
  task: OperatorTask,
): Promise<OperatorResult> {
  const { winner, replies, failures } = await executeGraph(graph, agents, task.question, run.signal);
  const reply = winner && replies.get(winner);
  if (!reply) throw [...failures.values()][0];
  for (const agent of failures.keys()) run.notice({ code: 'agent-failed', details: { agent } });
  // Whoever looked nothing up may win by what others found: the answer then rests on theirs.
  const rests = (one: AgentReply<OperatorEvidence>): boolean => one.evidence.result.evidence.length > 0;
  const standing = rests(reply)
    ? reply
    : ([...replies.values()].find((other) => rests(other) && saySame(other.answer, reply.answer)) ?? reply);
  for (const what of standing.evidence.kept) run.keep(...what);
  return standing.evidence.result;
}
