import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusedError } from '../../../../src/research/language-model/errors.ts';
import { cooperative } from '../../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../../doubles/model-scripts/prompt-kind.ts';
import { only } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runResearch, type FinishedRun } from '../../../doubles/run-research.ts';
import {
  type RecordedCall,
  ScriptedLanguageModel,
  type ScriptedReply,
} from '../../../doubles/scripted-language-model.ts';

const told = (call: RecordedCall): string => call.messages.at(-1)?.content ?? '';
const splitInto =
  (
    questions: readonly string[],
    replies: (call: RecordedCall, kind: string) => ScriptedReply | undefined = () => undefined,
  ) =>
  (call: RecordedCall): ScriptedReply => {
    const kind = promptKind(call);
    return replies(call, kind) ?? (kind === 'decompose' ? { json: { questions } } : cooperative(call));
  };
const looked = (run: FinishedRun): string[] =>
  run.events.flatMap((event) =>
    event.type === 'step-start' && event.parentStepId !== undefined ? [event.question] : [],
  );

describe('sub-questions', () => {
  const doubted = relayRetriever({
    scripts: { 'which hut had the relay': { chain: ['outage'], reading: { answerability: 0.1 } } },
  });
  const shrugsAt = (rejected: RegExp, other: string) => (call: RecordedCall, kind: string) => {
    if (kind === 'brief-answer' && rejected.test(told(call))) return 'Answer: none';
    return kind === 'next-sub-question' ? { json: { question: other } } : undefined;
  };

  it('take no answer to another question for that of the one that was rejected', async () => {
    const model = new ScriptedLanguageModel(
      splitInto(
        ['Which hut had the relay that failed in March?', 'Who is the keeper of #1?'],
        shrugsAt(/Which hut had the relay/, 'Who is the keeper of Heron Hut?'),
      ),
    );
    const run = await runResearch(BORN, { model, options: only('sub-step'), retriever: doubted });
    assert.ok(looked(run).includes('Who is the keeper of Heron Hut?'), looked(run).join('\n'));
    assert.ok(!looked(run).some((question) => question.includes('keeper of Jonas Berg')), looked(run).join('\n'));
  });

  it('take the answer to the same question in other words', async () => {
    const model = new ScriptedLanguageModel(
      splitInto(
        ['Which hut had the relay that failed in March?', 'Who is the keeper of #1?'],
        shrugsAt(/Question: Which hut had the relay that failed in March/, 'Which hut had the relay that broke?'),
      ),
    );
    const run = await runResearch(BORN, { model, options: only('sub-step'), retriever: doubted });
    assert.ok(looked(run).includes('Who is the keeper of Kestrel Hut?'), looked(run).join('\n'));
  });

  it('that end in an answer while one before has none are read as a whole', async () => {
    const model = new ScriptedLanguageModel(
      splitInto(
        ['Which hut had the relay that failed in March?', 'Where was Mara Lindqvist born?'],
        shrugsAt(/Which hut had the relay/, 'Who is the keeper of Heron Hut?'),
      ),
    );
    await runResearch(BORN, { model, options: only('sub-step'), retriever: doubted });
    const kinds = model.calls.map(promptKind);
    assert.ok(kinds.includes('answer'), kinds.join());
  });

  it('go on without one whose call was refused', async () => {
    const questions = ['Who is the keeper of Kestrel Hut?', 'Which hut had the relay that failed in March?'];
    const model = new ScriptedLanguageModel(
      splitInto(questions, (call, kind) => {
        if (kind === 'brief-answer' && told(call).includes('Question: Which hut'))
          return { error: new RefusedError('Scripted Model', 'a filter') };
        return undefined;
      }),
    );
    const run = await runResearch(BORN, { model, options: only('sub-step'), retriever: relayRetriever() });
    assert.equal(run.ending, 'run-end');
    assert.ok(run.events.some((event) => event.type === 'notice' && event.code === 'step-failed'));
    assert.ok(run.answer?.subAnswers.some(({ answer }) => answer === 'Mara Lindqvist'));
  });
});

describe('a second opinion that fails', () => {
  it('takes no answer away', async () => {
    const model = new ScriptedLanguageModel((call) => {
      if (promptKind(call).startsWith('critique')) return { error: new RefusedError('Scripted Model', 'a filter') };
      return cooperative(call);
    });
    const retriever = relayRetriever({
      scripts: {
        'in which town was the keeper born': {
          chain: ['outage', 'kestrel', 'mara'],
          reading: { answerability: 0.55 },
        },
      },
    });
    const run = await runResearch(BORN, { model, options: only('single-step'), retriever });
    assert.equal(run.ending, 'run-end');
    assert.equal(run.answer?.short, 'Narvik');
    assert.ok(model.calls.some((call) => promptKind(call).startsWith('critique')));
  });
});
