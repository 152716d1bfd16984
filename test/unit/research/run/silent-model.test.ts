import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { type FinishedRun, runResearch, type RunSettings } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel, type ScriptedReply } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const retriever = new ScriptedRetriever([notePassage('rope', 'Rope', 'Rope is bought in Tallinn.')]);
const ANSWER: ScriptedReply = {
  json: { answer: 'Tallinn', statements: [{ text: 'Rope is bought in Tallinn.', passages: [1] }] },
};
const told = (events: readonly ResearchEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'notice' && event.code === 'model-silent' ? [runNoticeInWords(event)] : [],
  );

describe('a model that sends nothing', () => {
  it('is named within seconds, while the run goes on', async () => {
    const delays: number[] = [];
    let speak: (value?: unknown) => void = () => undefined;
    const model = new ScriptedLanguageModel((_call, index) =>
      index === 0 ? { wait: new Promise((resolve) => (speak = resolve)), reply: ANSWER } : ANSWER,
    );
    const { events, ending } = await runResearch('Where is rope bought?', {
      retriever,
      model,
      options: { operator: 'single-step' },
      dependencies: {
        later: (milliseconds, callback) => {
          delays.push(milliseconds);
          setImmediate(callback);
          return () => undefined;
        },
      },
      onEvent: (event) => {
        if (event.type === 'notice') speak();
      },
    });
    assert.deepEqual(told(events), ['No word yet from Scripted Model: it has sent nothing for 8 seconds.']);
    assert.ok(delays.every((delay) => delay === 8_000));
    assert.ok(
      events.findIndex(({ type }) => type === 'notice') < events.findIndex(({ type }) => type === 'answer-end'),
    );
    assert.equal(ending, 'run-end');
  });

  it('is not named once it has begun, and its timer ends with the call', async () => {
    let running = 0;
    const later = (): (() => void) => {
      let ended = false;
      running += 1;
      return () => {
        if (!ended) running -= 1;
        ended = true;
      };
    };
    for (const script of [[ANSWER], [{ error: new Error('broken') }]] satisfies ScriptedReply[][]) {
      const { events } = await runResearch('Where is rope bought?', {
        retriever,
        model: new ScriptedLanguageModel(script),
        options: { operator: 'single-step' },
        dependencies: { later },
      });
      assert.deepEqual(told(events), []);
      assert.equal(running, 0);
    }
  });

  describe('where somebody watches', () => {
    /** The timers of silence run out at once; the model speaks when the test lets it. */
    const watched = (settings: Partial<RunSettings> = {}): { speak: () => void; run: Promise<FinishedRun> } => {
      let speak = (): void => undefined;
      const wait = new Promise<void>((resolve) => (speak = resolve));
      const model = new ScriptedLanguageModel((_call, index) => (index === 0 ? { wait, reply: ANSWER } : ANSWER));
      const run = runResearch('Where is rope bought?', {
        retriever,
        model,
        options: { operator: 'single-step', firstHits: true },
        dependencies: {
          later: (_milliseconds, callback) => {
            setImmediate(callback);
            return () => undefined;
          },
        },
        ...settings,
      });
      return { speak, run };
    };
    const quotesIn = (events: readonly ResearchEvent[]): string[] =>
      events.flatMap((event) => (event.type === 'quotes-meanwhile' ? [event.answer.text] : []));

    it('has quotes in the place of its answer until it answers', async () => {
      const { speak, run } = watched({
        onEvent: (event) => {
          if (event.type === 'quotes-meanwhile') speak();
        },
      });
      const { events, answer, records, ending } = await run;
      assert.equal(quotesIn(events).length, 1);
      assert.match(quotesIn(events)[0] ?? '', /Rope is bought in Tallinn/);
      const types = events.map(({ type }) => type);
      assert.ok(types.indexOf('notice') < types.indexOf('quotes-meanwhile'));
      assert.ok(types.indexOf('quotes-meanwhile') < types.indexOf('answer-delta'));
      assert.equal(answer?.by, 'model');
      assert.equal(ending, 'run-end');
      assert.ok(
        events.every((event) => event.type !== 'step-start' || event.operator === 'single-step'),
        'the quotes are no step of the run',
      );
      assert.ok(records.every((record) => record.kind !== 'node' || record.operator !== 'extractive'));
    });

    it('leaves the quotes as the answer of a run that is stopped', async () => {
      const stop = new AbortController();
      const { run } = watched({
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === 'quotes-meanwhile') stop.abort();
        },
      });
      const { answer, ending } = await run;
      assert.equal(ending, 'run-cancelled');
      assert.equal(answer?.by, 'extractive');
      assert.match(answer?.text ?? '', /Rope is bought in Tallinn/);
    });

    it('leaves the quotes as the answer of a run whose time is over', async () => {
      const { run } = watched({
        options: {
          operator: 'single-step',
          firstHits: true,
          budget: { ...defaultResearchOptions.budget, seconds: 0.05 },
        },
        dependencies: {
          now: Date.now,
          later: (_milliseconds, callback) => {
            setImmediate(callback);
            return () => undefined;
          },
        },
      });
      const { answer, ending } = await run;
      assert.equal(ending, 'run-end');
      assert.equal(answer?.by, 'extractive');
    });

    it('has none where nothing answers', async () => {
      const { speak, run } = watched({ retriever: new ScriptedRetriever([]) });
      setTimeout(speak, 20);
      const { events } = await run;
      assert.deepEqual(quotesIn(events), []);
    });
  });

  it('has no quotes where nobody watches', async () => {
    const { events } = await runResearch('Where is rope bought?', {
      retriever,
      model: new ScriptedLanguageModel((_call, index) =>
        index === 0 ? { wait: new Promise((resolve) => setTimeout(resolve, 20)), reply: ANSWER } : ANSWER,
      ),
      options: { operator: 'single-step' },
      dependencies: {
        later: (_milliseconds, callback) => {
          setImmediate(callback);
          return () => undefined;
        },
      },
    });
    assert.equal(told(events).length, 1);
    assert.ok(events.every(({ type }) => type !== 'quotes-meanwhile'));
  });
});
