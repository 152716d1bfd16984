import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { before, describe, it } from 'mocha';
import { cosine, normalise, seededRandom } from '../../../../src/base/index.ts';
import { BUNDLED_MODEL, openEmbedder } from '../../../../src/search/embedding/open-embedder.ts';
import {
  packQuestionMap,
  QUESTION_MAP,
  readQuestionMap,
  unpackQuestionMap,
} from '../../../../src/search/embedding/question-map.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const SIZE = 8;

describe('question map', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
  });

  it('moves a vector by its matrix and its bias, to within what 8 bits tell apart', () => {
    const random = seededRandom(3);
    const some = (count: number): Float32Array => Float32Array.from({ length: count }, () => random() - 0.5);
    const [weights, bias, vector] = [some(SIZE ** 2), some(SIZE), normalise(some(SIZE))];
    weights.fill(0, 0, SIZE); // a row of nothing moves nothing
    const exact = normalise(
      vector.map((value, row) => {
        const own = weights.subarray(row * SIZE, (row + 1) * SIZE);
        return value + (bias[row] ?? 0) + own.reduce((sum, weight, i) => sum + weight * (vector[i] ?? 0), 0);
      }),
    );
    const before = vector.slice();
    const moved = unpackQuestionMap(packQuestionMap(weights, bias, {}))(vector);
    assert.ok(cosine(moved, exact) > 0.9999);
    assert.ok(Math.abs(Math.hypot(...moved) - 1) < 1e-6);
    assert.deepEqual(vector, before, 'the vector itself stays');
    assert.ok(cosine(moved, vector) < 0.99);
  });

  it('says which file is damaged, and does without one that is not there', async () => {
    assert.equal(readQuestionMap(folder), undefined);
    const file = path.join(folder, QUESTION_MAP);
    const refuses = (message: RegExp): void =>
      assert.throws(() => readQuestionMap(folder), { code: 'embedding-model-unusable', message });
    await writeFile(file, '{"version"');
    refuses(/question-map\.json: .*JSON/);
    await writeFile(file, '{"version":1}');
    refuses(/question-map\.json: .*dimensions/s);
    const packed = packQuestionMap(new Float32Array(SIZE ** 2), new Float32Array(SIZE), {});
    await writeFile(file, JSON.stringify({ ...packed, dimensions: SIZE + 1 }));
    refuses(/its parts are not those of a map of 9 dimensions/);
  });

  it('refuses a damaged one as a promise, as every other fault of a model', async () => {
    await cp(path.join(folder, QUESTION_MAP), path.join(folder, BUNDLED_MODEL, QUESTION_MAP), { recursive: true });
    await assert.rejects(
      openEmbedder({ kind: 'bundled' }, { modelsDir: folder }).catch((error: unknown) =>
        Promise.reject(error as Error),
      ),
      { code: 'embedding-model-unusable' },
    );
  });

  it('ships for the bundled model', async () => {
    const modelsDir = fileURLToPath(new URL('../../../../models/', import.meta.url));
    const embedder = await openEmbedder({ kind: 'bundled' }, { modelsDir });
    const vector = normalise(new Float32Array(embedder.dimensions).fill(1));
    const moved = embedder.moveQuestion?.(vector);
    await embedder.close();
    assert.equal(moved?.length, embedder.dimensions);
    assert.ok(Math.abs(Math.hypot(...(moved ?? [])) - 1) < 1e-5);
    assert.ok(cosine(vector, moved) < 0.999);
  });
});
