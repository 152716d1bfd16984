/**
 * What a choice of strategy costs: the features of a question, the choice among the product's plans and the paper's 97
 * graphs, and what is learnt of one outcome, each over the encoder's embedding of the same question. `node --import tsx
 * lab/bench/strategy.ts`. Goals: features without their search below 50 ms; choosing and learning below 1 ms; the
 * estimate as good after 100,000 updates as a model solved anew. Making a model of what is stored takes longer: it is
 * done while the first question is on its way, and after runs.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { seededRandom } from '#base';
import { openEmbedder, type SearchHit } from '#search/lab';
import { annealedExploration, planActions, QUESTION_FEATURES, questionFeatures, SharedLinUcb } from '#learning/lab';
import { modelsDir, root } from '../places.ts';
import { quantile, rounded, timesOf } from '../statistics.ts';
import { actionFeatures, decodeBandit, paperActions } from '../bandit/prior-state.ts';

const ROUNDS = 400;
const UPDATES = 100_000;
const random = seededRandom(1);
const question =
  'Which of the two cabinets that stand at the northern masts was serviced by the firm whose founder also ' +
  'built the relay of 1998?';

/** Ten passages of the repository's own documents: as long as they come. */
const lines = readFileSync(path.join(root, 'DESIGN.md'), 'utf8').split('\n');
const hits = Array.from({ length: 10 }, (_, i): SearchHit => ({
  score: 1,
  folded: [],
  parts: { vector: { rank: i + 1, score: 0.8 - i / 50 }, text: { rank: i + 1, score: 9 - i } },
  passage: {
    id: `p${i}`,
    uri: `file:///p${i}`,
    path: `p${i}.md`,
    startLine: 1,
    endLine: 20,
    kind: 'section',
    language: 'markdown',
    title: `Part ${i}`,
    text: lines.slice(8 * i, 8 * i + 20).join('\n'),
    contentHash: `${i}`,
    links: [],
  },
}));
const features = (): Float64Array =>
  questionFeatures({
    question,
    historyLength: 1,
    classification: { type: 'inference', probabilities: { inference: 0.7, lookup: 0.3 }, classifier: 'embedded' },
    hits,
    model: { id: 'openai:qwen2.5-7b@127.0.0.1:1', contextTokens: 8192 },
  });

async function time(work: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const started = performance.now();
    await work();
    if (i >= ROUNDS / 10) times.push(performance.now() - started);
  }
  return times;
}

const plans = planActions();
const fresh = (structures: readonly Float64Array[]): SharedLinUcb =>
  new SharedLinUcb(structures, QUESTION_FEATURES.length, { exploration: annealedExploration() });
const prior: unknown = JSON.parse(readFileSync(path.join(modelsDir, 'bandit-prior.json'), 'utf8'));
const decoded = (): SharedLinUcb => decodeBandit(prior, plans, annealedExploration());
const product = decoded();
const paper = fresh(paperActions().map((action) => actionFeatures(action.graph)));
const x = features();
const embedder = await openEmbedder({ kind: 'bundled' }, { modelsDir });
const figures: Record<string, { p50: number; p95: number; overEmbedding?: number }> = {};
const bare = await time(() => embedder.embedQuery(question));
const parts: [string, () => unknown][] = [
  ['features', features],
  [`choose among ${plans.length}`, () => product.choose(x, 0.5)],
  ['choose among 97', () => paper.choose(x, 0.5)],
  [
    `learn with ${plans.length}`,
    () => product.learn(x, Math.floor(random() * plans.length), { quality: random(), cost: random() }),
  ],
  ['learn with 97', () => paper.learn(x, Math.floor(random() * 97), { quality: random(), cost: random() })],
  [`make the model of ${plans.length} (not on the way of a choice)`, decoded],
];
for (const [name, work] of parts) {
  const times = await time(work);
  figures[name] = {
    ...timesOf(times, 3),
    overEmbedding: rounded(quantile(times, 0.5) / quantile(bare, 0.5), 3),
  };
}
figures['embedding'] = timesOf(bare, 3);
await embedder.close();

/** Updates one by one against the same outcomes in parts that are inverted anew. */
const worked = fresh(plans.map((action) => action.structure));
for (let i = 0; i < UPDATES; i++)
  worked.learn(
    Float64Array.from(QUESTION_FEATURES, (_, at) => (at === 0 ? 1 : random())),
    i % plans.length,
    { quality: random(), cost: random() },
  );
const solved = new SharedLinUcb(
  plans.map((action) => action.structure),
  QUESTION_FEATURES.length,
  { learnt: worked.model.parts(), steps: worked.steps },
);
const [before, after] = [worked.estimate(x), solved.estimate(x)];
const drift = Math.max(
  ...before.map((estimate, i) =>
    Math.max(
      Math.abs(estimate.expected.quality - (after[i]?.expected.quality ?? NaN)),
      Math.abs(estimate.width - (after[i]?.width ?? NaN)),
    ),
  ),
);
process.stdout.write(
  `${JSON.stringify({ milliseconds: figures, driftAfterUpdates: { updates: UPDATES, largest: drift } }, null, 1)}\n`,
);
