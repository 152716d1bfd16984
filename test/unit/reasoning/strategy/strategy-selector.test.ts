import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import type { Answer, Usage } from '../../../../src/model/answer.ts';
import type { OperatorName } from '../../../../src/model/plan.ts';
import type { QuestionType } from '../../../../src/model/question.ts';
import type { UnstampedEvent } from '../../../../src/model/research-event.ts';
import { defaultResearchOptions } from '../../../../src/reasoning/default-options.ts';
import { emptyChain, type Operator } from '../../../../src/reasoning/operators/operator.ts';
import { operators } from '../../../../src/reasoning/operators/operator-registry.ts';
import type { ResearchOptions } from '../../../../src/reasoning/research-options.ts';
import { RunState } from '../../../../src/reasoning/run-state.ts';
import { createStrategySelector, UnknownStrategyError, type StrategySelector } from '../../../../src/reasoning/strategy/create-strategy-selector.ts';
import type { StrategyStore } from '../../../../src/reasoning/strategy/strategy-store.ts';
import type { StrategyChoice } from '../../../../src/reasoning/strategy-choice.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const prior: unknown = JSON.parse(await readFile(new URL('../../../../models/bandit-prior.json', import.meta.url), 'utf8'));
const retriever = new ScriptedRetriever([notePassage('rope', 'Rope', 'Rope is bought in Tallinn.')]);
const model = new ScriptedLanguageModel([]);
const signal = new AbortController().signal;

/** Keeps JSON, as a file would. */
class JsonStore implements StrategyStore {
  text: string | undefined;
  saves = 0;
  async load(): Promise<unknown> { return this.text === undefined ? undefined : JSON.parse(this.text); }
  async save(state: unknown): Promise<void> { this.saves += 1; this.text = JSON.stringify(state); }
}

/** Operators that answer with what they saw; `answers` may name an answer or a failure. */
function scriptedOperator(answers: Partial<Record<OperatorName, string | Error>> = {}): (name: OperatorName) => Operator {
  return (name) => ({
    name, needsModel: name !== 'extractive',
    async run(context, task) {
      const stepId = context.nextStepId();
      const scripted = answers[name];
      if (scripted instanceof Error) throw scripted;
      context.budget.addCall({ inputTokens: 100, outputTokens: 10, estimated: false });
      const short = scripted ?? `${name} after ${task.seen?.map((seen) => seen.answer).join('+') || 'nothing'}`;
      context.keep({ stepId, question: task.question, answer: short, found: true, passageIds: [] });
      return { operator: name, stepId, draft: { short, statements: [], conflicts: [] }, chain: emptyChain, evidence: [] };
    },
  });
}

function selectorWith(store: StrategyStore = new JsonStore(), change: Partial<Parameters<typeof createStrategySelector>[0]> = {}): { selector: StrategySelector; problems: unknown[] } {
  const problems: unknown[] = [];
  let time = 0;
  return { problems, selector: createStrategySelector({ store, prior, operator: scriptedOperator(), now: () => (time += 1), onProblem: (error) => problems.push(error), ...change }) };
}

/** Milliseconds that only two windows side by side give. */
const clock = (offset = 0): (() => number) => () => (tick += 1) + offset;
let tick = 0;
let runs = 0;
async function ask(selector: StrategySelector, text: string, type: QuestionType, options: Partial<ResearchOptions> = {}): Promise<{ choice: StrategyChoice | undefined; runId: string }> {
  const runId = `run-${(runs += 1)}`;
  const choice = await selector.select({ runId, question: { text, history: [] }, classification: { type, probabilities: { [type]: 1 }, classifier: 'fixed' }, options: { ...defaultResearchOptions, ...options }, model, retriever, signal });
  return { choice, runId };
}

