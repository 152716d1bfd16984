import assert from 'node:assert/strict';
import { Command, type Option } from 'commander';
import { describe, it } from 'mocha';
import { addResearchFlags, type ResearchFlags, researchOptions } from '../../../src/cli/research-flags.ts';
import { ALL_AGENTS } from '../../../src/learning/strategy/agent.ts';
import { OPERATORS } from '../../../src/research/domain/plan.ts';
import { STRATEGIES } from '../../../src/research/context/research-options.ts';
import { type AnsweredRun, answeredRun, type Circumstances, undecided } from '../../doubles/answered-run.ts';
import { relayBeam } from '../../doubles/relay-beam.ts';
import { readRepository } from '../../doubles/repository-files.ts';

const flags = addResearchFlags(new Command()).options;
const settings = (
  JSON.parse(readRepository('package.json')) as {
    contributes: {
      configuration: { properties: Record<string, { enum?: string[]; minimum?: number; maximum?: number }> }[];
    };
  }
).contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
const setting = (name: string) => settings.find(([key]) => key === `hoptrail.${name}`)?.[1];

/** A whole run, as the command line starts it. */
function runWith(words: readonly string[], circumstances?: Circumstances): Promise<AnsweredRun> {
  const flagsOf = addResearchFlags(new Command()).exitOverride().parse(words, { from: 'user' }).opts<ResearchFlags>();
  return answeredRun(researchOptions(flagsOf), circumstances);
}

/** The ends of a number's range, as the setting of the same meaning has them. */
function endsOf(name: string): string[] {
  const { minimum, maximum } = setting(name) ?? {};
  assert.ok(minimum !== undefined && maximum !== undefined, name);
  return [String(minimum), String(maximum)];
}

/** What a description says from the least to the most: “1 to 3”. */
function rangeIn(description: string): string[] {
  const [, least = NaN, most = NaN] = (/(\d+) to (\d+)/.exec(description) ?? []).map(Number);
  return Array.from({ length: most - least + 1 }, (_, i) => String(least + i));
}

interface Documented {
  /** Each as it is typed behind the flag; one that takes none has ''. */
  values(flag: Option): readonly string[];
  /** Typed besides. */
  beside?: readonly string[];
  circumstances?: Circumstances;
  /** What a run with a value must show. Every run must answer, and without a problem on its way. */
  check(run: AnsweredRun, value: string): void;
}

const choices = ({ argChoices = [] }: Option): readonly string[] => argChoices;
const alone = (): readonly string[] => [''];
const debated = { beside: ['--debate', 'full'], circumstances: { model: undecided } };
/** Who speaks in a round, in order. */
const round = (...listeners: string[]): string[] => ['affirmative', 'negative', ...listeners, 'judge'];
const shortAnswer = ({ answer }: AnsweredRun): string | undefined => answer?.short;

/** A limit that ends a run at its least, and does not at its most. */
const limit = (name: string, told: string, circumstances?: Circumstances): Documented => ({
  values: () => endsOf(`budget.${name}`),
  beside: ['--operator', 'sub-step'],
  ...(circumstances && { circumstances }),
  check: (run, value) => {
    const spent = run.notices.filter(({ code }) => code === 'budget-exhausted').map(({ message }) => message);
    if (value === endsOf(`budget.${name}`)[1]) assert.deepEqual([spent, shortAnswer(run)], [[], 'Narvik']);
    else assert.match(spent.join(), new RegExp(`budget of ${value} ${told}`));
  },
});

const oppositions = new Map<string, string>();

