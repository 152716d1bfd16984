import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { BadReplyError, OnlyThoughtsError } from '../../../../src/research/language-model/errors.ts';
import type { OperatorName } from '../../../../src/research/domain/plan.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { cooperativeModel, notices, type Says } from '../../../doubles/recorded-run.ts';
import { BEDS, BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { type FinishedRun, runResearch } from '../../../doubles/run-research.ts';
import { type ScriptedReply } from '../../../doubles/scripted-language-model.ts';

/** Nobody who reads these passages is sure that they answer the question. */
const unsure = { reading: { answerability: 0.4 } } as const;

/** A run of this plan, by a model that behaves but for what it says here. */
async function follow(question: string, plan: readonly OperatorName[], says: Says) {
  const model = cooperativeModel({ 'fast-plan': { json: { reason: 'Look, then think.', plan } }, ...says });
  const retriever = relayRetriever({
    scripts: {
      'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], ...unsure },
      'more beds': { chain: ['kestrel', 'heron'], ...unsure },
    },
  });
  const run = await runResearch(question, { retriever, model, options: { debate: 'fast' } });
  return { run, model };
}

/** How the steps of the plan ended, without those within them. */
const ends = (run: FinishedRun): string[] =>
  run.events.flatMap((event) => (event.type === 'step-end' && event.parentStepId === undefined ? [event.outcome] : []));
const trail = (run: FinishedRun): string[] => run.answer?.chain.hops.map((hop) => hop.passage.id) ?? [];
const none = (): ScriptedReply => 'Answer: none';
const unreadable = (): ScriptedReply => ({
  error: new BadReplyError('Scripted Model', 'answer', {
    reply: '',
    problem: 'it said nothing.',
    usage: { inputTokens: 1, outputTokens: 0, estimated: false },
    calls: 1,
  }),
});

describe('a plan of sub-questions and a conclusion', () => {
  const plan = ['sub-step', 'chain-of-thought'] as const;

  it('ends with the conclusion, drawn from the sub-answers and cited by their passages', async () => {
    const { run, model } = await follow(BEDS, plan, {
      'closed-book': () => 'Because: Kestrel Hut has 12 beds [1]. Heron Hut has 8 beds [2].\nAnswer: yes',
    });
    const asked = model.calls.filter((call) => promptKind(call) === 'closed-book');
    assert.equal(asked.length, 1);
    assert.match(asked[0]?.prompt ?? '', /How many beds does Kestrel Hut have\? 12[^]*Heron Hut have\? 8/);
    assert.equal(model.calls.filter((call) => promptKind(call) === 'answer').length, 0, 'nothing is read twice');
    assert.equal(run.answer?.short, 'yes');
    assert.deepEqual(
      run.answer?.citations.map(({ passageId }) => passageId),
      ['kestrel', 'heron'],
    );
    assert.deepEqual(trail(run), ['kestrel', 'heron']);
    const last = run.events.findLast((event) => event.type === 'step-start');
    assert.ok(last?.type === 'step-start' && last.operator === 'chain-of-thought');
    assert.equal(last.dependsOn.length, 2);
  });

  it('keeps the last sub-answer where it rests on all others and the conclusion does not hold', async () => {
    const { run } = await follow(BORN, plan, {
      'closed-book': () => 'Because: They are from Oslo [1].\nAnswer: Oslo',
      'critique-node': () => ({ json: { reason: 'Nothing says so.', verdict: 'unsupported' } }),
    });
    assert.deepEqual(ends(run), ['answered', 'rejected']);
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(trail(run), ['outage', 'kestrel', 'mara']);
  });

  it('takes no answer to a part for the answer to the whole', async () => {
    const { run } = await follow(BEDS, plan, { 'closed-book': none });
    assert.deepEqual(ends(run), ['answered', 'nothing-found']);
    assert.equal(run.answer?.abstained, true, 'neither 12 nor 8 says which has more');
    assert.deepEqual(
      run.answer?.subAnswers.map(({ answer }) => answer),
      ['12', '8'],
    );
  });

  it('nor the first of several where the last was not found', async () => {
    const { run } = await follow(BORN, plan, {
      'closed-book': none,
      'brief-answer': (call) => (/Which hut/.test(call.messages.at(-1)?.content ?? '') ? undefined : none()),
    });
    assert.deepEqual(ends(run), ['answered', 'nothing-found']);
    assert.equal(run.answer?.abstained, true);
    assert.deepEqual(
      run.answer?.subAnswers.map(({ answer }) => answer),
      ['Kestrel Hut'],
    );
  });
});

describe('a step of a plan that fails', () => {
  it('is told and left out: the next one answers', async () => {
    const { run } = await follow(BORN, ['single-step', 'iterative-step'], { answer: unreadable });
    assert.deepEqual(ends(run), ['failed', 'answered']);
    assert.deepEqual(notices(run), ['step-failed']);
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(run.ending, 'run-end');
  });

  it('because its model only thought is left out, too', async () => {
    const usage = { inputTokens: 1, outputTokens: 4156, estimated: false };
    const onlyThinks = (): ScriptedReply => ({ error: new OnlyThoughtsError('Scripted Model', 'thoughts', usage) });
    const { run } = await follow(BORN, ['single-step', 'iterative-step'], { answer: onlyThinks });
    assert.deepEqual(ends(run), ['failed', 'answered']);
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(run.ending, 'run-end');
  });

  it('in the middle takes nothing from those before and after it', async () => {
    const { run, model } = await follow(BORN, ['single-step', 'iterative-step', 'chain-of-thought'], {
      thought: unreadable,
    });
    assert.deepEqual(ends(run), ['answered', 'failed', 'answered']);
    assert.deepEqual(notices(run), ['step-failed']);
    const thought = model.calls.find((call) => promptKind(call) === 'closed-book');
    assert.match(thought?.prompt ?? '', /Found so far[^]*Narvik/, 'the conclusion sees what the first had found');
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(trail(run), ['outage', 'kestrel', 'mara']);
  });

  it('as the last one leaves the answer of the one before', async () => {
    const { run } = await follow(BORN, ['single-step', 'iterative-step'], { thought: unreadable });
    assert.deepEqual(ends(run), ['answered', 'failed']);
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(run.ending, 'run-end');
  });

  it('ends the run with its error where no other was there to answer', async () => {
    const { run } = await follow(BORN, ['single-step', 'iterative-step'], { answer: unreadable, thought: unreadable });
    assert.deepEqual(ends(run).slice(0, 2), ['failed', 'failed']);
    assert.equal(run.ending, 'run-error');
  });
});

describe('a deeper look that fails', () => {
  it('leaves what the first has found', async () => {
    const model = cooperativeModel({
      answer: 'Because: Mara Lindqvist was born in Oslo [3].\nAnswer: Oslo',
      'brief-answer': unreadable,
      thought: unreadable,
    });
    const options = { operator: 'adaptive-step', operators: ['single-step', 'sub-step', 'adaptive-step'] } as const;
    const run = await runResearch(BORN, {
      retriever: relayRetriever(),
      model,
      options: { ...options, critique: false },
    });
    assert.equal(run.ending, 'run-end');
    assert.deepEqual(ends(run), ['answered']);
    assert.deepEqual(notices(run), ['step-failed', 'answer-unsupported']);
    assert.match(run.answer?.text ?? '', /Mara Lindqvist was born in Narvik/);
  });
});

describe('a step for which no look is left', () => {
  it('does not say that it looked and found nothing', async () => {
    const model = cooperativeModel({
      'fast-plan': { json: { reason: 'Look twice.', plan: ['single-step', 'iterative-step'] } },
      answer: none,
    });
    const run = await runResearch(BORN, {
      retriever: relayRetriever({ scripts: { 'in which town was the keeper born': { chain: ['outage'], ...unsure } } }),
      model,
      options: { debate: 'fast', budget: { ...defaultResearchOptions.budget, nodes: 1 } },
    });
    assert.equal(run.answer?.abstained, true);
    assert.deepEqual(notices(run), ['nodes-used']);
    assert.doesNotMatch(run.answer.text, /Nothing was found/);
  });
});

describe('a last step that finds nothing', () => {
  it('leaves the answer, the citations and the trail of the step before', async () => {
    let reads = 0;
    const { run } = await follow(BORN, ['single-step', 'sub-step'], {
      answer: () => ((reads += 1) === 1 ? undefined : none()),
      'brief-answer': none,
    });
    assert.equal(reads, 2, 'the last step read everything once more');
    assert.deepEqual(ends(run), ['answered', 'nothing-found']);
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(
      run.answer?.citations.map(({ passageId }) => passageId),
      ['mara'],
    );
    assert.deepEqual(trail(run), ['outage', 'kestrel', 'mara']);
  });

  it('where those before found nothing, too, leaves a refusal', async () => {
    const { run } = await follow(BORN, ['single-step', 'sub-step'], { answer: none, 'brief-answer': none });
    assert.deepEqual(ends(run), ['nothing-found', 'nothing-found']);
    assert.equal(run.answer?.abstained, true);
    assert.equal(run.ending, 'run-end');
  });
});
