import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import type { OperatorName } from '../../../../src/research/domain/plan.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { type ScriptedReply } from '../../../doubles/scripted-language-model.ts';
import { cooperativeModel } from '../../../doubles/recorded-run.ts';

/** What comes of a run whose planner says this each time that it is asked. */
async function planned(said: ScriptedReply, operators?: readonly OperatorName[]) {
  const model = cooperativeModel({ 'fast-plan': said, 'repair-reply': said });
  const { events } = await runResearch(BORN, {
    retriever: relayRetriever(),
    model,
    options: { debate: 'fast', critique: false, ...(operators && { operators }) },
  });
  const turns = events.flatMap((event) => (event.type === 'debate-turn' ? [event] : []));
  return {
    plan: events.flatMap((event) => (event.type === 'plan-proposed' ? [event.plan] : []))[0],
    turns: turns.map(({ round, role, text, plan }) => ({ round, role, text, plan })),
    tokens: turns.map(({ inputTokens }) => inputTokens),
    notices: events.flatMap((event) => (event.type === 'notice' ? [`${event.code}: ${runNoticeInWords(event)}`] : [])),
  };
}

const proposal = (...plan: OperatorName[]): ScriptedReply => ({ json: { reason: 'I know it.', plan } });

describe('a plan that is made in one call', () => {
  it('is mended without another', async () => {
    const { plan, turns, notices } = await planned(proposal('chain-of-thought', 'single-step', 'single-step'));
    assert.deepEqual([plan?.origin, plan?.steps.map(({ operator }) => operator)], ['repaired', ['single-step']]);
    assert.equal(turns.length, 1);
    assert.deepEqual(notices, [
      'plan-repaired: The proposed plan was repaired: The plan uses an operator twice: the second time would find what the first found.',
    ]);
  });

  for (const plan of [['chain-of-thought'], ['chain-of-thought', 'chain-of-thought']] as const)
    it(`is replaced without another where it looks nothing up: ${plan.join(', ')}`, async () => {
      const made = await planned(proposal(...plan));
      assert.equal(made.plan?.origin, 'default');
      assert.equal(made.turns.length, 1);
      assert.deepEqual(made.notices, [
        'plan-replaced: The proposed plan made no sense: The plan looks nothing up: the answer must come from ' +
          'the files. The usual plan for this type of question is used.',
      ]);
    });

  it('stands without its second turn where nothing but thinking is allowed', async () => {
    const { plan } = await planned(proposal('chain-of-thought', 'chain-of-thought'), ['chain-of-thought']);
    assert.deepEqual([plan?.origin, plan?.steps.length], ['repaired', 1]);
  });

  it('is told as a turn, also where nothing usable was said', async () => {
    const made = await planned('I would rather not.');
    assert.equal(made.plan?.origin, 'default');
    assert.deepEqual(made.turns, [{ round: 1, role: 'fast', text: '(gave no usable reply)', plan: undefined }]);
    assert.ok((made.tokens[0] ?? 0) > 0, 'what it cost is told');
  });
});
