import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ResearchEvent } from '../../../src/vscode/protocol.ts';
import {
  abstainedRun,
  answeredRun,
  failedAtStart,
  failedRun,
  runningRun,
  silentRun,
  stamp,
  stoppedAtStart,
  stoppedRun,
  streamingRun,
  supplierChain,
  supplierHits,
} from '../../doubles/panel-runs.ts';
import { emptyRun, foldEvent, foldRun } from '../../../webview/fold-run.ts';
import { answerInView, secondsOf, trailOf } from '../../../webview/run-view.ts';
import { activityLabel } from '../../../webview/views/labels.ts';

describe('foldRun', () => {
  it('shows a running run: steps with depth, their passages, the trail so far', () => {
    const run = foldRun(runningRun);
    assert.equal(run.status, 'running');
    assert.deepEqual(
      run.steps.map(({ id, depth, status }) => [id, depth, status]),
      [
        ['s1', 0, 'answered'],
        ['s2', 1, 'running'],
      ],
    );
    assert.deepEqual(
      run.activities.map(({ kind }) => kind),
      ['search', 'sub-answer', 'search', 'look'],
    );
    assert.equal(run.debate.length, 3);
    assert.deepEqual(
      trailOf(run).map((hop) => hop.passage.path),
      supplierChain.hops.slice(0, 3).map((hop) => hop.passage.path),
    );
  });

  it('joins the chains of several steps and moves their references', () => {
    const [first, second, third] = supplierChain.hops;
    assert.ok(first && second && third);
    const chain = (hops: typeof supplierChain.hops) => ({ ...supplierChain, hops });
    const retrieved = (stepId: string, hops: typeof supplierChain.hops) => [
      { type: 'step-start' as const, stepId, operator: 'single-step' as const, question: '', dependsOn: [] },
      { type: 'passages-retrieved' as const, stepId, query: '', hits: [], chain: chain(hops), milliseconds: 1 },
    ];
    const run = foldRun(
      stamp('r', [
        ...retrieved('a', [second]),
        ...retrieved('b', [first, { ...third, why: { ...third.why, from: 0 } }, second]),
      ]),
    );
    assert.deepEqual(
      trailOf(run).map((hop) => hop.passage.id),
      [second, first, third].map((hop) => hop.passage.id),
    );
    assert.equal(trailOf(run)[2]?.why.from, 1);
  });

  it('shows first hits until the run is over, however it ends', () => {
    const begun = stamp('r', [
      { type: 'run-start', question: 'q', asked: 'q', model: null },
      { type: 'first-hits', hits: supplierHits },
    ]);
    assert.equal(foldRun(begun).firstHits?.length, supplierHits.length);
    assert.equal(foldRun(begun, true).firstHits, undefined);
    const usage = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0, seconds: 1 };
    for (const end of stamp('r', [
      { type: 'run-end', usage },
      { type: 'run-cancelled', usage },
      { type: 'run-error', usage, error: { code: 'internal', message: 'm' } },
    ]))
      assert.ok(!('firstHits' in foldRun([...begun, end])), end.type);
  });

  it('shows quotes while a model is silent, until it says a word or the run is over', () => {
    const quotes = answerInView(foldRun(silentRun));
    assert.equal(quotes?.by, 'extractive');
    assert.equal(foldRun(silentRun).answer, undefined);
    assert.equal(foldRun(silentRun, true).meanwhile, undefined);
    const [word] = stamp('running', [{ type: 'answer-delta', text: 'At' }]);
    assert.equal(answerInView(foldRun([...silentRun, ...(word ? [word] : [])])), undefined);
    assert.equal(answerInView(foldRun([...silentRun, ...answeredRun]))?.by, 'model');
  });

  it('streams the answer and lets the checked answer replace it', () => {
    assert.match(foldRun(streamingRun).draft, /has to be rung/);
    const run = foldRun(answeredRun);
    assert.equal(run.status, 'done');
    assert.equal(run.answer?.short, 'Hamish Adeyemi');
    assert.equal(run.critique?.reason, 'One statement has no source.');
    assert.equal(secondsOf(run, 0), 14.2);
    assert.equal(trailOf(run).length, 4);
  });

  it('leaves no step spinning when the run is over', () => {
    for (const [events, status] of [
      [failedRun, 'failed'],
      [stoppedRun, 'stopped'],
    ] as const) {
      const run = foldRun(events);
      assert.equal(run.status, status);
      assert.ok(run.steps.every((step) => step.status !== 'running'));
      assert.equal(trailOf(run).length, 3, 'what was found is kept');
    }
    const cut = foldRun(runningRun, true);
    assert.equal(cut.status, 'cut-off');
    assert.equal(cut.steps.at(-1)?.status, 'stopped');
    assert.equal(cut.endedAt, runningRun.at(-1)?.time, 'no clock goes on');
  });

  it('knows an abstention', () => {
    const run = foldRun(abstainedRun);
    assert.equal(run.answer?.abstained, true);
    assert.equal(run.question, 'What did the satellite cost in 2019?');
    assert.equal(run.asked, 'And what did it cost in 2019?');
  });

  it('begins with nothing, and may end at once', () => {
    assert.equal(foldRun([]).status, 'running');
    assert.equal(activityLabel(foldRun([])), 'Starting');
    assert.deepEqual(
      [foldRun(failedAtStart).status, foldRun(failedAtStart).error?.code],
      ['failed', 'index-process-crashed'],
    );
    assert.equal(foldRun(stoppedAtStart).status, 'stopped');
  });

  it('passes over an event that it does not know', () => {
    const [start, ...rest] = answeredRun;
    assert.ok(start);
    const unknown = { ...start, type: 'of-a-later-version' } as unknown as ResearchEvent;
    assert.deepEqual(foldRun([start, unknown, ...rest]), foldRun(answeredRun));
  });

  it('changes nothing of the view before', () => {
    let run = emptyRun;
    for (const event of answeredRun) {
      const before = structuredClone(run);
      const next = foldEvent(run, event);
      assert.deepEqual(run, before);
      run = next;
    }
  });
});
