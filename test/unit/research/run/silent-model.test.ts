import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel, type ScriptedReply } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const retriever = new ScriptedRetriever([notePassage('rope', 'Rope', 'Rope is bought in Tallinn.')]);
const ANSWER: ScriptedReply = {
  json: { answer: 'Tallinn', statements: [{ text: 'Rope is bought in Tallinn.', passages: [1] }] },
};
const told = (events: readonly ResearchEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'notice' && event.code === 'model-silent' ? [event.message] : []));

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
});
