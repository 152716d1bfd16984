import type { Passage } from '#search';
import type { CritiqueVerdict } from '../domain/answer.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import type { OperatorName } from '../domain/plan.ts';

/** A passage as a node saw it. */
export type RecordedPassage = Pick<Passage, 'id' | 'path' | 'startLine' | 'endLine' | 'title' | 'text'>;

/** One call of a run as it was sent, and the reply that was used, as it came. */
export interface SentPrompt {
  messages: ChatMessage[];
  reply: string;
}

interface RecordBase {
  runId: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** The model's id; null without one. */
  model: string | null;
  /** The run's question, standing alone. */
  question: string;
}

interface WithHistory extends RecordBase {
  /** Nodes kept before this one, oldest first: the history that the decomposer saw. */
  history: { question: string; answer: string }[];
}

/**
 * One node of RISE (He et al. 2025): a sub-question, what was retrieved for it, the reply read from that, and the
 * verdict: the raw material of D_d (question, history → sub-question), D_r (sub-question, passages → answer) and D_c
 * (question, history, node → keep or reject).
 */
export interface NodeRecord extends WithHistory {
  kind: 'node';
  stepId: string;
  parentStepId?: string;
  operator: OperatorName;
  subQuestion: string;
  passages: RecordedPassage[];
  /** The reply as it came; '' when no model was asked. */
  reply: string;
  /** What was read from the reply; '' when nothing was found. */
  answer: string;
  /** Passages it rests on. */
  passageIds: string[];
  /** null when nothing was criticised (critique off). */
  verdict: CritiqueVerdict | null;
  /** Its calls: what asked for the sub-question, read the passages, judged the answer; each where there was one. */
  sent?: { asked?: SentPrompt; read?: SentPrompt; judged?: SentPrompt };
}

/** A question that was split into sub-questions before any of them was looked up. */
export interface SplitRecord extends RecordBase {
  kind: 'split';
  /** The step whose children look them up. */
  stepId: string;
  subQuestions: string[];
  /** With the examples of earlier runs that were shown: who forgets such a run forgets this call, too. */
  sent: SentPrompt;
}

/** The end of a run: where the decomposer should have stopped, and how it came out. */
export interface AnswerRecord extends WithHistory {
  kind: 'answer';
  answer: string;
  abstained: boolean;
  unsupportedCount: number;
  /** Its statements, which the last critique saw. */
  reasons: string[];
  /** Passages that it cites. */
  passageIds: string[];
  /** Of the last critique; null where there was none. */
  verdict: CritiqueVerdict | null;
  /** The call of the last critique, where a model gave the verdict. */
  sent?: SentPrompt;
}

export type RunRecord = NodeRecord | SplitRecord | AnswerRecord;

type Stamp = keyof RecordBase;
/** What is recorded; the run adds the rest. */
export type UnstampedRecord = Omit<NodeRecord, Stamp> | Omit<SplitRecord, Stamp> | Omit<AnswerRecord, Stamp>;
