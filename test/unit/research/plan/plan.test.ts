import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OPERATORS, type OperatorName } from '../../../../src/research/domain/plan.ts';
import type { QuestionType } from '../../../../src/search/domain/question.ts';
import {
  agreeable,
  carelessOnce,
  failing,
  oscillating,
  schemaBreaking,
  stubborn,
} from '../../../doubles/model-scripts/characters.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { type FinishedRun, type RunSettings, runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const ask = (settings: Partial<RunSettings>, question = BORN): Promise<FinishedRun> =>
  runResearch(question, { retriever: relayRetriever(), ...settings });
const planOf = ({ events }: FinishedRun) =>
  events.flatMap((event) => (event.type === 'plan-proposed' ? [event.plan] : []))[0];
const roles = ({ events }: FinishedRun) =>
  events.flatMap((event) => (event.type === 'debate-turn' ? [event.role] : []));
const notices = ({ events }: FinishedRun) => events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));

/** A model whose planner says this. */
const planning = (reply: unknown) =>
  new ScriptedLanguageModel((call) => (promptKind(call) === 'plan' ? { json: reply } : cooperative(call)), {
    contextTokens: 131_072,
  });

describe('a plan', () => {
  it('is made by one call by default, which sees the titles of the first search', async () => {
    const model = planning({
      type: 'inference',
      reason: 'One after the other.',
      plan: ['iterative-step'],
      queries: ['keeper hut', 'born in'],
    });
    const run = await ask({ model });
    const plan = planOf(run);
    assert.deepEqual(
      plan?.steps.map(({ operator }) => operator),
      ['iterative-step'],
    );
    assert.equal(plan?.origin, 'fast');
    assert.deepEqual(plan?.queries, ['keeper hut', 'born in']);
    assert.deepEqual(roles(run), ['fast']);
    const prompt = model.calls.find((call) => promptKind(call) === 'plan')?.prompt ?? '';
    assert.match(prompt, /<evidence>[^]*notes\/outage\.md {2}Incidents > March outage/);
    assert.doesNotMatch(prompt, /cheapest plan/i);
    const searched = run.events.flatMap((event) => (event.type === 'passages-retrieved' ? [event.query] : []));
    assert.deepEqual(searched.sort(), [BORN, 'born in', 'keeper hut'].sort());
  });

  it('asks the sub-questions of the planner, which are recorded', async () => {
    const run = await ask({
      model: planning({
        plan: ['sub-step'],
        subQuestions: ['Which hut had the relay that failed in March?', 'Who is the keeper of #1?'],
      }),
    });
    const asked = run.events.flatMap((event) =>
      event.type === 'step-start' && event.parentStepId ? [event.question] : [],
    );
    assert.deepEqual(asked, ['Which hut had the relay that failed in March?', 'Who is the keeper of Kestrel Hut?']);
    const split = run.records.find((record) => record.kind === 'split');
    assert.deepEqual(split?.kind === 'split' && split.subQuestions, [
      'Which hut had the relay that failed in March?',
      'Who is the keeper of #1?',
    ]);
    assert.ok(
      run.records.some(
        (record) => record.kind === 'node' && record.parentStepId === (split?.kind === 'split' && split.stepId),
      ),
    );
  });

  for (const [name, plan, origin, operators, code] of [
    ['loses a second turn', ['single-step', 'single-step'], 'repaired', ['single-step'], 'plan-repaired'],
    ['does not think first', ['chain-of-thought', 'single-step'], 'repaired', ['single-step'], 'plan-repaired'],
    ['looks something up', ['chain-of-thought'], 'default', ['iterative-step'], 'plan-replaced'],
  ] as const)
    it(name, async () => {
      const run = await ask({ model: planning({ plan }) });
      assert.equal(planOf(run)?.origin, origin);
      assert.deepEqual(
        planOf(run)?.steps.map(({ operator }) => operator),
        operators,
      );
      assert.ok(notices(run).includes(code));
    });

  it('is the usual one where the model gives none, which is told', async () => {
    const run = await ask({ model: schemaBreaking() });
    assert.equal(planOf(run)?.origin, 'default');
    assert.ok(notices(run).includes('plan-replaced'));
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('is read after one repair', async () =>
    assert.equal(planOf(await ask({ model: carelessOnce() }))?.origin, 'fast'));

  it('that cannot be made because the model is gone ends the run with quotes', async () => {
    const run = await ask({ model: failing(0) });
    assert.equal(run.ending, 'run-error');
    assert.equal(run.answer?.by, 'extractive');
  });

  it('is not made for a lookup whose place is known', async () => {
    const run = await ask(
      { model: planning({ plan: ['sub-step'] }), type: 'lookup' },
      'How many beds does Kestrel Hut have?',
    );
    assert.deepEqual(
      planOf(run)?.steps.map(({ operator }) => operator),
      ['adaptive-step'],
    );
    assert.deepEqual(roles(run), []);
    assert.equal(run.answer?.short, '12');
  });

  it('corrects the type', async () => {
    const run = await ask({ model: planning({ type: 'comparison', plan: ['adaptive-step'] }), type: 'lookup' });
    const types = run.events.flatMap((event) =>
      event.type === 'question-classified' ? [event.classification.type] : [],
    );
    assert.deepEqual(types, ['lookup', 'comparison']);
  });
});

describe('the debate', () => {
  const round = ['affirmative', 'negative', 'fast', 'slow', 'judge'];
  for (const [name, model, spoken, origin, first] of [
    ['ends when a plan stands', agreeable, round, 'debate-hard', 'sub-step'],
    [
      'takes the slow debater’s plan when its rounds run out',
      stubborn,
      [...round, ...round],
      'debate-soft',
      'sub-step',
    ],
    [
      'asks a judge where the slow debater swings',
      oscillating,
      [...round, ...round, 'judge'],
      'debate-soft',
      'adaptive-step',
    ],
  ] as const)
    it(name, async () => {
      const run = await ask({ model: model(), options: { strategy: 'thorough' } });
      assert.deepEqual(roles(run), spoken);
      assert.equal(planOf(run)?.origin, origin);
      assert.equal(planOf(run)?.steps[0]?.operator, first);
    });

  it('takes over the plan of the last speaker from whoever agrees, and gives objections room', async () => {
    const model = new ScriptedLanguageModel(
      (call) =>
        ['negative', 'fast', 'slow'].includes(promptKind(call))
          ? { json: { reason: 'It misses nothing.', agree: true } }
          : cooperative(call),
      { contextTokens: 131_072 },
    );
    const run = await ask({ model, options: { strategy: 'thorough' } });
    const turns = run.events.flatMap((event) => (event.type === 'debate-turn' ? [event] : []));
    assert.deepEqual(
      turns.map(({ plan }) => plan?.join()),
      Array(5).fill('sub-step'),
    );
    const schemas = new Map(model.calls.map((call) => [promptKind(call), JSON.stringify(call.options.schema)]));
    assert.match(schemas.get('negative') ?? '', /"agree"/);
    assert.match(schemas.get('judge') ?? '', /"settled"/);
    for (const kind of ['affirmative', 'negative', 'fast', 'slow'] as const)
      assert.doesNotMatch(schemas.get(kind) ?? '', /"settled"/);
    assert.match(model.calls.find((call) => promptKind(call) === 'negative')?.prompt ?? '', /at most 60 words/);
  });

  it('is what thorough, and thinking harder, mean whatever was learnt', async () => {
    for (const options of [{ strategy: 'thorough' }, { effort: 'harder' }, { debate: 'full' }] as const) {
      const selectStrategy = async () => assert.fail('nobody is asked');
      const run = await ask({ model: agreeable(), options, dependencies: { selectStrategy } });
      assert.deepEqual(roles(run), round, JSON.stringify(options));
    }
  });

  it('goes without debaters that are taken out, and has all see the same titles', async () => {
    const model = agreeable();
    const run = await ask({ model, options: { debate: 'full', fastDebater: false, slowDebater: false } });
    assert.deepEqual(roles(run), ['affirmative', 'negative', 'judge']);
    for (const call of model.calls.slice(0, 3)) assert.match(call.prompt, /notes\/outage\.md/);
  });
});

describe('what default settings choose', () => {
  const questions: readonly [string, QuestionType, OperatorName[]][] = [
    ['How many beds does Kestrel Hut have?', 'lookup', []],
    [BORN, 'inference', ['iterative-step']],
    ['Does Kestrel Hut have more beds than Heron Hut?', 'comparison', ['sub-step', 'chain-of-thought']],
    ['Who kept the relay before it failed?', 'temporal', ['self-critical']],
    ['What is known of the huts?', 'overview', ['single-step']],
  ];

  it('is every operator, the one-call plan and the debate somewhere', async () => {
    const used = new Set<string>();
    for (const [question, type, plan] of questions) {
      const subQuestions =
        plan[0] === 'sub-step' ? ['How many beds does Kestrel Hut have?', 'How many beds does Heron Hut have?'] : [];
      // The parts are found; whether they add up is thought about in the plan's second step.
      const model = new ScriptedLanguageModel(
        (call) => {
          if (promptKind(call) === 'plan') return { json: { plan, subQuestions } };
          if (
            promptKind(call) === 'read' &&
            type === 'comparison' &&
            !call.prompt.includes('Nothing more is looked up') &&
            call.prompt.includes('put them together'.replace('put', 'Put'))
          )
            return 'Kestrel Hut has 12 beds [1:1].\nShort: 12\nMissing: Which has more?';
          return cooperative(call);
        },
        { contextTokens: 131_072 },
      );
      const run = await ask({ model, type }, question);
      for (const event of run.events) if (event.type === 'step-start') used.add(event.operator);
      if (roles(run).join() === 'fast') used.add('one call');
    }
    const thorough = await ask({ model: agreeable(), options: { strategy: 'thorough' } });
    if (roles(thorough).length >= 5) used.add('debate');
    await ask({}).then(({ events }) =>
      events.forEach((event) => event.type === 'step-start' && used.add(event.operator)),
    );
    assert.deepEqual([...used].sort(), [...OPERATORS, 'one call', 'debate'].sort());
  });

  it('says that nothing was measured where nobody chooses, and runs what was', async () => {
    const open = await ask({ model: planning({ plan: ['iterative-step'] }) });
    const reasonOf = ({ events }: FinishedRun) =>
      events.flatMap((event) => (event.type === 'strategy-selected' ? [event.reason] : []))[0];
    assert.match(reasonOf(open) ?? '', /No plan was measured with this model yet/);
    const measured = await ask({
      model: planning({ plan: ['iterative-step'] }),
      dependencies: {
        selectStrategy: async () => ({
          strategy: 'one-retrieval',
          reason: 'Measured.',
          origin: 'chosen',
          route: { kind: 'operator', operator: 'single-step' },
        }),
      },
    });
    assert.equal(planOf(measured)?.origin, 'chosen');
    assert.deepEqual(roles(measured), []);
  });
});
