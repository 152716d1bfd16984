import type {
  ErrorReport,
  Feedback,
  IndexState,
  ModelState,
  Scope,
  Selection,
  ThreadSummary,
  ThreadTurn,
  ToWebview,
  Without,
} from '#protocol';
import { nextEstimate, type IndexEstimate } from './index-estimate.ts';
import { foldEvent, foldRun } from './fold-run.ts';
import type { RunView } from './run-view.ts';

/** A turn with the fold of its events. The events themselves are not kept here: the extension has them. */
export interface TurnView {
  runId: string;
  question: string;
  scope: Scope;
  run: RunView;
  feedback: Feedback;
  /** The question was asked again, with more effort. */
  harder: boolean;
  selection?: Selection;
  without?: Without;
  /** Passage of the hop that the walk stands on; undefined when it is elsewhere. */
  currentPassageId?: string;
}

/** All that the panel shows. */
export interface PanelState {
  /** In the view, the editor's own title bar has the buttons. */
  place: 'view' | 'editor';
  workspace?: { name: string | null; trusted: boolean; supported: boolean };
  index?: IndexState;
  /** Of the vectors that are being made; undefined: none are, or it is not known yet. */
  estimate?: IndexEstimate;
  model: ModelState;
  suggestions: string[];
  threadId: string | null;
  title: string;
  turns: TurnView[];
  /** Until then, turns may still come. */
  turnsTold: boolean;
  /** What the list of threads shows while it is open; undefined: not told yet. */
  threads?: ThreadSummary[];
  /** Where the next question looks. Another thread begins with the whole workspace, unless it is pinned. */
  scope: Scope;
  scopePinned: boolean;
  /** The lines that the next question is about. */
  selection?: Selection;
  /** The file that the editor shows. */
  activeFile?: string;
  completions: { requestId: number; items: { label: string; detail: string; path: string; line?: number }[] };
  error?: ErrorReport;
  /** What a screen reader says next; changes only when something happened. */
  announcement: string;
}

export const initialState: PanelState = {
  place: 'view',
  model: { name: null, id: null },
  suggestions: [],
  threadId: null,
  title: '',
  turns: [],
  turnsTold: false,
  scope: { kind: 'workspace' },
  scopePinned: false,
  completions: { requestId: 0, items: [] },
  announcement: '',
};

const noFeedback: Feedback = { rejectedPassageIds: [] };

function viewTurn(turn: ThreadTurn): TurnView {
  const { runId, question, scope, selection, without } = turn;
  return {
    runId,
    question,
    scope,
    run: foldRun(turn.events, turn.cutOff),
    feedback: turn.feedback ?? noFeedback,
    harder: turn.harder === true,
    selection,
    without,
  };
}

/**
 * The state after a message from the extension. Messages that only move the input leave it as it is, and so do those
 * that are not known. `now` in milliseconds since the epoch.
 */
export function applyMessage(state: PanelState, message: ToWebview, now = Date.now()): PanelState {
  switch (message.type) {
    case 'index-state':
      return { ...state, index: message.state, estimate: nextEstimate(state.estimate, message.state, now) };
    case 'workspace':
      return { ...state, workspace: { name: message.name, trusted: message.trusted, supported: message.supported } };
    case 'model-state':
      return { ...state, model: message.model };
    case 'suggestions':
      return { ...state, suggestions: message.questions };
    case 'thread': {
      const { id, title, turns } = message.thread;
      const shown = { ...state, threadId: id, title, turns: turns.map(viewTurn), turnsTold: true, error: undefined };
      return id === state.threadId ? shown : { ...shown, ...forNextThread(state) };
    }
    case 'threads': {
      const active = message.threads.find((thread) => thread.id === message.activeId);
      return { ...state, threads: message.threads, title: active?.title ?? state.title };
    }
    case 'turn-start':
      return {
        ...state,
        threadId: message.threadId,
        error: undefined,
        title: state.title || message.turn.question,
        turns: [...state.turns, viewTurn(message.turn)],
      };
    case 'event': {
      if (message.threadId !== state.threadId) return state;
      const turns = state.turns.map((turn) =>
        turn.runId === message.event.runId ? { ...turn, run: foldEvent(turn.run, message.event) } : turn,
      );
      return { ...state, turns };
    }
    case 'feedback':
      return changeTurn(state, message.runId, (turn) => ({ ...turn, feedback: message.feedback }));
    case 'scope':
      return { ...state, scope: joinScopes(state.scope, message.scope) };
    case 'active-file':
      return { ...state, activeFile: message.path ?? undefined };
    case 'completions':
      return { ...state, completions: { requestId: message.requestId, items: message.items } };
    case 'walk':
      return {
        ...state,
        turns: state.turns.map((turn) => ({
          ...turn,
          currentPassageId: turn.runId === message.runId ? message.passageId : undefined,
        })),
      };
    case 'error':
      return { ...state, error: message.error };
    case 'fill-input':
      return {
        ...state,
        ...(message.scope && { scope: message.scope }),
        ...(message.selection && { selection: message.selection }),
      };
    default:
      return state;
  }
}

/** A place that is picked joins those that were; the whole workspace takes the place of all. */
function joinScopes(before: Scope, picked: Scope): Scope {
  if (before.kind === 'workspace' || picked.kind === 'workspace') return picked;
  const pathsOf = (scope: typeof picked): string[] => (scope.kind === 'folder' ? [scope.path] : scope.paths);
  const paths = [...new Set([...pathsOf(before), ...pathsOf(picked)])];
  return paths.length === 1 ? picked : { kind: 'files', paths };
}

/** What the thread before leaves to another one. */
function forNextThread({ scope, scopePinned }: PanelState): Pick<PanelState, 'scope' | 'selection'> {
  return { scope: scopePinned ? scope : { kind: 'workspace' }, selection: undefined };
}

function changeTurn(state: PanelState, runId: string, change: (turn: TurnView) => TurnView): PanelState {
  return { ...state, turns: state.turns.map((turn) => (turn.runId === runId ? change(turn) : turn)) };
}

/** The run that is still going; undefined when none is. */
export function runningTurn(state: PanelState): TurnView | undefined {
  return state.turns.find((turn) => turn.run.status === 'running');
}
