import type { Answer, IndexCoverage, SubAnswer } from '../../model/answer.ts';
import type { PassageChain } from '../../model/passage-chain.ts';
import type { Passage } from '../../model/passage.ts';
import type { OperatorName } from '../../model/plan.ts';
import type { Reading } from '../../retrieval/retriever.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import type { NodeRecord } from '../node-record.ts';
import type { DecompositionExample } from '../prompts/decompose.ts';
import type { ResearchOptions } from '../research-options.ts';
import type { RunContext } from '../run-context.ts';

/** A run's context with what operators need beyond the settled part. */
export interface OperatorContext extends RunContext {
  readonly runId: string;
  readonly options: ResearchOptions;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Keeps a sub-answer: later operators see it. */
  keep(subAnswer: SubAnswer): void;
  /** What the last retrieval said about the index. */
  noteCoverage(coverage: IndexCoverage): void;
  /** Tells people once per code and run. */
  notice(code: string, message: string): void;
  /** Decompositions of earlier questions like this one, the most alike last; undefined when nobody has learnt any. */
  examples?(question: string): Promise<readonly DecompositionExample[]>;
  /** Keeps a node for learning, when the options allow it. */
  record(node: Omit<NodeRecord, 'version' | 'runId' | 'time' | 'model' | 'question' | 'kind'>): void;
}

export interface OperatorTask {
  /** The question to answer: the run's own, unless a strategy asks another. */
  question: string;
  /** What the plan wants from this step. */
  purpose: string;
  /** True when this step's answer is the run's: it is streamed while it is written. */
  final: boolean;
  /** The step that runs this operator as a part of itself. */
  parentStepId?: string;
  /** What others answered to the same question, for graphs of agents: seen, not believed. */
  seen?: readonly { by: string; answer: string }[];
}

/** What an operator found. */
export interface OperatorResult {
  operator: OperatorName;
  stepId: string;
  /** undefined: looked, and found nothing. */
  draft?: AnswerDraft;
  /** Why nothing was found, for people. */
  reason?: string;
  /** The trail behind the draft; no hops when nothing was retrieved. */
  chain: PassageChain;
  /** Passages that were read for the draft, best first. */
  evidence: Passage[];
  /** The whole answer, when the operator makes one that needs no assembly: quotes are checked by being cut from the passage. */
  answer?: Answer;
  /** The extractive reading of that evidence; undefined when it was not read that way. */
  reading?: Reading;
}

/** One of BELLE's operators (arXiv 2505.11811, §3.2) or the extractive one. Each can be run alone. */
export interface Operator {
  readonly name: OperatorName;
  readonly needsModel: boolean;
  /** Emits its steps; rejects with AbortError, BudgetExhaustedError or a model's error. */
  run(context: OperatorContext, task: OperatorTask): Promise<OperatorResult>;
}

export const emptyChain: PassageChain = { hops: [], score: 0, completeness: 0 };
