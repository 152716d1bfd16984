import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALONE, OPERATORS, type OperatorName, operatorTitle } from '../../../../src/research/domain/plan.ts';
import { operatorCalled, operators } from '../../../../src/research/operators/operator-registry.ts';
import type { Operator } from '../../../../src/research/operators/operator.ts';
import { operatorGuide, planProblem, planSteps } from '../../../../src/research/plan/plan-steps.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { collectMessages } from '../../../../scripts/l10n-messages.mjs';
import { filesBelow, readRepository } from '../../../doubles/repository-files.ts';
import { cooperativeModel } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';

const isAnswer = { short: 'Narvik', statements: [], conflicts: [] };

/** As an own file and a line in the registry would add it. */
const guess: Operator<string> = {
  name: 'guess',
  needsModel: true,
  retrieves: false,
  whenToUse: { does: 'guess', goodFor: 'riddles' },
  cost: { leastCalls: 0, mostCalls: 0, tokens: 0 },
  prompts: [],
  run: async (context, task) => {
    const step = { stepId: context.nextStepId(), operator: 'guess' as OperatorName };
    context.emit({ type: 'step-start', ...step, question: task.question, dependsOn: [] });
    context.emit({ type: 'step-end', stepId: step.stepId, outcome: 'answered' });
    return { ...step, draft: isAnswer, chain: { hops: [], score: 0, completeness: 0 }, evidence: [] };
  },
};

describe('operators', () => {
  it('are named once, and what is asked for and planned with follows from the list', () => {
    assert.deepEqual(OPERATORS, [...operators.keys()]);
    assert.equal(new Set(OPERATORS).size, OPERATORS.length);
    assert.deepEqual(
      defaultResearchOptions.operators,
      OPERATORS.filter((name) => operatorCalled(name).needsModel),
    );
    assert.throws(() => operatorCalled('telepathy'), /no operator called telepathy/);
  });

  it('are offered to a planner as they describe themselves', () => {
    assert.match(operatorGuide(OPERATORS), /^- extractive: .* Costs no call\.$/m);
    assert.match(operatorGuide(OPERATORS), /^- single-step: .* Costs about \d+ tokens\.$/m);
  });
});

describe('what is said of operators', () => {
  it('stands beside their names, and is translated wherever it is shown', () => {
    const messages = new Set(collectMessages());
    const english = (message: string): string => message;
    const titles = OPERATORS.map((name) => operatorTitle(name, english));
    assert.equal(new Set(titles).size, OPERATORS.length);
    for (const title of [...titles, ...ALONE.map((alone) => alone.title(english))])
      assert.ok(messages.has(title), `${title} has no translation`);
    assert.equal(operatorTitle('telepathy' as OperatorName, english), 'telepathy', 'one of another version');
  });

  it('has to stand nowhere else: whoever names an operator in other files wants that one and no other', () => {
    const naming = (name: OperatorName): string[] =>
      filesBelow('src', 'webview').filter((file) => file.endsWith('.ts') && readRepository(file).includes(`'${name}'`));
    assert.deepEqual(naming('adaptive-step'), [
      'src/research/domain/plan.ts',
      'src/research/operators/adaptive-step.ts',
      'src/research/operators/operator-registry.ts',
      'src/research/plan/make-plan.ts', // the usual plans
    ]);
    assert.deepEqual(
      naming('chain-of-thought').filter((file) => !file.startsWith('src/research/')),
      ['src/learning/strategy/agent.ts'],
    );
  });
});

describe('an operator that is added to the registry', () => {
  const name = 'guess' as OperatorName;
  const among = new Map([...operators, [name as string, guess as Operator]]);
  const allowed = [...defaultResearchOptions.operators, name];
  /** Who ran, in order, and the plan of a run with the operator among the others. */
  async function run(options: object, planned?: OperatorName[]): Promise<[string[], string[], string]> {
    const reply = (plan: OperatorName[]) => JSON.stringify({ reason: 'A riddle.', plan });
    const model = cooperativeModel(planned && { 'fast-plan': reply(planned) });
    const { events } = await runResearch(BORN, {
      retriever: relayRetriever(),
      model,
      options: { operators: allowed, ...options },
      dependencies: { operators: among },
    });
    const steps = events.flatMap((event) => (event.type === 'step-start' ? [event.operator] : []));
    const plan = events.flatMap((event) => (event.type === 'plan-proposed' ? event.plan.steps : []));
    return [[...new Set(steps)], plan.map(({ purpose }) => purpose), model.calls[0]?.prompt ?? ''];
  }

  it('is offered to a planner as it describes itself', () => {
    assert.match(operatorGuide([...OPERATORS, name], among), /^- guess: guess\. Good for riddles\. Costs no call\.$/m);
    assert.equal(planSteps([name], among)[0]?.purpose, 'Guess.');
  });

  it('is held to the order in which plans make sense', () => {
    assert.equal(planProblem([name], allowed, among)?.code, 'looks-nothing-up');
    assert.deepEqual(planProblem([name, 'sub-step'], allowed, among), { code: 'thinks-first', operator: name });
    assert.equal(planProblem(['sub-step', name], allowed, among), undefined);
  });

  it('is run where it is asked for by its name', async () => {
    assert.deepEqual((await run({ operator: name })).slice(0, 2), [['guess'], ['Guess.']]);
    assert.deepEqual((await run({ strategy: 'fixed:guess' })).slice(0, 2), [['guess'], ['Guess.']]);
  });

  it('is run where a model plans with it, and told of in the prompt for that', async () => {
    const [steps, purposes, prompt] = await run({ debate: 'fast' }, [name, 'single-step']);
    assert.match(prompt, /^- guess: guess\. Good for riddles\. Costs no call\.$/m);
    assert.deepEqual(steps, ['single-step'], 'it is left out where it would think before anything was looked up');
    assert.equal(purposes.length, 1);
    const [both] = await run({ debate: 'fast' }, ['single-step', name]);
    assert.deepEqual(both, ['single-step', 'guess']);
  });
});
