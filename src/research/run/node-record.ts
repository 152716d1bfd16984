import type { CritiqueVerdict } from '../domain/answer.ts';
import type { OperatorName } from '../domain/plan.ts';

/** A passage as a node saw it. */
export interface RecordedPassage {
  id: string;
  path: string;
  startLine: number;
  endLine: number;
  title: string;
  text: string;
}

interface RecordBase {
  /** Version of this form; readers refuse others. */
  version: 1;
  runId: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** The model's id; null without one. */
  model: string | null;
  /** The run's question, standing alone. */
  question: string;
  /** Nodes kept before this one, oldest first: the history that the decomposer saw. */
  history: { question: string; answer: string }[];
}

/**
 * One node of RISE (He et al. 2025): a sub-question, what was retrieved for it, the reply read from that, and the
 * verdict. One JSON line each: the raw material of D_d (question, history → sub-question), D_r (sub-question, passages
 * → answer) and D_c (question, history, node → keep or reject).
 */
export interface NodeRecord extends RecordBase {
  kind: 'node';
  stepId: string;
  parentStepId?: string;
  operator: OperatorName;
  subQuestion: string;
  /** What was searched for: the sub-question, or a thought. */
  query: string;
  passages: RecordedPassage[];
  /** The reply as it came; '' when no model was asked. */
  reply: string;
  /** What was read from the reply; '' when nothing was found. */
  answer: string;
  /** Passages it rests on. */
  passageIds: string[];
  /** null when nothing was criticised (critique off). */
  verdict: CritiqueVerdict | null;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
}

/** The end of a run: where the decomposer should have stopped, and how it came out. */
export interface AnswerRecord extends RecordBase {
  kind: 'answer';
  answer: string;
  abstained: boolean;
  unsupportedCount: number;
  verdict: CritiqueVerdict | null;
}

export type RunRecord = NodeRecord | AnswerRecord;
