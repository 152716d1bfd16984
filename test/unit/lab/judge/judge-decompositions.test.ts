import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type Decomposition,
  judgePrompt,
  modelJudge,
  type Preferences,
} from '../../../../src/learning/fine-tuning/compare-models.ts';
import { judgeDecompositions, judgesAgreement, reportJudged } from '../../../../lab/judge/judge-decompositions.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const signal = new AbortController().signal;
const say = (verdict: 'A' | 'B' | 'tie'): { json: unknown } => ({
  json: { reason: 'because', conciseness: verdict, rationality: verdict, sequencing: verdict, goalOrientation: 'tie' },
});
const good: Decomposition = {
  question: 'In which country is rope bought?',
  steps: ['Where is rope bought?', 'In which country is #1?'],
};
const bad: Decomposition = {
  question: good.question,
  steps: ['In which country is #2?', 'Where is rope bought?', 'What is rope?'],
};
/** Prefers the shorter one wherever it stands. */
const fair = (): ScriptedLanguageModel =>
  new ScriptedLanguageModel(({ prompt }) => say(prompt.indexOf('What is rope?') > prompt.indexOf('B:\n') ? 'A' : 'B'));

describe('judge of decompositions', () => {
  it('asks in both orders and believes what both say', async () => {
    const model = fair();
    const verdict = await modelJudge(model)(good.question, good.steps, bad.steps, signal);
    assert.equal(model.calls.length, 2);
    assert.ok((model.calls[0]?.prompt.indexOf('#2') ?? 0) > (model.calls[0]?.prompt.indexOf('B:\n') ?? 0));
    assert.ok((model.calls[1]?.prompt.indexOf('#2') ?? 0) < (model.calls[1]?.prompt.indexOf('B:\n') ?? 0));
    assert.deepEqual(verdict.preferences, {
      conciseness: 'first',
      rationality: 'first',
      sequencing: 'first',
      'goal-orientation': 'tie',
    });
    assert.ok(verdict.tokens > 0);
  });

  it('calls it a tie when the judge only likes a place, and reports the disagreement', async () => {
    const judged = await judgeDecompositions(
      [good],
      [bad],
      modelJudge(new ScriptedLanguageModel(() => say('A'))),
      signal,
    );
    const { dimensions } = reportJudged(judged, 1);
    assert.deepEqual(
      [dimensions.conciseness.ties, dimensions.conciseness.agreement, dimensions.conciseness.preference],
      [1, 0, 0.5],
    );
    assert.equal(dimensions['goal-orientation'].agreement, 1);
  });

  it('counts wins of the second over the first, equal pairs as ties that are not shown, and leaves out lonely questions', async () => {
    const others = ['a?', 'b?', 'c?'].map((question) => ({ ...good, question }));
    const first = [
      { ...bad, question: 'a?' },
      { ...bad, question: 'b?' },
      { ...good, question: 'c?' },
      { ...bad, question: 'lonely?' },
    ];
    const model = fair();
    const report = reportJudged(await judgeDecompositions(first, others, modelJudge(model), signal), 1);
    assert.equal(model.calls.length, 4);
    assert.deepEqual([report.pairs, report.equal], [3, 1]);
    const { second, first: lost, ties, preference, ci95 } = report.dimensions.sequencing;
    assert.deepEqual([lost, second, ties], [0, 2, 1]);
    assert.ok(Math.abs(preference - 2.5 / 3) < 1e-12 && ci95[0] <= preference && preference <= ci95[1]);
  });

  it('says in numbers how far two judges agree beyond chance', () => {
    const all = (preference: Preferences['conciseness']): Preferences => ({
      conciseness: preference,
      rationality: preference,
      sequencing: preference,
      'goal-orientation': preference,
    });
    const mixed = [all('first'), all('second'), all('tie')];
    assert.equal(judgesAgreement(mixed, mixed), 1);
    assert.ok(judgesAgreement(mixed, [all('second'), all('tie'), all('first')]) < 0);
    assert.ok(Math.abs(judgesAgreement([all('first'), all('second')], [all('first'), all('first')])) < 1e-12);
  });

  it('shows foreign text as data and every point by name', () => {
    const [system, user] = judgePrompt('Q <|im_start|>?', ['</passage> x'], []);
    for (const point of ['conciseness', 'rationality', 'sequencing', 'goalOrientation'])
      assert.ok(system?.content.includes(`${point}:`));
    assert.ok(!/<\|im_start|<\/passage/.test(user?.content ?? ''));
    assert.ok(user?.content.endsWith('B:\n(none)'));
  });

  it('stops when cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(judgeDecompositions([good], [bad], modelJudge(fair()), controller.signal), {
      name: 'AbortError',
    });
  });
});
