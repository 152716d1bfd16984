import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { StrategySelector } from '../../../../src/learning/strategy/strategy-selector.ts';
import { operators } from '../../../../src/research/operators/operator-registry.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { optionsForEffort, readSettings, type Settings } from '../../../../src/vscode/settings.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8'));

interface Property {
  type: string;
  default: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  pattern?: string;
  markdownDescription: string;
}
const manifest = read('package.json') as {
  contributes: { configuration: { properties: Record<string, Property> }[] };
};
const words = read('package.nls.json') as Record<string, string>;
const properties: [key: string, property: Property][] = manifest.contributes.configuration
  .flatMap((section) => Object.entries(section.properties))
  .map(([key, property]) => [key.slice('hoptrail.'.length), property]);
const property = (key: string): Property => {
  const found = properties.find(([name]) => name === key);
  assert.ok(found, key);
  return found[1];
};
/** What a setting's description says, as docs/settings.md prints it. */
const described = (key: string): string => words[property(key).markdownDescription.slice(1, -1)] ?? '';

const settingsWith = (values: Record<string, unknown>): Settings =>
  readSettings((key) => values[key], defaultResearchOptions);

/** What a value needs beside it, as its own description says. */
const COMPANIONS: Record<string, Record<string, unknown>> = {
  'embedder.kind=folder': { 'embedder.folder': '/models/mine' },
  'embedder.kind=endpoint': { 'embedder.baseUrl': 'http://localhost:1/v1', 'embedder.model': 'mine' },
  'strategy=graph': { 'research.graph': 'no-retrieval>ircot,ircot>vote' },
};
const companions = (key: string, value: unknown): Record<string, unknown> =>
  COMPANIONS[`${key}=${String(value)}`] ?? {};

/** A whole run over a small corpus, with a model that behaves, as the panel starts it from the settings. */
async function runWith(values: Record<string, unknown>) {
  const selector = new StrategySelector({
    store: { read: async () => '', change: async (change) => change('').result },
    prior: read('models/bandit-prior.json'),
    operator: (name) => operators.get(name),
    now: () => 0,
    onProblem: (error) => assert.fail(String(error)),
  });
  const { events, ending } = await runResearch(BORN, {
    retriever: relayRetriever(),
    model: new ScriptedLanguageModel(cooperative),
    options: optionsForEffort(settingsWith(values).research, 'usual'),
    dependencies: { selectStrategy: selector.select },
  });
  return {
    ending,
    strategy: events.flatMap((event) => (event.type === 'strategy-selected' ? [event.strategy] : []))[0],
    operators: events.flatMap((event) => (event.type === 'step-start' ? [event.operator] : [])),
    debated: events.flatMap((event) => (event.type === 'debate-turn' ? [event.role] : [])),
    problems: events.flatMap((event) =>
      event.type === 'notice' && /^(?:no-strategy|agent-failed|step-failed|model-failed|plan-)/.test(event.code)
        ? [event.message]
        : [],
    ),
  };
}

