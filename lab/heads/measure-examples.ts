/**
 * Whether decompositions of good runs help as in-context examples: sub-questions that a model makes of MuSiQue's
 * questions without any, and with the two most alike of the other half's, against those that are known to lead to the
 * answer. Both halves are tested, each with the other's.
 *
 * npx tsx lab/heads/measure-examples.ts --base-url URL --model NAME [--data ../shared/data] [--limit N]
 *
 * The score is the trainer's own (example-pool-trainer.ts): how near the sub-questions come to the known ones, 0..1.
 * Steps that MuSiQue writes as relations ("X >> country") are worded as questions.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedder } from '#search/lab';
import {
  decideGate,
  type DecompositionExample,
  decompositionExamples,
  decompositionNearness,
  type DecompositionRecord,
  type ScoredPair,
} from '#learning/lab';
import { seededRandom, shuffled } from '#base';
import { modelAt } from '#cli/lab';
import { loadQuestions, type DatasetQuestion } from '../evaluation/dataset.ts';
import { modelsDir, PLACES } from '../places.ts';

const { values } = parseArgs({
  options: {
    data: PLACES.data,
    'base-url': { type: 'string' },
    model: { type: 'string' },
    limit: { type: 'string', default: '1000' },
  },
});
const SEED = 1;

function worded(step: string): string {
  const at = step.indexOf(' >> ', 1);
  const asked = at < 0 || at + 4 >= step.length ? step : `What is the ${step.slice(at + 4)} of ${step.slice(0, at)}?`;
  return asked.endsWith('?') ? `${asked.slice(0, -1).trimEnd()}?` : asked;
}

/**
 * A run that went through the known steps, as the experience store would hold it: each asked with the answers before it
 * filled in.
 */
function runOf({ id, question, decomposition = [] }: DatasetQuestion): DecompositionRecord[] {
  const filled = decomposition.map((step) => ({
    ...step,
    question: worded(step.question).replace(/#(\d)/gu, (_, n: string) => decomposition[Number(n) - 1]?.answer ?? ''),
  }));
  return [...filled, undefined].map((step, i) => ({
    version: 1,
    kind: 'decomposition',
    id: `${id}-${i}`,
    runQuestion: question,
    source: { runId: id, stepId: `${i}`, time: i, model: null },
    outcome: ['gold'],
    consent: 'local',
    history: filled.slice(0, i),
    rejected: [],
    next: step?.question ?? null,
  }));
}

const [baseUrl, name] = [values['base-url'], values.model];
if (baseUrl === undefined || name === undefined) throw new Error('Name a model: --base-url URL --model NAME.');
const model = modelAt(baseUrl, name);
const embedder = await openEmbedder({ kind: 'bundled' }, { modelsDir });
const embed = async (texts: readonly string[]): Promise<Float32Array[]> => embedder.embedPassages(texts);
const known = loadQuestions(path.join(values.data, 'musique.jsonl')).filter(
  ({ decomposition }) => decomposition?.length,
);
const examples = shuffled(decompositionExamples(known.flatMap(runOf)), seededRandom(SEED)).slice(
  0,
  Number(values.limit),
);
const half = Math.ceil(examples.length / 2);
const pairs: ScoredPair[] = [];
for (const [tested, pool] of [
  [examples.slice(0, half), examples.slice(half)],
  [examples.slice(half), examples.slice(0, half)],
] as const) {
  for (const example of tested) {
    const score = (shown: readonly DecompositionExample[]): Promise<number> =>
      decompositionNearness({ model, embed }, example, shown, new AbortController().signal);
    pairs.push({ id: example.question, before: await score([]), after: await score(pool) });
    process.stderr.write(`\r${pairs.length}/${examples.length}`);
  }
}
process.stdout.write(`${JSON.stringify(decideGate(pairs, seededRandom(SEED)), null, 1)}\n`);
await embedder.close();
