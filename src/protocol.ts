/**
 * Messages between the extension and its webview. The webview imports this file and nothing else of src.
 * Everything is plain JSON. Messages from the webview are untrusted: the extension validates them (vscode/panel/validate.ts).
 */
import type { ErrorReport } from './model/error-report.ts';
import type { IndexState } from './model/index-state.ts';
import type { PassageFilter } from './model/passage-chain.ts';
import type { ResearchEvent } from './model/research-event.ts';

export type * from './model/answer.ts';
export type * from './model/error-report.ts';
export type * from './model/index-state.ts';
export type * from './model/passage-chain.ts';
export type * from './model/passage.ts';
export type * from './model/plan.ts';
export type * from './model/question.ts';
export type * from './model/research-event.ts';

/** Where the next question looks. */
export type Scope =
  | { kind: 'workspace' }
  | { kind: 'folder'; path: string }
  | { kind: 'files'; paths: string[] };

/** One exchange as it is kept: the events are the exchange. */
export interface ThreadTurn {
  runId: string;
  question: string;
  scope: Scope;
  events: ResearchEvent[];
  /** True when the window was closed before the run ended. */
  cutOff: boolean;
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

export interface Feedback {
  rating?: 'up' | 'down';
  /** Passages marked as not belonging. */
  rejectedPassageIds: string[];
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
  | { type: 'completions'; requestId: number; items: { label: string; detail: string; path: string }[] }
  | { type: 'fill-input'; text: string; submit: boolean; scope?: Scope }
  /** The walk along a trail now stands on this hop (0-based); the extension has opened it. */
  | { type: 'walk'; runId: string; index: number }
  | { type: 'error'; error: ErrorReport };

export type FromWebview =
  | { type: 'ready' }
  | { type: 'ask'; question: string; scope: Scope; thorough?: boolean }
  | { type: 'stop'; runId: string }
  | { type: 'open'; runId: string; passageId: string; startLine?: number; endLine?: number; toSide: boolean; /** Keyboard focus stays in the panel. */ preserveFocus?: boolean }
  | { type: 'feedback'; runId: string; feedback: Feedback }
  | { type: 'new-thread' }
  | { type: 'open-thread'; threadId: string }
  | { type: 'rename-thread'; threadId: string; title: string }
  | { type: 'delete-thread'; threadId: string }
  | { type: 'list-threads'; query: string }
  | { type: 'copy'; runId: string }
  | { type: 'export'; what: 'thread' | 'tour'; runId: string }
  | { type: 'insert-answer'; runId: string }
  | { type: 'complete'; requestId: number; prefix: string }
  /** Opens the editor's own list of places to look. */
  | { type: 'pick-scope' }
  | { type: 'run-action'; action: RunAction };

/** What a button in the panel may make the extension do. */
export type RunAction = NonNullable<ErrorReport['action']> | 'pause-index' | 'resume-index' | 'show-report';

/** A scope as the retriever takes it. */
export function scopeFilter(scope: Scope): PassageFilter | undefined {
  switch (scope.kind) {
    case 'workspace': return undefined;
    case 'folder': return { paths: [scope.path] };
    case 'files': return { paths: scope.paths };
  }
}
