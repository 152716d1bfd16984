import { cutTo } from '#base/text';
import type { PassageFilter } from './passage-chain.ts';

/** BELLE's four types (arXiv 2505.11811, §3.1) and two of ours. `null` is only ever a verdict after looking. */
export type QuestionType = 'inference' | 'comparison' | 'temporal' | 'lookup' | 'overview' | 'null';

export interface QuestionClassification {
  type: QuestionType;
  /** Probabilities that sum to 1 over the types the classifier knows. */
  probabilities: Partial<Record<QuestionType, number>>;
  classifier: 'embedded' | 'examples' | 'zero-shot' | 'fixed';
}

/**
 * Characters of a question that are looked at: classified, searched for, shown to a model. A pasted stack trace fits;
 * what is longer is a document.
 */
export const LONGEST_QUESTION = 4000;

/** As much of a question as is looked at; no character is cut in two. */
export const lookedAt = (question: string): string => cutTo(question, LONGEST_QUESTION);

/** One earlier exchange of a thread, for follow-ups. */
export interface PastTurn {
  question: string;
  answer: string;
}

/** A question with everything a run needs to know about it. */
export interface Question {
  text: string;
  history: PastTurn[];
  /** Where to look; undefined means the whole workspace. */
  scope?: PassageFilter;
  /** The run that answers it has this id, where the asker has shown it as pending already; a new one otherwise. */
  runId?: string;
}
