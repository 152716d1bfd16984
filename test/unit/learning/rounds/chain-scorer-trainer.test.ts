import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { acceptedChains, deriveRecords } from '../../../../src/learning/experience/derive-records.ts';
import { isQuestionHeldOut } from '../../../../src/learning/gate.ts';
import { chainScorerTrainer } from '../../../../src/learning/rounds/trainers.ts';
import { readChainScorerWeights } from '../../../../src/search/retrieval/chain-scorer.ts';
import type { ChainLearner, LabelledTrail, TrailScore } from '../../../../src/search/retrieval/heads/chain-learner.ts';
import { ending, node, passageOf } from '../experience/run-records.ts';

const signal = new AbortController().signal;
const split = { seed: 1, share: 0.3 };
const shipped = readChainScorerWeights('models/chain-scorer.json');

/** Notes what it is taught and asked; what it learns finds every passage, what the product came with none. */
class NotingLearner implements ChainLearner {
  taught: LabelledTrail[] = [];
  asked: LabelledTrail[] = [];
  async train(trails: readonly LabelledTrail[]): ReturnType<ChainLearner['train']> {
    this.taught = [...trails];
    return { ...shipped, trainedOn: { mine: trails.length } };
  }
  async score(weights: Parameters<ChainLearner['score']>[0], trails: readonly LabelledTrail[]): Promise<TrailScore[]> {
    this.asked = [...trails];
    return trails.map(({ id }) => ({ id, recall5: weights ? 1 : 0, chainEM: weights ? 1 : 0 }));
  }
  async use(): Promise<void> {}
}

/** Two hundred runs of two steps each: three trails of a run, over the same two passages. */
const runs = Array.from({ length: 200 }, (_, i) => {
  const run = { runId: `run-${i}`, question: `In which country is the rope of ship ${i} bought?` };
  return deriveRecords(
    [
      node('s1', {
        ...run,
        subQuestion: `Where is the rope of ship ${i} bought?`,
        passages: [passageOf(`rope-${i}`, 'It is bought in Tallinn.')],
        passageIds: [`rope-${i}`],
      }),
      node('s2', {
        ...run,
        subQuestion: `In which country is the town of ship ${i}?`,
        passages: [passageOf(`town-${i}`, 'Estonia.')],
        answer: 'Estonia',
        passageIds: [`town-${i}`],
      }),
      ending(run),
    ],
    {},
  ).records;
});
const trails = acceptedChains(runs.flat()).map(({ question, runQuestion, runId, passages }, i): LabelledTrail => ({
  id: `${runId}/${i}`,
  question,
  runQuestion,
  passageIds: passages.map(({ id }) => id),
}));

describe('chain scorer trainer', () => {
  it('never learns from a part of a run that it is judged by', async () => {
    const learner = new NotingLearner();
    const trainer = chainScorerTrainer({ trails: async () => trails, learner, split });
    const candidate = await trainer.train(signal);
    const pairs = await trainer.compare({ before: undefined, after: candidate }, signal);
    assert.equal(trails.length, 600);
    assert.equal(await trainer.examples(), learner.taught.length);
    assert.equal(learner.taught.length + learner.asked.length, 600);
    assert.ok(learner.asked.length > 100);
    const passages = (some: readonly LabelledTrail[]): Set<string> =>
      new Set(some.flatMap(({ passageIds }) => passageIds));
    const [taught, asked] = [passages(learner.taught), passages(learner.asked)];
    assert.deepEqual(
      [...taught].filter((id) => asked.has(id)),
      [],
      'the sub-questions of a run are on the side of the run',
    );
    assert.equal(
      new Set(pairs.map(({ id }) => id)).size * 3,
      pairs.length,
      'the three trails of a run are one observation',
    );
    assert.ok(
      pairs.every(
        ({ id, before, after }) => id.includes('in which country is the rope') && before === 0 && after === 1,
      ),
    );
  });

  it('does not learn what it is asked where two runs led to the same sub-question', async () => {
    const held = trails.find(({ runQuestion = '' }) => isQuestionHeldOut(runQuestion, split));
    const trained = trails.find(({ runQuestion = '' }) => !isQuestionHeldOut(runQuestion, split));
    assert.ok(held && trained);
    const learner = new NotingLearner();
    const shared = ['a', 'b'].map((id, i): LabelledTrail => ({
      id,
      question: i === 0 ? 'Who is Nora Berg?' : 'who is Nora Berg? ',
      runQuestion: (i === 0 ? held : trained).runQuestion ?? '',
      passageIds: ['nora'],
    }));
    await chainScorerTrainer({ trails: async () => shared, learner, split }).train(signal);
    assert.deepEqual(learner.taught, []);
  });

  it('compares only what both sides can find', async () => {
    const learner = new NotingLearner();
    learner.score = async (weights, some) =>
      some.slice(weights ? 0 : 1).map(({ id }) => ({ id, recall5: 0.5, chainEM: 0 }));
    const trainer = chainScorerTrainer({ trails: async () => trails, learner, split });
    const pairs = await trainer.compare({ before: undefined, after: shipped }, signal);
    assert.ok(pairs.length > 0 && pairs.length % 3 === 2);
    assert.deepEqual(pairs[0] && [pairs[0].before, pairs[0].after], [0.25, 0.25]);
  });
});
