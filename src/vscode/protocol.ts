/**
 * Messages between the extension and its webview. The webview imports this file and nothing else of src. Everything is
 * plain JSON. Messages from the webview are untrusted: what they may be is what the extension lets through
 * (vscode/panel/validate.ts).
 */
import type { ErrorReport } from '#base';
import type { IndexState } from '#search';
import type { ResearchEvent } from '#research';
import type { Feedback, Scope, Selection, Without } from './panel/validate.ts';

export type * from '#base';
export type * from '#search';
export type * from '#research';
export type { Feedback, FromWebview, RunAction, Scope, Selection, Without } from './panel/validate.ts';
export { actionLabel, indexProgress, refusalLabel, typeLabel } from './labels.ts';
export { errorInOneText, errorInWords } from './error-words.ts';
export { runNoticeInWords } from '#research/notices';
export { baseName, expression, folderOf, stemOf } from '#base/text';
export { operatorTitle } from '#research/operators';
export { citedBy, lineOfHop, linesOfHop, shownTrail } from './trail.ts';
export { describeNotices } from '#search/notices';
export { reasonInWords } from '#search/reasons';
export { frontMatterLines, isProseLanguage } from '#search/languages';
export { titleParts } from '#search/titles';
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
  | { type: 'error'; error: ErrorReport };