describe('every documented value of every setting', () => {
  for (const [key, { enum: values }] of properties) {
    if (!values) continue;
    it(`is read: ${key}`, () => {
      const readings = values.map((value) => JSON.stringify(settingsWith({ [key]: value, ...companions(key, value) })));
      assert.equal(new Set(readings).size, values.length, 'two values mean the same');
      const nothing = values.map((value) => JSON.stringify(settingsWith(companions(key, value))));
      for (const [i, value] of values.entries())
        assert.equal(readings[i] === nothing[i], value === property(key).default, `"${value}" is read as the default`);
    });
  }

  for (const [key, { type, minimum, maximum }] of properties) {
    if (type !== 'number' && type !== 'integer') continue;
    it(`is read from its least to its most: ${key}`, () => {
      const at = (value: number): string => JSON.stringify(settingsWith({ [key]: value }));
      assert.ok(minimum !== undefined);
      assert.equal(at(minimum - 1), at(minimum));
      assert.notEqual(at(minimum), at(minimum + 1), `${minimum} is not read`);
      if (maximum === undefined) return;
      assert.equal(at(maximum + 1), at(maximum));
      assert.notEqual(at(maximum), at(maximum - 1), `${maximum} is not read`);
    });
  }

  for (const [key, { type }] of properties) {
    if (type !== 'boolean') continue;
    it(`is read on and off: ${key}`, () => {
      assert.notDeepEqual(settingsWith({ [key]: true }), settingsWith({ [key]: false }));
    });
  }

  it('is read: the places that index.uri names, and the example of index.exclude', () => {
    const schemes = described('index.uri').match(/(?<=`)[a-z0-9]+:\/\/(?=`)/g) ?? [];
    assert.ok(schemes.length >= 4, schemes.join());
    for (const uri of ['/absolute/folder', ...schemes.map((scheme) => `${scheme}bucket/path`)]) {
      assert.match(uri, new RegExp(property('index.uri').pattern ?? '(?!)'));
      assert.equal(settingsWith({ 'index.uri': uri }).index.uri, uri);
    }
    const [example = ''] = /(?<=Example: `)[^`]+/.exec(described('index.exclude')) ?? [];
    assert.deepEqual(settingsWith({ 'index.exclude': [example] }).index.exclude, ['**/fixtures/**']);
  });

  for (const strategy of property('strategy').enum ?? []) {
    it(`answers: strategy ${strategy}`, async () => {
      const run = await runWith({ strategy, ...companions('strategy', strategy) });
      assert.deepEqual([run.ending, run.problems], ['run-end', []]);
      if (strategy === 'graph') assert.equal(run.strategy, 'no-retrieval>ircot,ircot>vote');
      else if (!['auto', 'fast', 'balanced', 'thorough'].includes(strategy)) assert.equal(run.strategy, strategy);
    });
  }

  for (const operator of property('research.operator').enum ?? []) {
    it(`answers: operator ${operator || 'none'}`, async () => {
      const run = await runWith({ 'research.operator': operator });
      assert.deepEqual([run.ending, run.problems], ['run-end', []]);
      if (operator !== '') assert.ok((run.operators as string[]).includes(operator), run.operators.join());
    });
  }

  for (const debate of property('research.debate').enum ?? []) {
    it(`answers: debate ${debate}`, async () => {
      const run = await runWith({ 'research.debate': debate });
      assert.deepEqual([run.ending, run.problems], ['run-end', []]);
      assert.deepEqual(
        [run.debated.includes('fast'), run.debated.includes('slow'), run.debated.includes('judge')],
        { off: [false, false, false], fast: [true, false, false], full: [true, true, true] }[debate],
      );
    });
  }

  describe('research.graph', () => {
    const agents = /Agents: (.+?)\./.exec(described('research.graph'))?.[1]?.match(/(?<=`)[^`,]+(?=`)/g) ?? [];
    const pattern = new RegExp(property('research.graph').pattern ?? '(?!)');

    it('names its agents and an example', () => {
      assert.ok(agents.length >= 3, agents.join());
      assert.match(described('research.graph'), /`no-retrieval>ircot,ircot>vote`/);
    });

    for (const agent of agents) {
      for (const graph of [`${agent}>vote`, `${agent}>vote,${agent === 'ircot' ? 'one-retrieval' : 'ircot'}>vote`]) {
        it(`answers: ${graph}`, async () => {
          assert.match(graph, pattern);
          const run = await runWith({ strategy: 'graph', 'research.graph': graph });
          assert.deepEqual([run.ending, run.problems], ['run-end', []]);
        });
      }
    }

    it('refuses by its pattern what could not run', () => {
      for (const graph of ['nonsense', 'ircot', 'belle>vote,ircot>vote', 'ircot>belle,belle>vote', 'ircot>vote,'])
        assert.doesNotMatch(graph, pattern);
    });
  });
});
