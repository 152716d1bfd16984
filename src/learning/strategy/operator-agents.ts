import {
  type Operator,
  type OperatorContext,
  type OperatorName,
  type OperatorResult,
  type OperatorTask,
  settleByYears,
  type SubAnswer,
} from '#research';
import {
  AGENTS,
  type Agent,
  type AgentContext,
  agentContext,
  type AgentCost,
  type AgentDescription,
  AgentFailure,
  type AgentName,
  type Agents,
} from './agent.ts';
import { isAbortError } from '#base';
import { executeGraph, type GraphResult, normaliseVote } from './execute-graph.ts';
import { graphName, type StrategyGraph } from './graph.ts';

/** What an agent of a run leaves behind. */
interface OperatorEvidence {
  result: OperatorResult;
  /** Sub-answers that the run keeps when this agent wins. */
  kept: readonly SubAnswer[];
}

/**
 * Agents that answer with BELLE's operators inside a run. Their steps are events of the run; nothing of them is
 * streamed as the answer.
 */
export function operatorAgents(
  run: OperatorContext,
  task: OperatorTask,
  operator: (name: OperatorName) => Operator | undefined,
  among: Readonly<Record<AgentName, AgentDescription>> = AGENTS,
): Agents<OperatorEvidence> {
  const agents: Partial<Record<AgentName, Agent<OperatorEvidence>>> = {};
  for (const [agent, { operator: name }] of Object.entries(among) as [AgentName, AgentDescription][]) {
    const worker = name && operator(name);
    if (!worker) continue;
    agents[agent] = async ({ question, seen }) => {
      const context = agentContext(run);
      const work = worker.run(context, {
        ...task,
        question,
        final: false,
        seen: seen.map((said) => {
          const { introducedAs: by, operator: looking } = among[said.agent];
          return { by, answer: said.answer, lookedUp: looking !== undefined && operator(looking)?.retrieves === true };
        }),
      });
      const result = await work.catch((error: unknown) => {
        throw isAbortError(error) ? error : new AgentFailure(error, costOf(context));
      });
      // What years decide is decided before the vote: the winner's answer will be settled so anyway.
      const draft = result.draft && settleByYears(result.draft, result.reading, (id) => run.ledger.numberOf(id));
      return {
        answer: draft?.short ?? result.answer?.short ?? '',
        cost: costOf(context),
        evidence: { result, kept: context.kept },
      };
    };
  }
  return agents;
}

function costOf(context: AgentContext): AgentCost {
  const { calls, inputTokens, outputTokens, seconds } = context.budget.usage();
  return { calls, tokens: inputTokens + outputTokens, seconds };
}

/**
 * Runs a graph inside a run: the winner's result is the run's, and what it found on the way is kept. Says when an agent
 * failed; rejects with the first failure when no voter is left.
 */
export async function runGraph(
  graph: StrategyGraph,
  agents: Agents<OperatorEvidence>,
  run: OperatorContext,
  task: OperatorTask,
): Promise<OperatorResult> {
  const outcome = await executeGraph(graph, agents, task.question, run.signal);
  if (outcome.winner === undefined) throw [...outcome.failures.values()][0];
  for (const agent of outcome.failures.keys()) run.notice({ code: 'agent-failed', details: { agent } });
  return winnerOf(graph, outcome, run);
}

function winnerOf(
  graph: StrategyGraph,
  { winner, replies }: GraphResult<OperatorEvidence>,
  run: OperatorContext,
): OperatorResult {
  const reply = winner && replies.get(winner);
  // Who looked nothing up may win by what others found: the answer then rests on theirs.
  const form = normaliseVote(reply?.answer ?? '');
  const evidence =
    reply?.evidence.result.evidence.length === 0
      ? (
          [...replies.values()].find(
            (other) => other.evidence.result.evidence.length > 0 && normaliseVote(other.answer) === form,
          ) ?? reply
        ).evidence
      : reply?.evidence;
  // A graph has a voter, and a voter that failed was thrown.
  if (!evidence) throw new RangeError(`The graph ${graphName(graph)} ended without a winner.`);
  for (const subAnswer of evidence.kept) run.keep(subAnswer);
  return evidence.result;
}
