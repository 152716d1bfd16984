import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { QuotaError, UnreachableError, WrongKeyError } from '../../../../src/research/language-model/errors.ts';
import { FineTuningError } from '../../../../src/learning/fine-tuning/fine-tuning-api.ts';
import type { ScoredPair } from '../../../../src/learning/fine-tuning/gate.ts';
import { fineTunedModel, forgetFineTuning } from '../../../../src/learning/fine-tuning/fine-tuned-model.ts';
import { jsonOnDisk } from '../../../../src/base/line-file.ts';
import { roundFile } from '../../../../src/learning/fine-tuning/learning-round.ts';
import type { FakeFineTuningOptions } from '../../../doubles/fake-fine-tuning-server.ts';
import { BASE, better, REQUEST, useTuningDesk } from './tuning-desk.ts';

const worse = (): ScoredPair[] => better().map(({ id, before, after }) => ({ id, before: after, after: before }));
const { signal } = new AbortController();

describe('fine-tuning round', () => {
  const desk = useTuningDesk();

  it('says what it would cost, and sends nothing before somebody agrees', async () => {
    const tuning = await desk.open();
    const { estimate, phase } = await tuning.prepare({
      ...REQUEST,
      weights: { decomposition: 1, reading: 2, critique: 0 },
    });
    assert.equal(phase, 'prepared');
    assert.equal(estimate.examples, estimate.counts.decomposition + estimate.counts.reading);
    assert.equal(estimate.counts.critique, 0);
    assert.ok(estimate.tokens > 1000 && estimate.heldOut > 0);
    assert.equal(estimate.cost, (estimate.tokens * 3) / 1e6);
    assert.equal(new URL(desk.server.baseUrl).host, estimate.host);
    assert.equal((await tuning.run(signal)).phase, 'prepared');
    assert.equal(desk.server.requests.length, 0);
    assert.equal((await desk.experience.list({ consent: 'upload' })).length, 0);
  });

  it('uploads, waits, compares, switches, and cleans up after itself', async () => {
    const tuning = await desk.openAgreed();
    assert.ok((await desk.experience.list({ consent: 'upload' })).length > 0);
    const phases: string[] = [];
    const round = await tuning.run(signal, (state) => phases.push(`${state.phase} ${state.jobStatus ?? ''}`.trim()));
    assert.deepEqual(phases, [
      'agreed',
      'training validating_files',
      'training queued',
      'training running',
      'trained succeeded',
      'switched succeeded',
    ]);
    assert.equal(desk.slept, 2);
    assert.match(desk.inUse, /^ft:gpt-4o-mini/);
    assert.equal(desk.inUse, round.newModel);
    assert.ok(round.verdict?.wins);
    assert.deepEqual([desk.compared[0]?.before, desk.compared[0]?.after], [BASE, desk.inUse]);
    const lines = desk.compared[0]?.heldOut.lines.trimEnd().split('\n') ?? [];
    assert.ok(lines.length > 1);
    assert.equal(desk.compared[0]?.heldOut.questions.length, lines.length);
    assert.ok(new Set(desk.compared[0]?.heldOut.questions).size < lines.length, 'several lines belong to one question');
    assert.equal(desk.server.files.size, 0);
    assert.equal(round.training + round.heldOut, '');
    assert.equal(round.heldOutQuestions, undefined);
    const [job] = desk.server.jobs.values();
    assert.deepEqual([job?.seed, job?.metadata], [1, { hoptrail_round: 'round-1' }]);
    assert.deepEqual(job?.method, { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3 } } });
  });

  it('goes back one step', async () => {
    const tuning = await desk.open();
    await desk.run(tuning);
    assert.equal((await tuning.stepBack()).phase, 'stepped-back');
    assert.equal(desk.inUse, BASE);
    await assert.rejects(tuning.stepBack(), FineTuningError);
  });

  it('goes back one step when another round has been prepared since, and when that one was cancelled', async () => {
    for (const then of ['prepared', 'cancelled'] as const) {
      const tuning = await desk.open();
      const won = await desk.run(tuning);
      assert.equal(desk.inUse, won.newModel);
      await tuning.prepare(REQUEST);
      if (then === 'cancelled') await tuning.cancel(new AbortController().signal);
      const back = await tuning.stepBack();
      assert.equal(back.phase, then, 'the round that was prepared is as it was');
      assert.equal(desk.inUse, BASE);
      await assert.rejects(tuning.stepBack(), FineTuningError);
      await desk.startOver();
    }
  });

  it('goes back step by step when a model was fine-tuned again', async () => {
    const tuning = await desk.open();
    const { newModel: first } = await desk.run(tuning);
    const { newModel: second } = await desk.run(tuning, { ...REQUEST, seed: 2 });
    assert.equal(desk.inUse, second);
    await tuning.stepBack();
    assert.equal(desk.inUse, first);
    await tuning.stepBack();
    assert.equal(desk.inUse, BASE);
    await assert.rejects(tuning.stepBack(), FineTuningError);
  });

  it('leaves no trace of a draft until somebody agrees to it, and then sends that one', async () => {
    const tuning = await desk.open();
    const won = await desk.run(tuning);
    const draft = await tuning.draft({ ...REQUEST, epochs: 2 });
    assert.deepEqual(await tuning.current(), JSON.parse(JSON.stringify(won)));
    await tuning.prepare(REQUEST); // by another window, meanwhile
    await tuning.agree(draft);
    assert.equal((await tuning.current())?.estimate.epochs, 2);
    await assert.rejects(tuning.agree(draft), /under way/);
  });

  it('can be forgotten when the service cannot be asked, and says what stays there', async () => {
    const tuning = await desk.openAgreed({ faults: [{ path: /jobs\/.+/, status: 404 }] });
    await assert.rejects(tuning.run(signal), /knows no such fine-tuning job/);
    await assert.rejects(tuning.cancel(signal), /knows no such fine-tuning job/);
    const forgotten = await tuning.forget();
    assert.deepEqual([forgotten.phase, forgotten.training], ['cancelled', '']);
    assert.match(forgotten.problem ?? '', /stays there/);
    await tuning.prepare(REQUEST);
    assert.equal((await tuning.forget()).problem, undefined, 'nothing is there of a round that nobody agreed to');
  });

  it('is not forgotten with the rest while its examples are at the service, and is afterwards', async () => {
    const tuning = await desk.open({}, { store: roundFile(desk.folder) });
    await tuning.prepare(REQUEST);
    await tuning.agree();
    await assert.rejects(forgetFineTuning(desk.folder), /Cancel it first|under way/);
    await tuning.cancel(signal);
    await forgetFineTuning(desk.folder);
    assert.equal(await tuning.current(), undefined);
  });

  it('keeps the old model when the new one does not win', async () => {
    for (const pairs of [worse(), better(3), better().map((pair) => ({ ...pair, after: pair.before }))]) {
      const tuning = await desk.open({}, { compare: async () => pairs });
      const round = await desk.run(tuning);
      assert.equal(round.phase, 'kept');
      assert.equal(desk.inUse, BASE);
      assert.equal(round.verdict?.wins, false);
      await desk.startOver();
    }
  });

  it('goes on after a restart, wherever it was stopped', async () => {
    const first = await desk.open();
    await first.prepare(REQUEST);
    await first.agree();
    for (let look = 0; look < 6; look += 1) {
      const controller = new AbortController();
      const again = await desk.open();
      try {
        let steps = 0;
        await again.run(controller.signal, () => {
          if (steps++ > 0) controller.abort();
        });
      } catch (error) {
        assert.equal((error as Error).name, 'AbortError');
      }
    }
    const round = await (await desk.open()).run(signal);
    assert.equal(round.phase, 'switched');
    assert.equal(desk.server.count('POST', /files$/), 1);
    assert.equal(desk.server.count('POST', /jobs$/), 1);
    assert.equal(desk.compared.length, 1);
  });

  it('does not upload or start twice when the reply to it was lost', async () => {
    const faults = [
      { method: 'POST', path: /files$/, status: 500, times: 2, afterWork: true },
      { method: 'POST', path: /jobs$/, status: 500, times: 2, afterWork: true },
    ];
    const tuning = await desk.open({ faults });
    assert.equal((await desk.run(tuning)).phase, 'switched');
    assert.equal(desk.server.jobs.size, 1);
    assert.equal(desk.server.count('POST', /files$/), 1);
  });

  it('neither compares again nor forgets the old model when it is stopped between verdict and switch', async () => {
    const failing = await desk.open(
      {},
      {
        model: {
          current: () => desk.inUse,
          use: async () => {
            throw new Error('settings are read-only');
          },
        },
      },
    );
    await failing.prepare(REQUEST);
    await failing.agree();
    await assert.rejects(failing.run(signal), /read-only/);
    const round = await (await desk.open()).run(signal);
    assert.equal(round.phase, 'switched');
    assert.equal(round.previousModel, BASE);
    assert.equal(desk.compared.length, 1);
  });

  it('cancels the job at the provider', async () => {
    const tuning = await desk.openAgreed({ course: ['running'] });
    const controller = new AbortController();
    await assert.rejects(
      tuning.run(controller.signal, (round) => {
        if (round.phase === 'training') controller.abort();
      }),
      { name: 'AbortError' },
    );
    const round = await (await desk.open()).cancel(signal);
    assert.equal(round.phase, 'cancelled');
    assert.ok([...desk.server.jobs.values()].every((job) => job.cancelled));
    assert.equal(desk.server.files.size, 0);
    assert.equal((await tuning.run(signal)).phase, 'cancelled');
  });

  it('cancels before anything was sent', async () => {
    const tuning = await desk.open();
    await tuning.prepare(REQUEST);
    assert.equal((await tuning.cancel(signal)).phase, 'cancelled');
    assert.equal(desk.server.requests.length, 0);
    assert.equal((await tuning.prepare(REQUEST)).phase, 'prepared');
  });

  it('reports why a job failed', async () => {
    const tuning = await desk.open({
      course: ['running', 'failed'],
      failure: { code: 'unsafe_file', message: 'The training file was blocked by moderation.' },
    });
    const round = await desk.run(tuning);
    assert.equal(round.phase, 'failed');
    assert.equal(round.problem, 'The training file was blocked by moderation. (unsafe_file)');
    assert.equal(desk.inUse, BASE);
  });

  it('takes a status that it does not know for a job that runs, until the job has ended', async () => {
    const compatible = await desk.run(await desk.open({ course: ['preparing', 'pending', 'succeeded'] }));
    assert.equal(compatible.phase, 'switched');
    assert.equal(desk.slept, 1);
  });

  it('takes a status that it does not know by whether there is a model, once the job has ended', async () => {
    for (const [status, model, phase, problem] of [
      ['completed', true, 'switched', undefined],
      ['expired', false, 'failed', 'The job ended as “expired”.'],
    ] as const) {
      const round = await desk.run(await desk.open({ course: ['running', status], ends: { [status]: model } }));
      assert.deepEqual([round.phase, round.problem], [phase, problem]);
      await desk.startOver();
    }
  });

  it('sees a cancellation that somebody made at the provider', async () => {
    assert.equal((await desk.run(await desk.open({ course: ['running', 'cancelled'] }))).phase, 'cancelled');
  });

  const refusals: [string, FakeFineTuningOptions, new (...args: never[]) => Error, RegExp][] = [
    ['the model cannot be fine-tuned', { models: ['other'] }, FineTuningError, /not available for fine-tuning/],
    ['the key is wrong', { key: 'another' }, WrongKeyError, /does not accept/],
    [
      'the quota is used up',
      {
        faults: [
          {
            method: 'POST',
            path: /jobs$/,
            status: 429,
            body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
          },
        ],
      },
      QuotaError,
      /used up/,
    ],
    [
      'there is no such service',
      { faults: [{ path: /files/, status: 404, body: 'page not found' }] },
      FineTuningError,
      /offers no fine-tuning/,
    ],
    ['the service is down', { faults: [{ path: /files/, status: 503 }] }, UnreachableError, /failed inside/],
  ];
  for (const [when, options, error, message] of refusals) {
    it(`says so when ${when}, and can be run again`, async () => {
      const tuning = await desk.open(options);
      await assert.rejects(
        desk.run(tuning),
        (thrown: unknown) => thrown instanceof error && message.test((thrown as Error).message),
      );
      assert.equal((await tuning.current())?.phase, 'agreed');
      assert.equal(desk.inUse, BASE);
    });
  }

  it('waits out a broken connection while the job runs', async () => {
    const tuning = await desk.open({ faults: [{ method: 'GET', path: /jobs\/ftjob/, status: 502, times: 1 }] });
    assert.equal((await desk.run(tuning)).phase, 'switched');
  });

  it('refuses too few examples, a second round beside the first, and examples that were deleted meanwhile', async () => {
    const tuning = await desk.open();
    await tuning.prepare(REQUEST);
    await desk.experience.delete({ runId: 'run-3' });
    await assert.rejects(tuning.agree(), /deleted since/);
    await tuning.prepare(REQUEST);
    await tuning.agree();
    await assert.rejects(tuning.prepare(REQUEST), /under way/);
    await tuning.cancel(signal);
    await desk.experience.delete({});
    await assert.rejects(tuning.prepare(REQUEST), /0 examples/);
  });

  it('does not go on at another provider than the one that was agreed to', async () => {
    await desk.openAgreed();
    await desk.stopServer();
    await assert.rejects((await desk.open()).run(signal), /runs at/);
  });

  it('takes an address with a slash at its end for the same service', async () => {
    await desk.openAgreed();
    const slashed = `${desk.server.baseUrl}/`;
    assert.equal((await (await desk.open({}, { baseUrl: slashed })).run(signal)).phase, 'switched');
    await writeFile(
      join(desk.folder, 'fine-tuned-model.json'),
      JSON.stringify({ version: 1, baseUrl: slashed, baseModel: BASE, model: 'ft:won' }),
    );
    assert.equal(fineTunedModel(desk.folder, desk.server.baseUrl, BASE), 'ft:won');
    assert.equal(fineTunedModel(desk.folder, 'http://another.test/v1', BASE), BASE);
  });

  it('says so when its state is damaged', async () => {
    await jsonOnDisk(join(desk.folder, 'round.json')).save({ version: 1, phase: 'nowhere' });
    await assert.rejects((await desk.open()).current(), FineTuningError);
  });
});
