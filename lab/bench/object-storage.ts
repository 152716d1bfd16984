/**
 * What an index in object storage costs: requests and milliseconds for a first build, an edit, a search, a question, a
 * restart, and a minute of nothing in a window that writes and one that follows. `node --import tsx
 * lab/bench/object-storage.ts [FOLDER]`; this repository's `docs` when no folder is named. Each request takes 20 ms
 * more (LATENCY_MS). With S3_ENDPOINT the server at that address is used, in its bucket `bucket`; else one in memory.
 * Vectors are made up; files, tables, requests and chain heads are real.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../places.ts';
import { benchIndex, benchRetriever, benchService } from './bench-index.ts';
import { HashEmbedder } from '../../test/doubles/hash-embedder.ts';
import { startNetwork, startObjectStore, storageOptions } from '../../test/doubles/object-store-server.ts';

const LATENCY_MS = Number(process.env['LATENCY_MS'] ?? 20);
const TIMES = 10;
const QUESTIONS = [
  'Who may set the place of the index?',
  'Which head scores an extension of a chain?',
  'What is a unit?',
];
const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-object-storage-'));
const folder = path.join(scratch, 'workspace');
cpSync(process.argv[2] ?? path.join(root, 'docs'), folder, { recursive: true });

const store = await startObjectStore();
const network = await startNetwork(store.url, LATENCY_MS);
const embedder = new HashEmbedder();
const config = {
  ...benchIndex(`s3://bucket/${path.basename(scratch)}`, folder),
  storageOptions: storageOptions(network.url),
};
const start = (): ReturnType<typeof benchService> => benchService(async () => embedder);

/** Requests and milliseconds of one time, on average. */
async function measure(what: string, times: number, work: (time: number) => Promise<unknown>): Promise<void> {
  network.counted();
  const began = performance.now();
  for (let time = 0; time < times; time++) await work(time);
  const milliseconds = Math.round((performance.now() - began) / times);
  const counts = Object.entries(network.counted()).map(([kind, count]) => [
    kind,
    Math.round((10 * count) / times) / 10,
  ]);
  process.stdout.write(`${JSON.stringify({ what, milliseconds, ...Object.fromEntries(counts) })}\n`);
}

let service = start();
try {
  await measure('open what is not there', 1, () => service.open(config));
  await measure('first build', 1, () => service.update({}));
  process.stdout.write(`${JSON.stringify(await service.index.coverage())}\n`);
  const retriever = benchRetriever(service);
  const question = (time: number): string => QUESTIONS[time % QUESTIONS.length] ?? '';
  await measure('search, the first ones', QUESTIONS.length, (i) =>
    retriever.search(question(i), { retriever: 'hybrid', limit: 10 }),
  );
  await measure('search', TIMES, (i) => retriever.search(question(i), { retriever: 'hybrid', limit: 10 }));
  await measure('question (chains)', TIMES, (i) => retriever.chains(question(i), {}));
  const edited = path.join(folder, 'edited.md');
  await measure('edit, until it is found by words', TIMES, async (i) => {
    writeFileSync(edited, `# Edited\n\nFor the time ${i}, mark${i}.\n`);
    await service.filesChanged([pathToFileURL(edited).href]);
    const found = await service.index.textSearch(`mark${i}`, { limit: 1 });
    if (found.length !== 1) throw new Error(`edit ${i} is not found`);
  });
  await measure('its links and vectors after that', 1, () => service.update({}));
  await measure('a minute of nothing, writing', 1, () => new Promise((resolve) => setTimeout(resolve, 60_000)));
  const follower = start();
  await measure('open, to follow', 1, () => follower.open({ ...config, follow: true }));
  await service.close();
  await measure('a minute of nothing, following', 1, () => new Promise((resolve) => setTimeout(resolve, 60_000)));
  await measure('search, following', TIMES, (i) => follower.index.textSearch(question(i), { limit: 10 }));
  await follower.close();
  service = start();
  await measure('open again', 1, () => service.open(config));
  await measure('update, nothing changed', 1, () => service.update({}));
} finally {
  await service.close();
  await network.close();
  await store.close();
  rmSync(scratch, { recursive: true, force: true });
}
