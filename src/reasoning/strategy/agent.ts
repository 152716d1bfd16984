/** Agents of the AQA paper, and the two that Hoptrail sets beside them. */
export type AgentName =
  | 'no-retrieval' // NoR: the model answers from memory
  | 'one-retrieval' // OneR: one retrieval, then an answer
  | 'ircot' // IRCoT: a thought, a retrieval for it, and so on
  | 'beam-extractive' // beam chain with the extractive reader; no language model
  | 'belle'; // BELLE's full plan

/** The paper's three, weakest first: ties in a vote go to the later one. */
export const PAPER_AGENTS = ['no-retrieval', 'one-retrieval', 'ircot'] as const satisfies readonly AgentName[];

/** Every agent, weakest first. */
export const ALL_AGENTS = ['no-retrieval', 'beam-extractive', 'one-retrieval', 'ircot', 'belle'] as const satisfies readonly AgentName[];

/** What a predecessor in the graph said. */
export interface SeenAnswer {
  agent: AgentName;
  answer: string;
}

export interface AgentInput {
  question: string;
  /** Answers of the predecessors, in the order of {@link ALL_AGENTS}. */
  seen: readonly SeenAnswer[];
}

/** What an answer has cost. */
export interface AgentCost {
  /** Language-model calls. */
  calls: number;
  /** Input and output tokens together. */
  tokens: number;
  seconds: number;
}

export interface AgentReply<Evidence> {
  /** The short answer; '' when the agent found nothing. */
  answer: string;
  cost: AgentCost;
  /** What the answer rests on, in whatever form the caller needs. */
  evidence: Evidence;
}

/** An agent that did not come to an answer, and what it had used until then. The cause is what it failed with. */
export class AgentFailure extends Error {
  readonly cost: AgentCost;

  constructor(cause: unknown, cost: AgentCost) {
    super('An agent failed.', { cause });
    this.cost = cost;
  }
}

/** Port: one way of answering. Rejects with AbortError on abort, and with AgentFailure around the model's own errors. */
export type Agent<Evidence> = (input: AgentInput, signal: AbortSignal) => Promise<AgentReply<Evidence>>;

export type Agents<Evidence> = Readonly<Partial<Record<AgentName, Agent<Evidence>>>>;
