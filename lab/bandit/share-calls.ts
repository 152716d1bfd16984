import { remembered } from '#base';
import { PAPER_AGENTS, type Agent, type AgentInput, type AgentName, type AgentReply, type Agents } from '#learning/lab';

/** Replies by what was asked: identical calls are made once, also while the first is still on its way. */
export type CallCache<Evidence> = Map<string, Promise<AgentReply<Evidence>>>;

/**
 * Agents that share calls with identical inputs: same agent, question and answers seen. All 97 graphs over three agents
 * then need at most 24 calls: 3 that see nothing, 12 that see one other, 9 that see both. Each graph is still charged
 * for every call it makes.
 */
export const shareCalls = <Evidence>(agents: Agents<Evidence>, cache: CallCache<Evidence>): Agents<Evidence> =>
  eachAgent(agents, (agent, name) => (input, signal) => once(cache, callKey(name, input), () => agent(input, signal)));

/** Agents with something around each. */
export const eachAgent = <Evidence>(
  agents: Agents<Evidence>,
  around: (agent: Agent<Evidence>, name: AgentName) => Agent<Evidence>,
): Agents<Evidence> =>
  Object.fromEntries(
    PAPER_AGENTS.flatMap((name) => {
      const agent = agents[name];
      return agent ? [[name, around(agent, name)]] : [];
    }),
  );

const callKey = (agent: AgentName, { question, seen }: AgentInput): string =>
  JSON.stringify([agent, question, seen.map((said) => [said.agent, said.answer.trim()])]);

async function once<Evidence>(
  cache: CallCache<Evidence>,
  key: string,
  call: () => Promise<AgentReply<Evidence>>,
): Promise<AgentReply<Evidence>> {
  try {
    return await remembered(cache, key, call);
  } catch (error) {
    cache.delete(key); // a failed call may be made again
    throw error;
  }
}
