import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Usage } from '../../../../src/research/domain/answer.ts';
import type { ErrorReport } from '../../../../src/base/errors.ts';
import type { ResearchEvent, UnstampedEvent } from '../../../../src/research/domain/research-event.ts';
import { outcomeOf, ResearchFailedError } from '../../../../src/research/tools/agent-words.ts';
import { researchResultText } from '../../../../src/vscode/native/research-result.ts';
import { answeredRun } from '../../../doubles/panel-runs.ts';

const failed: ErrorReport = {
  code: 'model-unreachable',
  message: 'The model does not answer.',
  advice: 'Start it.',
  action: 'retry',
};
const usage: Usage = { calls: 1, inputTokens: 500, outputTokens: 0, estimated: true, retrievals: 2, seconds: 5.5 };

async function* run(...events: (ResearchEvent | UnstampedEvent)[]): AsyncGenerator<ResearchEvent> {
  for (const event of events) yield { runId: 'r', time: 0, ...event };
}
const answered = answeredRun.findLast((event) => event.type === 'answer-end');
const quotes = answered === undefined ? assert.fail('The run has no answer.') : answered;

describe('what the research tool hands to an agent', () => {
  it('is the answer with its sources and its trail', async () => {
    const outcome = await outcomeOf(run(...answeredRun));
    assert.equal(outcome.kind, 'answered');
    const text = outcome.kind === 'answered' ? researchResultText(outcome.answer, outcome.failure) : '';
    const place = String.raw`\[incidents/\S+:\d+-\d+\]\(file:///\S+\.md#L\d+\)`;
    assert.match(text, new RegExp(`Hamish Adeyemi[^]*Sources:\n\\[1\\] ${place}[^]*Trail:\n1\\. ${place}`));
    assert.doesNotMatch(text, /failed|undefined/);
  });

  it('is the quotes with the failure beside them when the model failed after them', async () => {
    const outcome = await outcomeOf(run(quotes, { type: 'run-error', error: failed, usage }));
    assert.deepEqual(outcome, { kind: 'answered', answer: quotes.answer, failure: failed });
    assert.match(
      researchResultText(quotes.answer, failed),
      /Trail:[^]*\(The run failed; what it had found stands above: The model does not answer\.\)$/,
    );
  });

  it('says that quotes are quotes, and which refusal it is', () => {
    const { answer } = quotes;
    assert.match(researchResultText({ ...answer, by: 'extractive' }), /\n\n\(Quotes from the files; no language model/);
    const refusal = researchResultText({
      ...answer,
      abstained: true,
      refusal: 'no-line-answers',
      text: 'These files speak of it; no line was found that answers.\n\n> Claims go through him. [3]',
    });
    assert.match(
      refusal,
      /^These files speak of it; [^]*him\. \[3\]\n\nSources:\n\[1\] [^]*\n\nClosest passages:\n1\. /,
    );
    const none = {
      text: '',
      abstainReason: 'No chain leads there.',
      citations: [],
      chain: { ...answer.chain, hops: [] },
    };
    assert.equal(researchResultText({ ...answer, ...none, abstained: true }), 'No chain leads there.');
  });

  it('is an error of its own, with its advice, when nothing was found before the failure', async () => {
    await assert.rejects(
      outcomeOf(run({ type: 'run-error', error: failed, usage })),
      (error) =>
        error instanceof ResearchFailedError &&
        error.code === 'model-unreachable' &&
        error.message === 'The model does not answer. Start it.',
    );
    await assert.rejects(outcomeOf(run()), /ended without an answer/);
  });

  it('is nothing when the run was cancelled', async () => {
    assert.deepEqual(await outcomeOf(run(quotes, { type: 'run-cancelled', usage })), { kind: 'cancelled' });
  });
});