const usage: Usage = { calls: 1, inputTokens: 1500, outputTokens: 100, estimated: false, retrievals: 1, seconds: 5 };
const answer: Answer = {
  text: 'Tallinn [1]', short: 'Tallinn', abstained: false, statements: [{ text: 'Tallinn', citations: [1], support: 'supported' }], citations: [{ number: 1, passageId: 'rope', startLine: 1, endLine: 1 }],
  passages: [], chain: emptyChain, subAnswers: [], unsupportedCount: 0, conflicts: [], by: 'model', coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
};
function finish(selector: StrategySelector, runId: string, ending: Answer | UnstampedEvent = answer): void {
  if ('type' in ending) return selector.observe({ ...ending, runId, time: 0 } as Parameters<StrategySelector['observe']>[0]);
  selector.observe({ type: 'answer-end', runId, time: 0, answer: ending });
  selector.observe({ type: 'run-end', runId, time: 0, usage });
}

describe('strategy selector', () => {
  it('starts from the prior: one retrieval for a lookup, more when asked to be thorough, and says so in one line', async () => {
    const { selector, problems } = selectorWith(undefined, { exploration: () => 0 });
    const lookup = (await ask(selector, 'Where is rope bought?', 'lookup')).choice;
    assert.equal(lookup?.strategy, 'one-retrieval');
    assert.match(lookup?.reason ?? '', /^Looks like a lookup: one retrieval; thorough costs about \d+ × as much\.$/);
    assert.deepEqual(lookup?.road, { kind: 'operator', operator: 'single-step' });
    const several = (await ask(selector, 'Who runs the port of the town where rope is bought?', 'inference')).choice;
    assert.equal(several?.strategy, 'ircot');
    const thorough = (await ask(selector, 'Who runs the port of the town where rope is bought?', 'inference', { strategy: 'thorough' })).choice;
    assert.notEqual(thorough?.strategy, 'one-retrieval');
    assert.ok((thorough?.relativeCost ?? 0) > (lookup?.relativeCost ?? Infinity));
    assert.deepEqual(problems, []);
  });

  it('leaves a debate to others, and quotes to those without a model', async () => {
    const { selector } = selectorWith();
    assert.equal((await ask(selector, 'q', 'lookup', { debate: 'full' })).choice, undefined);
    assert.deepEqual((await ask(selector, 'q', 'lookup', { debate: 'full', strategy: 'fixed:beam-extractive' })).choice?.road, { kind: 'operator', operator: 'extractive' }, 'who fixes a way that calls no model is not debated about');
    for (let i = 0; i < 40; i += 1) assert.notEqual((await ask(selector, `Question ${i}?`, 'lookup', { strategy: 'fast' })).choice?.strategy, 'beam-extractive');
  });

  it('runs a fixed graph, and names what there is when it does not exist', async () => {
    const { selector } = selectorWith();
    const { choice } = await ask(selector, 'q', 'lookup', { strategy: 'fixed:ircot>vote,no-retrieval>ircot' });
    const run = new RunState({ runId: 'r', retriever, model, options: defaultResearchOptions, question: { text: 'q', history: [] }, signal, now: () => 0, emit: () => {} });
    assert.ok(choice?.road.kind === 'custom');
    const result = await choice.road.run(run, { question: 'q', purpose: '', final: true });
    assert.equal(result.draft?.short, 'iterative-step after chain-of-thought after nothing');
    assert.deepEqual(run.subAnswers.map((sub) => sub.answer), ['iterative-step after chain-of-thought after nothing']);
    assert.equal(run.budget.usage().calls, 2);
    await assert.rejects(ask(selector, 'q', 'lookup', { strategy: 'fixed:nonsense' }), UnknownStrategyError);
  });

  it('goes on with the agents that do not fail, and tells the run', async () => {
    const { selector } = selectorWith(undefined, { operator: scriptedOperator({ 'iterative-step': new Error('too long'), 'single-step': 'Tallinn' }) });
    const { choice } = await ask(selector, 'q', 'lookup', { strategy: 'fixed:one-retrieval>vote,ircot>vote' });
    const events: UnstampedEvent[] = [];
    const run = new RunState({ runId: 'r', retriever, model, options: defaultResearchOptions, question: { text: 'q', history: [] }, signal, now: () => 0, emit: (event) => events.push(event) });
    assert.ok(choice?.road.kind === 'custom');
    assert.equal((await choice.road.run(run, { question: 'q', purpose: '', final: true })).draft?.short, 'Tallinn');
    assert.ok(events.some((event) => event.type === 'notice' && event.code === 'agent-failed'));
  });

  it('rests a winner that looked nothing up on what those found who say the same', async () => {
    const passage = notePassage('rope', 'Rope', 'Rope is bought in Tallinn.');
    const looked = scriptedOperator({ 'single-step': 'Tallinn', 'chain-of-thought': 'tallinn.' });
    const operator = (name: OperatorName): Operator => ({ ...looked(name), run: async (context, task) => ({ ...(await looked(name).run(context, task)), evidence: name === 'single-step' ? [passage] : [] }) });
    const { selector } = selectorWith(undefined, { operator });
    const { choice } = await ask(selector, 'q', 'lookup', { strategy: 'fixed:one-retrieval>no-retrieval,no-retrieval>vote' });
    const run = new RunState({ runId: 'r', retriever, model, options: defaultResearchOptions, question: { text: 'q', history: [] }, signal, now: () => 0, emit: () => {} });
    assert.ok(choice?.road.kind === 'custom');
    assert.deepEqual((await choice.road.run(run, { question: 'q', purpose: '', final: true })).evidence, [passage]);
  });

  it('answers a whole run by a graph with the real operators, citations checked', async () => {
    const passage = notePassage('rope', 'Rope', 'Rope is bought in Tallinn.');
    const answering = new ScriptedLanguageModel(({ prompt, options }) => {
      if (options.schema) return { json: { reason: 'It is said.', verdict: 'keep' } };
      return prompt.includes('<passage') ? 'So the answer is: Tallinn [1]\nAnswer: Tallinn\nBecause: Rope is bought in Tallinn. [1]' : 'Answer: Riga';
    });
    const { selector } = selectorWith(undefined, { operator: (name) => operators[name] });
    const { events, answer: given } = await runResearch('Where is rope bought?', {
      retriever: new ScriptedRetriever([passage]), model: answering, options: { strategy: 'fixed:no-retrieval>vote,one-retrieval>vote,ircot>vote' },
      dependencies: { selectStrategy: selector.select }, onEvent: (event) => selector.observe(event),
    });
    assert.equal(given?.short, 'Tallinn');
    assert.deepEqual(given?.citations.map((cited) => cited.passageId), ['rope']);
    assert.equal(given?.unsupportedCount, 0);
    assert.deepEqual(new Set(events.flatMap((event) => (event.type === 'step-start' ? [event.operator] : []))), new Set(['chain-of-thought', 'single-step', 'iterative-step']));
    assert.equal(events.at(-1)?.type, 'run-end');
  });

  it('learns from a whole run that it chose for', async () => {
    const answering = new ScriptedLanguageModel(({ options }) => (options.schema ? { json: { reason: 'It is said.', verdict: 'keep' } } : 'Answer: Tallinn\nBecause: Rope is bought in Tallinn. [1]'));
    const { selector } = selectorWith(undefined, { operator: (name) => operators[name], exploration: () => 0 });
    const { events } = await runResearch('Where is rope bought?', { retriever, model: answering, type: 'lookup', dependencies: { selectStrategy: selector.select }, onEvent: (event) => selector.observe(event) });
    const chosen = events.find((event) => event.type === 'strategy-selected');
    assert.equal(chosen?.type === 'strategy-selected' && chosen.strategy, 'one-retrieval');
    const { strategies } = await selector.report();
    assert.equal(strategies[0]?.strategy, 'one-retrieval');
    assert.ok((strategies[0]?.quality ?? 0) > 0.7);
  });

  it('does not choose what its operators cannot do', async () => {
    const { selector } = selectorWith();
    const { choice } = await ask(selector, 'q', 'inference', { operators: ['chain-of-thought'], strategy: 'fast' });
    assert.equal(choice?.strategy, 'no-retrieval');
  });

  it('learns from runs, moves away from what readers reject, and remembers after a restart', async () => {
    const store = new JsonStore();
    const { selector } = selectorWith(store);
    const first = await ask(selector, 'Where is rope bought?', 'lookup');
    for (let i = 0; i < 60; i += 1) {
      const { choice, runId } = await ask(selector, `Where is rope number ${i} bought?`, 'lookup');
      finish(selector, runId);
      await selector.feedback(runId, { thumb: choice?.strategy === first.choice?.strategy ? 'down' : 'up' });
    }
    const settled = (await ask(selector, 'Where is rope bought now?', 'lookup')).choice;
    assert.notEqual(settled?.strategy, first.choice?.strategy);
    await selector.settled();
    const again = selectorWith(store);
    assert.equal((await ask(again.selector, 'Where is rope bought now?', 'lookup')).choice?.strategy, settled?.strategy);
    const report = await again.selector.report();
    assert.equal(report.runs, 60);
    assert.equal(report.strategies.reduce((sum, row) => sum + row.runs, 0), 60);
    assert.equal(report.strategies.find((row) => row.strategy === first.choice?.strategy)?.quality, 0);
    assert.deepEqual(again.problems, []);
  });

  it('keeps what another window learnt, heard and forgot in the same file', async () => {
    const store = new JsonStore();
    const [one, other] = [selectorWith(store, { now: clock() }).selector, selectorWith(store, { now: clock(0.5) }).selector];
    const early = await ask(one, 'Where is rope bought?', 'lookup');
    finish(one, early.runId);
    await one.settled();
    const late = await ask(other, 'Where is tar bought?', 'lookup');
    finish(other, late.runId);
    await one.feedback(early.runId, { thumb: 'down' });
    await one.settled();
    const third = await ask(other, 'Where is felt bought?', 'lookup');
    finish(other, third.runId);
    await other.settled();
    const { strategies, runs } = await selectorWith(store).selector.report();
    assert.equal(runs, 3);
    assert.ok(strategies.some((row) => row.quality < 1));
    assert.equal((await selectorWith(store).selector.taught()).find((decision) => decision.runId === early.runId)?.thumb, 'down');
    await one.reset();
    const fourth = await ask(other, 'Where is wax bought?', 'lookup');
    finish(other, fourth.runId);
    await other.settled();
    assert.deepEqual((await selectorWith(store).selector.taught()).map((decision) => decision.runId), [fourth.runId]);
  });

  it('makes its state anew from its choices when it starts from another prior, or from none', async () => {
    const store = new JsonStore();
    const { selector } = selectorWith(store);
    const { runId } = await ask(selector, 'Where is rope bought?', 'lookup');
    finish(selector, runId);
    await selector.settled();
    const without = selectorWith(store, { prior: undefined });
    assert.equal((await without.selector.report()).runs, 1);
    assert.equal(without.selector.beliefs(), undefined);
    await without.selector.believe({ weight: 0.125, quality: 1, cost: 1 });
    assert.equal((await selectorWith(store).selector.report()).runs, 1);
    const damaged = selectorWith(store, { prior: { version: 1 } });
    assert.equal(damaged.selector.beliefs(), undefined);
    assert.equal(damaged.problems.length, 1);
    assert.equal((await damaged.selector.report()).runs, 1);
  });

  it('believes its prior as told, keeps what runs taught, and remembers both', async () => {
    const store = new JsonStore();
    const { selector } = selectorWith(store, { exploration: () => 0 });
    const several = 'Who runs the port of the town where rope is bought?';
    assert.equal((await ask(selector, several, 'inference')).choice?.strategy, 'ircot');
    const { runId } = await ask(selector, 'Where is rope bought?', 'lookup');
    finish(selector, runId);
    await selector.believe({ weight: 1, quality: 0.25, cost: 4 });
    const thrifty = (await ask(selector, several, 'inference')).choice?.strategy;
    assert.notEqual(thrifty, 'ircot');
    const again = selectorWith(store, { exploration: () => 0 });
    assert.equal((await ask(again.selector, several, 'inference')).choice?.strategy, thrifty);
    assert.equal((await again.selector.report()).runs, 1);
    assert.equal((await again.selector.taught())[0]?.strategy, 'one-retrieval');
    await again.selector.believe(undefined);
    assert.equal((await ask(again.selector, several, 'inference')).choice?.strategy, 'ircot');
    await again.selector.believe({ weight: 1, quality: 0.25, cost: 4 });
    await again.selector.reset();
    assert.equal((await ask(again.selector, several, 'inference')).choice?.strategy, 'ircot', 'a reset believes it as it came');
  });

  it('corrects what it learnt when the word comes later, even after a restart', async () => {
    const store = new JsonStore();
    const early = selectorWith(store);
    const { runId } = await ask(early.selector, 'Where is rope bought?', 'lookup');
    finish(early.selector, runId);
    const before = (await early.selector.report()).strategies[0]?.quality ?? 0;
    await early.selector.settled();
    const later = selectorWith(store);
    await later.selector.feedback(runId, { thumb: 'down' });
    assert.ok(before > 0.5);
    assert.equal((await later.selector.report()).strategies[0]?.quality, 0);
    await later.selector.feedback('nobody', { thumb: 'down' });
  });

  it('takes "think harder" as feedback, and answers it with something costlier', async () => {
    const { selector } = selectorWith();
    const first = await ask(selector, 'Where is rope bought?', 'lookup', { strategy: 'fast' });
    finish(selector, first.runId);
    const harder = await ask(selector, 'Where is rope bought?', 'lookup', { strategy: 'thorough' });
    assert.ok((harder.choice?.relativeCost ?? 0) > (first.choice?.relativeCost ?? Infinity));
    assert.equal((await selector.report()).strategies[0]?.quality, 0.2);
  });

  it('learns nothing from a run that was cancelled or that the network broke, and something from an exhausted budget', async () => {
    const store = new JsonStore();
    const { selector } = selectorWith(store);
    const [cancelled, broken, spent] = [await ask(selector, 'a?', 'lookup'), await ask(selector, 'b?', 'lookup'), await ask(selector, 'c?', 'lookup')];
    finish(selector, cancelled.runId, { type: 'run-cancelled', usage });
    finish(selector, broken.runId, { type: 'run-error', error: { code: 'model-unreachable', message: '' }, usage });
    await selector.settled();
    assert.equal(store.saves, 0);
    finish(selector, spent.runId, { type: 'run-error', error: { code: 'budget-exhausted', message: '' }, usage });
    await selector.settled();
    assert.equal(store.saves, 1);
    assert.equal((await selector.report()).strategies[0]?.quality, 0);
  });

  it('starts anew, and says so, when its state is damaged or of another version', async () => {
    const good = new JsonStore();
    const { selector } = selectorWith(good);
    finish(selector, (await ask(selector, 'a?', 'lookup')).runId);
    await selector.settled();
    const whole = good.text ?? '';
    const damaged = [whole.replace(/"parameters":"[^"]{40}/, '"parameters":"'), whole.replace(/"questionFeatures":\d+/, '"questionFeatures":99'), '{"version":1}', '[]', whole.replace('"decisions":[', '"decisions":[7,')];
    for (const text of damaged) {
      assert.notEqual(text, whole);
      const store = new JsonStore();
      store.text = text;
      const { selector: next, problems } = selectorWith(store, { exploration: () => 0 });
      assert.equal((await ask(next, 'Where is rope bought?', 'lookup')).choice?.strategy, 'one-retrieval');
      assert.equal(problems.length, 1, text.slice(0, 80));
    }
    const { selector: unprimed, problems } = selectorWith(new JsonStore(), { prior: { version: 7 } });
    assert.ok((await ask(unprimed, 'Where is rope bought?', 'lookup')).choice);
    assert.equal(problems.length, 1);
  });

  it('goes on when its state cannot be written', async () => {
    const failing: StrategyStore = { load: async () => undefined, save: async () => { throw new Error('disk full'); } };
    const { selector, problems } = selectorWith(failing);
    finish(selector, (await ask(selector, 'a?', 'lookup')).runId);
    await selector.settled();
    assert.match(String(problems[0]), /disk full/);
    assert.equal((await selector.report()).runs, 1);
  });

  it('forgets on reset', async () => {
    const store = new JsonStore();
    const { selector } = selectorWith(store);
    finish(selector, (await ask(selector, 'Where is rope bought?', 'lookup')).runId);
    await selector.reset();
    assert.deepEqual((await selector.report()).strategies, []);
    assert.equal((await selectorWith(store).selector.report()).runs, 0);
    assert.equal((await selector.report()).prior, (prior as { learntFrom: string }).learntFrom);
  });
});
