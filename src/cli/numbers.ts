/** Parsers of numbers on the command line. Each @throws InvalidArgumentError. */
import { InvalidArgumentError } from 'commander';

export function number(value: string): number {
  const parsed = value.trim() === '' ? NaN : Number(value);
  if (!Number.isFinite(parsed)) throw new InvalidArgumentError(`"${value}" is not a number.`);
  return parsed;
}

export function nonNegativeNumber(value: string): number {
  const parsed = number(value);
  if (parsed < 0) throw new InvalidArgumentError(`"${value}" is not a number from 0.`);
  return parsed;
}

export function positiveInteger(value: string): number {
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < 1)
    throw new InvalidArgumentError(`"${value}" is not a whole number above 0.`);
  return parsed;
}

/** A whole number up to `most`. */
export const atMost =
  (most: number) =>
  (value: string): number => {
    const parsed = positiveInteger(value);
    if (parsed > most) throw new InvalidArgumentError(`At most ${most}.`);
    return parsed;
  };
