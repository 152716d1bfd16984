import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createGatherer, type GatheredAction, gatheredPlan, gatherOutcomes } from '../../../../lab/bandit/gather.ts';
import { planOutcomes } from '../../../../lab/bandit/plan-outcomes.ts';
import type { OutcomeRecord } from '../../../../lab/bandit/outcome-log.ts';
import type { LanguageModel } from '../../../../src/research/language-model/language-model.ts';
import { operators } from '../../../../src/research/operators/operator-registry.ts';
import { apartActions, paperActions } from '../../../../lab/bandit/prior-state.ts';
import { planActions } from '../../../../src/learning/strategy/plan-actions.ts';
import { QUESTION_FEATURES } from '../../../../src/learning/strategy/question-features.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';
import { datasetQuestion } from '../asked.ts';
import { engineOver } from './engine-over.ts';

const question = datasetQuestion({ question: 'Where is rope bought?', answer: 'Tallinn', type: 'lookup' });
const retriever = new ScriptedRetriever([notePassage('rope', 'Rope', 'Rope is bought in Tallinn.')]);

/**
 * Knows the answer only from a passage; anything else asked of it (plans, critiques) gets a reply that says nothing.
 */
const reader = (): ScriptedLanguageModel =>
  new ScriptedLanguageModel(({ prompt, options }) => {
    if (options.schema) return '{}';
    return prompt.includes('<passage')
      ? 'So the answer is: Tallinn [1]\nAnswer: Tallinn\nBecause: Rope is bought in Tallinn. [1]'
      : 'Answer: Riga';
  });

async function gather(
  actions: readonly GatheredAction[],
  model: LanguageModel | undefined,
  signal = new AbortController().signal,
): Promise<OutcomeRecord | undefined> {
  const gatherer = createGatherer(actions, (name) => operators.get(name));
  const engine = engineOver(retriever, 'lookup', { model, selectStrategy: gatherer.select });
  return gatherOutcomes(question, actions, gatherer, { engine, setting: 'pooled', research: {}, signal });
}

describe('gathering outcomes', () => {
  it('tries all 97 graphs with the real operators, sharing their calls', async () => {
    const model = reader();
    const record = await gather(paperActions(), model);
    assert.ok(record);
    const { strategies } = record;
    assert.equal(Object.keys(strategies).length, 97);
    assert.equal(strategies['no-retrieval']?.f1, 0);
    assert.equal(strategies['one-retrieval']?.f1, 1);
    assert.equal(strategies['no-retrieval']?.answer, 'Riga');
    assert.equal(record.features.length, QUESTION_FEATURES.length);
    const charged = Object.values(strategies).reduce((sum, outcome) => sum + outcome.calls, 0);
    assert.ok(model.calls.length < charged / 4, `${model.calls.length} calls for ${charged}`);
    const [one, three] = [strategies['one-retrieval'], strategies['no-retrieval>vote,one-retrieval>vote,ircot>vote']];
    assert.ok((three?.tokens ?? 0) > (one?.tokens ?? 0) && (one?.tokens ?? 0) > 0);
    assert.ok(Object.values(strategies).every((outcome) => outcome.problem === undefined));
  });

  it('asks for quotes and for a whole plan beside them', async () => {
    const record = await gather(apartActions(), reader());
    assert.ok(record?.strategies['belle']);
    assert.equal(record.strategies['beam-extractive']?.calls, 0);
    assert.ok((record.strategies['belle']?.calls ?? 0) > 0);
  });

  it('tries every plan but the usual one, which does what one of them does; each for what it really runs', async () => {
    const plans = planActions();
    const record = await gather(
      plans.flatMap((action) => gatheredPlan(action) ?? []),
      reader(),
    );
    assert.ok(record);
    const tried = plans.filter(({ way }) => way.kind !== 'usual').map(({ name }) => name);
    assert.deepEqual(Object.keys(record.strategies).sort(), tried.sort());
    const calls = (name: string): number => record.strategies[name]?.calls ?? 0;
    assert.ok(calls('planned') > calls('one-retrieval') && calls('planned') < calls('debate'));
    assert.deepEqual(planOutcomes(record)['usual'], record.strategies['one-retrieval'], 'the usual plan is one look');
  });

  it('notes a strategy that fails, and goes on', async () => {
    const failing = new ScriptedLanguageModel(({ prompt }) =>
      prompt.includes('<passage') ? 'Answer: Tallinn [1]' : { error: new Error('out of memory') },
    );
    const record = await gather(paperActions(), failing);
    assert.match(record?.strategies['no-retrieval']?.problem ?? '', /out of memory/);
    assert.equal(record?.strategies['one-retrieval']?.f1, 1);
  });

  it('charges a strategy that fails for what it used until then', async () => {
    let asked = 0;
    const failing = new ScriptedLanguageModel(({ prompt }) => {
      if (!prompt.includes('<passage')) return 'Answer: Riga';
      asked += 1;
      return asked % 2 === 1
        ? 'The rope is bought somewhere else than it is made, as far as can be seen.'
        : { error: new Error('out of memory') };
    });
    const record = await gather(paperActions(['one-retrieval', 'ircot']), failing);
    const failed = record?.strategies['ircot'];
    assert.deepEqual([failed?.problem, failed?.f1, failed?.calls], ['out of memory', 0, 1]);
    assert.ok((failed?.tokens ?? 0) > 0);
    assert.ok(
      (record?.strategies['one-retrieval>vote,ircot>vote']?.calls ?? 0) >
        (record?.strategies['one-retrieval']?.calls ?? 0),
      'who votes on without it is charged for it',
    );
  });

  it('has nothing to gather without a model, and stops when cancelled', async () => {
    assert.equal(await gather(paperActions(), undefined), undefined);
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(gather(paperActions(), reader(), controller.signal), { name: 'AbortError' });
  });
});
