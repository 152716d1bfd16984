/**
 * How fast the bundled embedding network is by threads, texts at once and length, as a table of texts a second:
 * `node --import tsx lab/bench/encoder.ts [SECONDS [TOKENS…]]`, so many for each of its cells (4 when none are named),
 * in turns of half a second, so that other work on the machine meets all alike; 32, 128, 256 and 512 tokens. The last
 * row is two copies of the network with a thread each, as the index process has them. Below: how near vectors that were
 * made together are to those made alone, since the network's numbers are scaled by what is in its input.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AutoTokenizer, type PreTrainedModel, Tensor } from '@huggingface/transformers';
import { loadNetwork } from '#search/lab';
import { cosine, mean, normalise } from '#base';
import { modelsDir, root } from '../places.ts';
import { markdownTable, quantile } from '../statistics.ts';

const [SECONDS = 4, ...named] = process.argv.slice(2).map(Number);
const TURN_MS = 500;
const folder = path.join(modelsDir, 'Xenova', 'bge-small-en-v1.5');
const LENGTHS = named.length > 0 ? named : [32, 128, 256, 512];
const BATCHES = [1, 4, 16];
const [CLS, SEP] = [101, 102];

/** Token ids of the documentation, one after the other. */
const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
const text = readdirSync(path.join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(path.join(root, 'docs', name), 'utf8'))
  .join('\n');
const ids: number[] = text.split('\n').flatMap((line) => tokenizer.encode(line, { add_special_tokens: false }));
let next = 0;
const textOf = (length: number): number[] => {
  if (next + length > ids.length) next = 0;
  next += length;
  return [CLS, ...ids.slice(next - length, next - 2), SEP];
};

async function vectorsOf(network: PreTrainedModel, rows: readonly number[][]): Promise<Float32Array[]> {
  const length = rows[0]?.length ?? 0;
  const filled = (value: (id: number) => number): Tensor =>
    new Tensor(
      'int64',
      BigInt64Array.from(rows.flat(), (id) => BigInt(value(id))),
      [rows.length, length],
    );
  const outputs = (await network({
    input_ids: filled((id) => id),
    attention_mask: filled(() => 1),
    token_type_ids: filled(() => 0),
  })) as { last_hidden_state: { dims: number[]; data: Float32Array } };
  const { dims, data } = outputs.last_hidden_state;
  const width = dims[2] ?? 0;
  return rows.map((_, i) => data.slice(i * length * width, i * length * width + width));
}

interface Cell {
  name: string;
  length: number;
  batch: number;
  networks: PreTrainedModel[];
  texts: number;
  milliseconds: number;
}

const load = (threads: number): Promise<PreTrainedModel> =>
  loadNetwork(folder, { dtype: 'q8', subfolder: 'onnx' }, threads);
const [one, two, copy] = [await load(1), await load(2), await load(1)];
const cells: Cell[] = LENGTHS.flatMap((length) => [
  ...BATCHES.flatMap((batch) => [
    { name: `1 thread, ${batch} at once`, length, batch, networks: [one] },
    { name: `2 threads, ${batch} at once`, length, batch, networks: [two] },
  ]),
  { name: '2 copies of 1 thread, 1 at once each', length, batch: 1, networks: [one, copy] },
]).map((cell) => ({ ...cell, texts: 0, milliseconds: 0 }));

for (let turn = 0; turn < Math.max(1, Math.round((SECONDS * 1_000) / TURN_MS)); turn++)
  for (const cell of cells) {
    const began = performance.now();
    do {
      await Promise.all(
        cell.networks.map((network) =>
          vectorsOf(
            network,
            Array.from({ length: cell.batch }, () => textOf(cell.length)),
          ),
        ),
      );
      cell.texts += cell.batch * cell.networks.length;
    } while (performance.now() - began < TURN_MS);
    cell.milliseconds += performance.now() - began;
  }

const rateOf = ({ texts, milliseconds }: Cell): string => ((1_000 * texts) / milliseconds).toFixed(1);
const rows = [...new Set(cells.map(({ name }) => name))].map((name) => [
  name,
  ...cells.filter((cell) => cell.name === name).map(rateOf),
]);
console.log(`${new Date().toISOString().slice(0, 16)}, texts a second\n`);
console.log(markdownTable(['', ...LENGTHS.map((length) => `${length} tokens`)], rows));
const cosines: number[] = [];
for (let i = 0; i < 8; i++) {
  const texts = Array.from({ length: 16 }, () => textOf(128));
  const together = await vectorsOf(two, texts);
  for (const [at, row] of texts.entries()) {
    const [alone] = await vectorsOf(two, [row]);
    const other = together[at];
    if (alone && other) cosines.push(cosine(normalise(alone), normalise(other)));
  }
}
console.log(
  `\nVectors made 16 at once beside those made alone: cosine ${mean(cosines).toFixed(4)} in the mean, ` +
    `${quantile(cosines, 0).toFixed(4)} at the least (${cosines.length} texts of 128 tokens).`,
);
for (const network of [one, two, copy]) await network.dispose();
