import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const update = process.env.UPDATE_RECORDINGS === '1';

/**
 * Compares a run's events, or any list, with its recording (one JSON value a line) under test/fixtures/recordings. With
 * UPDATE_RECORDINGS=1 the recording is written instead: look at the difference before you commit it.
 */
export function assertRecording(name: string, values: readonly unknown[]): void {
  assertFixture(
    new URL(`../fixtures/recordings/${name}.jsonl`, import.meta.url),
    values.map((value) => `${JSON.stringify(value)}\n`).join(''),
  );
}

/** Compares a text with a file beside the test that calls it. */
export function assertFixture(url: URL, text: string): void {
  const path = fileURLToPath(url);
  if (update) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  assert.ok(existsSync(path), `There is no ${path}: run with UPDATE_RECORDINGS=1 to write it.`);
  assert.equal(text, readFileSync(path, 'utf8'));
}
