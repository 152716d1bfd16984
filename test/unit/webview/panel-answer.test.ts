import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { QuestionType } from '../../../src/search/domain/question.ts';
import { panelForSuite, type PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun, extractiveRun, runningRun, stoppedRun } from '../../doubles/panel-runs.ts';

describe('an answer in the panel', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  panelForSuite((opened) => {
    panel = opened;
  });

  it('is said to take the steps that it took, whatever type of question it seemed to be', async () => {
    /** What the line under the question says before its first dot, of a run that seemed to be of this type. */
    const way = async (type: QuestionType, events: typeof answeredRun): Promise<string | undefined> => {
      const run = events.map((event) =>
        event.type === 'question-classified' ? { ...event, classification: { ...event.classification, type } } : event,
      );
      await panel.send(...threadMessages([turnOf(run)]));
      return (await panel.page.locator('.quiet-line').innerText())
        .trim()
        .replace(/^Reading what was found · /, '')
        .split(' · ')[0];
    };
    const oneStep = answeredRun.filter((event) => !('stepId' in event) || event.stepId === 's1');
    const noStep = stoppedRun.filter((event) => !('stepId' in event));
    const ledByFirst = extractiveRun.map((event) =>
      event.type === 'answer-end' && event.answer.lead
        ? { ...event, answer: { ...event.answer, lead: { ...event.answer.lead, citations: [1] } } }
        : event,
    );
    assert.equal(await way('lookup', answeredRun), 'Several steps');
    assert.equal(await way('inference', oneStep), 'One step');
    assert.equal(await way('comparison', oneStep), 'Comparison');
    assert.equal(await way('lookup', extractiveRun), 'Several steps', 'the trail goes on to the line that leads');
    assert.equal(await way('inference', ledByFirst), 'One step', 'the line that leads is where the trail begins');
    assert.equal(await way('lookup', stoppedRun), 'Several steps');
    assert.equal(await way('inference', noStep), '2.5 s');
    assert.equal(await way('lookup', runningRun), 'Several steps', 'as soon as there are several');
  });
});
