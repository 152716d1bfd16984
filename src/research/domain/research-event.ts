import type { Answer, CritiqueVerdict, SubAnswer, Usage } from './answer.ts';
import type { ErrorReport } from '#base';
import type { Passage, PassageChain, QuestionClassification, SearchHit } from '#search';
import type { OperatorName, Plan } from './plan.ts';
import type { KeptNotice, RunNotice } from './run-notices.ts';

/** The step that an event is of, and the one that it is a part of. */
interface OfStep {
  stepId: string;
  parentStepId?: string;
}

/** What a run tells, by the type of the event. */
interface Events {
  /** First but for a silent model's notice and quotes. `question` stands alone; `asked` was typed. */
  'run-start': { question: string; asked: string; model: string | null };
  /** `usual`: operators of its usual plan; absent without a language model, and once nothing answers the question. */
  'question-classified': { classification: QuestionClassification; usual?: OperatorName[] };
  'strategy-selected': {
    /** Name of the strategy (an operator, a graph's notation, or `belle`). */
    strategy: string;
    /** One line: "looks like a lookup: one retrieval; thorough costs about 6 × as much". */
    reason: string;
    /** Cost relative to the cheapest that uses a model; undefined when unknown. */
    relativeCost?: number;
  };
  'debate-turn': {
    round: number;
    role: 'affirmative' | 'negative' | 'fast' | 'slow' | 'judge';
    text: string;
    /** Operators this turn argues for, when it names a plan. */
    plan?: OperatorName[];
    inputTokens: number;
    outputTokens: number;
  };
  'plan-proposed': { plan: Plan };
  'step-start': OfStep & {
    operator: OperatorName;
    /** The sub-question, or the step's purpose when it has none of its own. */
    question: string;
    /** Steps whose answers it builds on. */
    dependsOn: string[];
  };
  /** What a quick search found, best first, before the first `passages-retrieved`: to look at meanwhile, not kept. */
  'first-hits': { hits: { passage: Passage; score: number }[] };
  /** Quotes in the place of a silent model's answer. Not kept; the answer of a run that ends without one. */
  'quotes-meanwhile': { answer: Answer };
  'passages-retrieved': OfStep & { query: string; hits: SearchHit[]; chain?: PassageChain; milliseconds: number };
  /** The model looked something up by another tool than search: a file's lines, a symbol's uses, a list of files. */
  'tool-used': OfStep & {
    tool: string;
    /** What was asked for, on one line: `src/store.ts:10-60`, `uses of Store.merge`, `docs/**`. */
    asked: string;
    /** Places that were found, at most twenty; `total` counts all. */
    places: { path: string; startLine: number; endLine: number; passageId?: string }[];
    total: number;
    milliseconds: number;
  };
  'sub-answer-ready': OfStep & { subAnswer: SubAnswer };
  /** `of`: one sub-answer, or the last critique of the whole. */
  'critique-ready': OfStep & { of: 'node' | 'answer'; verdict: CritiqueVerdict };
  'step-end': OfStep & {
    outcome: 'answered' | 'nothing-found' | 'rejected' | 'failed' | 'skipped';
    error?: ErrorReport;
  };
  /** Something a person should know that is no error: a cut context, a repaired plan, an index still being built. */
  notice: RunNotice | KeptNotice;
  'answer-delta': { text: string };
  /** The checked answer replaces everything streamed before. */
  'answer-end': { answer: Answer };
  'run-end': { usage: Usage };
  'run-error': { error: ErrorReport; usage: Usage };
  'run-cancelled': { usage: Usage };
}

/** A research event before the run stamps its id and time. */
export type UnstampedEvent = { [Type in keyof Events]: { type: Type } & Events[Type] }[keyof Events];

/** A run is a stream of these; exactly one of run-end, run-error, run-cancelled comes last. */
export type ResearchEvent = UnstampedEvent & {
  runId: string;
  /** Milliseconds since the epoch. */
  time: number;
};

export type DebateTurn = Extract<ResearchEvent, { type: 'debate-turn' }>;
export type FirstHits = Extract<ResearchEvent, { type: 'first-hits' }>;
export type StepEnd = Extract<ResearchEvent, { type: 'step-end' }>;
