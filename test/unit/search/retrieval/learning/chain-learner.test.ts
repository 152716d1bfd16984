import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage, PassageLink } from '../../../../../src/search/domain/passage.ts';
import { readChainScorerWeights, type ChainHeads } from '../../../../../src/search/retrieval/chain-scorer.ts';
import { PassageProfiles } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { FeatureChainScorer } from '../../../../../src/search/retrieval/feature-chain-scorer.ts';
import { HeadsInUse } from '../../../../../src/search/retrieval/heads/heads-in-use.ts';
import {
  createChainLearner,
  type ChainLearner,
  type LabelledTrail,
} from '../../../../../src/search/retrieval/heads/chain-learner.ts';
import { MemoryPassageIndex } from '../../../../../lab/heads/memory-passage-index.ts';
import { WordEmbedder } from '../../../../doubles/word-embedder.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

const PLACES = [
  'Arbor',
  'Birk',
  'Cedrin',
  'Dorn',
  'Elmet',
  'Fenwick',
  'Gorse',
  'Holm',
  'Ivel',
  'Juno',
  'Kestrel',
  'Larch',
];

const note = (id: string, title: string, text: string, links: PassageLink[] = []): Passage =>
  notePassage(id, title, text, { links });

/**
 * A mast at each place, its keeper, and where the keeper comes from; the trail to the keeper's town is of three notes.
 */
const NOTES = PLACES.flatMap((place, i) => [
  note(`mast-${i}`, `Mast at ${place}`, `The mast at ${place} is kept by Keeper ${place}son.`, [
    { kind: 'wikilink', target: `Keeper ${place}son`, line: 1, path: `notes/keeper-${i}.md` },
  ]),
  note(
    `keeper-${i}`,
    `Keeper ${place}son`,
    `Keeper ${place}son came in ${1980 + i} and lives in the house by the ford.`,
  ),
  note(`shed-${i}`, `Shed at ${place}`, `The shed at ${place} was built when nobody was there in ${1950 + i}.`),
]);
const TRAILS: LabelledTrail[] = PLACES.map((place, i) => ({
  id: `q${i}`,
  question: `When did the keeper of the mast at ${place} come?`,
  passageIds: [`mast-${i}`, `keeper-${i}`],
}));

async function learnerOver(notes: readonly Passage[]): Promise<{ learner: ChainLearner; scorer: FeatureChainScorer }> {
  const embedder = new WordEmbedder();
  const vectors = await embedder.embedPassages(notes.map(({ title, text }) => `${title}\n${text}`));
  const index = new MemoryPassageIndex(notes.map((passage, i) => ({ ...passage, vector: vectors[i] })));
  const profiles = new PassageProfiles();
  const shipped = readChainScorerWeights('models/chain-scorer.json');
  const scorer = new FeatureChainScorer(shipped, profiles);
  return {
    learner: createChainLearner({ index, embedder, profiles, now: () => 0 }, new HeadsInUse(shipped, scorer)),
    scorer,
  };
}

describe('chain learner', function () {
  this.timeout(60_000);

  it('learns from trails without getting worse on others of their kind, and the same from the same', async () => {
    const { learner } = await learnerOver(NOTES);
    const [taught, asked] = [TRAILS.slice(0, 8), TRAILS.slice(8)];
    const weights = await learner.train(taught, 1);
    const again = await (await learnerOver(NOTES)).learner.train(taught, 1);
    assert.deepEqual(again, weights);
    const mean = async (heads: typeof weights | undefined): Promise<number> => {
      const scores = await learner.score(heads, asked);
      assert.equal(scores.length, asked.length);
      return scores.reduce((sum, score) => sum + score.recall5 + score.chainEM, 0) / scores.length;
    };
    assert.ok((await mean(weights)) >= (await mean(undefined)), 'held-out trails are found at least as well');
  });

  it('adds trees to the heads for prose and leaves those for code as they are', async () => {
    const { learner } = await learnerOver(NOTES);
    const shipped = readChainScorerWeights('models/chain-scorer.json');
    const weights = await learner.train(TRAILS.slice(0, 3), 1);
    const size = (heads: ChainHeads | undefined): number[] =>
      [heads?.first, heads?.next, heads?.complete].map((head) => (head?.kind === 'trees' ? head.trees.length : 0));
    assert.ok(size(weights.prose).every((trees, i) => trees > (size(shipped.prose)[i] ?? 0)));
    assert.deepEqual(weights.code, shipped.code);
  });

  it('leaves out trails whose passages are gone, and stops when asked', async () => {
    const { learner } = await learnerOver(NOTES);
    assert.deepEqual(
      await learner.score(undefined, [{ id: 'gone', question: 'Where?', passageIds: ['mast-0', 'burnt'] }]),
      [],
    );
    await assert.rejects(learner.train(TRAILS, 1, AbortSignal.abort()), { name: 'AbortError' });
  });
});
