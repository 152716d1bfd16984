import assert from 'node:assert/strict';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { describe, it } from 'mocha';
import { namedEndpoint } from '../../../src/cli/open-engine.ts';
import {
  addResearchFlags,
  agentList,
  nonNegativeInteger,
  nonNegativeNumber,
  number,
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
    for (const read of [number, nonNegativeInteger, nonNegativeNumber])
      for (const no of ['', ' ', 'x', ...(read === number ? [] : ['-1'])])
        assert.throws(() => read(no), InvalidArgumentError, `${read.name} of "${no}"`);
  });

  it('take an empty variable for none', () => {
    const before = { url: process.env['HOPTRAIL_BASE_URL'], model: process.env['HOPTRAIL_MODEL'] };
    Object.assign(process.env, { HOPTRAIL_BASE_URL: '', HOPTRAIL_MODEL: '' });
    try {
      assert.deepEqual(namedEndpoint({}), { baseUrl: undefined, model: undefined });
    } finally {
      if (before.url === undefined) delete process.env['HOPTRAIL_BASE_URL'];
      else process.env['HOPTRAIL_BASE_URL'] = before.url;
      if (before.model === undefined) delete process.env['HOPTRAIL_MODEL'];
      else process.env['HOPTRAIL_MODEL'] = before.model;
    }
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
