import assert from 'node:assert/strict';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { describe, it } from 'mocha';
import { readRepository } from '../../doubles/repository-files.ts';
import { UsageError } from '../../../src/cli/exit.ts';
import { namedEndpoint } from '../../../src/cli/model-endpoint.ts';
import { nonNegativeNumber, number, positiveInteger } from '../../../src/cli/numbers.ts';
import { addResearchFlags, researchOptions, type ResearchFlags, withModel } from '../../../src/cli/research-flags.ts';

function parse(...words: string[]) {
  const command = addResearchFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return researchOptions(command.parse(words, { from: 'user' }).opts<ResearchFlags>());
}

describe('research flags', () => {
  it('switch each part of the methods', () => {
    const flags =
      '--debate full --no-slow --strength L3 --judge soft --no-types --rounds 3 --critique off --max-calls 7';
    const options = parse(...flags.split(' '), '--operators', 'sub-step, single-step');
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
    for (const read of [number, positiveInteger, nonNegativeNumber])
      for (const no of ['', ' ', 'x', ...(read === number ? [] : ['-1'])])
        assert.throws(() => read(no), InvalidArgumentError, `${read.name} of "${no}"`);
  });

  it('offer the values of the settings that do the same', () => {
    const manifest = JSON.parse(readRepository('package.json')) as {
      contributes: { configuration: { properties: Record<string, { enum?: string[]; maximum?: number }> }[] };
    };
    const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const setting = (name: string) => settings.find(([key]) => key === `hoptrail.research.${name}`)?.[1];
    const flags = addResearchFlags(new Command()).options;
    for (const name of ['debate', 'strength', 'judge', 'classifier', 'operator', 'stop']) {
      const flag = flags.find(({ long }) => long === `--${name}`);
      assert.deepEqual(flag?.argChoices, setting(name)?.enum?.filter(Boolean), name);
    }
    assert.equal(setting('rounds')?.maximum, 3);
    for (const fixed of ['belle', 'ircot', 'sub-step', 'no-retrieval>ircot,ircot>vote'])
      assert.equal(parse('--strategy', `fixed:${fixed}`).strategy, `fixed:${fixed}`);
  });

  /** Of a command with a model: what it does with these words and variables. */
  const withVariables = (url: string, model: string, run: () => void): void => {
    const before = {
      HOPTRAIL_BASE_URL: process.env['HOPTRAIL_BASE_URL'],
      HOPTRAIL_MODEL: process.env['HOPTRAIL_MODEL'],
    };
    Object.assign(process.env, { HOPTRAIL_BASE_URL: url, HOPTRAIL_MODEL: model });
    try {
      run();
    } finally {
      for (const [name, value] of Object.entries(before))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  };

  it('take an empty variable for none', () => {
    withVariables('', '', () => assert.deepEqual(namedEndpoint({}), { baseUrl: undefined, model: undefined }));
  });

  it('want the server of a model named, and by an address', () => {
    let ran = 0;
    const run = (...words: string[]) =>
      withModel(new Command().exitOverride())
        .action(() => void ran++)
        .parse(words, { from: 'user' });
    const wrong = (said: RegExp) => (error: unknown) =>
      error instanceof UsageError && said.test(`${error.message} ${error.advice ?? ''}`);
    withVariables('', '', () => {
      for (const way of [
        /--base-url http:\/\/127\.0\.0\.1:11434\/v1 for/,
        /--base-url https:\/\/api\.openai\.com\/v1 for/,
      ])
        assert.throws(() => run('--model', 'llama'), wrong(way));
      for (const no of ['ftp://host/v1']) assert.throws(() => run('--base-url', no), wrong(/address/), no);
      assert.equal(ran, 0);
      run();
      run('--base-url', 'http://127.0.0.1:1/v1');
      run('--base-url', 'http://127.0.0.1:1/v1', '--model', 'llama');
      assert.equal(ran, 3);
    });
    withVariables('', 'llama', () => assert.throws(() => run(), wrong(/The model llama is named/)));
    withVariables('http://127.0.0.1:1/v1', '', () => run('--model', 'llama'));
    withVariables('', 'llama', () => run('--base-url', 'http://127.0.0.1:1/v1'));
    assert.equal(ran, 5);
  });
});
