import assert from 'node:assert/strict';
import { mock } from 'node:test';

/** Waits until it holds, and fails after so long: “it never came true that” `what`. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, seconds = 30): Promise<void> {
  for (let i = 0; i < seconds * 100; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`it never came true that ${what}`);
}

/** Lets everything that waits for nothing else go on. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** From here on `setTimeout` goes by {@link passTime} alone, until `goOn`; what was begun before goes on as ever. */
export function stopTime(): { goOn(): void } {
  mock.timers.enable({ apis: ['setTimeout'] });
  return { goOn: () => mock.timers.reset() };
}

/** Moves stopped time on, millisecond by millisecond, each with all that comes of it. */
export async function passTime(milliseconds: number): Promise<void> {
  await settled();
  for (let i = 0; i < milliseconds; i++) {
    mock.timers.tick(1);
    await settled();
  }
}
