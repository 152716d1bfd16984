import { termsOf } from '#research';
import { type AgentName, PAPER_AGENTS } from './graph.ts';

interface Ballot {
  agent: AgentName;
  /** '' abstains. */
  answer: string;
}

export interface VoteResult {
  /** The winner's answer as it was written; '' where nobody found anything. */
  answer: string;
  /** Whose answer stands for those who agree; undefined without a ballot. */
  winner: AgentName | undefined;
  /** Agents that agree, most votes first; in each the one whose answer stands comes first. */
  groups: AgentName[][];
}

/**
 * Majority vote (AQA). It compares what answers say and not their strings, see {@link saySame}. The fullest answer of
 * a group stands for it. A tie goes to the group with the strongest agent: more retrieval has seen more. Those who
 * abstain do not count against others.
 */
export function countVotes(ballots: readonly Ballot[]): VoteResult {
  const strongest = [...ballots].sort((a, b) => strength(b) - strength(a));
  const said = strongest.filter(({ answer }) => wordsIn(answer).length > 0);
  const groups: Ballot[][] = [];
  for (const ballot of [...said].sort((a, b) => fullness(b) - fullness(a))) {
    const group = groups.find(([head]) => head && saySame(head.answer, ballot.answer));
    if (group) group.push(ballot);
    else groups.push([ballot]);
  }
  const top = (group: readonly Ballot[]): number => Math.max(...group.map(strength));
  groups.sort((a, b) => b.length - a.length || top(b) - top(a));
  const head = groups[0]?.[0];
  return {
    answer: head?.answer ?? '',
    winner: (head ?? strongest[0])?.agent,
    groups: groups.map((group) => group.map(({ agent }) => agent)),
  };
}

/** Token F1 from which answers in other words agree, and the share of the shorter one that a fuller one may repeat. */
const AGREE = { f1: 0.6, share: 0.8 };

/**
 * Whether two short answers say the same: token F1 is high, or the fuller one holds the shorter, and not each of them
 * names something (a number, a name, an identifier) that the other leaves out.
 */
export function saySame(one: string, other: string): boolean {
  const [a, b] = [new Set(wordsIn(one)), new Set(wordsIn(other))];
  const shared = [...a].filter((word) => b.has(word)).length;
  if (shared === 0) return false;
  if (namesMore(one, a, b) && namesMore(other, b, a)) return false;
  return (2 * shared) / (a.size + b.size) >= AGREE.f1 || shared / Math.min(a.size, b.size) >= AGREE.share;
}

/** Whether an answer has a telling word that the other lacks: a number, an identifier, a part of a name. */
function namesMore(answer: string, own: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const terms = termsOf(answer).flatMap(({ text }) => wordsIn(text));
  // The first word of an answer is written large anyway: it counts where it begins a name of several words.
  const begins = /^\P{L}*(\p{Lu}\p{L}{3,}) \p{Lu}/u.exec(answer)?.[1] ?? '';
  const numbers = [...own].filter((word) => /\p{N}/u.test(word));
  return [...terms, ...numbers, ...wordsIn(begins)].some((word) => !other.has(word));
}

/** Words in small letters without accents. `C++`, `C#` and `-5` stay apart from `C` and `5`. */
const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('−', '-')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '')
    .toLowerCase()
    .match(/(?:(?<![\p{L}\p{N}])-(?=\d))?[\p{L}\p{N}]+(?:\.\p{N}+)*(?:(?<=\p{L})[+#]{1,2}(?![\p{L}\p{N}]))?/gu) ?? [];

const fullness = ({ answer, agent }: Ballot): number => new Set(wordsIn(answer)).size + strength({ agent }) / 10;
const strength = ({ agent }: Pick<Ballot, 'agent'>): number => PAPER_AGENTS.indexOf(agent);
