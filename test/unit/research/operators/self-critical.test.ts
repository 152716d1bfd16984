import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ModelTimeoutError } from '../../../../src/research/language-model/errors.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { cooperativeModel, notices, only, recorded, steps } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const HUT = 'Which hut had the relay that failed in March?';
const KEEPER = 'Who is the keeper of Kestrel Hut?';
const WHERE = 'Where was Mara Lindqvist born?';
const self = only('self-critical');

/** Behaves, but asks these questions next, in this order; then as one that behaves. */
function asking(questions: readonly string[]): ScriptedLanguageModel {
  const left = [...questions];
  return new ScriptedLanguageModel((call) => {
    const next = promptKind(call) === 'next-step' ? left.shift() : undefined;
    return next === undefined ? cooperative(call) : { json: { enough: false, question: next } };
  });
}
/** Behaves, but says nothing to the call of this kind that comes after so many others of it. */
function failingAt(kind: string, before: number): ScriptedLanguageModel {
  let left = before;
  return new ScriptedLanguageModel((call) =>
    promptKind(call) === kind && left-- === 0
      ? { error: new ModelTimeoutError('Scripted Model', 60, { silent: true }) }
      : cooperative(call),
  );
}
const nextPrompts = (model: ScriptedLanguageModel) =>
  model.calls.filter((call) => promptKind(call) === 'next-step').map((call) => call.messages.at(-1)?.content ?? '');

describe('the self-critical operator', () => {
  it('asks for the next thing to look up, given what was found, until that is enough', async () => {
    const model = cooperativeModel();
    const run = await recorded('self-critical', BORN, { model, options: self });
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(
      steps(run, 'self-critical').map((step) => step.question),
      [BORN, HUT, KEEPER, WHERE],
    );
    const prompts = nextPrompts(model);
    assert.equal(prompts.length, 4, 'three questions, and that it is enough');
    assert.doesNotMatch(prompts[0] ?? '', /Found so far/);
    assert.match(
      prompts[2] ?? '',
      /Found so far:\n- Which hut .* Kestrel Hut \[\d\]\n- Who is .* Mara Lindqvist \[\d\]/,
    );
    assert.deepEqual(
      run.answer?.subAnswers.map(({ question, answer, critique }) => [question, answer, critique?.verdict]).slice(0, 3),
      [
        [HUT, 'Kestrel Hut', 'keep'],
        [KEEPER, 'Mara Lindqvist', 'keep'],
        [WHERE, 'Narvik', 'keep'],
      ],
    );
    assert.deepEqual(
      run.answer?.chain.hops.map((hop) => hop.passage.id),
      ['outage', 'kestrel', 'mara'],
    );
  });

  it('steps back from a question whose answer is rejected, and tries another with the reason in sight', async () => {
    const model = asking([HUT, 'Which colour has the relay?']);
    const run = await recorded('self-critical-step-back', BORN, { model, options: self });
    assert.match(
      nextPrompts(model)[2] ?? '',
      /Found so far:\n- Which hut[^\n]+\n\nThese led nowhere; ask for something else:\n- Which colour has the relay\? \(.+\)$/,
    );
    assert.doesNotMatch(nextPrompts(model)[3] ?? '', /led nowhere/, 'a step on, what led nowhere before is past');
    const ended = run.events.flatMap((event) => (event.type === 'step-end' ? [event.outcome] : []));
    assert.equal(ended.filter((outcome) => outcome === 'nothing-found').length, 1);
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('goes back behind the last answer when nothing after it leads on', async () => {
    const heron = 'How many beds does Heron Hut have?';
    const model = asking([heron, 'Which colour has the relay?', 'Who painted it?', 'What does it weigh?']);
    const run = await recorded('self-critical-back-again', BORN, { model, options: self });
    const after = nextPrompts(model)[4] ?? '';
    assert.doesNotMatch(after, /Found so far/, 'the answer that led astray is no longer shown');
    assert.match(after, /- How many beds does Heron Hut have\? \(nothing led on from its answer\)/);
    assert.equal(run.answer?.short, 'Narvik');
    assert.ok(!run.answer?.chain.hops.some((hop) => hop.passage.id === 'heron'));
  });

  it('looks nothing up a second time that led nowhere, at whatever point it is asked again', async () => {
    const colour = 'Which colour has the relay?';
    const model = asking([colour, HUT, colour]);
    const run = await recorded('self-critical-dead-end', BORN, { model, options: self });
    assert.deepEqual(
      steps(run, 'self-critical').map((step) => step.question),
      [BORN, colour, HUT, KEEPER, WHERE],
    );
    assert.match(nextPrompts(model)[3] ?? '', /- Which colour has the relay\? \(it led nowhere before\)$/);
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('stops after N nodes, and answers from what was found', async () => {
    const model = cooperativeModel();
    const run = await recorded('self-critical-nodes', BORN, {
      model,
      options: { ...self, budget: { ...defaultResearchOptions.budget, nodes: 2 } },
    });
    assert.equal(steps(run, 'self-critical').length, 3, 'the operator and two nodes');
    assert.equal(run.ending, 'run-end');
    assert.deepEqual(notices(run), ['nodes-used']);
    assert.equal(nextPrompts(model).length, 2);
  });

  it('ends where the model repeats itself, or gives no usable reply', async () => {
    const repeating = cooperativeModel({ 'next-step': { json: { enough: false, question: HUT } } });
    const run = await recorded('self-critical-repeats', BORN, { model: repeating, options: self });
    assert.equal(steps(run, 'self-critical').length, 2);
    assert.equal(run.ending, 'run-end');
    const silent = new ScriptedLanguageModel((call) =>
      /next-step|repair-reply/.test(promptKind(call)) ? 'I would rather not.' : cooperative(call),
    );
    const other = await recorded('self-critical-unusable', BORN, { model: silent, options: self });
    assert.equal(other.answer?.short, 'Narvik', 'the question is looked up as a whole');
  });

  it('answers from the path that it has walked when a call on the way fails, and fails where there is none', async () => {
    for (const failing of ['next-step', 'brief-answer']) {
      const model = failingAt(failing, 2);
      const run = await runResearch(BORN, { model, options: self, retriever: relayRetriever() });
      assert.equal(run.ending, 'run-end', failing);
      assert.deepEqual(notices(run), ['step-failed']);
      assert.deepEqual(run.answer?.subAnswers.map(({ answer }) => answer).slice(0, 2), [
        'Kestrel Hut',
        'Mara Lindqvist',
      ]);
      assert.equal(promptKind(model.calls.at(-1) ?? assert.fail()), 'answer', 'all of it is read once');
    }
    const none = await runResearch(BORN, {
      model: failingAt('brief-answer', 0),
      options: self,
      retriever: relayRetriever(),
    });
    assert.equal(none.ending, 'run-error');
  });

  it('looks a simple question up once', async () => {
    const model = cooperativeModel();
    const run = await recorded('self-critical-simple', WHERE, { model, options: self });
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(model.calls.length, 2, 'what to look up, and the answer');
  });
});
