import { NUMBER_WORDS } from '#research';
import { type AgentName, ALL_AGENTS } from './agent.ts';

const LEAD =
  /^(?:(?:the|so|thus|therefore|hence) )*(?:final )?answer (?:is|was|would be)\b|^(?:it|this|that|he|she|they) (?:is|was|are|were)\b/u;

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
 * Majority vote over normalised answers (AQA). Empty answers do not count against others. A tie goes to the group that
 * holds the strongest agent, in the order of {@link ALL_AGENTS}: more retrieval has seen more. `beside` are answers of
 * whoever is no agent: each counts for the agents that say the same, and wins nothing alone.
 */
export function countVotes(ballots: readonly Ballot[], beside: readonly string[] = []): VoteResult {
  const groups = new Map<string, Ballot[]>();
  for (const ballot of ballots) {
    const form = normaliseVote(ballot.answer);
    if (form !== '') groups.set(form, [...(groups.get(form) ?? []), ballot]);
  }
  const said = beside.map(normaliseVote);
  const ranked = [...groups].map(([form, members]) => ({
    form,
    votes: members.length + said.filter((one) => one === form).length,
    members: [...members].sort((a, b) => strength(b.agent) - strength(a.agent)),
  }));
  ranked.sort((a, b) => b.votes - a.votes || topStrength(b.members) - topStrength(a.members));
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
