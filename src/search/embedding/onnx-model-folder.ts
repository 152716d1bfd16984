import type { Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { hashOfParts } from '#base';
import { EmbeddingModelError } from './embedder.ts';

/** What a folder with an ONNX embedding model says about itself. */
export interface OnnxModelFolder {
  folder: string;
  /** transformers.js's name for the weights' precision. */
  dtype: 'q8' | 'fp32';
  /** Folder of the ONNX file inside `folder`: `onnx`, or '' when it lies beside config.json. */
  subfolder: string;
  dimensions: number;
  /** Longest input in tokens, special tokens included. */
  maxTokens: number;
  pooling: 'cls' | 'mean';
  queryPrefix: string;
  passagePrefix: string;
  /** The one language that the model learnt, as its name says it. */
  language?: 'en';
  /** Differs whenever the model, its precision or its use differs. */
  id: string;
}

type Json = Record<string, unknown>;

const ONNX_FILES: readonly { subfolder: string; name: string; dtype: OnnxModelFolder['dtype'] }[] = [
  { subfolder: 'onnx', name: 'model_quantized.onnx', dtype: 'q8' },
  { subfolder: 'onnx', name: 'model.onnx', dtype: 'fp32' },
  { subfolder: '', name: 'model_quantized.onnx', dtype: 'q8' },
  { subfolder: '', name: 'model.onnx', dtype: 'fp32' },
];
const BGE_QUERY_PREFIX = 'Represent this sentence for searching relevant passages: ';

/**
 * Reads a model folder in transformers.js layout. Throws EmbeddingModelError that names the file and what is wrong with
 * it.
 */
export async function readModelFolder(folder: string): Promise<OnnxModelFolder> {
  const found = await statOrMissing(folder, '');
  if (!found) throw new EmbeddingModelError(folder, 'there is no such folder');
  if (!found.isDirectory()) throw new EmbeddingModelError(folder, 'it is not a folder');
  const config = await requiredJson(folder, 'config.json');
  await requiredJson(folder, 'tokenizer.json');
  const tokenizer = (await optionalJson(folder, 'tokenizer_config.json')) ?? {};
  const weights = await findWeights(folder);

  const dimensions = firstNumber(config, ['hidden_size', 'dim', 'd_model', 'n_embd']);
  if (dimensions === undefined) throw new EmbeddingModelError(folder, 'config.json names no hidden_size');
  const positions = firstNumber(config, ['max_position_embeddings', 'n_positions']) ?? 512;
  const longest = firstNumber(tokenizer, ['model_max_length']) ?? positions;
  const maxTokens = Math.max(8, Math.min(positions, longest, 8192));

  const name = path.basename(folder);
  const pooling = await readPooling(folder, name);
  const { query, passage } = await readPrefixes(folder, name);
  const fingerprint = await fingerprintOf(
    path.join(folder, weights.subfolder, weights.name),
    path.join(folder, 'tokenizer.json'),
  );
  return {
    folder,
    dtype: weights.dtype,
    subfolder: weights.subfolder,
    dimensions,
    maxTokens,
    pooling,
    queryPrefix: query,
    passagePrefix: passage,
    ...(isEnglishBge(name) && { language: 'en' }),
    id: `${name}/${weights.dtype}/${pooling}/${fingerprint}`,
  };
}

async function findWeights(folder: string): Promise<(typeof ONNX_FILES)[number]> {
  for (const candidate of ONNX_FILES) {
    if ((await statOrMissing(folder, path.join(candidate.subfolder, candidate.name)))?.isFile()) return candidate;
  }
  throw new EmbeddingModelError(folder, 'it holds neither onnx/model_quantized.onnx nor onnx/model.onnx');
}

/**
 * As sentence-transformers writes it down (`1_Pooling/config.json`); else by what the model families are known to use.
 */
async function readPooling(folder: string, name: string): Promise<OnnxModelFolder['pooling']> {
  const pooling = await optionalJson(folder, '1_Pooling/config.json');
  if (pooling?.pooling_mode_cls_token === true) return 'cls';
  if (pooling?.pooling_mode_mean_tokens === true) return 'mean';
  return /bge|arctic-embed|mxbai/i.test(name) ? 'cls' : 'mean';
}

/** Prompts as sentence-transformers writes them down; else those of the families that were trained with some. */
async function readPrefixes(folder: string, name: string): Promise<{ query: string; passage: string }> {
  const prompts = (await optionalJson(folder, 'config_sentence_transformers.json'))?.prompts;
  if (typeof prompts === 'object' && prompts !== null) {
    const { query, passage, document } = prompts as Json;
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    if (query !== undefined || passage !== undefined || document !== undefined)
      return { query: text(query), passage: text(passage ?? document) };
  }
  if (isEnglishBge(name) || /mxbai-embed|arctic-embed/i.test(name)) return { query: BGE_QUERY_PREFIX, passage: '' };
  if (/\be5-|-e5\b/i.test(name)) return { query: 'query: ', passage: 'passage: ' };
  return { query: '', passage: '' };
}

/** `bge-small-en-v1.5` and its kin; those for other languages were trained without a prompt. */
function isEnglishBge(name: string): boolean {
  const at = name.toLowerCase().indexOf('bge-');
  return at >= 0 && name.toLowerCase().includes('-en', at + 4);
}

async function requiredJson(folder: string, name: string): Promise<Json> {
  try {
    return JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Json;
  } catch (error) {
    throw isMissing(error)
      ? new EmbeddingModelError(folder, `${name} is missing`, error)
      : unreadable(folder, name, error);
  }
}

async function optionalJson(folder: string, name: string): Promise<Json | undefined> {
  return (await statOrMissing(folder, name)) ? requiredJson(folder, name) : undefined;
}

/**
 * Undefined when the file is missing; a file that is there and cannot be read (rights, a loop of links, a broken disk)
 * is an error that says so.
 */
async function statOrMissing(folder: string, name: string): Promise<Stats | undefined> {
  try {
    return await stat(path.join(folder, name));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(folder, name === '' ? 'it' : name, error);
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

const unreadable = (folder: string, name: string, error: unknown): EmbeddingModelError =>
  new EmbeddingModelError(
    folder,
    `${name} cannot be read (${error instanceof Error ? error.message : String(error)})`,
    error,
  );

function firstNumber(json: Json, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = json[name];
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  }
  return undefined;
}

/** Hash of the weights' size, beginning and end, and of the tokenizer: cheap, and different for different weights. */
const fingerprintOf = (weights: string, tokenizer: string): Promise<string> =>
  hashOfParts(tellingParts(weights, tokenizer), 12);

async function* tellingParts(weights: string, tokenizer: string): AsyncGenerator<string | Uint8Array> {
  const file = await open(weights);
  try {
    const { size } = await file.stat();
    yield String(size);
    const part = Buffer.alloc(Math.min(size, 1 << 20));
    for (const position of [0, size - part.length]) {
      await file.read(part, 0, part.length, position);
      yield part;
    }
  } finally {
    await file.close();
  }
  yield await readFile(tokenizer);
}
