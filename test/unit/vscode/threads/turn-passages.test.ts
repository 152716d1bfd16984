import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PassageChain } from '../../../../src/search/domain/passage-chain.ts';
import type { UnstampedEvent } from '../../../../src/research/domain/research-event.ts';
import { trailIn } from '../../../../src/vscode/threads/turn-passages.ts';
import { foldRun } from '../../../../webview/fold-run.ts';
import { trailOf } from '../../../../webview/run-view.ts';
import {
  abstainedRun,
  answeredRun,
  extractiveRun,
  runningRun,
  stamp,
  supplierChain,
  supplierHits,
} from '../../../doubles/panel-runs.ts';

const part = (from: number, to: number): PassageChain => ({
  ...supplierChain,
  hops: supplierChain.hops.slice(from, to).map((hop) => ({ ...hop, why: { ...hop.why, from: undefined } })),
});
const found = (stepId: string, chain: PassageChain): UnstampedEvent => ({
  type: 'passages-retrieved',
  stepId,
  query: stepId,
  hits: [],
  chain,
  milliseconds: 1,
});
const begun = (stepId: string): UnstampedEvent => ({
  type: 'step-start',
  stepId,
  operator: 'single-step',
  question: stepId,
  dependsOn: [],
});

/** Two steps side by side: the second finds first. */
const twoSteps = stamp('two', [
  { type: 'run-start', question: 'q', asked: 'q', model: null },
  begun('a'),
  begun('b'),
  found('b', part(2, 4)),
  found('a', part(0, 2)),
]);
const citedOnly = answeredRun.map((event) =>
  event.type === 'answer-end'
    ? { ...event, answer: { ...event.answer, chain: { hops: [], score: 0, completeness: 0 } } }
    : event,
);

describe('the trail that the editor walks', () => {
  for (const [name, events] of Object.entries({
    answeredRun,
    abstainedRun,
    extractiveRun,
    runningRun,
    twoSteps,
    citedOnly,
  })) {
    it(`is the one that the panel shows: ${name}`, () => {
      const shown = trailOf(foldRun(events)).map((hop) => hop.passage.id);
      assert.equal(shown.length > 0, name !== 'abstainedRun'); // its nearest passages are shown as such, not as a trail
      assert.deepEqual(
        trailIn(events).map((hop) => hop.passage.id),
        shown,
      );
    });
  }

  it('names a passage once, also where several searches have it in front', () => {
    const [hit] = supplierHits;
    assert.ok(hit);
    const search = (stepId: string): UnstampedEvent => ({
      type: 'passages-retrieved',
      stepId,
      query: stepId,
      hits: [hit],
      milliseconds: 1,
    });
    const trail = trailIn(stamp('twice', [begun('a'), search('a'), begun('b'), search('b')]));
    assert.deepEqual(
      trail.map((hop) => hop.passage.id),
      [hit.passage.id],
    );
  });

  it('joins what all steps have found, in the order of the steps', () => {
    assert.deepEqual(
      trailIn(twoSteps).map((hop) => hop.passage.id),
      supplierChain.hops.map((hop) => hop.passage.id),
    );
  });
});
