import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FineTuning } from '../../../../src/learning/fine-tuning/fine-tuning.ts';
import { openAiFineTuning } from '../../../../src/learning/fine-tuning/fine-tuning-api.ts';
import type { FakeFineTuningOptions } from '../../../doubles/fake-fine-tuning-server.ts';
import { BASE, useTuningDesk } from './tuning-desk.ts';

const { signal } = new AbortController();

describe('what a round of fine-tuning leaves at the service', () => {
  const desk = useTuningDesk();

  /** A service at which another window ends the round while `call` is answered. */
  async function endedDuring(
    call: 'upload' | 'start',
    end: (other: FineTuning) => Promise<unknown>,
    options: FakeFineTuningOptions = {},
  ): Promise<FineTuning> {
    const tuning = await desk.openAgreed({ course: ['running'], ...options });
    const api = openAiFineTuning(
      { baseUrl: desk.server.baseUrl, apiKey: async () => 'key' },
      { retry: { attempts: 1, base: 1, cap: 1, longestRetryAfter: 1000 } },
    );
    return desk.open(
      {},
      {
        api: {
          ...api,
          ...(call === 'upload' && {
            upload: async (...sending) => {
              await end(tuning);
              return api.upload(...sending);
            },
          }),
          ...(call === 'start' && {
            start: async (...starting) => {
              const job = await api.start(...starting);
              await end(tuning);
              return job;
            },
          }),
        },
      },
    );
  }

  it('takes back what it has just sent when the round was ended elsewhere meanwhile, and starts nothing more for it', async () => {
    for (const [call, end] of [
      ['upload', (other) => other.cancel(signal)],
      ['upload', (other) => other.forget()],
      ['start', (other) => other.cancel(signal)],
      ['start', (other) => other.forget()],
    ] as const satisfies (readonly ['upload' | 'start', (other: FineTuning) => Promise<unknown>])[]) {
      const slow = await endedDuring(call, end);
      await assert.rejects(slow.run(signal), /changed elsewhere/);
      assert.equal((await slow.current())?.phase, 'cancelled');
      assert.equal(desk.server.count('POST', /files$/), 1, 'the file was taken');
      assert.equal(desk.server.files.size, 0, 'and is deleted');
      assert.deepEqual(
        [...desk.server.jobs.values()].map((job) => job.cancelled),
        call === 'start' ? [true] : [],
      );
      await desk.startOver();
    }
  });

  it('leaves alone what it sent for a round that another window has taken on', async () => {
    const left = new AbortController();
    const slow = await endedDuring('start', (other) =>
      assert.rejects(
        other.run(left.signal, ({ phase }) => {
          if (phase === 'training') left.abort();
        }),
      ),
    );
    await assert.rejects(slow.run(signal), /changed elsewhere/);
    assert.equal((await slow.current())?.phase, 'training');
    assert.deepEqual(
      [...desk.server.jobs.values()].map((job) => job.cancelled),
      [false],
    );
    assert.equal(desk.server.files.size, 1);
  });

  it('does not end a round over the head of a window that has just sent its file', async () => {
    const tuning = await desk.openAgreed({ course: ['running'] });
    const api = openAiFineTuning({ baseUrl: desk.server.baseUrl, apiKey: async () => 'key' });
    const left = new AbortController();
    const uploading = await desk.open(
      {},
      {
        api: {
          ...api,
          start: async () => {
            left.abort();
            left.signal.throwIfAborted();
            throw new Error('not reached');
          },
        },
      },
    );
    const ending = await desk.open(
      {},
      {
        api: {
          ...api,
          find: async (...asking) => {
            const found = await api.find(...asking);
            await uploading.run(left.signal).catch(() => undefined);
            return found;
          },
        },
      },
    );
    await assert.rejects(ending.cancel(signal), /changed elsewhere/);
    assert.equal((await tuning.current())?.fileId, 'file-1');
    assert.equal((await tuning.cancel(signal)).phase, 'cancelled');
    assert.equal(desk.server.files.size, 0);
  });

  it('puts no model to use whose round was cancelled elsewhere while its file was deleted', async () => {
    const tuning = await desk.openAgreed({ course: ['succeeded'] });
    const api = openAiFineTuning({ baseUrl: desk.server.baseUrl, apiKey: async () => 'key' });
    const slow = await desk.open(
      {},
      {
        api: {
          ...api,
          deleteFile: async (...deleting) => {
            await tuning.cancel(signal);
            await api.deleteFile(...deleting);
          },
        },
      },
    );
    await assert.rejects(slow.run(signal), /changed elsewhere/);
    assert.deepEqual([desk.inUse, (await tuning.current())?.phase], [BASE, 'cancelled']);
  });

  it('names what it could not take back', async () => {
    const faults: FakeFineTuningOptions['faults'] = [{ method: 'DELETE', path: /files/, status: 500 }];
    const tuning = await endedDuring('upload', (other) => other.forget(), { faults });
    await assert.rejects(tuning.run(signal), /changed elsewhere.*file-1 could not be deleted/);
    await desk.startOver();
    const started = await endedDuring('start', (other) => other.forget(), {
      faults: [{ method: 'POST', path: /cancel$/, status: 500 }],
    });
    await assert.rejects(started.run(signal), /job ftjob-2 could not be cancelled.*file-1 is still there/);
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
