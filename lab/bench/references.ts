/**
 * What 100,000 edges of a program cost, some thousands by keys (events, routes, settings) among them: bytes in the
 * index, time and memory of the graph that is made of them, and an edit beside the same edit in an index that keeps no
 * references, in turns. `node --import tsx lab/bench/references.ts [EDGES]`; one line of JSON. The program is made up,
 * files, tables and edges are real; vectors are hashed bags of words. Either index runs the patterns over what it reads
 * (`lab/bench/indexing.ts` has that in its figure): what is compared is writing and keeping what they find. Goals: less
 * than 50 MB, and no more time for an edit.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '#base';
import { createIndexLayout, type Embedder } from '#search/lab';
import { benchIndex, benchService, passagesTable } from './bench-index.ts';
import { WordEmbedder } from '../../test/doubles/word-embedder.ts';
import { instead } from '../instead.ts';
import { bootstrapInterval, rounded, timesOf } from '../statistics.ts';

const edges = Number(process.argv[2] ?? 100_000);
const METHODS = 20;
const CALLS = 5;
const EDITS = 40;
const WARM_UP = 4;
const random = seededRandom(1);
const files = Math.ceil(edges / (METHODS * CALLS));
const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-references-'));
const folder = path.join(scratch, 'program');
const fileAt = (file: number): string => path.join(folder, `part${file % 40}`, `store-${file}.ts`);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** Settings of the files of one folder, which read them by their keys. */
const settingsText = (part: number, keys: readonly number[]): string =>
  [`part${part}:`, ...keys.map((file) => `  limit${file}: ${file}`), ''].join('\n');

/**
 * A class whose methods call those of the classes that its file imports; it tells what has changed by an event, hears
 * of the next one's, asks a route and reads a setting and a variable of the environment.
 */
function programText(file: number, edit: number): string {
  const others = [1, 2, 3].map((step) => (file + step * 7) % files);
  const imports = others.map((other) => `import { Store${other} } from '../part${other % 40}/store-${other}.ts';`);
  const methods = Array.from({ length: METHODS }, (_, method) => {
    const calls = Array.from({ length: CALLS }, (_call, call) => {
      const other = others[call % others.length] ?? file;
      return `    this.other${call % others.length}.step${Math.floor(random() * METHODS)}Of${other}(key);`;
    });
    return [
      `  /** Takes step ${method}, edit ${edit}. */`,
      `  step${method}Of${file}(key: string): void {`,
      ...calls,
      '  }',
    ];
  });
  const fields = others.map((other, i) => `  readonly other${i} = new Store${other}();`);
  const keys = [
    `  wire${file}(bus: Bus, app: App): void {`,
    `    bus.emit('store${file}.changed', this);`,
    `    bus.on('store${others[0]}.changed', refresh);`,
    `    app.get('/stores/${file}', show);`,
    `    fetch('/stores/${others[1]}');`,
    `    limit(config.get('part${file % 40}.limit${file}'), process.env.STORE_${file}_SIZE);`,
    '  }',
  ];
  return [...imports, '', `export class Store${file} {`, ...fields, ...methods.flat(), ...keys, '}', ''].join('\n');
}

const openWords = async (): Promise<Embedder> =>
  instead<Embedder>(new WordEmbedder(), { countTokens: (text) => Math.ceil(text.length / 4) });

/** Bytes of the column of references, and of the whole index on disk. */
async function bytesOf(indexUri: string): Promise<{ column: number; disk: number }> {
  const table = await passagesTable(indexUri);
  const rows = (await table.query().select(['references']).toArray()) as { references: string | null }[];
  return {
    column: rows.reduce((sum, { references }) => sum + Buffer.byteLength(references ?? ''), 0),
    disk: (await createIndexLayout(indexUri).bytes()) ?? 0,
  };
}

const megabytes = (bytes: number): number => rounded(bytes / 2 ** 20, 2);

/** Whose passages have their references, and whose lack them. */
const services = {
  with: benchService(openWords),
  without: benchService(openWords, {
    onRead: (file) =>
      'passages' in file
        ? { ...file, passages: file.passages.map((passage) => ({ ...passage, references: undefined })) }
        : file,
  }),
};
const uriOf = (name: string): string => path.join(scratch, `index-${name}`);
try {
  for (let file = 0; file < files; file++) {
    mkdirSync(path.dirname(fileAt(file)), { recursive: true });
    writeFileSync(fileAt(file), programText(file, 0));
  }
  const all = Array.from({ length: files }, (_, file) => file);
  for (let part = 0; part < 40; part++) {
    const own = all.filter((file) => file % 40 === part);
    writeFileSync(path.join(folder, `part${part}.yaml`), settingsText(part, own));
    const variables = own.map((file) => `STORE_${file}_SIZE=${file}\n`).join('');
    writeFileSync(path.join(folder, `part${part}`, '.env.example'), variables);
  }
  for (const [name, service] of Object.entries(services)) {
    await service.open(benchIndex(uriOf(name), folder));
    await service.update({});
  }
  const { index } = services.with;
  const [kept, bare] = [await bytesOf(uriOf('with')), await bytesOf(uriOf('without'))];

  const empty = heap();
  const began = performance.now();
  const graph = await index.references();
  const readMs = performance.now() - began;
  if (!graph) throw new Error('the index has no references');
  const made = heap();
  const started = performance.now();
  let [resolved, byKeys] = [0, 0];
  for (const file of graph.program.files.values())
    for (const use of file.uses) {
      resolved += graph.edgesOf(use).length;
      if (use.kind === 'key') byKeys += graph.keyEdgesOf(use).length;
    }
  const resolveMs = performance.now() - started;
  const whole = heap();

  const edits: Record<keyof typeof services, number[]> = { with: [], without: [] };
  const readAgain: number[] = [];
  for (let edit = 1; edit <= WARM_UP + EDITS; edit++) {
    const file = Math.floor(random() * files);
    writeFileSync(fileAt(file), programText(file, edit));
    const order = ['with', 'without'] as const;
    for (const name of edit % 2 === 0 ? order : [...order].reverse()) {
      const before = performance.now();
      await services[name].filesChanged([pathToFileURL(fileAt(file)).href]);
      if (edit > WARM_UP) edits[name].push(performance.now() - before);
    }
    // What the next list waits for; a search takes the graph of before.
    const before = performance.now();
    await index.references();
    if (edit > WARM_UP) readAgain.push(performance.now() - before);
  }
  const ratios = edits.with.map((ms, i) => ms / (edits.without[i] ?? ms));
  process.stdout.write(
    `${JSON.stringify({
      files,
      passages: (await index.coverage()).passages,
      edges: resolved + byKeys,
      edgesByKeys: byKeys,
      megabytes: {
        column: megabytes(kept.column),
        onDisk: megabytes(kept.disk - bare.disk),
        wholeIndex: megabytes(kept.disk),
      },
      graph: {
        readMs: rounded(readMs, 2),
        heapMegabytes: megabytes(made - empty),
        resolveAllMs: rounded(resolveMs, 2),
        heapResolvedMegabytes: megabytes(whole - empty),
        readAgainAfterEditMs: timesOf(readAgain, 2),
      },
      editMs: { with: timesOf(edits.with, 2), without: timesOf(edits.without, 2) },
      editWithOverWithout: {
        p50: timesOf(ratios, 2).p50,
        ci95: bootstrapInterval(ratios, 1).map((end) => rounded(end, 2)),
      },
    })}\n`,
  );
} finally {
  await Promise.all(Object.values(services).map((service) => service.close()));
  rmSync(scratch, { recursive: true, force: true });
}
