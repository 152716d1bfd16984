import { seededRandom } from '#base';

/** Random choices that a seed repeats exactly. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

export function randomOf(seed: number): Random {
  const next = seededRandom(seed ^ 0x9e3779b9);
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(from: readonly T[]): T => {
    const chosen = from[whole(0, from.length - 1)];
    if (chosen === undefined) throw new RangeError('nothing to pick from');
    return chosen;
  };
  return { next, whole, pick, chance: (probability) => next() < probability };
}
