import { ALL_AGENTS, type Agent, type AgentInput, type AgentName, type AgentReply, type Agents } from '#learning/lab';

/** Replies by what was asked: identical calls are made once, also while the first is still on its way. */
export type CallCache<Evidence> = Map<string, Promise<AgentReply<Evidence>>>;

/**
 * Agents that share calls with identical inputs: same agent, question and answers seen. All 97 graphs over three agents
 * then need at most 24 calls: 3 that see nothing, 12 that see one other, 9 that see both. Each graph is still charged
 * for every call it makes.
 */
export function shareCalls<Evidence>(agents: Agents<Evidence>, cache: CallCache<Evidence>): Agents<Evidence> {
  const shared: Partial<Record<AgentName, Agent<Evidence>>> = {};
  for (const name of ALL_AGENTS) {
    const agent = agents[name];
    if (agent) shared[name] = (input, signal) => once(cache, callKey(name, input), () => agent(input, signal));
  }
  return shared;
}

const callKey = (agent: AgentName, { question, seen }: AgentInput): string =>
  JSON.stringify([agent, question, seen.map((said) => [said.agent, said.answer.trim()])]);

async function once<Evidence>(
  cache: CallCache<Evidence>,
  key: string,
  call: () => Promise<AgentReply<Evidence>>,
): Promise<AgentReply<Evidence>> {
  const pending = cache.get(key) ?? call();
  cache.set(key, pending);
  try {
    return await pending;
  } catch (error) {
    cache.delete(key); // a failed call may be made again
    throw error;
  }
}
