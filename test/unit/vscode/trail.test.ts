import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../src/research/domain/answer.ts';
import { answerIn } from '../../../src/vscode/threads/turn-passages.ts';
import { shownTrail } from '../../../src/vscode/trail.ts';
import { answeredRun, examplePassage } from '../../doubles/panel-runs.ts';

describe('the shown trail', () => {
  const answer = answerIn(answeredRun) ?? assert.fail('The run has no answer.');
  const [first, second, third] = answer.chain.hops;
  const pathsOf = (shown: Answer): string[] => shownTrail(shown, []).map(({ passage }) => passage.id);
  const cited = (...ids: string[]) => answer.citations.filter(({ passageId }) => ids.includes(passageId));

  it('has a hop for every citation, also for those that the chain lacks', () => {
    const boxes = examplePassage('notes/decisions/0003-heated-battery-boxes.md', 22, 25, 'Decision');
    const extra = { number: 9, passageId: boxes.id, startLine: 22, endLine: 22 };
    const shown = { ...answer, citations: [...answer.citations, extra], passages: [...answer.passages, boxes] };
    assert.deepEqual(pathsOf(shown), [...answer.chain.hops.map(({ passage }) => passage.id), boxes.id]);
  });

  it('leaves out a hop that is neither cited nor explained, and keeps what another follows', () => {
    assert.ok(first && second && third);
    const alone = { ...second, why: { ...second.why, from: undefined } };
    const hops = [first, alone, { ...third, why: { ...third.why, from: 0 } }];
    const shown = { ...answer, chain: { ...answer.chain, hops }, citations: cited(third.passage.id) };
    const trail = shownTrail(shown, []);
    assert.deepEqual(
      trail.map(({ passage, why }) => [passage.id, why.from]),
      [
        [first.passage.id, undefined],
        [third.passage.id, 0],
      ],
    );
  });

  it('shows the closest passages of a refusal as they are', () => {
    assert.equal(pathsOf({ ...answer, abstained: true, citations: [] }).length, answer.chain.hops.length);
  });
});
