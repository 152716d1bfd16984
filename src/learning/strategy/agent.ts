import {
  Budget,
  type LanguageModel,
  type OperatorContext,
  type OperatorName,
  type PassageLedger,
  type ResearchOptions,
  type SubAnswer,
  type TokenUsage,
  type UnstampedEvent,
  type Usage,
} from '#research';
import type { IndexCoverage, Question, QuestionClassification, Retriever } from '#search';

/** Counts one agent's use apart, and passes it on to the run's budget, whose limits hold for all agents together. */
export class AgentBudget extends Budget {
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

/**
 * The run as one agent of a graph sees it: everything is the run's own but the sub-answers, of which it sees only those
 * it has found itself, and the count of what it uses. What its predecessors said comes with its task.
 */
export class AgentContext implements OperatorContext {
  readonly budget: AgentBudget;
  readonly #run: OperatorContext;
  readonly #kept: SubAnswer[] = [];

  constructor(run: OperatorContext) {
    this.#run = run;
    this.budget = new AgentBudget(run.budget, () => run.now());
  }

  get runId(): string {
    return this.#run.runId;
  }
  get signal(): AbortSignal {
    return this.#run.signal;
  }
  get options(): ResearchOptions {
    return this.#run.options;
  }
  get retriever(): Retriever {
    return this.#run.retriever;
  }
  get model(): LanguageModel | undefined {
    return this.#run.model;
  }
  get question(): Question {
    return this.#run.question;
  }
  get classification(): QuestionClassification {
    return this.#run.classification;
  }
  get ledger(): PassageLedger {
    return this.#run.ledger;
  }
  get subAnswers(): readonly SubAnswer[] {
    return this.#kept;
  }
  /** What the agent itself has found, for the run to keep if the agent wins. */
  get kept(): readonly SubAnswer[] {
    return this.#kept;
  }

  keep(subAnswer: SubAnswer): void {
    this.#kept.push(subAnswer);
  }

  usage(): Usage {
    return this.budget.usage();
  }
  now(): number {
    return this.#run.now();
  }
  emit(event: UnstampedEvent): void {
    this.#run.emit(event);
  }
  nextStepId(): string {
    return this.#run.nextStepId();
  }
  noteCoverage(coverage: IndexCoverage): void {
    this.#run.noteCoverage(coverage);
  }
  notice(code: string, message: string): void {
    this.#run.notice(code, message);
  }
  record(...node: Parameters<OperatorContext['record']>): void {
    this.#run.record(...node);
  }
  recordSplit(...split: Parameters<OperatorContext['recordSplit']>): void {
    this.#run.recordSplit(...split);
  }
}

/** One way of answering. */
interface AgentDescription {
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
const AGENTS = {
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

/** Those that are an operator, and so can stand in a graph of a run. */
export const OPERATOR_AGENTS = ALL_AGENTS.filter((agent) => describeAgent(agent).operator !== undefined);

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
