import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { shippedStrategies } from '../../../../src/learning/open-learning.ts';
import {
  choosePlan,
  LEAST_MEASURED,
  UnknownStrategyError,
} from '../../../../src/learning/strategy/strategy-selector.ts';
import { PLANS } from '../../../../src/learning/strategy/plans.ts';
import { readPrior } from '../../../../src/learning/strategy/prior.ts';
import { modelClass, questionFeatures } from '../../../../src/learning/strategy/question-features.ts';
import { describeStrategy } from '../../../../src/learning/strategy/strategy-report.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { ask, finish, prior, selectorWith } from './selector-doubles.ts';

const small = new ScriptedLanguageModel([], { contextTokens: 4096 });
const large = new ScriptedLanguageModel([], { contextTokens: 131_072 });

describe('strategy selector', () => {
  it('takes the class of a model from its window', () => {
    assert.deepEqual(
      [4096, 8191, 8192, 65_535, 65_536, 1_000_000].map((contextTokens) => modelClass({ contextTokens })),
      ['small', 'small', 'middle', 'middle', 'large', 'large'],
    );
  });

  it('ships measured outcomes of small models only, on questions of two types', () => {
    const { outcomes } = readPrior(prior);
    assert.deepEqual([...new Set(outcomes.map((one) => one.class))], ['small']);
    const names = PLANS.map(({ name }) => name);
    for (const { strategy } of outcomes) assert.ok(names.includes(strategy), strategy);
  });

  it('chooses among measured plans, and leaves all else to the plan of the type', async () => {
    const { selector, problems } = selectorWith();
    const strategyFor = async (...[type, options, model]: [Parameters<typeof ask>[2], object, typeof small]) =>
      (await ask(selector, 'Who runs the port of the town where rope is bought?', type, options, model)).choice
        ?.strategy;
    const chosen = await strategyFor('inference', {}, small);
    assert.ok(chosen === 'one-retrieval' || chosen === 'ircot', chosen);
    assert.equal(await strategyFor('lookup', {}, small), undefined, 'no lookup was measured');
    assert.equal(await strategyFor('inference', {}, large), undefined, 'no large model was measured');
    assert.equal(await strategyFor('inference', { operators: ['single-step'] }, small), undefined, 'one is no choice');
    const { choice } = await ask(selector, 'Who is older?', 'comparison', {}, small);
    assert.match(choice?.reason ?? '', /^Looks like a comparison: .*, by \d+ measured outcomes with small models\.$/);
    assert.equal(choice?.origin, 'chosen');
    assert.ok((choice?.relativeCost ?? 0) >= 1);
    assert.deepEqual(problems, []);
  });

  it('chooses in an evaluation as a fresh installation does', async () => {
    const modelsDir = fileURLToPath(new URL('../../../../models', import.meta.url));
    const select = shippedStrategies({ modelsDir, now: () => 0, onProblem: assert.ifError });
    for (const type of ['inference', 'comparison', 'lookup'] as const) {
      const { choice } = await ask({ select }, 'Who is older?', type, {}, small);
      assert.deepEqual(choice, (await ask(selectorWith().selector, 'Who is older?', type, {}, small)).choice, type);
    }
  });

  it('measures the default by its own runs, for its class and type, and then chooses', async () => {
    const { selector } = selectorWith();
    const run = async (strategy: string, thumb: 'up' | 'down'): Promise<void> => {
      const { choice, runId } = await ask(selector, 'Where is rope bought?', 'lookup', {}, large);
      assert.equal(choice, undefined);
      finish(selector, runId, { type: 'strategy-selected', strategy, reason: '' });
      finish(selector, runId);
      await selector.feedback(runId, { thumb });
    };
    for (let i = 0; i < LEAST_MEASURED; i += 1) await run('plan', 'down');
    for (let i = 0; i < LEAST_MEASURED; i += 1) await run('adaptive-step', 'up');
    const names = (await selector.report()).strategies.map(({ strategy, runs }) => [strategy, runs]);
    assert.deepEqual(names, [
      ['planned', 10],
      ['adaptive-step', 10],
    ]);
    assert.equal((await ask(selector, 'Where is tar bought?', 'lookup', {}, large)).choice?.strategy, 'adaptive-step');
    assert.equal((await ask(selector, 'Where is tar bought?', 'overview', {}, large)).choice, undefined);
    assert.equal((await ask(selector, 'Where is tar bought?', 'lookup', {}, small)).choice, undefined);
  });

  it('prefers what is worth more, and what is cheaper among equals', () => {
    const x = questionFeatures({
      question: 'Where is rope bought?',
      historyLength: 0,
      classification: { type: 'lookup', probabilities: { lookup: 1 }, classifier: 'fixed' },
    });
    const outcomes = (plans: Record<string, [number, number]>) =>
      Object.entries(plans).flatMap(([strategy, [quality, cost]]) =>
        Array.from({ length: 12 }, () => ({
          class: 'large' as const,
          strategy,
          features: x,
          outcome: { quality, cost },
        })),
      );
    const best = (plans: Record<string, [number, number]>) => choosePlan(outcomes(plans), x, PLANS)?.plan.name;
    assert.equal(best({ planned: [0.9, 0.4], 'one-retrieval': [0.3, 0.1] }), 'planned');
    assert.equal(best({ planned: [0.9, 0.4], 'one-retrieval': [0.9, 0.1] }), 'one-retrieval');
    assert.equal(best({ planned: [0.9, 0.4] }), undefined);
  });

  it('runs the graph that a person fixes, and knows no other name', async () => {
    const { selector } = selectorWith();
    const fixed = async (name: string) =>
      (await ask(selector, 'q?', 'lookup', { strategy: `fixed:${name}` as const }, small)).choice;
    assert.deepEqual((await fixed('ircot'))?.route, { kind: 'operator', operator: 'iterative-step' });
    const vote = (await fixed('no-retrieval>vote,one-retrieval>vote,ircot>vote'))?.route;
    assert.ok(vote?.kind === 'custom' && vote.vote === true);
    assert.deepEqual(vote.operators, ['chain-of-thought', 'single-step', 'iterative-step']);
    assert.equal(describeStrategy('no-retrieval>ircot,ircot>vote'), 'no retrieval, seen by step-by-step retrieval');
    for (const name of ['telepathy', 'ircot>ircot', 'no-retrieval>ircot'])
      await assert.rejects(fixed(name), UnknownStrategyError);
  });

  it('starts knowing nothing where what ships cannot be read, and says so', async () => {
    for (const damaged of [{ version: 1 }, { ...(prior as object), features: ['constant'] }, 'x']) {
      const { selector, problems } = selectorWith(undefined, { prior: damaged });
      assert.equal((await ask(selector, 'Who is older?', 'comparison', {}, small)).choice, undefined);
      assert.match(String(problems), /measured outcomes of strategies/);
    }
  });
});
