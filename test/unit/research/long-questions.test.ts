import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../src/research/domain/run-notices.ts';
import { LONGEST_QUESTION, lookedAt } from '../../../src/search/domain/question.ts';
import { questionFeatures } from '../../../src/research/classify/classifiers.ts';
import { questionNameKeys, textQuery } from '../../../src/search/retrieval/name-keys.ts';
import { longestHold } from '../../doubles/hostile-server.ts';
import { relayRetriever } from '../../doubles/relay-corpus.ts';
import { runResearch } from '../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../doubles/scripted-language-model.ts';

const noVector = new Float32Array(0);

const cutNotices = (run: Awaited<ReturnType<typeof runResearch>>) =>
  run.events.flatMap((event) =>
    event.type === 'notice' && event.code === 'question-cut' ? [runNoticeInWords(event)] : [],
  );

describe('a long question', function () {
  this.timeout(30_000);
  const questions: Record<string, string> = {
    '60,000 dots': '.'.repeat(60_000),
    '100,000 letters': 'a'.repeat(100_000),
    '100,000 capitals': 'A'.repeat(100_000),
    '60,000 steps of a path': 'a/'.repeat(30_000),
    '100 KB of words': 'which keeper was born or first said before '.repeat(2500),
    '60,000 spaces': `who${' '.repeat(60_000)}is it?`,
    '60,000 quotation marks': '"'.repeat(60_000),
  };
  for (const [name, question] of Object.entries(questions)) {
    it(`is answered within seconds: ${name}`, async () => {
      const started = performance.now();
      const held = await longestHold(async () => {
        const run = await runResearch(question, {
          retriever: relayRetriever(),
        });
        assert.equal(run.ending, 'run-end');
        assert.deepEqual(cutNotices(run), [
          `Only the first 4,000 characters of the question are looked at; it has ${question.length.toLocaleString('en')}.`,
        ]);
        assert.equal(
          run.events.findIndex((event) => event.type === 'notice'),
          1,
          'said right after the start',
        );
      });
      assert.ok(performance.now() - started < 5000);
      assert.ok(held < 1500, `held everything for ${Math.round(held)} ms`);
    });
  }

  it('is cut before anything is searched for or sent', async () => {
    const retriever = relayRetriever();
    const model = new ScriptedLanguageModel(() => 'Answer: none');
    await runResearch(`Who keeps Kestrel Hut? ${'x '.repeat(50_000)}`, {
      retriever,
      model,
      history: [{ question: 'y '.repeat(50_000), answer: 'a' }],
    });
    assert.ok(retriever.queries.length > 0);
    for (const query of retriever.queries) assert.ok(query.length <= LONGEST_QUESTION + 200);
    for (const call of model.calls) assert.ok(call.prompt.length < 40_000);
  });

  it('a pasted stack trace of 3,000 characters is looked at in full, and nothing is said', async () => {
    const trace = `Why does this fail?\n${Array.from({ length: 45 }, (_, i) => `    at Relay.read${i} (/srv/app/src/relay/read-frame.ts:${i}:12)`).join('\n')}`;
    const retriever = relayRetriever();
    const run = await runResearch(trace, { retriever });
    assert.ok(trace.length > 2700 && trace.length < LONGEST_QUESTION);
    assert.deepEqual(cutNotices(run), []);
    assert.ok(retriever.queries.includes(trace));
  });

  it('loses no half of a character', () => {
    assert.equal(lookedAt(`${'a'.repeat(LONGEST_QUESTION - 1)}😀`), 'a'.repeat(LONGEST_QUESTION - 1));
    assert.equal(lookedAt('short 😀'), 'short 😀');
  });

  it('is turned into a query in time that grows with its length alone', () => {
    const before = process.cpuUsage();
    for (const question of Object.values(questions)) {
      textQuery(question);
      questionNameKeys(question);
      questionFeatures(question, noVector, 1);
    }
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 10_000_000, `${user + system} µs`);
  });
});
