import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openAiFineTuning } from '../../../../src/learning/fine-tuning/fine-tuning-api.ts';
import { BASE, useTuningDesk } from './tuning-desk.ts';

const { signal } = new AbortController();

describe('what a round of fine-tuning leaves at the service', () => {
  const desk = useTuningDesk();

  it('is nobody else’s business while one window is at the round: each file and job has one who deletes it', async () => {
    const tuning = await desk.openAgreed({ course: ['succeeded'] });
    const api = openAiFineTuning({ baseUrl: desk.server.baseUrl, apiKey: async () => 'key' });
    const other = await desk.open();
    const attempts: string[] = [];
    const intrude = async (): Promise<void> => {
      for (const work of [
        () => other.run(signal),
        () => other.cancel(signal),
        () => other.forget(),
        () => other.agree(),
        () => other.stepBack(),
      ])
        await work().catch((error: unknown) => attempts.push(String(error)));
    };
    const slow = await desk.open(
      {},
      {
        api: {
          ...api,
          upload: async (...sending) => {
            await intrude();
            return api.upload(...sending);
          },
          deleteFile: async (...deleting) => {
            await intrude();
            await api.deleteFile(...deleting);
          },
        },
      },
    );
    assert.equal((await slow.run(signal)).phase, 'switched');
    assert.equal(attempts.length, 10);
    for (const said of attempts) assert.match(said, /Another window or program is at the round/);
    assert.equal(desk.server.count('POST', /files$/), 1);
    assert.equal(desk.server.files.size, 0);
    assert.equal((await tuning.stepBack()).phase, 'stepped-back', 'afterwards anybody may');
  });

  for (const [lost, path] of [
    ['file', /files$/],
    ['job', /jobs$/],
  ] as const) {
    it(`finds and removes a ${lost} whose sending was broken off, when the round is cancelled then`, async () => {
      const controller = new AbortController();
      const tuning = await desk.openAgreed({
        course: ['running'],
        faults: [{ method: 'POST', path, status: 500, times: 1, afterWork: true, before: () => controller.abort() }],
      });
      await assert.rejects(tuning.run(controller.signal), { name: 'AbortError' });
      assert.equal((await tuning.current())?.phase, 'agreed');
      assert.equal(desk.server.files.size, 1, 'the service took it');
      assert.equal((await (await desk.open()).cancel(signal)).phase, 'cancelled');
      assert.equal(desk.server.files.size, 0);
      assert.deepEqual(
        [...desk.server.jobs.values()].map((job) => job.cancelled),
        lost === 'job' ? [true] : [],
      );
    });
  }

  it('compares the model of a job that had succeeded before it could be cancelled', async () => {
    const controller = new AbortController();
    const tuning = await desk.openAgreed({
      course: ['succeeded'],
      faults: [
        { method: 'POST', path: /jobs$/, status: 500, times: 1, afterWork: true, before: () => controller.abort() },
      ],
    });
    await assert.rejects(tuning.run(controller.signal), { name: 'AbortError' });
    const round = await tuning.cancel(signal);
    assert.deepEqual([round.phase, round.fileId], ['trained', 'file-1']);
    assert.equal((await tuning.run(signal)).phase, 'switched');
    assert.equal(desk.server.files.size, 0);
  });

  it('does not forget a file before it is deleted, whatever stops it in between', async () => {
    for (const course of [['failed'], ['succeeded']]) {
      await desk.openAgreed({ course });
      const api = openAiFineTuning({ baseUrl: desk.server.baseUrl, apiKey: async () => 'key' });
      const killed = await desk.open(
        {},
        {
          api: {
            ...api,
            deleteFile: async () => {
              throw new DOMException('Stopped.', 'AbortError');
            },
          },
        },
      );
      await assert.rejects(killed.run(signal), { name: 'AbortError' });
      assert.equal(desk.server.files.size, 1);
      assert.equal(desk.inUse, BASE);
      const round = await (await desk.open()).run(signal);
      assert.equal(round.phase, course[0] === 'failed' ? 'failed' : 'switched');
      assert.equal(round.fileId, undefined);
      assert.equal(desk.server.files.size, 0);
      await desk.startOver();
    }
  });

  it('names a file that could not be deleted at the end', async () => {
    const round = await desk.run(await desk.open({ faults: [{ method: 'DELETE', path: /files/, status: 500 }] }));
    assert.deepEqual([round.phase, round.fileId, round.training], ['switched', 'file-1', '']);
    assert.match(round.problem ?? '', /file-1 could not be deleted/);
  });
});
