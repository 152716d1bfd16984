import { ALL_AGENTS, type AgentName } from './agent.ts';
import { normaliseVote } from './normalise-answer.ts';

export interface Ballot {
  agent: AgentName;
  /** '' abstains. */
  answer: string;
}

export interface VoteResult {
  /** The winner's answer as it was written; '' when nobody found anything. */
  answer: string;
  /** Whose answer and evidence stand for the winners: the strongest of those who agree. undefined without a ballot. */
  winner: AgentName | undefined;
  /** Agents by normalised answer, most votes first. */
  groups: { form: string; agents: AgentName[] }[];
}

/**
 * Majority vote over normalised answers (AQA). Empty answers do not count against others. A tie goes to the group that holds the
 * strongest agent, in the order of {@link ALL_AGENTS}: more retrieval has seen more.
 */
export function countVotes(ballots: readonly Ballot[]): VoteResult {
  const groups = new Map<string, Ballot[]>();
  for (const ballot of ballots) {
    const form = normaliseVote(ballot.answer);
    if (form !== '') groups.set(form, [...(groups.get(form) ?? []), ballot]);
  }
  const ranked = [...groups].map(([form, members]) => ({ form, members: [...members].sort((a, b) => strength(b.agent) - strength(a.agent)) }));
  ranked.sort((a, b) => b.members.length - a.members.length || topStrength(b.members) - topStrength(a.members));
  const first = ranked[0]?.members[0] ?? [...ballots].sort((a, b) => strength(b.agent) - strength(a.agent))[0];
  return {
    answer: ranked.length > 0 ? first?.answer ?? '' : '',
    winner: first?.agent,
    groups: ranked.map(({ form, members }) => ({ form, agents: members.map((member) => member.agent) })),
  };
}

const strength = (agent: AgentName): number => ALL_AGENTS.indexOf(agent);
const topStrength = (members: readonly Ballot[]): number => Math.max(...members.map((member) => strength(member.agent)));
