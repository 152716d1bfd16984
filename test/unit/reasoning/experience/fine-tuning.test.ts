import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { seededRandom } from '../../../../src/retrieval/learning/random.ts';
import { QuotaError, UnreachableError, WrongKeyError } from '../../../../src/llm/errors.ts';
import { deriveRecords } from '../../../../src/reasoning/experience/derive-records.ts';
import { ExperienceStore } from '../../../../src/reasoning/experience/experience-store.ts';
import { FineTuning, type FineTuningPorts, type RoundRequest } from '../../../../src/reasoning/experience/fine-tuning.ts';
import { FineTuningError } from '../../../../src/reasoning/experience/fine-tuning-api.ts';
import type { ScoredPair } from '../../../../src/reasoning/experience/gate.ts';
import { compareModels } from '../../../../src/reasoning/experience/comparison/compare-models.ts';
import { modelJudge } from '../../../../src/reasoning/experience/comparison/judge-pair.ts';
import { forgetFineTuning } from '../../../../src/reasoning/experience/fine-tuned-model.ts';
import type { LearningRound } from '../../../../src/reasoning/experience/learning-round.ts';
import { fileOnDisk, jsonOnDisk } from '../../../../src/reasoning/experience/line-file.ts';
import { roundFile } from '../../../../src/reasoning/experience/round-file.ts';
import { openAiFineTuning } from '../../../../src/reasoning/experience/openai-fine-tuning.ts';
import { FakeFineTuningServer, type FakeFineTuningOptions } from '../../../doubles/fake-fine-tuning-server.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { ending, node } from './run-records.ts';

const BASE = 'gpt-4o-mini-2024-07-18';
const REQUEST: RoundRequest = { baseModel: BASE, price: { perMillion: 3, currency: 'USD' } };
const better = (n = 30): ScoredPair[] => Array.from({ length: n }, (_, i) => ({ id: String(i), before: 0.4, after: i % 5 === 0 ? 0.3 : 0.7 }));
const worse = (): ScoredPair[] => better().map(({ id, before, after }) => ({ id, before: after, after: before }));

