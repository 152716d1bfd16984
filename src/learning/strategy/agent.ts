import { Budget, type OperatorContext, type OperatorName, type SubAnswer, type TokenUsage } from '#research';

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

  override exhausted(): string | undefined {
    return this.#run.exhausted();
  }
}

/** What an agent's operator is given, and what it leaves behind. */
export interface AgentContext extends OperatorContext {
  /** What the agent itself has found, for the run to keep if the agent wins. */
  readonly kept: readonly SubAnswer[];
}

/**
 * The run as one agent of a graph sees it: everything is the run's own but the sub-answers, of which it sees only those
 * it has found itself, and the count of what it uses. What its predecessors said comes with its task.
 */
export function agentContext(run: OperatorContext): AgentContext {
  const { runId, signal, options, retriever, model, operators, question, classification, ledger } = run;
  const kept: SubAnswer[] = [];
  return {
    runId,
    signal,
    options,
    retriever,
    model,
    operators,
    question,
    classification,
    ledger,
    budget: new AgentBudget(run.budget, () => run.now()),
    kept,
    subAnswers: kept,
    keep: (subAnswer) => void kept.push(subAnswer),
    now: () => run.now(),
    emit: (event) => run.emit(event),
    nextStepId: () => run.nextStepId(),
    noteCoverage: (coverage) => run.noteCoverage(coverage),
    notice: (notice, about) => run.notice(notice, about),
    record: (node) => run.record(node),
    recordSplit: (split) => run.recordSplit(split),
  };
}

/** One way of answering. */
export interface AgentDescription {
  /** The operator behind it; undefined: a whole plan and no operator. */
  operator: OperatorName | undefined;
  /** To those that see its answer. */
  introducedAs: string;
  /** In a sentence about a strategy. */
  title: string;
  /** One of the AQA paper's three. */
  ofPaper: boolean;
}

/**
 * Agents of the AQA paper, and the two that Hoptrail sets beside them; weakest first: ties in a vote go to the later.
 */
export const AGENTS = {
  // NoR: the model answers from memory
  'no-retrieval': {
    operator: 'chain-of-thought',
    introducedAs: 'Somebody who looked nothing up',
    title: 'no retrieval',
    ofPaper: true,
  },
  // beam chain with the extractive reader; no language model
  'beam-extractive': {
    operator: 'extractive',
    introducedAs: 'A search for quotes',
    title: 'quotes from the trail',
    ofPaper: false,
  },
  // OneR: one retrieval, then an answer
  'one-retrieval': {
    operator: 'single-step',
    introducedAs: 'Somebody who looked once',
    title: 'one retrieval',
    ofPaper: true,
  },
  // IRCoT: a thought, a retrieval for it, and so on
  ircot: {
    operator: 'iterative-step',
    introducedAs: 'Somebody who looked step by step',
    title: 'step-by-step retrieval',
    ofPaper: true,
  },
  // BELLE's full plan
  belle: { operator: undefined, introducedAs: 'Somebody with a plan', title: 'a full plan', ofPaper: false },
} as const satisfies Record<string, AgentDescription>;

export type AgentName = keyof typeof AGENTS;

/** Every agent, weakest first. */
export const ALL_AGENTS = Object.keys(AGENTS) as readonly AgentName[];

/** The paper's three, weakest first. */
export const PAPER_AGENTS = ALL_AGENTS.filter((agent) => AGENTS[agent].ofPaper);

export const describeAgent = (agent: AgentName): AgentDescription => AGENTS[agent];

/** What a predecessor in the graph said. */
interface SeenAnswer {
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

/**
 * Port: one way of answering. Rejects with AbortError on abort, and with AgentFailure around the model's own errors.
 */
export type Agent<Evidence> = (input: AgentInput, signal: AbortSignal) => Promise<AgentReply<Evidence>>;

export type Agents<Evidence> = Readonly<Partial<Record<AgentName, Agent<Evidence>>>>;
