import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answeredRun, runningRun } from '../../doubles/panel-runs.ts';
import { turnOf } from '../../doubles/panel-page.ts';
import { announcement } from '../../../webview/announce.ts';
import { applyMessage, initialState, runningTurn } from '../../../webview/panel-state.ts';

const thread = { type: 'thread' as const, thread: { id: 't', title: 'Batteries', updated: 0, turns: [turnOf(answeredRun)] } };

describe('applyMessage', () => {
  it('folds events into the turn that they belong to, and ignores other threads', () => {
    const [first, ...rest] = runningRun;
    assert.ok(first);
    let state = applyMessage(applyMessage(initialState, thread), { type: 'turn-start', threadId: 't', turn: turnOf([first]) });
    for (const event of rest) state = applyMessage(state, { type: 'event', threadId: 't', event });
    assert.equal(state.turns.length, 2);
    assert.equal(runningTurn(state)?.run.steps.length, 2);
    const untouched = applyMessage(state, { type: 'event', threadId: 'other', event: first });
    assert.equal(untouched, state);
  });

  it('marks the hop of the walk in its turn alone', () => {
    const state = applyMessage(applyMessage(initialState, thread), { type: 'walk', runId: 'answered', index: 2 });
    assert.equal(state.turns[0]?.currentHop, 2);
    assert.equal(applyMessage(state, { type: 'walk', runId: 'another', index: 0 }).turns[0]?.currentHop, undefined);
  });

  it('keeps feedback and shows errors until something new is asked', () => {
    let state = applyMessage(applyMessage(initialState, thread), { type: 'feedback', runId: 'answered', feedback: { rating: 'up', rejectedPassageIds: ['x'] } });
    assert.equal(state.turns[0]?.feedback.rating, 'up');
    state = applyMessage(state, { type: 'error', error: { code: 'x', message: 'no' } });
    assert.equal(state.error?.message, 'no');
    assert.equal(applyMessage(state, { type: 'turn-start', threadId: 't', turn: turnOf(runningRun) }).error, undefined);
  });
});

describe('announcement', () => {
  it('says that a run began and that it ended, and nothing in between', () => {
    const [start, ...rest] = answeredRun;
    assert.ok(start);
    let state = applyMessage(initialState, { ...thread, thread: { ...thread.thread, turns: [] } });
    const spoken: string[] = [];
    const take = (message: Parameters<typeof applyMessage>[1]): void => {
      const next = applyMessage(state, message);
      const text = announcement(state, next);
      if (text !== undefined) spoken.push(text);
      state = next;
    };
    take({ type: 'turn-start', threadId: 't', turn: turnOf([start]) });
    for (const event of rest) take({ type: 'event', threadId: 't', event });
    assert.deepEqual(spoken, ['Looking for an answer', 'Answer ready, trail of 4 hops']);
  });
});
