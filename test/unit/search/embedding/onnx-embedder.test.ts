import assert from 'node:assert/strict';
import { cp, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'mocha';
import type { Embedder } from '../../../../src/search/embedding/embedder.ts';
import { readModelFolder } from '../../../../src/search/embedding/onnx-model-folder.ts';
import { BUNDLED_EMBEDDER_ID, BUNDLED_MODEL, openEmbedder } from '../../../../src/search/embedding/open-embedder.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const modelsDir = fileURLToPath(new URL('../../../../models/', import.meta.url));
const bundled = path.join(modelsDir, BUNDLED_MODEL);
const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0) ?? Number.NaN;

describe('ONNX embedder with the bundled model', function () {
  this.timeout(120_000);
  let embedder: Embedder;
  before(async () => {
    embedder = await openEmbedder({ kind: 'bundled' }, { modelsDir });
  });
  after(() => embedder.close());

  it('puts what is meant alike close together', async () => {
    assert.deepEqual([embedder.id, embedder.dimensions, embedder.maxTokens], [BUNDLED_EMBEDDER_ID, 384, 512]);
    assert.equal(embedder.language, 'en');
    const [cat, pool, again] = await embedder.embedPassages([
      'The cat sat on the mat.',
      'Database connection pooling',
      'The cat sat on the mat.',
    ]);
    const query = await embedder.embedQuery('where was the cat sitting?');
    assert.ok(dot(query, cat) > dot(query, pool) + 0.2);
    assert.ok(Math.abs(dot(cat, cat) - 1) < 1e-5);
    assert.deepEqual(cat, again);
    assert.ok(
      dot(query, (await embedder.embedPassages(['where was the cat sitting?']))[0]) < 0.999,
      'queries are prefixed, passages are not',
    );
  });

  it('cuts what is too long instead of failing', async () => {
    const long = 'many words '.repeat(2_000);
    assert.ok(embedder.countTokens(long) > 512);
    assert.equal((await embedder.embedPassages([long]))[0]?.length, 384);
    assert.equal(embedder.countTokens('hello world'), 4);
  });

  it('takes a folder with the same files, and tells it apart by its content', async () => {
    const folder = temporaryFolder();
    await cp(bundled, path.join(folder, 'my model'), { recursive: true });
    const own = await openEmbedder({ kind: 'folder', path: path.join(folder, 'my model') }, { modelsDir });
    assert.match(own.id, /^my model\/q8\/mean\/[0-9a-f]{12}$/);
    assert.equal(own.language, undefined, 'nobody knows what a model of that name learnt');
    assert.equal((await own.embedPassages(['x']))[0]?.length, 384);
    await own.close();
    await writeFile(
      path.join(folder, 'my model', 'config_sentence_transformers.json'),
      JSON.stringify({ prompts: { query: 'Q: ', document: 'D: ' } }),
    );
    const { queryPrefix, passagePrefix } = await readModelFolder(path.join(folder, 'my model'));
    assert.deepEqual([queryPrefix, passagePrefix], ['Q: ', 'D: ']);
    await writeFile(
      path.join(folder, 'my model', 'config.json'),
      JSON.stringify({ model_type: 'bert', hidden_size: 100 }),
    );
    await assert.rejects(
      openEmbedder({ kind: 'folder', path: path.join(folder, 'my model') }, { modelsDir }).then((wrong) =>
        wrong.embedPassages(['x']),
      ),
      { code: 'embedding-model-unusable', message: /384 numbers per token where config\.json says 100/ },
    );
  });

  it('tells whoever wants a vector that its weights are damaged', async () => {
    const folder = temporaryFolder();
    await cp(bundled, folder, { recursive: true });
    await truncate(path.join(folder, 'onnx', 'model_quantized.onnx'), 1_000_000);
    const damaged = await openEmbedder({ kind: 'folder', path: folder }, { modelsDir });
    assert.equal(damaged.countTokens('hello world'), 4);
    await assert.rejects(damaged.embedPassages(['x']), { code: 'embedding-model-unusable' });
    await assert.rejects(damaged.embedQuery('x'), { code: 'embedding-model-unusable' });
    await damaged.close();
  });

  it('starts a thread again that has ended, and says why where threads end whatever they are given', async () => {
    const folder = temporaryFolder();
    const workerFile = path.join(folder, 'thread.mjs');
    const started = path.join(folder, 'started');
    await writeFile(
      workerFile,
      `import { appendFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      appendFileSync(${JSON.stringify(started)}, '.');
      parentPort.postMessage({ type: 'ready' });
      parentPort.on('message', ({ type, id, input }) => {
        if (type === 'close') return parentPort.close();
        if (input.includes('ends it')) throw new Error('ended by this text');
        parentPort.postMessage({ type: 'output', id, output: Float32Array.of(1) });
      });`,
    );
    const threads = await openEmbedder({ kind: 'bundled' }, { modelsDir, workerFile, copies: 2 });
    try {
      assert.equal((await threads.embedPassages(['a', 'b', 'c'])).length, 3);
      for (let round = 0; round < 8; round++) {
        await assert.rejects(threads.embedPassages(['ends it']), /ended by this text/);
        assert.equal((await threads.embedPassages(['a', 'b'])).length, 2);
      }
      assert.equal((await threads.embedQuery('a')).length, 1);
      const before = (await readFile(started, 'utf8')).length;
      for (let round = 0; round < 12; round++)
        await assert.rejects(threads.embedQuery('ends it'), {
          code: 'embedding-model-unusable',
          message: /ended by this text/,
        });
      await assert.rejects(threads.embedQuery('a'), /ended by this text/, 'they are not started for ever');
      assert.ok((await readFile(started, 'utf8')).length <= before + 2 * 3);
    } finally {
      await threads.close();
    }
  });

  it('says which file of a folder is missing or broken', async () => {
    const folder = temporaryFolder();
    await assert.rejects(readModelFolder(path.join(folder, 'none')), /there is no such folder/);
    await symlink('loop', path.join(folder, 'loop'));
    await assert.rejects(readModelFolder(path.join(folder, 'loop')), /it cannot be read \(ELOOP/);
    await assert.rejects(readModelFolder(folder), /config\.json is missing/);
    await writeFile(path.join(folder, 'config.json'), '{');
    await assert.rejects(readModelFolder(folder), /config\.json cannot be read/);
    await writeFile(path.join(folder, 'config.json'), '{"hidden_size": 3}');
    await assert.rejects(readModelFolder(folder), /tokenizer\.json is missing/);
    await assert.rejects(readModelFolder(path.join(folder, 'config.json')), /it is not a folder/);
    await cp(path.join(bundled, 'tokenizer.json'), path.join(folder, 'tokenizer.json'));
    await assert.rejects(readModelFolder(folder), /neither onnx\/model_quantized\.onnx nor/);
    await symlink('onnx', path.join(folder, 'onnx'));
    await assert.rejects(readModelFolder(folder), /model_quantized\.onnx cannot be read \(ELOOP/);
  });

  it('stops when aborted', async () => {
    const stop = new AbortController();
    const asked = embedder.embedPassages(
      Array.from({ length: 50 }, (_, i) => `passage ${i}`),
      stop.signal,
    );
    stop.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    assert.equal((await embedder.embedQuery('still here')).length, 384);
  });
});
