import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { optionsForEffort, readSettings, type RunEffort } from '../../../../src/vscode/settings.ts';

const from = (values: Record<string, unknown>) => readSettings((key) => values[key], defaultResearchOptions).research;

describe('optionsForEffort', () => {
  it('takes the usual run from the settings as they are', () => {
    const research = from({ strategy: 'ircot', 'research.operator': 'sub-step' });
    assert.deepEqual(optionsForEffort(research, 'usual'), research);
  });

  it('spends more on a harder run than the settings say', () => {
    const harder = optionsForEffort(
      from({ strategy: 'fast', 'research.operator': 'sub-step', 'research.maxHops': 3 }),
      'harder',
    );
    assert.deepEqual(
      [harder.strategy, harder.effort, harder.operator, harder.maxHops],
      ['thorough', 'harder', undefined, 3],
    );
    assert.equal(
      optionsForEffort(from({ strategy: 'thorough' }), 'usual').effort,
      undefined,
      "thorough by the settings is nobody's word on an answer",
    );
  });

  it('keeps a quick run quick, and all that the settings say beside it', () => {
    const quick = optionsForEffort(
      from({
        strategy: 'ircot',
        'research.operator': 'sub-step',
        'research.debate': 'full',
        'research.learn': false,
        'research.critique': false,
        'research.beam': 4,
        'research.maxHops': 3,
        'budget.calls': 7,
      }),
      'quick',
    );
    assert.deepEqual([quick.strategy, quick.operator, quick.debate], ['fast', undefined, 'off']);
    assert.deepEqual(
      [quick.record, quick.critique, quick.beam, quick.maxHops, quick.budget?.calls],
      [false, false, 4, 3, 7],
    );
  });

  it('calls no model for a quick run where the settings fix a way without one', () => {
    assert.equal(optionsForEffort(from({ 'research.operator': 'extractive' }), 'quick').operator, 'extractive');
    const quotes = optionsForEffort(from({ strategy: 'beam-extractive', 'research.debate': 'full' }), 'quick');
    assert.deepEqual([quotes.operator, quotes.debate], ['extractive', 'off']);
  });

  it('asks no model for the type of a question where none is to answer it, or somebody waits', () => {
    const classifierOf = (values: Record<string, unknown>, effort: RunEffort): string | undefined =>
      optionsForEffort(from({ 'research.classifier': 'zero-shot', ...values }), effort).classifier;
    assert.equal(classifierOf({}, 'usual'), 'zero-shot');
    assert.equal(classifierOf({ 'research.operator': 'sub-step' }, 'usual'), 'zero-shot');
    assert.equal(classifierOf({ 'research.operator': 'extractive' }, 'harder'), 'zero-shot');
    for (const quotes of [{ 'research.operator': 'extractive' }, { strategy: 'beam-extractive' }])
      assert.equal(classifierOf(quotes, 'usual'), 'embedded');
    for (const effort of ['quick', 'quotes'] as const) assert.equal(classifierOf({}, effort), 'embedded');
  });

  it('quotes whatever the settings say of the way', () => {
    const research = from({ strategy: 'belle', 'research.operator': 'sub-step' });
    assert.equal(optionsForEffort(research, 'quotes').operator, 'extractive');
  });
});
