import type { LanguageModel } from '../llm/language-model.ts';
import type { Question, QuestionClassification } from '../model/question.ts';
import type { SubAnswer } from '../model/answer.ts';
import type { UnstampedEvent } from '../model/research-event.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { Budget } from './budget.ts';
import type { PassageLedger } from './passage-ledger.ts';

/** What every operator gets: one per run. */
export interface RunContext {
  signal: AbortSignal;
  emit(event: UnstampedEvent): void;
  budget: Budget;
  retriever: Retriever;
  /** undefined: no language model; operators that need one are not planned then. */
  model: LanguageModel | undefined;
  question: Question;
  classification: QuestionClassification;
  /** Every passage retrieved in this run, numbered for prompts and citations; repeated retrievals are answered from it. */
  ledger: PassageLedger;
  /** Sub-answers kept so far, oldest first. */
  subAnswers: readonly SubAnswer[];
  /** Fresh id for a step. */
  nextStepId(): string;
}
