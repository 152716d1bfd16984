import {
  MAX_QUESTION_LENGTH,
  MAX_SCOPE_FILES,
  type ResearchEvent,
  type ThreadSummary,
  type ToWebview,
} from '../../src/vscode/protocol.ts';
import { openWorkspace, readyIndex, threadMessages, turnOf } from './panel-page.ts';
import {
  abstainedRun,
  answeredRun,
  codeRun,
  extractiveRun,
  failedAtStart,
  failedRun,
  runningRun,
  stoppedAtStart,
  stoppedRun,
  streamingRun,
  supplierQuestion,
} from './panel-runs.ts';

const freshThread: ToWebview = { type: 'thread', thread: { id: 'new', title: '', updated: 0, turns: [] } };
const noModel: ToWebview = { type: 'model-state', model: { id: null, name: null } };
const suggestions: ToWebview = {
  type: 'suggestions',
  questions: [
    'How is The silent weekend connected to Mast Power?',
    'What is said about limits in Mast Power?',
    'How is 0009 Slotted antennas connected to Ice at Kestrel Shoulder?',
  ],
};
const days = 86_400_000;

/** The run moved in time: a running one shows how long it has been running. */
function begunAt(events: readonly ResearchEvent[], start: number): ResearchEvent[] {
  const first = events[0]?.time ?? start;
  return events.map((event) => ({ ...event, time: event.time - first + start }));
}

/**
 * Every state that the panel has, as the messages that lead to it; `threads` when its list is open besides. `now` in
 * milliseconds.
 */
export function panelStates(now: number): Record<string, ToWebview[]> {
  return {
    empty: [openWorkspace, { type: 'index-state', state: readyIndex }, noModel, freshThread, suggestions],
    restricted: [
      { ...openWorkspace, type: 'workspace', name: 'notes', supported: true, trusted: false },
      { type: 'index-state', state: readyIndex },
      noModel,
      freshThread,
      suggestions,
    ],
    'no-folder': [{ type: 'workspace', name: null, trusted: true, supported: true }, noModel, freshThread],
    virtual: [{ type: 'workspace', name: 'remote repository', trusted: true, supported: false }, noModel, freshThread],
    reading: [
      openWorkspace,
      {
        type: 'index-state',
        state: {
          ...readyIndex,
          phase: 'reading',
          filesDone: 21,
          coverage: { files: 21, passages: 130, embedded: 0, indexing: true },
        },
      },
      noModel,
      freshThread,
    ],
    embedding: [
      openWorkspace,
      {
        type: 'index-state',
        state: {
          ...readyIndex,
          phase: 'embedding',
          coverage: { files: 63, passages: 412, embedded: 176, indexing: true },
          secondsLeft: 42,
        },
      },
      noModel,
      freshThread,
      suggestions,
    ],
    paused: [
      openWorkspace,
      {
        type: 'index-state',
        state: {
          ...readyIndex,
          phase: 'paused',
          coverage: { files: 63, passages: 412, embedded: 176, indexing: true },
        },
      },
      noModel,
      freshThread,
      suggestions,
    ],
    'index-failed': [
      openWorkspace,
      {
        type: 'index-state',
        state: {
          ...readyIndex,
          phase: 'failed',
          error: {
            code: 'index-process-unavailable',
            message: 'The index process cannot start: its native module is not built for this processor.',
            advice: 'Install the package for this platform.',
            action: 'show-log',
          },
        },
      },
      noModel,
      freshThread,
    ],
    running: threadMessages([turnOf(begunAt(runningRun, now - 4000))]),
    streaming: threadMessages([turnOf(begunAt(streamingRun, now - 9000))]),
    answer: threadMessages([turnOf(answeredRun)]),
    'follow-up': threadMessages([turnOf(answeredRun), turnOf(abstainedRun)]),
    quotes: threadMessages([turnOf(extractiveRun)], null),
    code: threadMessages([turnOf(codeRun)], null),
    'not-here': threadMessages([turnOf(abstainedRun)]),
    'run-failed': threadMessages([turnOf(failedRun)]),
    stopped: threadMessages([turnOf(stoppedRun)]),
    'cut-off': threadMessages([turnOf(runningRun, { cutOff: true })]),
    threads: [
      ...threadMessages([turnOf(answeredRun)]),
      { type: 'threads', activeId: 'thread', threads: keptThreads(now) },
    ],
  };
}

/** The threads of a workspace, newest first; the first is that of `threadMessages`. `now` in milliseconds. */
export function keptThreads(now: number): ThreadSummary[] {
  return [
    { id: 'thread', title: supplierQuestion, updated: now, turns: 2 },
    { id: 'b', title: 'Which huts had ice?', updated: now - days, turns: 1 },
    { id: 'c', title: 'What happens when a kiln gets too hot?', updated: now - 9 * days, turns: 5 },
  ];
}

/** States that come and go too fast for a picture, or are rare. */
export const rareStates: Record<string, ToWebview[]> = {
  starting: threadMessages([turnOf([], { runId: 'starting', question: supplierQuestion })]),
  'failed-at-start': threadMessages([turnOf(failedAtStart, { question: supplierQuestion })]),
  'stopped-at-start': threadMessages([turnOf(stoppedAtStart, { question: supplierQuestion })]),
  error: [
    ...threadMessages([turnOf(answeredRun)]),
    {
      type: 'error',
      error: {
        code: 'cannot-ask',
        message: 'This thread was deleted.',
        advice: 'Start a new one.',
        action: 'show-log',
      },
    },
  ],
  'too-much': [
    ...threadMessages([]),
    {
      type: 'scope',
      scope: { kind: 'files', paths: Array.from({ length: MAX_SCOPE_FILES + 1 }, (_, index) => `notes/n${index}.md`) },
    },
    { type: 'fill-input', text: 'x'.repeat(MAX_QUESTION_LENGTH + 1), submit: false },
  ],
};
