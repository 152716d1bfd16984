import type { QuestionMap } from '#search/lab';
import { cosine, mean, sum } from '#base';

/** Of the softmax over a folder's passages. */
const TEMPERATURE = 0.03;
/** Adam (Kingma and Ba 2015), its own defaults but for the rate. */
const [RATE, BETA1, BETA2, EPSILON] = [2e-3, 0.9, 0.999, 1e-8];
/** Recall is told among so many first passages. */
export const AMONG = [1, 5, 12, 24, 60];

/** A folder's passages and the questions about it, as vectors. */
export interface Vectors {
  passages: Float32Array[];
  /** Of each question its places, by the passages that touch one. */
  asked: { vector: Float32Array; places: number[][] }[];
}

/**
 * −log of the share of a softmax over all passages that those of the right places get, summed over a folder's
 * questions; its gradient is added to `weights` and `bias`.
 */
function addGradient({ passages, asked }: Vectors, map: Parameters, gradient: Parameters): number {
  const size = map.bias.length;
  let loss = 0;
  for (const { vector, places } of asked) {
    const raw = vector.map((value, row) => value + dotRow(map.weights, row, vector) + (map.bias[row] ?? 0));
    const length = Math.hypot(...raw);
    const moved = raw.map((value) => value / length);
    const scores = passages.map((passage) => cosine(passage, moved) / TEMPERATURE);
    const most = Math.max(...scores);
    const shares = scores.map((score) => Math.exp(score - most));
    const total = sum(shares);
    const right = new Set(places.flat());
    const ofRight = sum([...right].map((row) => shares[row] ?? 0));
    loss -= Math.log(ofRight / total);
    const slope = new Float32Array(size);
    passages.forEach((passage, row) => {
      const share = shares[row] ?? 0;
      const by = (share / total - (right.has(row) ? share / ofRight : 0)) / TEMPERATURE;
      if (Math.abs(by) > 1e-6) for (let i = 0; i < size; i++) slope[i] = (slope[i] ?? 0) + by * (passage[i] ?? 0);
    });
    // Through the normalisation: what points along the vector changes nothing.
    const along = dotRow(slope, 0, moved);
    for (let row = 0; row < size; row++) {
      const by = ((slope[row] ?? 0) - along * (moved[row] ?? 0)) / length;
      gradient.bias[row] = (gradient.bias[row] ?? 0) + by;
      for (let i = 0; i < size; i++)
        gradient.weights[row * size + i] = (gradient.weights[row * size + i] ?? 0) + by * (vector[i] ?? 0);
    }
  }
  return loss;
}

interface LearningOptions {
  /** Numbers of a vector. */
  size: number;
  steps: number;
  /** λ of λ‖W‖², which is added to the mean loss of a question. */
  decay: number;
  log?(line: string): void;
}

interface Parameters {
  weights: Float32Array;
  bias: Float32Array;
}

const zeros = (size: number): Parameters => ({ weights: new Float32Array(size ** 2), bias: new Float32Array(size) });

function dotRow(rows: Float32Array, row: number, vector: Float32Array): number {
  let product = 0;
  for (let i = 0, at = row * vector.length; i < vector.length; i++, at++) product += (rows[at] ?? 0) * (vector[i] ?? 0);
  return product;
}

/**
 * Learns W and b of v ↦ normalise(v + Wv + b) from zeros, each step over all questions of all folders.
 */
export function learnQuestionMap(
  folders: readonly Vectors[],
  { size, steps, decay, log }: LearningOptions,
): Parameters {
  const map = zeros(size);
  const [first, second] = [zeros(size), zeros(size)];
  const count = sum(folders.map(({ asked }) => asked.length));
  for (let step = 1; step <= steps; step++) {
    const gradient = zeros(size);
    const loss = sum(folders.map((folder) => addGradient(folder, map, gradient))) / count;
    for (const part of ['weights', 'bias'] as const)
      map[part].forEach((value, i) => {
        const slope = (gradient[part][i] ?? 0) / count + (part === 'weights' ? 2 * decay * value : 0);
        const m = (first[part][i] = BETA1 * (first[part][i] ?? 0) + (1 - BETA1) * slope);
        const v = (second[part][i] = BETA2 * (second[part][i] ?? 0) + (1 - BETA2) * slope ** 2);
        const by = m / (1 - BETA1 ** step) / (Math.sqrt(v / (1 - BETA2 ** step)) + EPSILON);
        map[part][i] = value - RATE * by;
      });
    log?.(`step ${step}: ${loss.toFixed(4)}`);
  }
  return map;
}

/** Of each question's places the share with a passage among the first so many. */
export function recalls({ passages, asked }: Vectors, move: QuestionMap): number[][] {
  return asked.map(({ vector, places }) => {
    const moved = move(vector);
    const scores = passages.map((passage) => cosine(passage, moved));
    const ranks = places.map((rows) => {
      const best = Math.max(...rows.map((row) => scores[row] ?? -1));
      return scores.filter((score) => score > best).length;
    });
    return AMONG.map((most) => mean(ranks.map((rank) => Number(rank < most))));
  });
}
