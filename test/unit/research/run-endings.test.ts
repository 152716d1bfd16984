import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { isAbortError } from '../../../src/base/waiting.ts';
import { listOpenAiModels, tryModel } from '../../../src/research/language-model/list-openai-models.ts';
import { openAiModel } from '../../../src/research/language-model/openai-model.ts';
import { defaultResearchOptions } from '../../../src/research/context/research-options.ts';
import { HostileServer, type Misbehaviour } from '../../doubles/hostile-server.ts';
import { only } from '../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../doubles/relay-corpus.ts';
import { runResearch } from '../../doubles/run-research.ts';

/** A run has a second to end; here with room for a busy machine. */
const AT_ONCE = 2000;
const behaviours = [
  'silent',
  'slow bytes',
  'endless stream',
  'reset',
  'deaf',
  'one line',
  'huge JSON',
] satisfies Misbehaviour[];
/** Those that would keep a call waiting for ever; the others are found out before anybody cancels. */
const goesOn = new Set<Misbehaviour>(['silent', 'slow bytes', 'deaf']);
const apiKey = async (): Promise<undefined> => undefined;
const budget = (seconds: number) => ({ budget: { ...defaultResearchOptions.budget, seconds } });

describe('whatever the endpoint does', function () {
  this.timeout(20_000);
  let server: HostileServer;
  afterEach(() => server.stop());
  const modelOf = async (how: Misbehaviour) => {
    server = await HostileServer.misbehaving(how);
    return openAiModel({ baseUrl: server.baseUrl, model: 'm', apiKey });
  };

  for (const how of behaviours) {
    it(`a run that is cancelled ends at once: ${how}`, async () => {
      const model = await modelOf(how);
      const abort = new AbortController();
      let cancelled = Number.POSITIVE_INFINITY;
      setTimeout(() => {
        cancelled = performance.now();
        abort.abort();
      }, 300);
      const run = await runResearch(BORN, {
        retriever: relayRetriever(),
        model,
        options: only('iterative-step'),
        signal: abort.signal,
        dependencies: { now: () => Date.now() },
      });
      assert.ok(performance.now() - cancelled < AT_ONCE, `${Math.round(performance.now() - cancelled)} ms`);
      if (goesOn.has(how)) assert.equal(run.ending, 'run-cancelled');
      assert.match(run.ending ?? '', /^run-/);
    });

    it(`a run whose time is over ends at once: ${how}`, async () => {
      const model = await modelOf(how);
      const started = performance.now();
      const run = await runResearch(BORN, {
        retriever: relayRetriever(),
        model,
        options: { ...only('iterative-step'), ...budget(1) },
        dependencies: { now: () => Date.now() },
      });
      assert.ok(performance.now() - started < 1000 + AT_ONCE, `${Math.round(performance.now() - started)} ms`);
      if (goesOn.has(how)) assert.equal(run.ending, 'run-end');
      assert.match(run.ending ?? '', /^run-/);
    });

    it(`a list of models and the trial of one are cancelled at once: ${how}`, async () => {
      const model = await modelOf(how);
      for (const call of [
        (signal: AbortSignal) => listOpenAiModels({ baseUrl: server.baseUrl, apiKey }, signal),
        (signal: AbortSignal) => tryModel(model, signal),
      ]) {
        const abort = new AbortController();
        let cancelled = Number.POSITIVE_INFINITY;
        setTimeout(() => {
          cancelled = performance.now();
          abort.abort();
        }, 100);
        await call(abort.signal).then(
          () => assert.ok(!goesOn.has(how)),
          (error: unknown) => assert.ok(isAbortError(error) || !goesOn.has(how), String(error)),
        );
        assert.ok(performance.now() - cancelled < AT_ONCE);
      }
    });
  }

  it('a key that is never found keeps no cancelled call waiting', async () => {
    server = await HostileServer.misbehaving('silent');
    const endpoint = { baseUrl: server.baseUrl, apiKey: () => new Promise<undefined>(() => {}) };
    for (const call of [
      (signal: AbortSignal) => listOpenAiModels(endpoint, signal),
      (signal: AbortSignal) => tryModel(openAiModel({ ...endpoint, model: 'm' }), signal),
    ]) {
      await assert.rejects(call(AbortSignal.timeout(50)), isAbortError);
    }
  });

  it('a run whose search never answers ends when its time is over, and says so', async () => {
    const model = await modelOf('silent');
    const started = performance.now();
    const run = await runResearch(BORN, {
      retriever: relayRetriever({ wait: new Promise(() => {}) }),
      model,
      options: { ...only('single-step'), ...budget(0.5) },
      dependencies: { now: () => Date.now() },
    });
    assert.ok(performance.now() - started < 500 + AT_ONCE);
    assert.equal(run.ending, 'run-end');
    assert.equal(run.answer?.abstained, true);
    assert.ok(run.events.some((event) => event.type === 'notice' && event.code === 'budget-exhausted'));
  });
});