describe('fine-tuning round', () => {
  let folder = '';
  let server: FakeFineTuningServer | undefined;
  let experience: ExperienceStore;
  let inUse = BASE;
  let compared: { before: string; after: string; heldOut: string }[] = [];
  let slept = 0;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hoptrail-round-'));
    experience = new ExperienceStore(fileOnDisk(join(folder, 'experience.jsonl')));
    inUse = BASE;
    compared = [];
    slept = 0;
    await experience.add(Array.from({ length: 12 }, (_, i) => deriveRecords([node('s1', { runId: `run-${i}`, question: `Question ${i}?`, subQuestion: `Sub ${i}?` }), ending({ runId: `run-${i}`, question: `Question ${i}?` })], {}).records).flat());
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await rm(folder, { recursive: true });
  });

  /** As after a start of the program: everything that is known comes from disk and from the server. */
  async function open(options: FakeFineTuningOptions = {}, change: Partial<FineTuningPorts> = {}): Promise<FineTuning> {
    server ??= await FakeFineTuningServer.start(options);
    const clock = { now: () => 1000, sleep: async (_: number, signal?: AbortSignal) => { signal?.throwIfAborted(); slept += 1; } };
    return new FineTuning({
      baseUrl: server.baseUrl,
      api: openAiFineTuning({ baseUrl: server.baseUrl, apiKey: async () => 'key' }, { clock, random: () => 0, retry: { attempts: 2, base: 1, cap: 1, longestRetryAfter: 1000 } }),
      experience, store: jsonOnDisk(join(folder, 'round.json')), clock, newId: () => 'round-1', random: seededRandom(1),
      compare: async (models) => { compared.push(models); return better(); },
      model: { current: () => inUse, use: async (model) => { inUse = model; } },
      ...change,
    });
  }
  const signal = new AbortController().signal;
  const sent = (): FakeFineTuningServer => { assert.ok(server); return server; };
  const run = async (tuning: FineTuning, request = REQUEST): Promise<LearningRound> => { await tuning.prepare(request); await tuning.agree(); return tuning.run(signal); };

  it('says what it would cost, and sends nothing before somebody agrees', async () => {
    const tuning = await open();
    const { estimate, phase } = await tuning.prepare({ ...REQUEST, weights: { decomposition: 1, reading: 2, critique: 0 } });
    assert.equal(phase, 'prepared');
    assert.equal(estimate.examples, estimate.counts.decomposition + estimate.counts.reading);
    assert.equal(estimate.counts.critique, 0);
    assert.ok(estimate.tokens > 1000 && estimate.heldOut > 0);
    assert.equal(estimate.cost, (estimate.tokens * 3) / 1e6);
    assert.equal(new URL(sent().baseUrl).host, estimate.host);
    assert.equal((await tuning.run(signal)).phase, 'prepared');
    assert.equal(sent().requests.length, 0);
    assert.equal((await experience.list({ consent: 'upload' })).length, 0);
  });

  it('uploads, waits, compares, switches, and cleans up after itself', async () => {
    const tuning = await open();
    await tuning.prepare(REQUEST);
    await tuning.agree();
    assert.ok((await experience.list({ consent: 'upload' })).length > 0);
    const phases: string[] = [];
    const round = await tuning.run(signal, (state) => phases.push(`${state.phase} ${state.jobStatus ?? ''}`.trim()));
    assert.deepEqual(phases, ['agreed', 'training validating_files', 'training queued', 'training running', 'trained succeeded', 'switched succeeded']);
    assert.equal(slept, 2);
    assert.match(inUse, /^ft:gpt-4o-mini/);
    assert.equal(inUse, round.newModel);
    assert.ok(round.verdict?.wins);
    assert.deepEqual([compared[0]?.before, compared[0]?.after], [BASE, inUse]);
    assert.ok((compared[0]?.heldOut.split('\n').length ?? 0) > 1);
    assert.equal(sent().files.size, 0);
    assert.equal(round.training + round.heldOut, '');
    const [job] = sent().jobs.values();
    assert.deepEqual([job?.seed, job?.metadata], [1, { hoptrail_round: 'round-1' }]);
    assert.deepEqual(job?.method, { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3 } } });
  });

  it('goes back one step', async () => {
    const tuning = await open();
    await run(tuning);
    assert.equal((await tuning.stepBack()).phase, 'stepped-back');
    assert.equal(inUse, BASE);
    await assert.rejects(tuning.stepBack(), FineTuningError);
  });

  it('goes back one step when another round has been prepared since, and when that one was cancelled', async () => {
    for (const then of ['prepared', 'cancelled'] as const) {
      const tuning = await open();
      const won = await run(tuning);
      assert.equal(inUse, won.newModel);
      await tuning.prepare(REQUEST);
      if (then === 'cancelled') await tuning.cancel(new AbortController().signal);
      const back = await tuning.stepBack();
      assert.equal(back.phase, then, 'the round that was prepared is as it was');
      assert.equal(inUse, BASE);
      await assert.rejects(tuning.stepBack(), FineTuningError);
      await rm(join(folder, 'round.json'));
      await server?.stop();
      server = undefined;
    }
  });

  it('goes back step by step when a model was fine-tuned again', async () => {
    const tuning = await open();
    const { newModel: first } = await run(tuning);
    const { newModel: second } = await run(tuning, { ...REQUEST, seed: 2 });
    assert.equal(inUse, second);
    await tuning.stepBack();
    assert.equal(inUse, first);
    await tuning.stepBack();
    assert.equal(inUse, BASE);
    await assert.rejects(tuning.stepBack(), FineTuningError);
  });

  it('leaves no trace of a draft until somebody agrees to it, and then sends that one', async () => {
    const tuning = await open();
    const won = await run(tuning);
    const draft = await tuning.draft({ ...REQUEST, epochs: 2 });
    assert.deepEqual(await tuning.current(), JSON.parse(JSON.stringify(won)));
    await tuning.prepare(REQUEST); // by another window, meanwhile
    await tuning.agree(draft);
    assert.equal((await tuning.current())?.estimate.epochs, 2);
    await assert.rejects(tuning.agree(draft), /under way/);
  });

  it('lets go of a round that was cancelled elsewhere, and starts nothing for it', async () => {
    const tuning = await open();
    await tuning.prepare(REQUEST);
    await tuning.agree();
    let other: Promise<unknown> = Promise.resolve();
    const slow = await open({}, { api: { ...openAiFineTuning({ baseUrl: sent().baseUrl, apiKey: async () => 'key' }), upload: async () => { other = tuning.cancel(signal); await other; return 'file-late'; } } });
    await assert.rejects(slow.run(signal), /changed elsewhere/);
    assert.equal((await tuning.current())?.phase, 'cancelled');
    assert.equal(sent().count('POST', /jobs/), 0);
  });

  it('can be forgotten when the service cannot be asked, and says what stays there', async () => {
    const tuning = await open({ faults: [{ path: /jobs\/.+/, status: 404 }] });
    await tuning.prepare(REQUEST);
    await tuning.agree();
    await assert.rejects(tuning.run(signal), /knows no such fine-tuning job/);
    await assert.rejects(tuning.cancel(signal), /knows no such fine-tuning job/);
    const forgotten = await tuning.forget();
    assert.deepEqual([forgotten.phase, forgotten.training], ['cancelled', '']);
    assert.match(forgotten.problem ?? '', /stays there/);
  });

  it('is not forgotten with the rest while its examples are at the service, and is afterwards', async () => {
    const tuning = await open({}, { store: roundFile(folder) });
    await tuning.prepare(REQUEST);
    await tuning.agree();
    await assert.rejects(forgetFineTuning(folder), /Cancel it first|under way/);
    await tuning.cancel(signal);
    await forgetFineTuning(folder);
    assert.equal(await tuning.current(), undefined);
  });

  it('keeps the old model when the new one does not win', async () => {
    for (const pairs of [worse(), better(3), better().map((pair) => ({ ...pair, after: pair.before }))]) {
      const tuning = await open({}, { compare: async () => pairs });
      const round = await run(tuning);
      assert.equal(round.phase, 'kept');
      assert.equal(inUse, BASE);
      assert.equal(round.verdict?.wins, false);
      await rm(join(folder, 'round.json'));
      await server?.stop();
      server = undefined;
    }
  });

  it('goes on after a restart, wherever it was stopped', async () => {
    const first = await open();
    await first.prepare(REQUEST);
    await first.agree();
    for (let look = 0; look < 6; look += 1) {
      const controller = new AbortController();
      const again = await open();
      try {
        let steps = 0;
        await again.run(controller.signal, () => { if (steps++ > 0) controller.abort(); });
      } catch (error) {
        assert.equal((error as Error).name, 'AbortError');
      }
    }
    const round = await (await open()).run(signal);
    assert.equal(round.phase, 'switched');
    assert.equal(sent().count('POST', /files$/), 1);
    assert.equal(sent().count('POST', /jobs$/), 1);
    assert.equal(compared.length, 1);
  });

  it('does not upload or start twice when the reply to it was lost', async () => {
    const faults = [{ method: 'POST', path: /files$/, status: 500, times: 2, afterWork: true }, { method: 'POST', path: /jobs$/, status: 500, times: 2, afterWork: true }];
    const tuning = await open({ faults });
    assert.equal((await run(tuning)).phase, 'switched');
    assert.equal(sent().jobs.size, 1);
    assert.equal(sent().count('POST', /files$/), 1);
  });

  it('neither compares again nor forgets the old model when it is stopped between verdict and switch', async () => {
    const failing = await open({}, { model: { current: () => inUse, use: async () => { throw new Error('settings are read-only'); } } });
    await failing.prepare(REQUEST);
    await failing.agree();
    await assert.rejects(failing.run(signal), /read-only/);
    const round = await (await open()).run(signal);
    assert.equal(round.phase, 'switched');
    assert.equal(round.previousModel, BASE);
    assert.equal(compared.length, 1);
  });

  it('cancels the job at the provider', async () => {
    const tuning = await open({ course: ['running'] });
    await tuning.prepare(REQUEST);
    await tuning.agree();
    const controller = new AbortController();
    await assert.rejects(tuning.run(controller.signal, (round) => { if (round.phase === 'training') controller.abort(); }), { name: 'AbortError' });
    const round = await (await open()).cancel(signal);
    assert.equal(round.phase, 'cancelled');
    assert.ok([...sent().jobs.values()].every((job) => job.cancelled));
    assert.equal(sent().files.size, 0);
    assert.equal((await tuning.run(signal)).phase, 'cancelled');
  });

  it('cancels before anything was sent', async () => {
    const tuning = await open();
    await tuning.prepare(REQUEST);
    assert.equal((await tuning.cancel(signal)).phase, 'cancelled');
    assert.equal(sent().requests.length, 0);
    assert.equal((await tuning.prepare(REQUEST)).phase, 'prepared');
  });

  it('reports why a job failed', async () => {
    const tuning = await open({ course: ['running', 'failed'], failure: { code: 'unsafe_file', message: 'The training file was blocked by moderation.' } });
    const round = await run(tuning);
    assert.equal(round.phase, 'failed');
    assert.equal(round.problem, 'The training file was blocked by moderation. (unsafe_file)');
    assert.equal(inUse, BASE);
  });

  it('sees a cancellation that somebody made at the provider', async () => {
    assert.equal((await run(await open({ course: ['running', 'cancelled'] }))).phase, 'cancelled');
  });

  const refusals: [string, FakeFineTuningOptions, new (...args: never[]) => Error, RegExp][] = [
    ['the model cannot be fine-tuned', { models: ['other'] }, FineTuningError, /not available for fine-tuning/],
    ['the key is wrong', { key: 'another' }, WrongKeyError, /does not accept/],
    ['the quota is used up', { faults: [{ method: 'POST', path: /jobs$/, status: 429, body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } } }] }, QuotaError, /used up/],
    ['there is no such service', { faults: [{ path: /files/, status: 404, body: 'page not found' }] }, FineTuningError, /offers no fine-tuning/],
    ['the service is down', { faults: [{ path: /files/, status: 503 }] }, UnreachableError, /failed inside/],
  ];
  for (const [when, options, error, message] of refusals) {
    it(`says so when ${when}, and can be run again`, async () => {
      const tuning = await open(options);
      await assert.rejects(run(tuning), (thrown: unknown) => thrown instanceof error && message.test((thrown as Error).message));
      assert.equal((await tuning.current())?.phase, 'agreed');
      assert.equal(inUse, BASE);
    });
  }

  it('waits out a broken connection while the job runs', async () => {
    const tuning = await open({ faults: [{ method: 'GET', path: /jobs\/ftjob/, status: 502, times: 1 }] });
    assert.equal((await run(tuning)).phase, 'switched');
  });

  it('refuses too few examples, a second round beside the first, and examples that were deleted meanwhile', async () => {
    const tuning = await open();
    await tuning.prepare(REQUEST);
    await experience.delete({ runId: 'run-3' });
    await assert.rejects(tuning.agree(), /deleted since/);
    await tuning.prepare(REQUEST);
    await tuning.agree();
    await assert.rejects(tuning.prepare(REQUEST), /under way/);
    await tuning.cancel(signal);
    await experience.delete({});
    await assert.rejects(tuning.prepare(REQUEST), /0 examples/);
  });

  it('does not go on at another provider than the one that was agreed to', async () => {
    const tuning = await open();
    await tuning.prepare(REQUEST);
    await tuning.agree();
    await server?.stop();
    server = undefined;
    await assert.rejects((await open()).run(signal), /runs at/);
  });

  it('says so when its state is damaged', async () => {
    await jsonOnDisk(join(folder, 'round.json')).save({ version: 1, phase: 'nowhere' });
    await assert.rejects((await open()).current(), FineTuningError);
  });
});

describe('comparing two models', () => {
  it('goes on when the judge cannot be read: words alone decide then', async () => {
    const line = JSON.stringify({ messages: [{ role: 'system', content: 'next' }, { role: 'user', content: 'Question: Who wed the builder?' }, { role: 'assistant', content: '{"question": "Who built it?"}' }] });
    const judge = new ScriptedLanguageModel(() => 'I like the second.');
    const pairs = await compareModels(line, { before: new ScriptedLanguageModel(['{"question": "Who?"}']), after: new ScriptedLanguageModel(['{"question": "Who built it?"}']), judge: modelJudge(judge) }, new AbortController().signal);
    assert.ok(judge.calls.length > 0);
    assert.equal(pairs.length, 1);
    assert.ok(pairs[0] && pairs[0].after === 1 && pairs[0].before < 1);
  });
});
