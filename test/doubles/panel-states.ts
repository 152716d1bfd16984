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
  codeLeadRun,
  extractiveRun,
  failedAtStart,
  failedRun,
  firstHitsRun,
  nearestRowRun,
  runningRun,
  silentRun,
  stoppedAtStart,
  stoppedRun,
  streamingRun,
  supplierChain,
  supplierQuestion,
  understoodRun,
} from './panel-runs.ts';
import { codeRun } from './panel-code-run.ts';

const freshThread: ToWebview = { type: 'thread', thread: { id: 'new', title: '', updated: 0, turns: [] } };
const noModel: ToWebview = { type: 'model-state', model: { id: null, name: null } };
const suggestions: ToWebview = {
  type: 'suggestions',
  questions: [
    'What does “Radio, not satellite” say about “Satellite trial, autumn 2023”?',
    'What does Relay Mesh say about masts?',
    'What does Wardenpad say about Rookfield Devices?',
  ],
};
const days = 86_400_000;

/** The run moved in time: a running one shows how long it has been running. */
function begunAt(events: readonly ResearchEvent[], start: number): ResearchEvent[] {
  const first = events[0]?.time ?? start;
  return events.map((event) => ({ ...event, time: event.time - first + start }));
}

/** The runs that the states show. */
export interface PanelRuns {
  /** With a language model, a plan and sub-answers. */
  answered: readonly ResearchEvent[];
  /** The same up to some point in the middle, and while the answer is written. */
  running: readonly ResearchEvent[];
  streaming: readonly ResearchEvent[];
  /** What was asked after it. */
  followed: readonly ResearchEvent[];
  /** Without a language model: over notes, over code, and of what no file says. */
  quotes: readonly ResearchEvent[];
  code: readonly ResearchEvent[];
  abstained: readonly ResearchEvent[];
  failed: readonly ResearchEvent[];
  stopped: readonly ResearchEvent[];
}

/** Written by hand, for the tests. */
const writtenRuns: PanelRuns = {
  answered: answeredRun,
  running: runningRun,
  streaming: streamingRun,
  followed: abstainedRun,
  quotes: extractiveRun,
  code: codeRun,
  abstained: abstainedRun,
  failed: failedRun,
  stopped: stoppedRun,
};

/** Name of the language model that a run was asked of; null for quotes. */
const modelOf = (events: readonly ResearchEvent[]): string | null =>
  events.flatMap((event) => (event.type === 'run-start' ? [event.model ?? null] : []))[0] ?? null;

/**
 * Every state that the panel has, as the messages that lead to it; `threads` when its list is open besides. `now` in
 * milliseconds. Tests show runs that are written by hand; pictures show real ones (scripts/pictures/real-runs.ts).
 */
export function panelStates(now: number, runs: PanelRuns = writtenRuns): Record<string, ToWebview[]> {
  const shown = (...of: (readonly ResearchEvent[])[]): ToWebview[] =>
    threadMessages(
      of.map((events) => turnOf(events)),
      modelOf(of[0] ?? []),
    );
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
          passagesToEmbed: 412,
          passagesEmbedded: 176,
          passagesPerSecond: 5.6,
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
    running: shown(begunAt(runs.running, now - 4000)),
    streaming: shown(begunAt(runs.streaming, now - 9000)),
    answer: shown(runs.answered),
    'follow-up': shown(runs.answered, runs.followed),
    quotes: shown(runs.quotes),
    code: shown(runs.code),
    'not-here': shown(runs.abstained),
    'run-failed': shown(runs.failed),
    stopped: shown(runs.stopped),
    'cut-off': threadMessages([turnOf(runs.running, { cutOff: true })], modelOf(runs.running)),
    threads: [...shown(runs.answered), { type: 'threads', activeId: 'thread', threads: keptThreads(now) }],
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
  'first-hits': threadMessages([turnOf(firstHitsRun())], null),
  'silent-model': threadMessages([turnOf(silentRun)]),
  'nearest-row': threadMessages([turnOf(nearestRowRun)], null),
  'code-lead': threadMessages([turnOf(codeLeadRun)], null),
  'empty-folder': [
    openWorkspace,
    {
      type: 'index-state',
      state: { ...readyIndex, coverage: { files: 0, passages: 0, embedded: 0, indexing: false } },
    },
    noModel,
    freshThread,
  ],
  corrected: threadMessages([
    turnOf(understoodRun, {
      selection: { path: 'systems/mast-power.md', startLine: 10, endLine: 12, text: 'Heater: 40 W' },
      without: { passageIds: ['p'], paths: ['people/hamish.md'] },
      feedback: {
        rating: 'down',
        rejectedPassageIds: supplierChain.hops.slice(0, 1).map((hop) => hop.passage.id),
      },
    }),
  ]),
  'offered-chip': [
    ...threadMessages([]),
    { type: 'active-file', path: 'systems/mast-power-and-all-that-belongs-to-it.md' },
  ],
  'selection-chip': [
    ...threadMessages([]),
    { type: 'active-file', path: null },
    {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'folder', path: 'systems' },
      selection: { path: 'systems/mast-power.md', startLine: 10, endLine: 12, text: 'Heater: 40 W' },
    },
  ],
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
