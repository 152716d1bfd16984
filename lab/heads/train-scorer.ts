import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ChainHeads, openEmbedder, PassageProfiles, readChainScorerWeights } from '#search/lab';
import { requireData } from '../evaluation/dataset.ts';
import { modelsDir, PLACES } from '../places.ts';
import { CachingEmbedder, openCachingEmbedder } from './caching-embedder.ts';
import { summarise } from './chain-metrics.ts';
import type { Figures } from '../statistics.ts';
import { type ChainSets, codeSets, foldsOfSets, proseSets, trainingOptions } from './chain-sets.ts';
import { FOLDS, log, type CrossValidationPorts } from './cross-validate.ts';
import { learnChains, type LearnedChains, searchByFolds } from './learn-chains.ts';
import type { RecordedSearch } from './recorded-search.ts';
import { STARTING_HEADS } from './starting-heads.ts';

/**
 * `npm run train:scorer`: learns the chain scorer from the question sets and writes
 * `models/chain-scorer.json`. Deterministic for a seed. All figures that it prints and writes
 * down are five-fold cross-validated by question, of repositories and folders by these.
 *
 * `--code-only` leaves the heads for prose as they are; `--notes-folders` teaches them
 * by the folders of notes, too, which the heads that ship are not (lab/EXPERIMENTS.md). With `--embedder-folder
 * FOLDER`, heads are learnt for the vectors of that model: `--out FOLDER` puts them beside it, where
 * searches with it find them.
 */
const { values } = parseArgs({
  options: {
    ...PLACES,
    out: { type: 'string', default: modelsDir },
    'embedder-folder': { type: 'string' },
    'code-only': { type: 'boolean', default: false },
    'notes-folders': { type: 'boolean', default: false },
    /** Chains of prose or code learn in half of the time, and nothing says what they are worth on other questions. */
    unmeasured: { type: 'boolean', default: false },
    evidence: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
  },
});

const METRICS = [
  'recall@1',
  'recall@2',
  'recall@5',
  'recall@10',
  'all@5',
  'all@10',
  'goldLengthEM',
  'chainEM',
  'chainF1',
  'hops',
];

async function main(): Promise<void> {
  requireData(values.data);
  const folder = values['embedder-folder'];
  const embedder =
    folder === undefined
      ? await openCachingEmbedder(values.cache)
      : new CachingEmbedder(
          await openEmbedder({ kind: 'folder', path: folder }, { modelsDir }),
          path.join(values.cache, `vectors-${path.basename(folder)}.bin`),
        );
  const profiles = new PassageProfiles(50_000);
  const ports: CrossValidationPorts = { embedder, profiles };
  const seed = Number(values.seed);
  // The indexes of the folders hold the bundled embedder's vectors.
  const indexes = folder === undefined ? values.indexes : undefined;
  const setPorts = { embedder, data: values.data, cache: values.cache, indexes, seed };
  const codeOf = await codeSets(setPorts);
  const prosePorts = values['notes-folders'] ? setPorts : { ...setPorts, indexes: undefined };
  const proseOf = values['code-only'] ? undefined : await proseSets(prosePorts, Number(values.evidence));
  const all = proseOf ? [proseOf, codeOf] : [codeOf];
  const folds = foldsOfSets(all);
  const shipped = readChainScorerWeights(path.join(modelsDir, 'chain-scorer.json'));

  const learn = async (title: string, sets: ChainSets, before: ChainHeads): Promise<Learned> => {
    const { asked, folders, extra } = sets;
    const options = trainingOptions(sets, seed);
    const learned = await learnChains(
      [...asked, ...folders],
      extra,
      STARTING_HEADS,
      folds,
      options,
      ports,
      !values.unmeasured,
    );
    if (values.unmeasured) return { ...learned, figures: {} };
    const figures = summariseSets(learned.searches, sets);
    print(`${title}, by heads that did not see a question`, figures);
    const by = await searchByFolds([...asked, ...folders], Array<ChainHeads>(FOLDS).fill(before), folds, ports);
    print(`${title}, by the heads in models/, which may have seen them`, summariseSets(by, sets));
    return { ...learned, figures };
  };
  const prose = proseOf && (await learn('prose', proseOf, shipped.prose));
  const transferred =
    prose &&
    !values.unmeasured &&
    summariseSets(await searchByFolds(codeOf.asked, prose.foldHeads, folds, ports), codeOf);
  if (transferred) print('code, by the heads for prose', transferred);
  const code = await learn('code', codeOf, shipped.code ?? shipped.prose);
  const learnt = all.flatMap(({ asked, extra, folders }) => [...asked, ...extra, ...folders]);
  const questions = Object.fromEntries(learnt.map((set) => [set.name, set.questions.length]));
  const before = proseOf ? {} : shipped.trainedOn;
  const entries = (key: string): object => (before[key] ?? {}) as object;
  write('chain-scorer.json', {
    version: 1,
    embedder: embedder.id,
    trainedOn: {
      questions: { ...entries('questions'), ...questions },
      seed,
      crossValidation: {
        ...entries('crossValidation'),
        ...(prose && { prose: prose.figures, codeByProseHeads: transferred }),
        code: code.figures,
      },
    },
    prose: prose?.heads ?? shipped.prose,
    code: code.heads,
  });
  await embedder.close();
}

type Learned = LearnedChains & { figures: Figures };

/** A row for each set, and one for all folders of a kind. */
function summariseSets(searches: readonly RecordedSearch[], { folders }: ChainSets): Figures {
  const names = new Set(folders.map(({ name }) => name));
  const isFolders = ({ question }: RecordedSearch): boolean => names.has(question.set);
  const together = searches
    .filter(isFolders)
    .map((search) => ({ ...search, question: { ...search.question, set: 'folders' } }));
  return summarise([...searches.filter((search) => !isFolders(search)), ...together], METRICS);
}

function write(name: string, value: unknown): void {
  const file = path.join(values.out, name);
  writeFileSync(file, `${JSON.stringify(value)}\n`);
  log(`wrote ${file}`);
}

function print(title: string, figures: Figures): void {
  process.stdout.write(`\n${title}\n`);
  for (const [set, row] of Object.entries(figures)) {
    const cells = Object.entries(row).map(
      ([name, { mean, ci95 }]) => `${name} ${mean.toFixed(3)} [${ci95.map((value) => value.toFixed(2)).join(', ')}]`,
    );
    process.stdout.write(`  ${set}: ${cells.join('  ')}\n`);
  }
}

await main();
