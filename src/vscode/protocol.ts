/**
 * Messages between the extension and its webview. The webview imports this file and nothing else of src. Everything is
 * plain JSON. Messages from the webview are untrusted: what they may be is what the extension lets through
 * (vscode/panel/validate.ts).
 */
import type { ErrorReport } from '#base';
import type { IndexState, QuestionType } from '#search';
import type { ResearchEvent } from '#research';
import type { LearningRound, TrainerResult } from '#learning';
import type { Feedback, Scope, Selection, Without } from './panel/validate.ts';

export type * from '#base';
export type * from '#search';
export type * from '#research';
export type {
  Feedback,
  FromLearningPage,
  FromWebview,
  RunAction,
  Scope,
  Selection,
  Without,
} from './panel/validate.ts';
export { actionLabel, indexProgress, questionTypes, refusalLabel, trainerLabel } from './labels.ts';
export { errorInOneText, errorInWords, translateError } from './said-in-errors.ts';
export { answerInWords, leadInWords, noticeInWords, translateSaid } from './said-in-runs.ts';
export { baseName, expression, folderOf, stemOf } from '#base/text';
export { operatorTitle } from '#research/operators';
export { placeOfSubAnswer, shownSubAnswers } from '#research/shown';
export { likelyTypes, type LikelyType } from '#research/types';
export { citedBy, lineOfHop, linesOfHop, openLinks, type OpenLink, shownTrail } from './trail.ts';
export { describeNotices } from '#search/notices';
export { reasonInWords } from '#search/reasons';
export { frontMatterLines, isProseLanguage } from '#search/languages';
export { documentTitle, titleParts } from '#search/titles';
export { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, MAX_SELECTION_LENGTH } from './panel/message-limits.ts';

/** One exchange as it is kept: the events are the exchange. */
export interface ThreadTurn {
  runId: string;
  question: string;
  scope: Scope;
  events: ResearchEvent[];
  /** True when the window was closed before the run ended. */
  cutOff: boolean;
  /** True when the question was asked again, with more effort. */
  harder?: boolean;
  /** The lines that were selected when it was asked. */
  selection?: Selection;
  /** What this run did not look at. */
  without?: Without;
  /** True when it was asked without the history of its thread. */
  asWritten?: boolean;
  feedback?: Feedback;
}

export interface ThreadSummary {
  id: string;
  title: string;
  /** Milliseconds since the epoch. */
  updated: number;
  turns: number;
}

export interface Thread extends Omit<ThreadSummary, 'turns'> {
  turns: ThreadTurn[];
}

/** What the model picker says. */
export interface ModelState {
  /** null: none chosen; answers are extractive. */
  name: string | null;
  id: string | null;
  /** Price per million tokens, when the settings name one. */
  price?: { input: number; output: number; currency: string };
}

export type ToWebview =
  | { type: 'index-state'; state: IndexState }
  | { type: 'workspace'; name: string | null; trusted: boolean; supported: boolean }
  | { type: 'model-state'; model: ModelState }
  | { type: 'suggestions'; questions: string[] }
  | { type: 'thread'; thread: Thread }
  | { type: 'threads'; threads: ThreadSummary[]; activeId: string | null }
  | { type: 'turn-start'; threadId: string; turn: ThreadTurn }
  | { type: 'event'; threadId: string; event: ResearchEvent }
  | { type: 'feedback'; runId: string; feedback: Feedback }
  | { type: 'scope'; scope: Scope }
  /** The file that the editor shows, as the index calls it; null: none of this workspace. */
  | { type: 'active-file'; path: string | null }
  | { type: 'completions'; requestId: number; items: { label: string; detail: string; path: string; line?: number }[] }
  /** Without a text, what is being typed stays. */
  | { type: 'fill-input'; text?: string; submit: boolean; scope?: Scope; selection?: Selection }
  /** A question that could not be asked goes back into the input, where nothing else is being typed. */
  | { type: 'restore-input'; text: string }
  /** The walk along a trail now stands on the hop with this passage; the extension has opened it. */
  | { type: 'walk'; runId: string; passageId: string }
  /** What files are called, by path; those without a title of their own are left out. */
  | { type: 'titles'; titles: Record<string, string> }
  | { type: 'error'; error: ErrorReport };

/** How a strategy has done: mean quality and cost are 0..1. */
export interface StrategyFigures {
  /** As in the settings. */
  name: string;
  /** In words; the name again when there are none. */
  words: string;
  runs: number;
  quality: number;
  cost: number;
}

/**
 * What was in use before against what was learnt, on what was held out: means, 0..1, and the interval of their
 * difference.
 */
export interface RoundScores {
  questions: number;
  before: number;
  after: number;
  low: number;
  high: number;
}

/** What was learnt on this machine, and from how much: what the learning page shows. */
export interface LearningReport {
  /** Runs may teach. */
  enabled: boolean;
  /** The strategy that the settings ask for. */
  strategy: string;
  /** What the choice of strategies started from; null: nothing. */
  prior: string | null;
  /** Runs that taught the choice of strategies. */
  runs: number;
  byType: { type: QuestionType; runs: number; best: StrategyFigures }[];
  strategies: StrategyFigures[];
  /** Examples from runs that ended well: what to ask next (D_d), what passages say (D_r), what to keep (D_c). */
  examples: {
    decomposition: number;
    reading: number;
    critique: number;
    runs: number;
    /** May leave this machine. */ consented: number;
    bytes: number;
    /** Lines that could not be read. */ damaged: number;
  };
  /**
   * What the last round of learning tried; empty when there was none. Scores are means over held-out questions, 0..1.
   */
  round: {
    trainer: string;
    phase: TrainerResult['phase'];
    examples: number;
    scores?: RoundScores;
  }[];
  /** Names of what was learnt in this round or an earlier one and is in use now. */
  inUse: string[];
  /** The last round of fine-tuning at a service; undefined when there was none. */
  fineTuning?: {
    phase: LearningRound['phase'];
    baseModel: string;
    host: string;
    examples: number;
    /** The fine-tuned model that answers now, from this round or an earlier one. */
    inUse?: string;
    scores?: RoundScores;
    problem?: string;
  };
  /** What cannot be read of all that, in words; absent: nothing. */
  damaged?: string[];
  /** What was said about answers in this workspace. */
  judgements: { up: number; down: number; rejectedPassages: number };
}

export type ToLearningPage = { type: 'learning'; report: LearningReport };
