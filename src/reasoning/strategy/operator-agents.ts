import type { SubAnswer } from '../../model/answer.ts';
import type { OperatorName } from '../../model/plan.ts';
import type { Operator, OperatorContext, OperatorResult, OperatorTask } from '../operators/operator.ts';
import { AgentContext } from './agent-context.ts';
import type { Agent, AgentName, Agents, SeenAnswer } from './agent.ts';
import { executeGraph, type GraphResult } from './execute-graph.ts';
import { graphName } from './graph-name.ts';
import type { StrategyGraph } from './graph.ts';

/** The operator behind an agent; undefined for BELLE, which is a plan and no operator. */
export function operatorOf(agent: AgentName): OperatorName | undefined {
  switch (agent) {
    case 'no-retrieval': return 'chain-of-thought';
    case 'one-retrieval': return 'single-step';
    case 'ircot': return 'iterative-step';
    case 'beam-extractive': return 'extractive';
    case 'belle': return undefined;
  }
}

/** What an agent of a run leaves behind. */
export interface OperatorEvidence {
  result: OperatorResult;
  /** Sub-answers that the run keeps when this agent wins. */
  kept: readonly SubAnswer[];
}

/** Agents that answer with BELLE's operators inside a run. Their steps are events of the run; nothing of them is streamed as the answer. */
export function operatorAgents(run: OperatorContext, task: OperatorTask, operator: (name: OperatorName) => Operator | undefined): Agents<OperatorEvidence> {
  const results = new Map<string, OperatorResult>();
  const agents: Partial<Record<AgentName, Agent<OperatorEvidence>>> = {};
  for (const agent of ['no-retrieval', 'one-retrieval', 'ircot', 'beam-extractive'] as const) {
    const name = operatorOf(agent);
    const worker = name && operator(name);
    if (!worker) continue;
    agents[agent] = async ({ question, seen }) => {
      const context = new AgentContext(run, seen.map((said) => asSubAnswer(said, question, results)));
      const result = await worker.run(context, { ...task, question, final: false });
      const answer = result.draft?.short ?? result.answer?.short ?? '';
      results.set(resultKey(agent, answer), result);
      const { calls, inputTokens, outputTokens, seconds } = context.usage();
      return { answer, cost: { calls, tokens: inputTokens + outputTokens, seconds }, evidence: { result, kept: context.kept } };
    };
  }
  return agents;
}

const resultKey = (agent: AgentName, answer: string): string => `${agent}\n${answer}`;

/** What a predecessor said, as operators see earlier findings. It is no answer to the same question: a critique would call that redundant. */
function asSubAnswer({ agent, answer }: SeenAnswer, question: string, results: ReadonlyMap<string, OperatorResult>): SubAnswer {
  const result = results.get(resultKey(agent, answer));
  return { stepId: result?.stepId ?? agent, question: `First attempt at: ${question}`, answer, found: true, passageIds: result?.evidence.map((passage) => passage.id) ?? [] };
}

/** Runs a graph inside a run: the winner's result is the run's, and what it found on the way is kept. Says when an agent failed. */
export async function runGraph(graph: StrategyGraph, agents: Agents<OperatorEvidence>, run: OperatorContext, task: OperatorTask): Promise<OperatorResult> {
  const outcome = await executeGraph(graph, agents, task.question, run.signal);
  for (const agent of outcome.failures.keys()) run.notice('agent-failed', `One of the ways to answer ("${agent}") failed; the others voted without it.`);
  return winnerOf(graph, outcome, run);
}

function winnerOf(graph: StrategyGraph, { winner, replies }: GraphResult<OperatorEvidence>, run: OperatorContext): OperatorResult {
  const evidence = winner && replies.get(winner)?.evidence;
  if (!evidence) throw new RangeError(`The graph ${graphName(graph)} ended without a winner.`); // a graph has a voter, and a voter that failed was thrown
  for (const subAnswer of evidence.kept) run.keep(subAnswer);
  return evidence.result;
}
