import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OperatorName } from '../../../../src/research/domain/plan.ts';
import type { UnstampedEvent } from '../../../../src/research/domain/research-event.ts';
import { BudgetExhaustedError, defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import type { Operator } from '../../../../src/research/operators/operator.ts';
import type { QuestionType } from '../../../../src/search/domain/question.ts';
import { usualOperators } from '../../../../src/research/plan/make-plan.ts';
import { operators } from '../../../../src/research/operators/operator-registry.ts';
import { RunState } from '../../../../src/research/run/run-state.ts';
import { UnknownStrategyError } from '../../../../src/learning/strategy/strategy-selector.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';
import { ask, finish, model, retriever, scriptedOperator, selectorWith, signal } from './selector-doubles.ts';

const newRun = (emit: (event: UnstampedEvent) => void = () => {}): RunState =>
  new RunState({
    runId: 'r',
    retriever,
    model,
    options: defaultResearchOptions,
    question: { text: 'q', history: [] },
    signal,
    now: () => 0,
    emit,
  });

const ASKED = {
  lookup: 'Where is rope bought?',
  inference: 'Who runs the port of the town where rope is bought?',
  comparison: 'Is more rope bought in Tallinn than in Riga?',
  temporal: 'Was rope bought in Tallinn before the port was built?',
  overview: 'What is bought?',
  null: 'Who paints the rope?',
} as const satisfies Record<QuestionType, string>;

describe('strategy selector', () => {
  it('starts from the prior: one look at a lookup, steps where those pay, and says so in one line', async () => {
    const { selector, problems } = selectorWith(undefined, { exploration: () => 0 });
    const lookup = (await ask(selector, 'Where is rope bought?', 'lookup')).choice;
    assert.equal(lookup?.strategy, 'usual');
    assert.match(
      lookup?.reason ?? '',
      /^Looks like a lookup: the usual plan(?:; thorough costs about \d+ × as much)?\.$/,
    );
    assert.deepEqual(lookup?.route, { kind: 'plan', debate: 'off' });
    const several = 'Who runs the port of the town where rope is bought?';
    const steps = (await ask(selector, several, 'inference')).choice;
    assert.equal(steps?.strategy, 'ircot', 'a model that does not tell its size is held to be a large one');
    assert.deepEqual(steps.route, { kind: 'operator', operator: 'iterative-step' });
    assert.ok((steps.relativeCost ?? 0) > (lookup?.relativeCost ?? Infinity));
    const thorough = (await ask(selector, several, 'inference', { strategy: 'thorough' })).choice;
    assert.ok((thorough?.relativeCost ?? 0) > (lookup?.relativeCost ?? Infinity));
    assert.deepEqual(problems, []);
  });

  for (const [size, windows] of [
    ['0.5b', [4096, 8192, 32_768]],
    ['1.5b', [4096, 8192, 32_768]],
    ['3b', [4096, 8192, 32_768]],
    ['8b', [4096, 8192]],
  ] as const)
    for (const contextTokens of windows)
      it(`looks once, whatever is asked, with a local model of ${size} and a window of ${contextTokens}`, async () => {
        const small = new ScriptedLanguageModel([], { id: `model-${size}@localhost:1234`, contextTokens });
        const { selector } = selectorWith(undefined, { exploration: () => 0 });
        for (const type of ['lookup', 'inference', 'comparison', 'temporal', 'overview', 'null'] as const)
          for (const strategy of ['fast', 'balanced', 'auto', 'thorough'] as const) {
            const { choice } = await ask(selector, ASKED[type], type, { strategy }, small);
            assert.equal(choice?.strategy, 'usual', `${type}, ${strategy}`);
            assert.deepEqual(choice.route, { kind: 'plan', debate: 'off' });
            assert.deepEqual(usualOperators(type, defaultResearchOptions.operators), ['single-step']);
          }
      });

  it('leaves a debate to others, and quotes to those without a model', async () => {
    const { selector } = selectorWith();
    assert.equal((await ask(selector, 'q', 'lookup', { debate: 'full' })).choice, undefined);
    assert.deepEqual(
      (await ask(selector, 'q', 'lookup', { debate: 'full', strategy: 'fixed:beam-extractive' })).choice?.route,
      { kind: 'operator', operator: 'extractive' },
      'who fixes a way that calls no model is not debated about',
    );
    for (let i = 0; i < 40; i += 1)
      assert.notEqual(
        (await ask(selector, `Question ${i}?`, 'lookup', { strategy: 'fast' })).choice?.strategy,
        'beam-extractive',
      );
  });

  it('runs a fixed graph, and names what there is when it does not exist', async () => {
    const { selector } = selectorWith();
    const { choice } = await ask(selector, 'q', 'lookup', { strategy: 'fixed:ircot>vote,no-retrieval>ircot' });
    const run = newRun();
    assert.ok(choice?.route.kind === 'custom');
    assert.equal(choice.route.vote, false, 'one answer is in view of the other');
    const result = await choice.route.run(run, { question: 'q', final: true });
    assert.equal(result.draft?.short, 'iterative-step after chain-of-thought after nothing');
    assert.deepEqual(
      run.subAnswers.map((sub) => sub.answer),
      ['iterative-step after chain-of-thought after nothing'],
    );
    assert.equal(run.budget.usage().calls, 2);
    await assert.rejects(ask(selector, 'q', 'lookup', { strategy: 'fixed:nonsense' }), UnknownStrategyError);
  });

  it('goes on with the agents that do not fail, and tells the run', async () => {
    const { selector } = selectorWith(undefined, {
      operator: scriptedOperator({ 'iterative-step': new Error('too long'), 'single-step': 'Tallinn' }),
    });
    const { choice } = await ask(selector, 'q', 'lookup', { strategy: 'fixed:one-retrieval>vote,ircot>vote' });
    const events: UnstampedEvent[] = [];
    const run = newRun((event) => events.push(event));
    assert.ok(choice?.route.kind === 'custom');
    assert.equal((await choice.route.run(run, { question: 'q', final: true })).draft?.short, 'Tallinn');
    assert.ok(events.some((event) => event.type === 'notice' && event.code === 'agent-failed'));
  });

  it('fails as its agents did when none is left to vote', async () => {
    const spent = new BudgetExhaustedError('This run has used its budget.');
    const { selector } = selectorWith(undefined, {
      operator: scriptedOperator({ 'iterative-step': spent, 'single-step': new Error('later') }),
    });
    const { choice } = await ask(selector, 'q', 'lookup', { strategy: 'fixed:ircot>one-retrieval,one-retrieval>vote' });
    const run = newRun();
    assert.ok(choice?.route.kind === 'custom');
    await assert.rejects(choice.route.run(run, { question: 'q', final: true }), (error: unknown) => error === spent);
  });

  it('rests a winner that looked nothing up on what those found who say the same', async () => {
    const passage = notePassage('rope', 'Rope', 'Rope is bought in Tallinn.');
    const looked = scriptedOperator({ 'single-step': 'Tallinn', 'chain-of-thought': 'tallinn.' });
    const operator = (name: OperatorName): Operator => ({
      ...looked(name),
      run: async (context, task) => ({
        ...(await looked(name).run(context, task)),
        evidence: name === 'single-step' ? [passage] : [],
      }),
    });
    const { selector } = selectorWith(undefined, { operator });
    const { choice } = await ask(selector, 'q', 'lookup', {
      strategy: 'fixed:one-retrieval>no-retrieval,no-retrieval>vote',
    });
    const run = newRun();
    assert.ok(choice?.route.kind === 'custom');
    assert.deepEqual((await choice.route.run(run, { question: 'q', final: true })).evidence, [passage]);
  });

  it('answers a whole run by a graph with the real operators, citations checked', async () => {
    const passage = notePassage('rope', 'Rope', 'Rope is bought in Tallinn.');
    const answering = new ScriptedLanguageModel(({ prompt, options }) => {
      if (options.schema) return { json: { reason: 'It is said.', verdict: 'keep' } };
      return prompt.includes('<passage')
        ? 'So the answer is: Tallinn [1]\nAnswer: Tallinn\nBecause: Rope is bought in Tallinn. [1]'
        : 'Answer: Riga';
    });
    const { selector } = selectorWith(undefined, { operator: (name) => operators.get(name) });
    const { events, answer: given } = await runResearch('Where is rope bought?', {
      retriever: new ScriptedRetriever([passage]),
      model: answering,
      options: { strategy: 'fixed:no-retrieval>vote,one-retrieval>vote,ircot>vote' },
      dependencies: { selectStrategy: selector.select },
      onEvent: (event) => selector.observe(event),
    });
    assert.equal(given?.short, 'Tallinn');
    assert.deepEqual(
      given?.citations.map((cited) => cited.passageId),
      ['rope'],
    );
    assert.equal(given?.unsupportedCount, 0);
    assert.deepEqual(
      new Set(events.flatMap((event) => (event.type === 'step-start' ? [event.operator] : []))),
      new Set(['chain-of-thought', 'single-step', 'iterative-step']),
    );
    const [plan] = events.flatMap((event) => (event.type === 'plan-proposed' ? [event.plan] : []));
    assert.equal(plan?.vote, true, 'no step of a vote comes before another');
    assert.equal(events.at(-1)?.type, 'run-end');
  });

  it('learns from a whole run that it chose for', async () => {
    const answering = new ScriptedLanguageModel(({ options }) =>
      options.schema
        ? { json: { reason: 'It is said.', verdict: 'keep' } }
        : 'Answer: Tallinn\nBecause: Rope is bought in Tallinn. [1]',
    );
    const { selector } = selectorWith(undefined, { operator: (name) => operators.get(name), exploration: () => 0 });
    const { events } = await runResearch('Where is rope bought?', {
      retriever,
      model: answering,
      type: 'lookup',
      dependencies: { selectStrategy: selector.select },
      onEvent: (event) => selector.observe(event),
    });
    const chosen = events.find((event) => event.type === 'strategy-selected');
    assert.equal(chosen?.type === 'strategy-selected' && chosen.strategy, 'usual');
    const { strategies } = await selector.report();
    assert.equal(strategies[0]?.strategy, 'usual');
    assert.ok((strategies[0]?.quality ?? 0) > 0.7);
  });

  it('tries out only what was measured, however curious it is', async () => {
    const unmeasured = ['self-critical', 'planned'];
    const { selector } = selectorWith(undefined, { exploration: () => 50 });
    const chosen = new Set<string>();
    for (let i = 0; i < 60; i += 1) {
      const { choice, runId } = await ask(selector, `Where is rope ${i} bought?`, i % 2 ? 'lookup' : 'inference');
      chosen.add(choice?.strategy ?? '');
      finish(selector, runId);
    }
    assert.ok(chosen.size >= 6, [...chosen].join());
    assert.deepEqual(
      unmeasured.filter((name) => chosen.has(name)),
      [],
    );
  });

  it('answers no question from memory unless a person chose that, and debates for nobody in a hurry', async () => {
    const routes = async (strategy: 'fast' | 'balanced' | 'thorough'): Promise<Set<string>> => {
      const { selector } = selectorWith(undefined, { exploration: (steps) => 50 / (1 + (steps - 500)) });
      const chosen = new Set<string>();
      for (let i = 0; i < 40; i += 1) {
        const { choice, runId } = await ask(selector, `Who keeps hut ${i}?`, 'inference', { strategy });
        assert.ok(choice && !choice.strategy.includes('no-retrieval'), choice?.strategy);
        assert.notDeepEqual(choice.route, { kind: 'operator', operator: 'chain-of-thought' });
        chosen.add(choice.route.kind === 'plan' ? choice.route.debate : choice.route.kind);
        finish(selector, runId);
        await selector.feedback(runId, { thumb: 'down' });
      }
      return chosen;
    };
    const [fast, balanced, thorough] = [await routes('fast'), await routes('balanced'), await routes('thorough')];
    assert.deepEqual([fast.has('fast'), fast.has('full')], [false, false]);
    assert.equal(balanced.has('full'), false);
    assert.equal(thorough.has('full'), true);
  });
});
