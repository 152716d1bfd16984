import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { ReadingProcess } from '../../../../src/search/process/reading/reading-process.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('reading process', () => {
  it('asks nobody else for a file that nobody waits for any more when it has ended', async () => {
    const folder = temporaryFolder();
    const entry = path.join(folder, 'reads.cjs');
    // Answers for nothing but the last file, and says what it is asked for.
    await writeFile(
      entry,
      `process.on('message', ({ type, id, file }) => {
        if (type === 'init') process.send({ type: 'up' });
        if (type !== 'read') return;
        process.send({ type: 'log', level: 'warn', text: process.pid + ' ' + file.path });
        const result = { path: file.path, reason: 'empty', why: { code: 'blank', details: {} } };
        if (file.path === 'wanted.md') process.send({ type: 'done', id, result, bytes: 1 });
      });`,
    );
    const asked: string[][] = [];
    let onLog = (): void => undefined;
    const reader = new ReadingProcess({
      entry,
      wasmDir: folder,
      counting: { kind: 'careful' },
      log: (_, text) => {
        asked.push(text.split(' '));
        onLog();
      },
    });
    try {
      const read = (name: string, signal?: AbortSignal) =>
        reader.read({ uri: `file:///${name}`, path: name, rootUri: 'file:///', size: 1, mtimeMs: 1 }, 1_000, signal);
      const stop = new AbortController();
      const given = ['one.md', 'two.md', 'three.md'].map((name) => read(name, stop.signal));
      await new Promise<void>((resolve) => (onLog = () => asked.length === 3 && resolve()));
      onLog = () => undefined;
      stop.abort();
      for (const file of given) await assert.rejects(file, { name: 'AbortError' });
      const wanted = read('wanted.md');
      process.kill(reader.pid ?? 0, 'SIGKILL');
      assert.deepEqual(await wanted, { path: 'wanted.md', reason: 'empty', why: { code: 'blank', details: {} } });
      const [first] = asked[0] ?? [];
      assert.deepEqual(
        asked.filter(([pid]) => pid !== first).map(([, name]) => name),
        ['wanted.md'],
      );
    } finally {
      reader.close();
    }
  });

  it('reads a file again when it was killed from outside, and never blames the file', async () => {
    const folder = temporaryFolder();
    const entry = path.join(folder, 'killed.cjs');
    await writeFile(
      entry,
      `const fs = require('node:fs');
      process.on('message', ({ type, id, file, parserBroke }) => {
        if (type === 'init') return process.send({ type: 'up' });
        const times = ${JSON.stringify(folder)} + '/' + file.path;
        fs.appendFileSync(times, 'x');
        const kills = file.path === 'unlucky.md' ? 2 : 99;
        if (!parserBroke && fs.readFileSync(times, 'utf8').length <= kills) return process.kill(process.pid, 'SIGKILL');
        const result = { path: file.path, reason: 'empty', why: { code: 'blank', details: { parserBroke } } };
        process.send({ type: 'done', id, result, bytes: 1 });
      });`,
    );
    const reader = new ReadingProcess({ entry, wasmDir: folder, counting: { kind: 'careful' }, log: () => undefined });
    try {
      const read = (name: string): ReturnType<ReadingProcess['read']> =>
        reader.read({ uri: `file:///${name}`, path: name, rootUri: 'file:///', size: 1, mtimeMs: 1 }, 1_000);
      const byItsParser = { code: 'blank', details: { parserBroke: undefined } };
      const unlucky = { path: 'unlucky.md', reason: 'empty', why: byItsParser };
      assert.deepEqual(await read('unlucky.md'), unlucky);
      // Three times are enough for now; the next update reads it again, by its parser.
      const cursed = { path: 'cursed.md', reason: 'unreadable', why: { code: 'ended-outside', details: {} } };
      assert.deepEqual(await read('cursed.md'), cursed);
      assert.equal(readFileSync(path.join(folder, 'cursed.md'), 'utf8'), 'xxx');
    } finally {
      reader.close();
    }
  });
});
