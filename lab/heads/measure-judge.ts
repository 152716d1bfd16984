import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type BeamChain,
  decide,
  FeatureChainScorer,
  type JointEncoder,
  mostCompleteFirst,
  openJointEncoder,
  PassageProfiles,
  readChainScorerWeights,
  searchChains,
} from '#search/lab';
import { requireData } from '../evaluation/dataset.ts';
import { modelsDir, PLACES, questionsDir } from '../places.ts';
import { figuresOf, type Figures } from '../statistics.ts';
import { openCachingEmbedder } from './caching-embedder.ts';
import { scoreSearch } from './chain-metrics.ts';
import { foldsOfSets, proseSets, trainingOptions } from './chain-sets.ts';
import { folderSets, openFolderIndex } from './folder-sets.ts';
import { learnChains } from './learn-chains.ts';
import { STARTING_HEADS } from './starting-heads.ts';
import { touches } from './unit-cases.ts';

/**
 * `node --import tsx lab/heads/measure-judge.ts`: what the joint encoder's word on whole chains changes
 * (`mostCompleteFirst`), question by question. Wikipedia by heads that are trained anew without the question, as
 * `train:scorer` does; folders (`--folders`, indexed before) by the heads that ship. The encoder has learnt from
 * neither.
 */
const { values } = parseArgs({
  options: {
    ...PLACES,
    folders: { type: 'string', default: path.join(questionsDir, 'newer') },
    prose: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const SEED = 1;

requireData(values.data);
const embedder = await openCachingEmbedder(values.cache);
const profiles = new PassageProfiles(50_000);

type Told = readonly [row: string, column: string, value: number];

/** What each metric is as it was, with the encoder's word, and by how much it differs. */
function compared(row: string, before: Record<string, number>, after: Record<string, number>): Told[] {
  return Object.entries(before).flatMap(([name, was]): Told[] => {
    const is = after[name] ?? 0;
    return [
      [`${row} ${name}`, 'before', was],
      [`${row} ${name}`, 'judged', is],
      [`${row} ${name}`, 'difference', is - was],
    ];
  });
}

const judged = (question: string, chains: readonly BeamChain[], encoder: JointEncoder): Promise<readonly BeamChain[]> =>
  mostCompleteFirst(question, chains, encoder, () => 0);

async function* ofProse(encoder: JointEncoder): AsyncGenerator<Told> {
  const setPorts = { embedder, data: values.data, cache: values.cache, seed: SEED };
  const sets = await proseSets(setPorts, 150);
  const options = trainingOptions(sets, SEED);
  const ports = { embedder, profiles };
  const { searches } = await learnChains(sets.asked, sets.extra, STARTING_HEADS, foldsOfSets([sets]), options, ports);
  for (const search of searches) {
    const chains = decide(search.found.result.chains);
    const after = await judged(search.question.question, chains, encoder);
    const [was, is] = [scoreSearch(search, chains), scoreSearch(search, after)];
    const row = `${search.question.set} ${search.setting}`;
    for (const name of ['chainEM', 'chainF1', 'hops'])
      yield* compared(row, { [name]: was[name] ?? 0 }, { [name]: is[name] ?? 0 });
  }
}

async function* ofFolders(encoder: JointEncoder): AsyncGenerator<Told> {
  const scorer = new FeatureChainScorer(readChainScorerWeights(path.join(modelsDir, 'chain-scorer.json')), profiles);
  for (const { name, kind, questions } of folderSets(values.folders.split(','))) {
    const index = await openFolderIndex(name, { indexes: values.indexes, embedder });
    if (!index) continue;
    for (const { question, evidence, also } of questions.filter(({ type }) => type !== 'null')) {
      const ports = { index, embedder, scorer, profiles, now: () => performance.now() };
      const { result } = await searchChains(ports, question, {});
      const metrics = (chain: BeamChain | undefined): Record<string, number> => {
        const passages = chain?.passages ?? [];
        const covered = evidence.filter((place) => passages.some((passage) => touches(passage, place))).length;
        const right = passages.filter((passage) => [...evidence, ...also].some((place) => touches(passage, place)));
        const [recall, precision] = [covered / evidence.length, right.length / Math.max(1, passages.length)];
        return {
          'a place': Number(covered > 0),
          'chain F1': (2 * precision * recall) / Math.max(1e-9, precision + recall),
          hops: passages.length,
        };
      };
      const [after] = await judged(question, result.chains, encoder);
      yield* compared(kind, metrics(result.chains[0]), metrics(after));
    }
  }
}

function print(figures: Figures): void {
  for (const [row, columns] of Object.entries(figures)) {
    const cells = Object.entries(columns).map(
      ([column, { mean, ci95 }]) => `${column} ${mean.toFixed(3)} [${ci95.map((end) => end.toFixed(3)).join(', ')}]`,
    );
    process.stdout.write(`${row.padEnd(38)} ${cells.join('   ')}\n`);
  }
}

const encoder = await openJointEncoder(modelsDir);
if (!encoder) throw new Error(`There is no joint encoder in ${modelsDir}.`);
for (const told of [...(values.prose ? [ofProse(encoder)] : []), ofFolders(encoder)]) {
  const all: Told[] = [];
  for await (const one of told) all.push(one);
  print(figuresOf(all, SEED));
}
await encoder.close();
await embedder.close();
