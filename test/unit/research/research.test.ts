import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../src/research/domain/run-notices.ts';
import type { QuestionClassifier } from '../../../src/research/classify/classifier-model.ts';
import { BadReplyError } from '../../../src/research/language-model/errors.ts';
import { runResearch } from '../../doubles/run-research.ts';
import { notePassage, ScriptedRetriever } from '../../doubles/scripted-retriever.ts';

const passage = notePassage('rope', 'Suppliers > Rope', 'Rope is bought in Tallinn.');
const question = 'Where is rope bought?';

describe('a run without a language model', () => {
  it('has its events in order', async () => {
    const { events } = await runResearch(question, { retriever: new ScriptedRetriever([passage]) });
    assert.deepEqual(
      events.map((event) => event.type).filter((type, i, all) => type !== all[i - 1]),
      [
        'run-start',
        'question-classified',
        'strategy-selected',
        'plan-proposed',
        'step-start',
        'passages-retrieved',
        'sub-answer-ready',
        'critique-ready',
        'step-end',
        'answer-delta',
        'answer-end',
        'run-end',
      ],
    );
    assert.ok(events.every((event) => event.runId === 'run-1'));
  });

  it('ends with run-error when retrieval fails, and says why', async () => {
    const retriever = new ScriptedRetriever([passage], {
      scripts: { rope: { error: new Error('The index is gone.') } },
    });
    const { events, ending } = await runResearch(question, { retriever });
    assert.equal(ending, 'run-error');
    const last = events.at(-1);
    assert.equal(last?.type === 'run-error' && last.error.message, 'The index is gone.');
    assert.equal(events.filter((event) => event.type.startsWith('run-')).length, 2);
  });

  it('goes on when the classifier fails, and says so', async () => {
    const { events, ending } = await runResearch(question, {
      retriever: new ScriptedRetriever([passage]),
      dependencies: {
        classifier: {
          classify: async () => {
            throw new Error('no vectors');
          },
        },
      },
    });
    assert.equal(ending, 'run-end');
    assert.ok(
      events.some(
        (event) =>
          event.type === 'notice' && event.code === 'not-classified' && runNoticeInWords(event).includes('no vectors'),
      ),
    );
  });

  it('counts what a classifier asks of a language model, also where its reply is of no use', async () => {
    const used = { inputTokens: 300, outputTokens: 20, estimated: false };
    const classified = async (classify: QuestionClassifier['classify']) => {
      const { events } = await runResearch(question, {
        retriever: new ScriptedRetriever([passage]),
        dependencies: { classifier: { classify } },
      });
      const end = events.at(-1);
      assert.ok(end?.type === 'run-end');
      return [end.usage.calls, end.usage.inputTokens, end.usage.outputTokens];
    };
    const told = await classified(async (_text, _signal, onUsage) => {
      onUsage?.(used, 1);
      return { type: 'lookup', probabilities: { lookup: 1 }, classifier: 'zero-shot' };
    });
    const failed = await classified(async () => {
      throw new BadReplyError('m', 'question type', { reply: '', problem: 'none', usage: used, calls: 2 });
    });
    assert.deepEqual(
      [told, failed],
      [
        [1, 300, 20],
        [2, 300, 20],
      ],
    );
  });

  it('ends with run-cancelled when it is cancelled, even if the retriever does not listen', async () => {
    const abort = new AbortController();
    const retriever = new ScriptedRetriever([passage], { wait: new Promise(() => {}) });
    const { ending, events } = await runResearch(question, {
      retriever,
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type === 'step-start') abort.abort();
      },
    });
    assert.equal(ending, 'run-cancelled');
    assert.equal(events[0]?.type, 'run-start');
  });

  it('starts and is cancelled when it was cancelled before', async () => {
    const { events } = await runResearch(question, {
      retriever: new ScriptedRetriever([passage]),
      signal: AbortSignal.abort(),
    });
    assert.equal(events[0]?.type, 'run-start');
    assert.equal(events.at(-1)?.type, 'run-cancelled');
  });

  it('says how much of the workspace it could see', async () => {
    const retriever = new ScriptedRetriever([passage], { coverage: { passages: 10, embedded: 4, indexing: true } });
    const { events, answer } = await runResearch(question, { retriever });
    const notices = events.filter((event) => event.type === 'notice');
    assert.deepEqual(
      notices.map((event) => event.code),
      ['still-indexing'],
    );
    assert.match(notices[0] ? runNoticeInWords(notices[0]) : '', /10 passages .* 40 %/);
    assert.equal(answer?.coverage.indexing, true);
  });
});
