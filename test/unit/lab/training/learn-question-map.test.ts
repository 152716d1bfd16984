import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFoldMaps, writeFoldMaps } from '../../../../lab/heads/fold-maps.ts';
import { learnQuestionMap, recalls, type Vectors } from '../../../../lab/heads/learn-question-map.ts';
import { mean, normalise, seededRandom } from '../../../../src/base/index.ts';
import { packQuestionMap, unpackQuestionMap } from '../../../../src/search/embedding/question-map.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const SIZE = 12;

/** A folder in which each question lies beside its passage by one and the same step and turn, and a little chance. */
function folder(seed: number): Vectors {
  const random = seededRandom(seed);
  const some = (): Float32Array => normalise(Float32Array.from({ length: SIZE }, () => random() - 0.5));
  const passages = Array.from({ length: 60 }, some);
  const asked = passages.slice(0, 30).map((passage, i) => {
    const turned = passage.map((value, at) => value + 0.6 * (passage[(at + 1) % SIZE] ?? 0));
    const away = turned.map((value, at) => value - (at === 0 ? 1.1 : 0) + 0.1 * (random() - 0.5));
    return { vector: normalise(away), places: [[i]] };
  });
  return { passages, asked };
}

const first = (folders: readonly Vectors[], move: (vector: Float32Array) => Float32Array): number =>
  mean(folders.flatMap((each) => recalls(each, move)).map(([recall = 0]) => recall));

describe('learning where questions are looked for', () => {
  const learnt = [1, 2, 3, 4].map(folder);
  const others = [5, 6].map(folder);

  it('finds a step that all folders share, and it holds in others', () => {
    const losses: number[] = [];
    const { weights, bias } = learnQuestionMap(learnt, {
      size: SIZE,
      steps: 300,
      decay: 0.001,
      log: (line) => losses.push(Number(line.split(': ')[1])),
    });
    assert.ok((losses.at(-1) ?? 9) < (losses[0] ?? 0) / 2, `${losses[0]} → ${losses.at(-1)}`);
    const [before, after] = [
      first(others, (vector) => vector),
      first(others, unpackQuestionMap(packQuestionMap(weights, bias, {}))),
    ];
    assert.ok(after > before + 0.2, `${before} → ${after}`);
  });

  it('stays where it is when every passage is right', () => {
    const passages = learnt[0]?.passages ?? [];
    const vector = normalise(new Float32Array(SIZE).fill(1));
    const asked = [{ vector, places: [passages.map((_, i) => i)] }];
    const { weights, bias } = learnQuestionMap([{ passages, asked }], { size: SIZE, steps: 20, decay: 0.01 });
    assert.ok(Math.max(...weights.map(Math.abs), ...bias.map(Math.abs)) < 1e-6);
  });

  it('counts a place as found by any passage that touches it', () => {
    const [at = new Float32Array(SIZE), far = new Float32Array(SIZE)] = [[1], [0, 1]].map((values) =>
      Float32Array.from({ length: SIZE }, (_, i) => values[i] ?? 0),
    );
    const asked = [{ vector: at, places: [[0, 1], [1]] }];
    assert.deepEqual(
      recalls({ passages: [at, far], asked }, (vector) => vector),
      [[0.5, 1, 1, 1, 1]],
    );
  });

  it('keeps for each folder the map that has not learnt from it', async () => {
    const cache = temporaryFolder();
    assert.throws(() => readFoldMaps(cache), /train:question-map makes them/);
    const maps = [0, 1].map((at) => {
      const bias = Float32Array.from({ length: SIZE }, (_, i) => (i === at ? 9 : 0));
      return packQuestionMap(new Float32Array(SIZE ** 2), bias, {});
    });
    writeFoldMaps(cache, { left: 0, right: 1 }, maps);
    const { of } = readFoldMaps(cache);
    const vector = normalise(new Float32Array(SIZE).fill(1));
    const furthest = (moved: Float32Array | undefined): number => moved?.indexOf(Math.max(...moved)) ?? -1;
    assert.deepEqual(
      ['left', 'right'].map((folder) => furthest(of(folder)?.(vector))),
      [0, 1],
    );
    assert.equal(of('another'), undefined);
  });
});
