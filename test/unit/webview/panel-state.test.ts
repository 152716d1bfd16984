import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ResearchEvent, ToWebview } from '../../../src/vscode/protocol.ts';
import { answeredRun, failedRun, runningRun, stoppedAtStart, stoppedRun } from '../../doubles/panel-runs.ts';
import { turnOf } from '../../doubles/panel-page.ts';
import { announcement } from '../../../webview/announce.ts';
import { applyMessage, initialState, runningTurn } from '../../../webview/panel-state.ts';

const thread = {
  type: 'thread' as const,
  thread: { id: 't', title: 'Batteries', updated: 0, turns: [turnOf(answeredRun)] },
};

describe('applyMessage', () => {
  it('folds events into the turn that they belong to, and ignores other threads', () => {
    const [first, ...rest] = runningRun;
    assert.ok(first);
    let state = applyMessage(applyMessage(initialState, thread), {
      type: 'turn-start',
      threadId: 't',
      turn: turnOf([first]),
    });
    for (const event of rest) state = applyMessage(state, { type: 'event', threadId: 't', event });
    assert.equal(state.turns.length, 2);
    assert.equal(runningTurn(state)?.run.steps.length, 2);
    const untouched = applyMessage(state, { type: 'event', threadId: 'other', event: first });
    assert.equal(untouched, state);
  });

  it('marks the hop of the walk in its turn alone', () => {
    const state = applyMessage(applyMessage(initialState, thread), { type: 'walk', runId: 'answered', passageId: 'p' });
    assert.equal(state.turns[0]?.currentPassageId, 'p');
    assert.equal(
      applyMessage(state, { type: 'walk', runId: 'another', passageId: 'p' }).turns[0]?.currentPassageId,
      undefined,
    );
  });

  it('forgets scope and selection with the thread, unless the scope is pinned', () => {
    const folder = { kind: 'folder' as const, path: 'notes' };
    const selection = { path: 'a.md', startLine: 1, endLine: 2, text: 'x' };
    let state = applyMessage(applyMessage(initialState, thread), {
      type: 'fill-input',
      submit: false,
      scope: folder,
      selection,
    });
    assert.deepEqual([state.scope, state.selection], [folder, selection]);
    state = applyMessage(state, thread);
    assert.deepEqual([state.scope, state.selection], [folder, selection], 'the same thread, shown again');
    const other = { ...thread, thread: { ...thread.thread, id: 'other' } };
    const next = applyMessage(state, other);
    assert.deepEqual([next.scope, next.selection], [{ kind: 'workspace' }, undefined]);
    assert.deepEqual(applyMessage({ ...state, scopePinned: true }, other).scope, folder);
  });

  it('stays as it is after a message that it does not know', () => {
    const state = applyMessage(initialState, thread);
    assert.equal(applyMessage(state, { type: 'of-a-later-version' } as unknown as ToWebview), state);
  });

  it('keeps feedback and shows errors until something new is asked', () => {
    let state = applyMessage(applyMessage(initialState, thread), {
      type: 'feedback',
      runId: 'answered',
      feedback: { rating: 'up', rejectedPassageIds: ['x'] },
    });
    assert.equal(state.turns[0]?.feedback.rating, 'up');
    state = applyMessage(state, { type: 'error', error: { code: 'x', message: 'no' } });
    assert.equal(state.error?.message, 'no');
    assert.equal(applyMessage(state, { type: 'turn-start', threadId: 't', turn: turnOf(runningRun) }).error, undefined);
  });
});

describe('announcement', () => {
  /** What is said from message to message, beginning with an empty thread. */
  function spokenAt(messages: readonly ToWebview[]): string[] {
    let state = applyMessage(initialState, { ...thread, thread: { ...thread.thread, turns: [] } });
    return messages.flatMap((message) => {
      const next = applyMessage(state, message);
      const text = announcement(state, next);
      state = next;
      return text === undefined ? [] : [text];
    });
  }

  /** A turn that is told before its first event, and then its events. */
  const run = (events: readonly ResearchEvent[]): ToWebview[] => [
    { type: 'turn-start', threadId: 't', turn: turnOf([], { runId: events[0]?.runId }) },
    ...events.map((event): ToWebview => ({ type: 'event', threadId: 't', event })),
  ];

  it('counts one source as one', () => {
    const short = answeredRun.map((event) =>
      event.type === 'answer-end'
        ? {
            ...event,
            answer: {
              ...event.answer,
              citations: [],
              chain: { ...event.answer.chain, hops: event.answer.chain.hops.slice(0, 1) },
            },
          }
        : event,
    );
    assert.deepEqual(spokenAt(run(short)), ['Looking for an answer', 'Answer ready, 1 source']);
  });

  it('says that a run began and that it ended, and nothing in between', () => {
    assert.deepEqual(spokenAt(run(answeredRun)), ['Looking for an answer', 'Answer ready, 4 sources']);
    assert.deepEqual(spokenAt(run(stoppedRun)), ['Looking for an answer', 'Stopped. What was found so far is kept.']);
    assert.deepEqual(spokenAt(run(stoppedAtStart)), ['Looking for an answer', 'Stopped before anything was found.']);
  });

  it('says an error once, when it happens, and not when its thread is opened again', () => {
    const error = '127.0.0.1:11434 does not answer. Start the server, or choose another model.';
    assert.deepEqual(
      spokenAt([...run(failedRun), { type: 'feedback', runId: 'failed', feedback: { rejectedPassageIds: [] } }]),
      ['Looking for an answer', error],
    );
    assert.deepEqual(spokenAt([{ ...thread, thread: { ...thread.thread, turns: [turnOf(failedRun)] } }]), []);
  });
});
