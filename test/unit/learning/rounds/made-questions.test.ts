import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LineFile } from '../../../../src/base/line-file.ts';
import { ExperienceStore } from '../../../../src/learning/experience/experience-store.ts';
import { RunCollector } from '../../../../src/learning/experience/run-collector.ts';
import { answerMade, type AnsweringPorts } from '../../../../src/learning/rounds/made-questions.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { createResearcher } from '../../../../src/research/run/research.ts';
import { cooperativeModel } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';

const WHERE = 'Where was Mara Lindqvist born?';
const signal = new AbortController().signal;

class LinesInMemory implements LineFile {
  text = '';
  async read(): Promise<string> {
    return this.text;
  }
  async replace(text: string): Promise<void> {
    this.text = text;
  }
  async change<T>(change: (text: string) => { text: string; result: T }): Promise<T> {
    const { text, result } = change(this.text);
    this.text = text;
    return result;
  }
}

/** The engine's own runs over a small corpus, by RISE's loop, and the store in which they leave what they teach. */
function bench(made: { question: string; answer: string }[]) {
  const store = new ExperienceStore(new LinesInMemory());
  const collector = new RunCollector(store, { onProblem: (error) => assert.fail(String(error)) });
  const asked: string[] = [];
  let time = 0;
  let ids = 0;
  const research = createResearcher({
    retriever: relayRetriever(),
    model: cooperativeModel(),
    classifier: {
      classify: async () => ({ type: 'inference', probabilities: { inference: 1 }, classifier: 'fixed' }),
    },
    onNode: (record) => collector.onNode(record),
    now: () => (time += 1),
    newId: () => `run-${(ids += 1)}`,
  });
  const ports: AnsweringPorts = {
    made: async () => made,
    most: 5,
    ask: (text) => {
      asked.push(text);
      return research({ text, history: [] }, { ...defaultResearchOptions, operator: 'self-critical' }, signal);
    },
    judge: (runId, goldF1) => collector.feedback(runId, { goldF1 }) > 0,
  };
  return { ports, asked, store, collector };
}

describe('answering the questions that a round has made', () => {
  it('teaches by the runs that come to the known answer, and by no others', async () => {
    const { ports, asked, store, collector } = bench([
      { question: BORN, answer: 'Narvik' },
      { question: WHERE, answer: 'Oslo' },
    ]);
    const progress: string[] = [];
    const known = new Set<string>();
    const result = await answerMade(ports, known, signal, (done, of) => progress.push(`${done}/${of}`));
    await collector.settled();
    assert.deepEqual([result, asked, progress], [{ asked: 2, right: 1, teach: 1 }, [BORN, WHERE], ['1/2', '2/2']]);
    const lessons = await store.lessons();
    assert.ok(lessons.length > 6);
    for (const { runQuestion, outcome } of lessons)
      assert.deepEqual([runQuestion, outcome], [BORN, ['citations', 'gold']]);
    assert.ok(lessons.some((record) => record.kind === 'decomposition' && record.sent));
    assert.deepEqual(await answerMade(ports, known, signal), { asked: 0, right: 0, teach: 0 }, 'each is asked once');
  });

  it('counts an answer that is half right as right, and lets it teach nothing', async () => {
    const { ports, store, collector } = bench([{ question: BORN, answer: 'Narvik harbour' }]);
    assert.deepEqual(await answerMade(ports, new Set(), signal), { asked: 1, right: 1, teach: 0 });
    await collector.settled();
    assert.deepEqual(await store.lessons(), []);
  });

  it('asks the newest, no more than it may, and stops when it is told to', async () => {
    const made = Array.from({ length: 8 }, (_, i) => ({ question: `Question ${i}?`, answer: 'x' }));
    const { ports, asked } = bench(made);
    await answerMade({ ...ports, most: 2 }, new Set(), signal);
    assert.deepEqual(asked, ['Question 6?', 'Question 7?']);
    await assert.rejects(answerMade(ports, new Set(), AbortSignal.abort()), { name: 'AbortError' });
    assert.equal(asked.length, 2);
  });
});
