/**
 * How long a person looks at nothing: from the question to the first hits, to the first trail, and to the answer's end,
 * in the same runs, over about 5,000 passages of a folder's files.
 * `node --import tsx lab/bench/first-hits.ts DIR [PASSAGES [QUESTIONS]]`. Questions are made of titles in DIR. Vectors
 * of passages are made up (a model would take minutes and changes nothing here); those of questions are the model's.
 * Goals: first hits in at most half the time of the first trail; the answer's p95 at most 1.5 s.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { normalise, seededRandom } from '#base';
import { createResearcher, defaultResearchOptions } from '#research';
import { type Embedder, lastTitle, openEmbedder, openJointEncoder, titleParts } from '#search/lab';
import { modelsDir } from '../places.ts';
import { benchIndex, benchRetriever, benchService } from './bench-index.ts';
import { instead } from '../instead.ts';
import { quantile, rounded, timesOf } from '../statistics.ts';

const from = process.argv[2];
if (from === undefined)
  throw new Error('Which folder? node --import tsx lab/bench/first-hits.ts DIR [PASSAGES [QUESTIONS]]');
const PASSAGES = Number(process.argv[3] ?? 5000);
/** What a passage of code or notes has on average: to know how many files are enough. */
const BYTES_PER_PASSAGE = 1000;
const LONGEST_FILE = 100_000;
const WARM_UP = 3;
const QUESTIONS = Number(process.argv[4] ?? 40);

const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-first-hits-'));
const folder = path.join(scratch, 'files');
const random = seededRandom(1);

/** Takes files of the folder until they make about as many passages as wanted. */
function copyFiles(): void {
  let bytes = 0;
  for (const name of readdirSync(from ?? '', { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:md|rst|txt|py|ts|js)$/.test(name) || bytes > PASSAGES * BYTES_PER_PASSAGE) continue;
    const file = path.join(from ?? '', name);
    const { size } = statSync(file);
    if (size === 0 || size > LONGEST_FILE) continue;
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    cpSync(file, path.join(folder, name));
    bytes += size;
  }
}

async function openBenchEmbedder(): Promise<Embedder> {
  const real = await openEmbedder({ kind: 'bundled' }, { modelsDir });
  return instead(real, {
    id: 'bench/made-up-passages',
    embedPassages: async (texts) =>
      texts.map(() => normalise(Float32Array.from({ length: real.dimensions }, () => random() - 0.5))),
  });
}

const service = benchService(openBenchEmbedder);
const encoder = await openJointEncoder(modelsDir);

try {
  copyFiles();
  await service.open(benchIndex(path.join(scratch, 'index'), folder));
  const { passages } = await service.update({});
  const retriever = benchRetriever(service, service.index, () => Promise.resolve(encoder));
  const research = createResearcher({
    retriever,
    model: undefined,
    // As long as the real one takes: it embeds the question as well.
    classifier: {
      classify: async (question, signal) => {
        await retriever.embed([question], signal);
        return { type: 'inference', probabilities: { inference: 1 }, classifier: 'fixed' };
      },
    },
    now: () => performance.now(),
    newId: () => 'bench',
  });

  const titles: string[] = [];
  for (const { path: file } of (await service.report()).files)
    for (const { title } of await service.passagesOf(file)) if (titleParts(title).length > 1) titles.push(title);
  const pick = (): string => lastTitle(titles[Math.floor(random() * titles.length)] ?? '');

  /** Milliseconds from the question to the first event of a type, with and without the search for first hits. */
  const ask = async (question: string, firstHits: boolean): Promise<{ hits: number; trail: number; end: number }> => {
    const began = performance.now();
    const at = { hits: Number.NaN, trail: Number.NaN, end: Number.NaN };
    const options = { ...defaultResearchOptions, firstHits };
    for await (const event of research({ text: question, history: [] }, options, new AbortController().signal)) {
      if (event.type === 'first-hits') at.hits = event.time - began;
      if (event.type === 'passages-retrieved' && Number.isNaN(at.trail)) at.trail = event.time - began;
      if (event.type === 'run-end') at.end = event.time - began;
    }
    return at;
  };

  const hits: number[] = [];
  const trail: number[] = [];
  const end: number[] = [];
  const bare: number[] = [];
  let late = 0;
  for (let i = 0; i < WARM_UP + QUESTIONS; i++) {
    const question = `What does ${pick()} have to do with ${pick()}?`;
    const without = i % 2 === 0 ? await ask(question, false) : undefined;
    const found = await ask(question, true);
    const { trail: alone } = without ?? (await ask(question, false));
    if (i < WARM_UP) continue;
    if (Number.isNaN(found.hits)) late += 1;
    else hits.push(found.hits);
    trail.push(found.trail);
    end.push(found.end);
    bare.push(alone);
  }
  const ratio = (a: readonly number[], b: readonly number[]): number => rounded(quantile(a, 0.5) / quantile(b, 0.5), 2);
  console.log(
    JSON.stringify(
      {
        passages,
        questions: QUESTIONS,
        firstHits: timesOf(hits),
        firstTrail: timesOf(trail),
        firstTrailAlone: timesOf(bare),
        answer: timesOf(end),
        /** Questions whose trail came first. */
        late,
        hitsOverTrail: ratio(hits, trail),
        /** What the search beside it costs the trail. */
        trailOverAlone: ratio(trail, bare),
      },
      undefined,
      2,
    ),
  );
} finally {
  await encoder?.close();
  await service.close();
  rmSync(scratch, { recursive: true, force: true });
}
