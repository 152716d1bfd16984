/** That each value of each setting is read, and that those of a run (strategy, research.*, budget.*) give an answer. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { generateGraphs, graphName, parseGraphName } from '../../../../src/learning/strategy/graph.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { OPERATORS } from '../../../../src/research/domain/plan.ts';
import { optionsForEffort, readSettings, type Settings } from '../../../../src/vscode/settings.ts';
import { type AnsweredRun, answeredRun, type Circumstances, undecided } from '../../../doubles/answered-run.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { relayBeam } from '../../../doubles/relay-beam.ts';
import type { RecordedCall, ScriptedReply } from '../../../doubles/scripted-language-model.ts';
import { readRepository } from '../../../doubles/repository-files.ts';

const read = (name: string): unknown => JSON.parse(readRepository(name));

interface Property {
  type: string;
  default: unknown;
  enum?: string[];
  items?: { enum?: string[] };
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
/** From the least to the most that it may be. */
const wholeNumbers = (key: string): number[] => {
  const { minimum = NaN, maximum = NaN } = property(key);
  return Array.from({ length: maximum - minimum + 1 }, (_, i) => minimum + i);
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

/** A whole run, as the panel starts it from the settings. */
const runWith = (values: Record<string, unknown>, circumstances?: Circumstances) =>
  answeredRun(optionsForEffort(settingsWith(values).research, 'usual'), circumstances);

/** Who speaks in a round, in order. */
const round = (listeners: readonly string[] = []): string[] => ['affirmative', 'negative', ...listeners, 'judge'];

/** The cooperative model, but that it plans this operator alone. */
const planning =
  (operator: string) =>
  (call: RecordedCall): ScriptedReply =>
    promptKind(call) === 'plan'
      ? { json: { type: 'inference', reason: 'It does.', plan: [operator], subQuestions: [], queries: [] } }
      : cooperative(call);

/** A debate whose judge is not content, so that all rounds are held. */
const longDebateWith = (values: Record<string, unknown>) =>
  runWith({ 'research.debate': 'full', ...values }, { model: undecided });

function assertAnswers({ ending, problems, answer }: AnsweredRun): void {
  assert.deepEqual([ending, problems, answer?.short], ['run-end', [], 'Narvik']);
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
        [run.spoke.includes('fast'), run.spoke.includes('slow'), run.spoke.includes('judge')],
        { off: [false, false, false], fast: [true, false, false], full: [true, true, true] }[debate],
      );
    });
  }

  for (const debaters of property('research.debaters').enum ?? []) {
    it(`answers: debaters ${debaters}`, async () => {
      const run = await longDebateWith({ 'research.debaters': debaters });
      assertAnswers(run);
      const listeners = { both: ['fast', 'slow'], slow: ['slow'], fast: ['fast'], none: [] }[debaters];
      assert.deepEqual(run.spoke, [...round(listeners), ...round(listeners)]);
    });
  }

  for (const rounds of wholeNumbers('research.rounds')) {
    it(`answers: rounds ${rounds}`, async () => {
      const run = await longDebateWith({ 'research.rounds': rounds });
      assertAnswers(run);
      assert.equal(run.asked('affirmative').length, rounds);
    });
  }

  it('answers: strength, each of which opposes in its own words', async () => {
    const said: string[] = [];
    for (const strength of property('research.strength').enum ?? []) {
      const run = await longDebateWith({ 'research.strength': strength });
      assertAnswers(run);
      said.push(run.asked('negative')[0]?.prompt ?? '');
    }
    assert.equal(said.length, 4);
    assert.equal(new Set(said).size, said.length);
  });

  for (const judge of property('research.judge').enum ?? []) {
    it(`answers: judge ${judge}`, async () => {
      const run = await longDebateWith({ 'research.judge': judge });
      assertAnswers(run);
      assert.deepEqual(
        [run.asked('judge').length, run.plan?.origin],
        { both: [2, 'debate-soft'], hard: [2, 'debate-hard'], soft: [0, 'debate-soft'] }[judge],
      );
    });
  }

  for (const operator of property('research.operators').items?.enum ?? []) {
    it(`answers: operators, ${operator} alone`, async () => {
      const run = await runWith({ 'research.operators': [operator] }, { model: planning(operator) });
      // A plan that looks nothing up is refused, and the usual one has to do with what is allowed.
      const refused = operator === 'chain-of-thought' ? 1 : 0;
      assert.deepEqual([run.ending, run.problems.length], ['run-end', refused], run.problems.join());
      assert.deepEqual(
        run.plan?.steps.map((step) => step.operator),
        [operator],
      );
    });
  }

  it('answers: operators, none named', async () => {
    const run = await runWith({ 'research.operators': [], 'research.debate': 'full' });
    assertAnswers(run);
    const told = run.asked('affirmative')[0]?.prompt.match(/(?<=^)[a-z-]+(?=: .+ Good for: )/gm);
    assert.deepEqual(
      told,
      OPERATORS.filter((name) => name !== 'extractive'),
    );
  });

  for (const types of [true, false]) {
    it(`answers: types ${types ? 'on' : 'off'}`, async () => {
      const run = await runWith({
        'research.types': types,
        'research.classifier': 'zero-shot',
        'research.debate': 'full',
      });
      assertAnswers(run);
      assert.equal(run.classification?.classifier, types ? 'zero-shot' : 'fixed');
      assert.equal(run.asked('classify').length, types ? 1 : 0);
      assert.equal(/Its wording suggests: inference\./.test(run.asked('affirmative')[0]?.prompt ?? ''), types);
    });
  }

  for (const classifier of property('research.classifier').enum ?? []) {
    it(`answers: classifier ${classifier}`, async () => {
      const run = await runWith({ 'research.classifier': classifier });
      assertAnswers(run);
      assert.equal(run.classification?.classifier, classifier);
      const calls = run
        .asked('classify')
        .map(({ prompt }) => (prompt.includes('Examples:') ? 'examples' : 'zero-shot'));
      assert.deepEqual(calls, classifier === 'embedded' ? [] : [classifier]);
    });
  }

  for (const critique of [true, false]) {
    it(`answers: critique ${critique ? 'on' : 'off'}`, async () => {
      const run = await runWith({ 'research.critique': critique, 'research.operator': 'sub-step' });
      assertAnswers(run);
      assert.equal(run.critiques.length > 0, critique);
    });
  }

  for (const learn of [true, false]) {
    it(`answers: learn ${learn ? 'on' : 'off'}`, async () => {
      const run = await runWith({ 'research.learn': learn });
      assertAnswers(run);
      assert.equal(run.records.length > 0, learn);
    });
  }

  for (const beam of wholeNumbers('research.beam')) {
    it(`answers: beam ${beam}`, async () => {
      const { retriever, widest } = await relayBeam();
      assertAnswers(await runWith({ 'research.beam': beam, 'research.operator': 'single-step' }, { retriever }));
      assert.equal(widest(), beam);
    });
  }

  for (const hops of wholeNumbers('research.maxHops')) {
    it(`answers: maxHops ${hops}`, async () => {
      const { retriever } = await relayBeam();
      const run = await runWith({ 'research.maxHops': hops, 'research.operator': 'single-step' }, { retriever });
      assertAnswers(run);
      assert.equal(run.longestTrail, hops);
    });
  }

  // Of the next hop the trail's own scores 4, any other 1: the trail has three.
  const most = 6;
  for (const [threshold, hops] of [
    [property('research.threshold').maximum, 1],
    [2, 3],
    [property('research.threshold').default, most],
    [property('research.threshold').minimum, most],
  ] as const) {
    it(`answers: stop threshold, at ${String(threshold)}`, async () => {
      const { retriever } = await relayBeam();
      const values = { 'research.stop': 'threshold', 'research.threshold': threshold, 'research.maxHops': most };
      const run = await runWith({ ...values, 'research.operator': 'single-step' }, { retriever });
      assertAnswers(run);
      assert.equal(run.longestTrail, hops);
    });
  }

  describe('of a budget', () => {
    /** Each look at the clock takes so long that a run takes longer than the usual limit, but not than the most. */
    const slowly = { tick: 30_000 };
    /** The same of tokens. */
    const wordily = {
      model: (call: RecordedCall): ScriptedReply => {
        const reply = cooperative(call);
        const text = typeof reply === 'string' ? reply : 'json' in reply ? JSON.stringify(reply.json) : '';
        return { text, usage: { inputTokens: 60_000, outputTokens: 100, estimated: false } };
      },
    };
    const budgets = [
      ['calls', 'model calls', {}],
      ['tokens', 'tokens', wordily],
      ['seconds', 'seconds', slowly],
      ['nodes', 'steps', {}],
    ] as const;

    it('are all run here', () => {
      assert.deepEqual(
        properties.flatMap(([key]) => (key.startsWith('budget.') ? [key] : [])),
        budgets.map(([name]) => `budget.${name}`),
      );
    });

    for (const [name, inWords, circumstances] of budgets) {
      const key = `budget.${name}`;
      const { minimum = NaN, maximum = NaN, default: usual } = property(key);
      const spentOf = (run: AnsweredRun): string[] =>
        run.notices.flatMap(({ code, message }) =>
          code === 'budget-exhausted' || code === 'nodes-used' ? [message] : [],
        );

      it(`answers: ${key} ${minimum} with what was found until then, ${maximum} in whole`, async () => {
        const runUpTo = (limit: unknown): Promise<AnsweredRun> =>
          runWith({ [key]: limit, 'research.operator': 'sub-step' }, circumstances);
        const [least, most] = [await runUpTo(minimum), await runUpTo(maximum)];
        assert.deepEqual([least.ending, least.problems, least.answer?.abstained], ['run-end', [], false]);
        assert.match(spentOf(least).join(), new RegExp(`(?:budget of|All) ${minimum} ${inWords}`));
        assertAnswers(most);
        assert.deepEqual(spentOf(most), []);
        assert.ok(least.usage && most.usage && least.usage.calls < most.usage.calls);
        if (circumstances === slowly || circumstances === wordily)
          assert.notDeepEqual(spentOf(await runUpTo(usual)), [], 'the usual limit would have done');
      });
    }
  });

  describe('research.loss', () => {
    const pattern = new RegExp(property('research.loss').pattern ?? '(?!)');

    it('is read: its default, its example and its least and most', () => {
      const [example = ''] = /(?<=such as `)[^`]+/.exec(described('research.loss')) ?? [];
      for (const [value, ...weights] of [
        [String(property('research.loss').default), 1, 1, 1],
        [example, 1, 1, 0.5],
        ['0, 10,0', 0, 10, 0],
      ] as const) {
        assert.match(value, pattern);
        const [decomposition, reading, critique] = weights;
        assert.deepEqual(settingsWith({ 'research.loss': value }).loss, { decomposition, reading, critique });
      }
    });

    it('refuses by its pattern what weighs nothing or too much, which is read as the default', () => {
      for (const value of ['0,0,0', '0.0, 0,0', '1,1', '1,1,1,1', '-1,1,1', '11,1,1', '1,,1', 'much']) {
        assert.doesNotMatch(value, pattern, value);
        assert.deepEqual(settingsWith({ 'research.loss': value }), settingsWith({}), value);
      }
    });
  });

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

    it("takes each of the paper's 97 graphs, and means that one", () => {
      const graphs = generateGraphs();
      assert.equal(new Set(graphs.map(graphName)).size, 97);
      for (const graph of graphs) {
        const name = graphName(graph);
        const value = graph.edges.length === 1 ? `${name}>vote` : name;
        assert.match(value, pattern);
        assert.deepEqual(parseGraphName(value), graph, value);
        const { strategy } = settingsWith({ strategy: 'graph', 'research.graph': value }).research;
        assert.equal(strategy, `fixed:${value}`);
      }
    });

    it('refuses by its pattern what could not run', () => {
      for (const graph of ['nonsense', 'ircot', 'belle>vote,ircot>vote', 'ircot>belle,belle>vote', 'ircot>vote,'])
        assert.doesNotMatch(graph, pattern);
    });
  });
});
