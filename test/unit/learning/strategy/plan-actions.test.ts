import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openPlans, operatorsOfWay, planActions } from '../../../../src/learning/strategy/plan-actions.ts';
import { describeStrategy } from '../../../../src/learning/strategy/strategy-report.ts';
import { operatorCalled } from '../../../../src/research/operators/operator-registry.ts';
import { defaultResearchOptions, type ResearchOptions } from '../../../../src/research/context/research-options.ts';
import type { QuestionType } from '../../../../src/search/domain/question.ts';

const actions = planActions();
const open = (type: QuestionType, options: Partial<ResearchOptions> = {}): string[] =>
  openPlans(actions, type, { ...defaultResearchOptions, ...options }, () => true).map(
    (place) => actions[place]?.name ?? '',
  );

describe('the plans that are chosen among', () => {
  it('are eleven, each with a name that people understand', () => {
    assert.deepEqual(
      actions.map(({ name, title }) => [name, title]),
      [
        ['usual', 'the usual plan'],
        ['one-retrieval', 'one look'],
        ['ircot', 'step by step'],
        ['sub-step', 'sub-questions'],
        ['adaptive-step', 'one look, and more where that is not enough'],
        ['self-critical', 'steps that check themselves'],
        ['planned', 'a plan made in one call'],
        ['debate', 'a debated plan'],
        ['one-retrieval>vote,ircot>vote', 'a vote of one look and step by step'],
        ['one-retrieval>ircot,ircot>vote', 'one look, then step by step with that answer in view'],
        ['one-retrieval>vote,ircot>one-retrieval', 'step by step, then one look with that answer in view'],
      ],
    );
    assert.equal(describeStrategy('ircot'), 'step by step');
    assert.equal(describeStrategy('no-retrieval>ircot,ircot>vote'), 'no retrieval, seen by step-by-step retrieval');
    assert.equal(describeStrategy('telepathy'), 'telepathy');
  });

  it('all look into the files: none begins with an answer from memory', () => {
    for (const type of ['lookup', 'inference', 'comparison', 'temporal', 'overview'] as const) {
      const begun = actions.flatMap(({ way }) => operatorsOfWay(way, type, defaultResearchOptions.operators) ?? []);
      assert.ok(begun.length > 0, type);
      for (const operator of begun) assert.ok(operatorCalled(operator).retrieves, operator);
    }
  });

  it('differ in their structure, so that each can be told from the others', () => {
    assert.equal(new Set(actions.map(({ structure }) => structure.join())).size, actions.length - 1);
    // Who sees whose answer is all that tells the last two apart: an offset of their own.
  });

  it('hold the usual plan of a type once', () => {
    for (const type of ['lookup', 'inference', 'comparison', 'temporal', 'overview', 'null'] as const)
      assert.ok(!open(type).includes('one-retrieval') && open(type).includes('ircot'), type);
    const withoutOneLook = open('inference', { operators: ['iterative-step', 'sub-step'] });
    assert.ok(!withoutOneLook.includes('ircot') && withoutOneLook.includes('sub-step'), 'steps are usual there');
  });

  it('hold a debate for who asks to be thorough or to think harder, a planning call for who is not in a hurry', () => {
    const made = (options: Partial<ResearchOptions>): string[] =>
      open('inference', options).filter((name) => name === 'planned' || name === 'debate');
    assert.deepEqual(made({ strategy: 'fast' }), []);
    assert.deepEqual(made({ strategy: 'balanced' }), ['planned']);
    assert.deepEqual(made({ strategy: 'auto' }), ['planned']);
    assert.deepEqual(made({ strategy: 'thorough' }), ['planned', 'debate']);
    assert.deepEqual(made({ strategy: 'balanced', effort: 'harder' }), ['planned', 'debate']);
  });

  it('hold only what the allowed operators can do, and what can run here', () => {
    assert.deepEqual(open('inference', { operators: ['single-step', 'sub-step'], strategy: 'fast' }), [
      'usual',
      'sub-step',
    ]);
    const here = openPlans(actions, 'lookup', { ...defaultResearchOptions, strategy: 'fast' }, (name) =>
      ['single-step', 'adaptive-step'].includes(name),
    );
    assert.deepEqual(
      here.map((place) => actions[place]?.name),
      ['usual', 'adaptive-step'],
    );
  });
});
