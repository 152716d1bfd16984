import type {
  ErrorReport,
  Feedback,
  IndexState,
  ModelState,
  RunAction,
  Scope,
  ThreadSummary,
  ThreadTurn,
  ToWebview,
} from '#protocol';
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
  /** Passage of the hop that the walk stands on; undefined when it is elsewhere. */
  currentPassageId?: string;
}

/** All that the panel shows. */
export interface PanelState {
  /** In the view, the editor's own title bar has the buttons. */
  place: 'view' | 'editor';
  workspace?: { name: string | null; trusted: boolean; supported: boolean };
  index?: IndexState;
  model: ModelState;
  suggestions: string[];
  threadId: string | null;
  title: string;
  turns: TurnView[];
  /** What the list of threads shows while it is open; undefined: not told yet. */
  threads?: ThreadSummary[];
  scope: Scope;
  completions: { requestId: number; items: { label: string; detail: string; path: string }[] };
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
  scope: { kind: 'workspace' },
  completions: { requestId: 0, items: [] },
  announcement: '',
};

export type { RunAction };

const noFeedback: Feedback = { rejectedPassageIds: [] };

function viewTurn(turn: ThreadTurn): TurnView {
  const { runId, question, scope } = turn;
  return {
    runId,
    question,
    scope,
    run: foldRun(turn.events, turn.cutOff),
    feedback: turn.feedback ?? noFeedback,
    harder: turn.harder === true,
  };
}

/**
 * The state after a message from the extension. Messages that only move the input leave it as it is, and so do those
 * that are not known.
 */
export function applyMessage(state: PanelState, message: ToWebview): PanelState {
  switch (message.type) {
    case 'index-state':
      return { ...state, index: message.state };
    case 'workspace':
      return { ...state, workspace: { name: message.name, trusted: message.trusted, supported: message.supported } };
    case 'model-state':
      return { ...state, model: message.model };
    case 'suggestions':
      return { ...state, suggestions: message.questions };
    case 'thread': {
      const { id, title, turns } = message.thread;
      return { ...state, threadId: id, title, turns: turns.map(viewTurn), error: undefined };
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
      return { ...state, scope: message.scope };
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
      return message.scope ? { ...state, scope: message.scope } : state;
    default:
      return state;
  }
}

export function changeTurn(state: PanelState, runId: string, change: (turn: TurnView) => TurnView): PanelState {
  return { ...state, turns: state.turns.map((turn) => (turn.runId === runId ? change(turn) : turn)) };
}

/** The run that is still going; undefined when none is. */
export function runningTurn(state: PanelState): TurnView | undefined {
  return state.turns.find((turn) => turn.run.status === 'running');
}
