import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { openModelThread } from '../../../../src/search/embedding/model-thread.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('a thread of a network', () => {
  let folder = '';
  let starts = '';
  const data = { role: 'encoding', folder: 'models/none', threads: 1, niceness: 0 } as const;
  /** A thread that answers as the body says; `nth` tells how many were started, this one among them. */
  const open = async (body: string) => {
    const workerFile = path.join(folder, 'thread.mjs');
    await writeFile(
      workerFile,
      `import { appendFileSync, readFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      appendFileSync(${JSON.stringify(starts)}, '.');
      const nth = readFileSync(${JSON.stringify(starts)}, 'utf8').length;
      const say = (message) => parentPort.postMessage(message);
      parentPort.on('message', ({ type, id, input }) => {
        if (type === 'close') return parentPort.close();
        ${body}
      });
      setTimeout(() => say({ type: 'ready' }), nth > 1 ? 30 : 0);`,
    );
    return openModelThread<string, string>(data, { workerFile });
  };
  const started = async (): Promise<number> => (await readFile(starts, 'utf8')).length;
  beforeEach(() => {
    folder = temporaryFolder();
    starts = path.join(folder, 'starts');
  });

  const ENDS_ONCE = `if (nth === 1 && input === 'c') throw new Error('out of memory');
    setTimeout(() => say({ type: 'output', id, output: nth + input }), 5);`;

  it('gives what waited in one that has ended to the next, once', async () => {
    const thread = await open(ENDS_ONCE);
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map((input) => thread.run(input))), [
      '2a',
      '2b',
      '2c',
      '2d',
    ]);
    assert.equal(await started(), 2);
    await thread.close();
  });

  it('fails with what ends every thread, and goes on with the next', async () => {
    const thread = await open(
      `if (input === 'c') throw new Error('ended by this text'); say({ type: 'output', id, output: input });`,
    );
    for (let round = 0; round < 4; round++) {
      await assert.rejects(thread.run('c'), /ended by this text/);
      assert.equal(await thread.run('a'), 'a');
    }
    await thread.close();
  });

  it('fails without another try where it was closed meanwhile, and is not started again', async () => {
    const thread = await open(ENDS_ONCE);
    const waiting = thread.run('c');
    const failed = assert.rejects(waiting, /closed|out of memory|ended/);
    await new Promise((resolve) => setTimeout(resolve, 15));
    await thread.close();
    await failed;
    const before = await started();
    await assert.rejects(thread.run('a'), /out of memory|closed/);
    assert.equal(await started(), before);
    assert.ok(thread.ended.aborted);
  });
});
