import { addTo, HoptrailError, isAbortError, throwIfAborted, expression } from '#base';
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
import { NUMBER_WORDS } from '#research';

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
 * the vote counts the answers that go to it. An agent that fails has said nothing, and has cost what it used. Rejects
 * with AbortError on abort.
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
  return { ...countVotes(ballots), replies, failures, cost: costOf(graph, costs) };
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

const LEAD = expression('u')`
  ^(?:(?:the|so|thus|therefore|hence) )*(?:final )?answer (?:is|was|would be)\b|
  ^(?:it|this|that|he|she|they) (?:is|was|are|were)\b
`;

/**
 * "Yes", "No.", "Yes, both are", "No – neither": the word alone, or set off from what explains it. "No. 10" abbreviates
 * "number".
 */
const POLAR = /^\W*(yes|no)(?:\W*$|\s*[,;:!–—]|\s+-\s|\s*\.\s+(?!\W*\d))/iu;
/** Punctuation and symbols, but for + and # at the end of a word (C++, C#) and the minus of a number. */
const MARKS = /(?!(?<=\p{L}[+#]*)[+#](?![+#]*[\p{L}\p{N}]))(?!(?<![\p{L}\p{N}])-\d)[\p{P}\p{S}]/gu;

/**
 * The form in which a vote compares answers: SQuAD's normalisation (Rajpurkar et al. 2016: lower case, no punctuation,
 * no articles), and besides no accents, small number words as digits, no lead such as "the answer is", and `yes` or
 * `no` alone when an answer is that, whatever explains it. What tells names and numbers apart stays: C++ and C#, -5. ''
 * for an answer that says nothing.
 */
export function normaliseVote(answer: string): string {
  const polar = POLAR.exec(answer)?.[1];
  if (polar) return polar.toLowerCase();
  const words = answer
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}\b)/gu, '')
    .replace(/['’]s\b/gu, '')
    .replaceAll('−', '-')
    .replace(MARKS, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const bare = words
    .replace(LEAD, ' ')
    .replace(/(?<!\S)(?:a|an|the)(?!\S)/gu, ' ')
    .trim();
  return (bare || words).split(/\s+/u).map(digitOf).join(' ');
}

function digitOf(word: string): string {
  const number = NUMBER_WORDS.indexOf(word);
  return number >= 0 ? String(number) : word;
}

interface Ballot {
  agent: AgentName;
  /** '' abstains. */
  answer: string;
}

interface VoteResult {
  /** The winner's answer as it was written; '' when nobody found anything. */
  answer: string;
  /** Whose answer and evidence stand for the winners: the strongest of those who agree. undefined without a ballot. */
  winner: AgentName | undefined;
  /** Agents by normalised answer, most votes first. */
  groups: { form: string; agents: AgentName[] }[];
}

/**
 * Majority vote over normalised answers (AQA). Empty answers do not count against others. A tie goes to the group that
 * holds the strongest agent, in the order of {@link ALL_AGENTS}: more retrieval has seen more.
 */
export function countVotes(ballots: readonly Ballot[]): VoteResult {
  const groups = new Map<string, Ballot[]>();
  for (const ballot of ballots) {
    const form = normaliseVote(ballot.answer);
    if (form !== '') addTo(groups, form, ballot);
  }
  const ranked = [...groups].map(([form, members]) => ({
    form,
    members: [...members].sort((a, b) => strength(b.agent) - strength(a.agent)),
  }));
  ranked.sort((a, b) => b.members.length - a.members.length || topStrength(b.members) - topStrength(a.members));
  const first = ranked[0]?.members[0] ?? [...ballots].sort((a, b) => strength(b.agent) - strength(a.agent))[0];
  return {
    answer: ranked.length > 0 ? (first?.answer ?? '') : '',
    winner: first?.agent,
    groups: ranked.map(({ form, members }) => ({ form, agents: members.map((member) => member.agent) })),
  };
}

const strength = (agent: AgentName): number => ALL_AGENTS.indexOf(agent);
const topStrength = (members: readonly Ballot[]): number =>
  Math.max(...members.map((member) => strength(member.agent)));
