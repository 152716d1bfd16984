import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { jsonOnDisk, LearningFileError, turnsOnDisk } from '../../../src/base/line-file.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('jsonOnDisk', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('gives back what it keeps, and nothing once that is taken back', async () => {
    const file = jsonOnDisk(join(folder, 'deep', 'round.json'));
    assert.equal(await file.load(), undefined);
    await file.save({ phase: 'trained' });
    assert.deepEqual(await file.load(), { phase: 'trained' });
    await file.save(undefined);
    assert.equal(await file.load(), undefined);
  });

  it('names a file that is damaged', async () => {
    await writeFile(join(folder, 'round.json'), '{"phase":');
    await assert.rejects(
      jsonOnDisk(join(folder, 'round.json')).load(),
      (error: unknown) => error instanceof LearningFileError && error.message.includes('round.json'),
    );
  });

  it('keeps one of several values that are saved at once, as a whole', async () => {
    const file = jsonOnDisk(join(folder, 'round.json'));
    const values = Array.from({ length: 8 }, (_, i) => ({ text: String(i).repeat(i * 50_000) }));
    await Promise.all(values.map((value) => file.save(value)));
    const kept = await file.load();
    assert.ok(values.some(({ text }) => text === (kept as { text: string }).text));
    assert.deepEqual(await readdir(folder), ['round.json']);
  });

  it('replaces a file that cannot be read', async () => {
    const path = join(folder, 'round.json');
    await symlink(path, path);
    const file = jsonOnDisk(path);
    await assert.rejects(file.load(), LearningFileError);
    await file.save({ phase: 'trained' });
    assert.deepEqual(await file.load(), { phase: 'trained' });
  });

  it('leaves nothing beside a file that cannot be replaced', async () => {
    await mkdir(join(folder, 'round.json'));
    await assert.rejects(jsonOnDisk(join(folder, 'round.json')).save({}), LearningFileError);
    assert.deepEqual(await readdir(folder), ['round.json']);
  });
});

describe('turnsOnDisk', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('refuses work while another is at it, and is free again when that has failed', async () => {
    const path = join(folder, 'deep', 'round.lock');
    const refusal = (): Error => new Error('elsewhere');
    const [one, other] = [turnsOnDisk(path, refusal), turnsOnDisk(path, refusal)];
    const failed = one(async () => {
      await assert.rejects(
        other(async () => 'done'),
        /elsewhere/,
      );
      throw new Error('disk full');
    });
    await assert.rejects(failed, /disk full/);
    assert.equal(await other(async () => 'done'), 'done');
    assert.deepEqual(await readdir(join(folder, 'deep')), []);
  });

  it('names a place that cannot be written', async () => {
    await writeFile(join(folder, 'learning'), '');
    const path = join(folder, 'learning', 'round.lock');
    await assert.rejects(
      turnsOnDisk(path, () => new Error('elsewhere'))(async () => 'done'),
      (error: unknown) => error instanceof LearningFileError && error.message.includes(path),
    );
  });
});
