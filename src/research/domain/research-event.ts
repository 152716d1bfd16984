import type { Answer, CritiqueVerdict, SubAnswer, Usage } from './answer.ts';
import type { ErrorReport } from '#base';
import type { Passage, PassageChain, QuestionClassification, SearchHit } from '#search';
import type { OperatorName, Plan } from './plan.ts';

interface EventBase {
  runId: string;
  /** Milliseconds since the epoch. */
  time: number;
}

interface StepBase extends EventBase {
  stepId: string;
  parentStepId?: string;
}

/**
 * First event of a run, but for what is told while a follow-up is rewritten: that the model is silent, and quotes
 * meanwhile. `question` stands alone; `asked` is what was typed when a follow-up was rewritten.
 */
export interface RunStart extends EventBase {
  type: 'run-start';
  question: string;
  asked: string;
  model: string | null;
}
export interface QuestionClassified extends EventBase {
  type: 'question-classified';
  classification: QuestionClassification;
  /** Operators of its usual plan; absent without a language model, and once nothing answers the question. */
  usual?: OperatorName[];
}
export interface StrategySelected extends EventBase {
  type: 'strategy-selected';
  /** Name of the strategy (an operator, a graph's notation, or `belle`). */
  strategy: string;
  /** One line: "looks like a lookup: one retrieval; thorough costs about 6 × as much". */
  reason: string;
  /** Cost relative to the cheapest that uses a model; undefined when unknown. */
  relativeCost?: number;
}
export interface DebateTurn extends EventBase {
  type: 'debate-turn';
  round: number;
  role: 'affirmative' | 'negative' | 'fast' | 'slow' | 'judge';
  text: string;
  /** Operators this turn argues for, when it names a plan. */
  plan?: OperatorName[];
  inputTokens: number;
  outputTokens: number;
}
export interface PlanProposed extends EventBase {
  type: 'plan-proposed';
  plan: Plan;
}
export interface StepStart extends StepBase {
  type: 'step-start';
  operator: OperatorName;
  /** The sub-question, or the step's purpose when it has none of its own. */
  question: string;
  /** Steps whose answers it builds on. */
  dependsOn: string[];
}
/**
 * What a quick search found, best first, told when it comes before the first `passages-retrieved`. To look at
 * meanwhile: nothing is made of it, and it is not kept.
 */
export interface FirstHits extends EventBase {
  type: 'first-hits';
  hits: { passage: Passage; score: number }[];
}
/**
 * Quotes of what was found, told once a language model is silent: they stand in the place of its answer until it
 * answers. Not kept; a run that ends without another answer gives them as its own.
 */
export interface QuotesMeanwhile extends EventBase {
  type: 'quotes-meanwhile';
  answer: Answer;
}
export interface PassagesRetrieved extends StepBase {
  type: 'passages-retrieved';
  query: string;
  hits: SearchHit[];
  chain?: PassageChain;
  milliseconds: number;
}
export interface SubAnswerReady extends StepBase {
  type: 'sub-answer-ready';
  subAnswer: SubAnswer;
}
export interface CritiqueReady extends StepBase {
  type: 'critique-ready';
  /** `node`: one sub-answer; `answer`: the last critique of the whole. */
  of: 'node' | 'answer';
  verdict: CritiqueVerdict;
}
export interface StepEnd extends StepBase {
  type: 'step-end';
  outcome: 'answered' | 'nothing-found' | 'rejected' | 'failed' | 'skipped';
  error?: ErrorReport;
}
/** Something a person should know that is no error: a cut context, a repaired plan, an index still being built. */
export interface RunNotice extends EventBase {
  type: 'notice';
  code: string;
  message: string;
}
export interface AnswerDelta extends EventBase {
  type: 'answer-delta';
  text: string;
}
/** The checked answer replaces everything streamed before. */
export interface AnswerEnd extends EventBase {
  type: 'answer-end';
  answer: Answer;
}
export interface RunEnd extends EventBase {
  type: 'run-end';
  usage: Usage;
}
export interface RunError extends EventBase {
  type: 'run-error';
  error: ErrorReport;
  usage: Usage;
}
export interface RunCancelled extends EventBase {
  type: 'run-cancelled';
  usage: Usage;
}

/** A run is a stream of these; exactly one of run-end, run-error, run-cancelled comes last. */
export type ResearchEvent =
  | RunStart
  | QuestionClassified
  | StrategySelected
  | DebateTurn
  | PlanProposed
  | StepStart
  | FirstHits
  | QuotesMeanwhile
  | PassagesRetrieved
  | SubAnswerReady
  | CritiqueReady
  | StepEnd
  | RunNotice
  | AnswerDelta
  | AnswerEnd
  | RunEnd
  | RunError
  | RunCancelled;

/** A research event before the run stamps its id and time. */
export type UnstampedEvent = ResearchEvent extends infer E
  ? E extends ResearchEvent
    ? Omit<E, 'runId' | 'time'>
    : never
  : never;
