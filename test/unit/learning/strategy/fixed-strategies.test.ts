import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createEngine, type Engine, type IndexProcess } from '../../../../src/engine.ts';
import { openLearning, type Learning } from '../../../../src/learning/open-learning.ts';
import { QUESTION_FEATURES } from '../../../../src/learning/strategy/question-features.ts';
import { LEAST_MEASURED } from '../../../../src/learning/strategy/strategy-memory.ts';
import { describeStrategy } from '../../../../src/learning/strategy/strategy-report.ts';
import { createClassifiers } from '../../../../src/research/classify/create-classifiers.ts';
import type { ResearchOptions } from '../../../../src/research/context/research-options.ts';
import type { Retriever } from '../../../../src/search/retrieval/retriever.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { ask, finish, selectorWith } from './selector-doubles.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

/** One of the 97 that is none of the plans which are always chosen among: one look is seen, and both vote. */
const SEEN_AND_COUNTED = 'one-retrieval>ircot,one-retrieval>vote,ircot>vote';
/** Begins with an answer from memory. */
const CLOSED_BOOK = 'no-retrieval>ircot,ircot>vote';
const WITH_QUOTES = 'beam-extractive>one-retrieval,one-retrieval>vote';

describe('a strategy that a person fixes', () => {
  let folder = '';
  let problems: unknown[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
    problems = [];
  });

  let runs = 0;
  let time = 0;
  /** A window over what is learnt in the folder, with the product's own choice, prior and operators. */
  function open(retriever: Retriever = relayRetriever()): { learning: Learning; engine: Engine } {
    const now = (): number => (time += 1);
    const learning = openLearning({ folder, modelsDir: 'models', now, onProblem: (error) => problems.push(error) });
    const engine = createEngine({
      indexProcess: {
        index: { state: async () => ({ embedderId: 'e' }) },
        retriever,
        learner: {},
      } as unknown as IndexProcess,
      model: new ScriptedLanguageModel(cooperative),
      classifier: createClassifiers('models', relayRetriever()),
      learning,
      now,
      newId: () => `run-${(runs += 1)}`,
    });
    return { learning, engine };
  }

  /** The strategy of a whole run. */
  async function strategyOf(
    { engine, learning }: ReturnType<typeof open>,
    options: Partial<ResearchOptions>,
    { thumb, byRound }: { thumb?: 'up' | 'down'; byRound?: boolean } = {},
  ): Promise<string | undefined> {
    let strategy: string | undefined;
    let runId = '';
    const asking = { model: engine.model, ...(byRound && { byRound }) };
    for await (const event of engine.research({ text: BORN, history: [] }, options, undefined, asking)) {
      runId = event.runId;
      if (event.type === 'strategy-selected') strategy = event.strategy;
    }
    if (thumb) await learning.feedback(runId, thumb);
    await learning.settled();
    return strategy;
  }

  const learntBy = async ({ learning }: ReturnType<typeof open>): Promise<[string, number][]> =>
    (await learning.report()).strategies.strategies.map(({ strategy, runs: count }) => [strategy, count]);

  it('is told to answer from memory only where nobody has looked anything up', async () => {
    const told = async (strategy: string): Promise<boolean> => {
      const { engine, learning } = open();
      let fromMemory = false;
      for await (const event of engine.research({ text: BORN, history: [] }, { strategy: `fixed:${strategy}` }))
        fromMemory ||= event.type === 'notice' && event.code === 'from-memory';
      await learning.settled();
      return fromMemory;
    };
    assert.equal(await told(CLOSED_BOOK), true);
    assert.equal(await told('one-retrieval>no-retrieval,no-retrieval>vote'), false);
  });

  it('becomes one that `auto` may choose once ten of its outcomes are known, in every window and after a restart', async () => {
    const window = open();
    for (let i = 1; i < LEAST_MEASURED; i += 1)
      await strategyOf(window, { strategy: `fixed:${SEEN_AND_COUNTED}` }, { thumb: 'up' });
    assert.deepEqual(await learntBy(window), [[SEEN_AND_COUNTED, LEAST_MEASURED - 1]]);
    const early = await strategyOf(window, { record: false });
    assert.notEqual(early, SEEN_AND_COUNTED, 'nine are too few, however good they were');
    await strategyOf(window, { strategy: `fixed:${SEEN_AND_COUNTED}` }, { thumb: 'up' });
    assert.equal(await strategyOf(window, { record: false }), SEEN_AND_COUNTED);
    assert.equal(await strategyOf(open(), { record: false }), SEEN_AND_COUNTED);
    assert.equal(describeStrategy(SEEN_AND_COUNTED).startsWith('one retrieval, seen by'), true);
    for (let i = 0; i < 2 * LEAST_MEASURED; i += 1)
      await strategyOf(window, { strategy: `fixed:${SEEN_AND_COUNTED}` }, { thumb: 'down' });
    assert.notEqual(await strategyOf(window, { record: false }), SEEN_AND_COUNTED, 'what is rejected is left again');
    assert.deepEqual(problems, []);
  });

  it('is never chosen by itself where an agent answers from memory; its outcomes are kept and told', async () => {
    const window = open();
    for (let i = 0; i < LEAST_MEASURED + 2; i += 1)
      await strategyOf(window, { strategy: `fixed:${CLOSED_BOOK}` }, { thumb: 'up' });
    await strategyOf(window, { operator: 'chain-of-thought' }, { thumb: 'up' });
    assert.deepEqual(await learntBy(open()), [
      [CLOSED_BOOK, LEAST_MEASURED + 2],
      ['no-retrieval', 1],
    ]);
    assert.equal(await strategyOf(window, { record: false }), 'ircot');
    assert.deepEqual(problems, []);
  });

  it('teaches under the name of the plan that goes the same way: an operator, a debate, one planning call', async () => {
    const window = open();
    await strategyOf(window, { operator: 'single-step' });
    await strategyOf(window, { strategy: 'fixed:one-retrieval' });
    await strategyOf(window, { operator: 'self-critical' });
    await strategyOf(window, { debate: 'full' });
    await strategyOf(window, { strategy: 'fixed:belle' });
    await strategyOf(window, { debate: 'fast' });
    assert.deepEqual(
      new Map(await learntBy(window)),
      new Map([
        ['usual', 2], // one look is the usual plan
        ['debate', 2],
        ['self-critical', 1],
        ['planned', 1],
      ]),
    );
  });

  it('teaches nothing when nothing may be learnt, when no model answers, and when a round of learning asks', async () => {
    const window = open();
    await strategyOf(window, { strategy: `fixed:${SEEN_AND_COUNTED}`, record: false });
    await strategyOf(window, { operator: 'extractive' });
    await strategyOf(window, { strategy: 'fixed:beam-extractive' });
    await strategyOf(window, { operator: 'self-critical' }, { byRound: true });
    window.engine.setModel(undefined);
    await strategyOf(window, { strategy: `fixed:${SEEN_AND_COUNTED}` });
    assert.deepEqual(await learntBy(window), []);
  });

  it('runs although it cannot be learnt from', async () => {
    const broken = relayRetriever();
    broken.search = async () => {
      throw new Error('The index is away.');
    };
    const window = open(broken);
    assert.equal(await strategyOf(window, { operator: 'iterative-step' }), 'iterative-step');
    assert.match(String(problems[0]), /index is away/);
    assert.deepEqual(await learntBy(window), []);
  });

  it('is tried out by a curious choice once it is measured, quotes in it or not', async () => {
    for (const [graph, offered] of [
      [SEEN_AND_COUNTED, true],
      [WITH_QUOTES, true],
      [CLOSED_BOOK, false],
      ['beam-extractive', false],
    ] as const) {
      const { selector } = selectorWith(undefined, { exploration: () => 50 });
      for (let i = 0; i < LEAST_MEASURED; i += 1) {
        const runId = `${graph} ${i}`;
        selector.decided({
          runId,
          question: `q${i}`,
          strategy: graph,
          beta: 0.5,
          features: new Float64Array(QUESTION_FEATURES.length).fill(0.1),
        });
        finish(selector, runId);
      }
      const chosen = new Set<string | undefined>();
      for (let i = 0; i < 60; i += 1) {
        const { choice, runId } = await ask(selector, `Who keeps hut ${i}?`, i % 2 ? 'lookup' : 'inference');
        chosen.add(choice?.strategy);
        finish(selector, runId);
      }
      assert.equal(chosen.has(graph), offered, graph);
    }
  });
});
