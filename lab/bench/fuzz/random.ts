/** Random choices that a seed repeats exactly. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}

/** Mulberry32: small, quick, and good enough for making inputs. */
export function randomOf(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(from: readonly T[]): T => {
    const chosen = from[whole(0, from.length - 1)];
    if (chosen === undefined) throw new RangeError('nothing to pick from');
    return chosen;
  };
  return { next, whole, pick, chance: (probability) => next() < probability };
}