const documented: Record<string, Documented> = {
  '--strategy': {
    values: ({ description }) => {
      const named = description.split(/,? or /)[0]?.split(', ') ?? [];
      assert.deepEqual(named, [...STRATEGIES]);
      const fixed = new Set([...ALL_AGENTS, ...OPERATORS, 'no-retrieval>ircot,ircot>vote']);
      return [...named, ...[...fixed].map((name) => `fixed:${name}`)];
    },
    check: (run, value) => {
      if (value.startsWith('fixed:')) assert.equal(run.strategy, value.slice('fixed:'.length));
      else assert.equal(shortAnswer(run), 'Narvik');
    },
  },
  '--operator': { values: choices, check: (run, value) => assert.ok((run.operators as string[]).includes(value)) },
  '--debate': {
    values: choices,
    check: ({ spoke }, value) =>
      assert.deepEqual([...new Set(spoke)], { off: [], fast: ['fast'], full: round('fast', 'slow') }[value]),
  },
  '--no-fast': { ...debated, values: alone, check: ({ spoke }) => assert.deepEqual(spoke.slice(0, 4), round('slow')) },
  '--no-slow': { ...debated, values: alone, check: ({ spoke }) => assert.deepEqual(spoke.slice(0, 4), round('fast')) },
  '--strength': {
    ...debated,
    values: choices,
    check: (run, value) => {
      oppositions.set(value, run.asked('negative')[0]?.prompt ?? '');
      assert.equal(new Set(oppositions.values()).size, oppositions.size, 'another strength opposes in the same words');
    },
  },
  '--judge': {
    ...debated,
    values: choices,
    check: (run, value) =>
      assert.deepEqual(
        [run.asked('judge').length, run.plan?.origin],
        { both: [2, 'debate-soft'], hard: [2, 'debate-hard'], soft: [0, 'debate-soft'] }[value],
      ),
  },
  '--no-types': {
    values: alone,
    beside: ['--debate', 'full', '--classifier', 'zero-shot'],
    check: (run) => {
      assert.deepEqual([run.classification?.classifier, run.asked('classify').length], ['fixed', 0]);
      assert.match(run.asked('affirmative')[0]?.prompt ?? '', /^Question: /m);
    },
  },
  '--rounds': {
    ...debated,
    values: ({ description }) => rangeIn(description),
    check: (run, value) => assert.equal(run.asked('affirmative').length, Number(value)),
  },
  '--classifier': {
    values: choices,
    check: (run, value) => {
      assert.equal(run.classification?.classifier, value);
      const shown = run
        .asked('classify')
        .map(({ prompt }) => (prompt.includes('Examples:') ? 'examples' : 'zero-shot'));
      assert.deepEqual(shown, value === 'embedded' ? [] : [value]);
    },
  },
  '--operators': {
    values: () => [...OPERATORS, 'sub-step,single-step', 'iterative-step, sub-step, adaptive-step'],
    check: (run, value) => {
      const planned = run.plan?.steps.map(({ operator }) => operator) ?? [];
      assert.ok(planned.length > 0);
      assert.deepEqual(
        planned.filter((name) => !value.split(', ').join().split(',').includes(name)),
        [],
      );
    },
  },
  '--critique': {
    values: choices,
    beside: ['--operator', 'sub-step'],
    check: ({ critiques }, value) => assert.equal(critiques.length > 0, value === 'on'),
  },
  '--max-calls': limit('calls', 'model calls'),
  '--max-tokens': limit('tokens', 'tokens'),
  '--max-seconds': limit('seconds', 'seconds', { tick: 30_000 }),
  '--max-nodes': limit('nodes', 'steps'),
};

describe('every documented value of every flag of the methods', () => {
  const byBeam = ['--beam', '--max-hops', '--stop', '--threshold'];

  it('is run here', () => {
    assert.deepEqual(
      flags.map(({ long }) => long).sort(),
      [...Object.keys(documented), ...byBeam].sort(),
      'a flag whose values nobody runs',
    );
  });

  it('is one of the setting that does the same', () => {
    for (const name of ['debate', 'strength', 'judge', 'classifier', 'operator', 'stop']) {
      const flag = flags.find(({ long }) => long === `--${name}`);
      assert.deepEqual(flag?.argChoices, setting(`research.${name}`)?.enum?.filter(Boolean), name);
    }
    const rounds = flags.find(({ long }) => long === '--rounds')?.description ?? '';
    assert.deepEqual([rangeIn(rounds)[0], rangeIn(rounds).at(-1)], endsOf('research.rounds'));
  });

  for (const flag of flags) {
    const { values = alone, beside = [], circumstances, check } = documented[flag.long ?? ''] ?? {};
    if (!check) continue;
    for (const value of values(flag)) {
      const typed = [flag.long ?? '', value].filter(Boolean);
      it(`answers: ${typed.join(' ')}`, async () => {
        const run = await runWith([...typed, ...beside], circumstances);
        assert.deepEqual([run.ending, run.problems], ['run-end', []]);
        check(run, value);
      });
    }
  }

  for (const beam of endsOf('research.beam')) {
    it(`answers: --beam ${beam}`, async () => {
      const { retriever, widest } = await relayBeam();
      const run = await runWith(['--beam', beam, '--operator', 'single-step'], { retriever });
      assert.deepEqual([run.ending, run.problems, shortAnswer(run)], ['run-end', [], 'Narvik']);
      assert.equal(widest(), Number(beam));
    });
  }

  // Of the next hop the trail's own scores 4, any other 1: the trail has three.
  for (const [threshold, hops] of [
    ['20', 1],
    ['2', 3],
    ['-1', 6],
  ] as const) {
    it(`answers: --stop threshold --threshold ${threshold}`, async () => {
      const { retriever } = await relayBeam();
      const flags = ['--stop', 'threshold', '--threshold', threshold, '--operator', 'single-step'];
      const run = await runWith(flags, { retriever });
      assert.deepEqual([run.ending, run.problems, shortAnswer(run)], ['run-end', [], 'Narvik']);
      assert.equal(run.longestTrail, hops);
    });
  }

  for (const hops of endsOf('research.maxHops')) {
    it(`answers: --max-hops ${hops}`, async () => {
      const { retriever } = await relayBeam();
      const run = await runWith(['--max-hops', hops, '--operator', 'single-step'], { retriever });
      assert.deepEqual([run.ending, run.problems, shortAnswer(run)], ['run-end', [], 'Narvik']);
      assert.equal(run.longestTrail, Number(hops));
    });
  }
});
