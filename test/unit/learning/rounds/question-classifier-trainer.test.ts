import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { readClassifierModel, readQuestionExamples } from '../../../../src/research/classify/classifier-model.ts';
import { EmbeddedClassifier } from '../../../../src/research/classify/create-classifiers.ts';
import { decideGate, isQuestionHeldOut } from '../../../../src/learning/gate.ts';
import { classifierOf, questionClassifierTrainer, typeByTrail } from '../../../../src/learning/rounds/trainers.ts';
import type { LabelledTrail } from '../../../../src/search/retrieval/heads/chain-learner.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';
import type { Embedder } from '../../../../src/search/embedding/embedder.ts';
import { openOnnxEmbedder } from '../../../../src/search/embedding/open-embedder.ts';

const signal = new AbortController().signal;
const models = fileURLToPath(new URL('../../../../models', import.meta.url));
const shipped = () => readClassifierModel(join(models, 'question-classifier.json'));
const rehearsed = () => readQuestionExamples(join(models, 'question-examples.json'));
/** The encoder that ships: the classifier reads its vectors, and learns nothing that can be judged from others. */
let embedder: Embedder;
const vectors = new Map<string, Promise<Float32Array>>();
const vectorOf = (text: string): Promise<Float32Array> => {
  const vector = vectors.get(text) ?? embedder.embedQuery(text);
  vectors.set(text, vector);
  return vector;
};
const embed = (texts: readonly string[]): Promise<Float32Array[]> => Promise.all(texts.map(vectorOf));
const split = { seed: 1, share: 0.3 };

/**
 * A user whose runbook answers in one section what sounds like several hops; and who asks real ones of several, too.
 */
const things = ['pump', 'valve', 'boiler', 'crane', 'winch', 'ferry', 'tower', 'lamp', 'gauge', 'hatch'];
const people = ['maker', 'keeper', 'owner', 'inspector', 'painter'];
const trails: LabelledTrail[] = things.flatMap((thing) =>
  people.map((person, i): LabelledTrail => ({
    id: `${thing}-${person}`,
    question: `Who is the ${person} of the company that delivered the runbook ${thing}?`,
    passageIds: i === 4 ? [`${thing}-a`, `${thing}-b`] : [thing],
  })),
);

describe('typeByTrail', () => {
  it('decides between lookup and several hops by the trail, and leaves the rest to the wording', () => {
    const of = (type: 'lookup' | 'inference' | 'comparison' | 'overview', probabilities = {}) => ({
      type,
      probabilities,
    });
    assert.equal(typeByTrail(1, of('inference')), 'lookup');
    assert.equal(typeByTrail(2, of('inference')), 'inference');
    assert.equal(typeByTrail(3, of('lookup', { lookup: 0.6, temporal: 0.3, inference: 0.1 })), 'temporal');
    assert.equal(typeByTrail(1, of('comparison')), 'comparison');
    assert.equal(typeByTrail(1, of('overview')), 'overview');
  });
});

describe('question classifier trainer', function () {
  this.timeout(60_000);
  before(async () => {
    embedder = await openOnnxEmbedder({ folder: join(models, 'Xenova/bge-small-en-v1.5') });
  });
  after(() => embedder.close());

  const trainer = questionClassifierTrainer({ trails: async () => trails, shipped, rehearsed, embed, split });

  it('learns that questions of this corpus are lookups where one passage answers them, and wins the gate', async () => {
    assert.ok((await trainer.examples()) >= trainer.least);
    const candidate: unknown = JSON.parse(JSON.stringify(await trainer.train(signal)));
    const pairs = await trainer.compare({ before: undefined, after: candidate }, signal);
    assert.ok(pairs.length >= 8);
    const verdict = decideGate(pairs, seededRandom(1));
    assert.ok(verdict.wins, JSON.stringify(verdict));
    assert.ok(verdict.after > verdict.before);
    const learnt = new EmbeddedClassifier(classifierOf(candidate) ?? (await shipped()), embed);
    assert.equal(
      (await learnt.classify('Who is the keeper of the company that delivered the runbook hatch?')).type,
      'lookup',
    );
    for (const [question, type] of [
      ['Did Mara visit the hut before Odd did?', 'temporal'],
      ['Are the pump and the winch made in the same town?', 'comparison'],
    ] as const)
      assert.equal((await learnt.classify(question)).type, type, 'what it was not taught about stays');
  });

  it('never learns from a part of a run that it is judged by, and judges the parts as one', async () => {
    const parts = trails.map((trail, i) => ({ ...trail, runQuestion: `Run ${Math.floor(i / 2)}?` }));
    const ofRuns = questionClassifierTrainer({ trails: async () => parts, shipped, rehearsed, embed, split });
    const kept = parts.filter(({ runQuestion }) => !isQuestionHeldOut(runQuestion, split));
    assert.equal(await ofRuns.examples(), kept.length);
    const pairs = await ofRuns.compare({ before: undefined, after: undefined }, signal);
    assert.equal(pairs.length, parts.length - kept.length);
    assert.deepEqual(
      [...new Set(pairs.map(({ id }) => id))].sort(),
      [
        ...new Set(parts.filter((part) => !kept.includes(part)).map(({ runQuestion }) => runQuestion.toLowerCase())),
      ].sort(),
    );
  });

  it('is deterministic, and changes nothing that it was not given', async () => {
    assert.deepEqual(await trainer.train(signal), await trainer.train(signal));
    const model = await shipped();
    assert.deepEqual(
      await questionClassifierTrainer({ trails: async () => [], shipped, rehearsed, embed, split }).train(signal),
      model,
    );
  });

  it('does not win where the trails say what the words say', async () => {
    const plain = trails.map((trail) => ({ ...trail, passageIds: ['a', 'b'] }));
    const agreeing = questionClassifierTrainer({ trails: async () => plain, shipped, rehearsed, embed, split });
    const pairs = await agreeing.compare({ before: undefined, after: await agreeing.train(signal) }, signal);
    assert.ok(!decideGate(pairs, seededRandom(1)).wins);
  });
});
