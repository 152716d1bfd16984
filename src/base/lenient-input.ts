import { z } from 'zod';

const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\s{0,9}\d{1,9}\s{0,9}$/.test(value) ? Number(value) : value;

/** A whole number from 1 on, also as digits: some clients of tools send every value as text. */
export const countInput = (most = Number.MAX_SAFE_INTEGER): z.ZodType<number> =>
  z.preprocess(numberOf, z.number().int().min(1).max(most));

/** What may be left out, or be null: some models and clients name each argument. */
export const optionalInput = <T>(type: z.ZodType<T>) =>
  z.preprocess((value) => value ?? undefined, type.optional()).optional();
