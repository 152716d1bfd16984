import assert from 'node:assert/strict';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { describe, it } from 'mocha';
import {
  addResearchFlags,
  agentList,
  researchOptions,
  share,
  type ResearchFlags,
} from '../../../src/cli/research-flags.ts';

function parse(...words: string[]) {
  const command = addResearchFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return researchOptions(command.parse(words, { from: 'user' }).opts<ResearchFlags>());
}

describe('research flags', () => {
  it('switch each part of the methods', () => {
    const options = parse(
      '--debate',
      'full',
      '--no-slow',
      '--strength',
      'L3',
      '--judge',
      'soft',
      '--no-types',
      '--rounds',
      '3',
      '--critique',
      'off',
      '--operators',
      'sub-step, single-step',
      '--max-calls',
      '7',
    );
    assert.deepEqual(
      {
        debate: options.debate,
        slow: options.slowDebater,
        fast: options.fastDebater,
        strength: options.strength,
        judge: options.judge,
        types: options.types,
        rounds: options.rounds,
        critique: options.critique,
        operators: options.operators,
        calls: options.budget?.calls,
      },
      {
        debate: 'full',
        slow: false,
        fast: undefined,
        strength: 'L3',
        judge: 'soft',
        types: false,
        rounds: 3,
        critique: false,
        operators: ['sub-step', 'single-step'],
        calls: 7,
      },
    );
  });

  it('refuse what there is not', () => {
    assert.throws(() => parse('--rounds', '4'), CommanderError);
    assert.throws(() => parse('--operator', 'guess'), CommanderError);
    assert.throws(() => parse('--beam', '0'), CommanderError);
    assert.throws(() => parse('--operators', 'sub-step,guess'), /Unknown operator guess/);
  });
});

describe('flags of the bandit', () => {
  it('take lists of agents and a share', () => {
    assert.deepEqual(agentList('belle, ircot'), ['belle', 'ircot']);
    assert.throws(() => agentList('belle,guess'), /"guess" is not one of/);
    assert.equal(share('0.8'), 0.8);
    for (const no of ['0', '1', '1.5', 'x']) assert.throws(() => share(no), InvalidArgumentError);
  });
});
