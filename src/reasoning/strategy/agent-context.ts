import type { LanguageModel, TokenUsage } from '../../llm/language-model.ts';
import type { Usage, SubAnswer, IndexCoverage } from '../../model/answer.ts';
import type { UnstampedEvent } from '../../model/research-event.ts';
import type { Question, QuestionClassification } from '../../model/question.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import { Budget } from '../budget.ts';
import type { OperatorContext } from '../operators/operator.ts';
import type { PassageLedger } from '../passage-ledger.ts';
import type { ResearchOptions } from '../research-options.ts';

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
 * The run as one agent of a graph sees it: everything is the run's own but the sub-answers, of which it sees only those it
 * has found itself, and the count of what it uses. What its predecessors said comes with its task.
 */
export class AgentContext implements OperatorContext {
  readonly budget: AgentBudget;
  readonly #run: OperatorContext;
  readonly #kept: SubAnswer[] = [];

  constructor(run: OperatorContext) {
    this.#run = run;
    this.budget = new AgentBudget(run.budget, () => run.now());
  }

  get runId(): string { return this.#run.runId; }
  get signal(): AbortSignal { return this.#run.signal; }
  get options(): ResearchOptions { return this.#run.options; }
  get retriever(): Retriever { return this.#run.retriever; }
  get model(): LanguageModel | undefined { return this.#run.model; }
  get question(): Question { return this.#run.question; }
  get classification(): QuestionClassification { return this.#run.classification; }
  get ledger(): PassageLedger { return this.#run.ledger; }
  get subAnswers(): readonly SubAnswer[] { return this.#kept; }
  /** What the agent itself has found, for the run to keep if the agent wins. */
  get kept(): readonly SubAnswer[] { return this.#kept; }

  keep(subAnswer: SubAnswer): void {
    this.#kept.push(subAnswer);
  }

  usage(): Usage { return this.budget.usage(); }
  now(): number { return this.#run.now(); }
  emit(event: UnstampedEvent): void { this.#run.emit(event); }
  nextStepId(): string { return this.#run.nextStepId(); }
  noteCoverage(coverage: IndexCoverage): void { this.#run.noteCoverage(coverage); }
  notice(code: string, message: string): void { this.#run.notice(code, message); }
  record(...node: Parameters<OperatorContext['record']>): void { this.#run.record(...node); }
}
