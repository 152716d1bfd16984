import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shrugging } from '../../../doubles/model-scripts/characters.ts';
import { numberOfFile } from '../../../doubles/model-scripts/prompt-kind.ts';
import { cooperativeModel, only } from '../../../doubles/recorded-run.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import type { Reading } from '../../../../src/search/retrieval/retriever.ts';

/** A retriever whose reader gives the question's passages this chance to carry an answer. */
const readAs = (reading: Partial<Reading>) =>
  relayRetriever({
    scripts: { 'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading } },
  });
const sure: Partial<Reading> = { answerability: 0.95 };
const alone = { ...only('single-step'), critique: false };
const answered = (retriever: ReturnType<typeof readAs>, model: ScriptedLanguageModel) =>
  runResearch(BORN, { retriever, model, options: alone });

describe('an answer that passes the citation check', () => {
  it('stands although the reader doubts it, and the doubt is shown beside it', async () => {
    const run = await answered(readAs({ answerability: 0.1 }), cooperativeModel());
    assert.equal(run.answer?.abstained, false);
    assert.equal(run.answer?.short, 'Narvik');
    assert.match(run.answer?.doubt ?? '', /10 %/);
    assert.ok(run.answer?.text.endsWith(`*${run.answer.doubt}*`), 'whoever shows the text shows the doubt');
  });

  it('carries no doubt where the reader has none', async () => {
    const run = await answered(readAs({ answerability: 0.9 }), cooperativeModel());
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(run.answer?.doubt, undefined);
  });
});

describe('words of the question that no file has', () => {
  const absent = [{ text: 'CSRF', decides: true }];
  const asking = (reading: Partial<Reading>) =>
    relayRetriever({
      scripts: {
        'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading, absent },
      },
    });

  it('are told beside an answer of a model that passes the check', async () => {
    const run = await answered(asking({ answerability: 0.9 }), cooperativeModel());
    assert.equal(run.answer?.short, 'Narvik');
    assert.ok(
      run.events.some(
        (event) =>
          event.type === 'notice' && event.code === 'absent-words' && runNoticeInWords(event).endsWith('“CSRF”.'),
      ),
    );
  });

  it('are what a refusal is about', async () => {
    const run = await answered(asking({ answerability: 0.1 }), shrugging());
    assert.equal(run.answer?.refusal, 'nothing-speaks');
    assert.deepEqual(run.answer?.absent, ['CSRF']);
    assert.match(run.answer?.text ?? '', /^No file speaks of CSRF\./);
  });
});

describe('an answer that fails the citation check', () => {
  const inventing = (): ScriptedLanguageModel =>
    cooperativeModel({
      answer: (call) => `Because: Torvald Nilsen was born in Bergen [${numberOfFile(call, 'mara')}].\nAnswer: Bergen`,
    });

  it('is refused where the reader doubts it, too, and what it said is told', async () => {
    const run = await answered(readAs({ answerability: 0.1 }), inventing());
    assert.equal(run.answer?.abstained, true);
    assert.match(run.answer?.abstainReason ?? '', /The model would have said: “Bergen”/);
  });

  it('gives way to what the passages say where the reader does not, and what it said is told', async () => {
    const run = await answered(readAs(sure), inventing());
    assert.equal(run.answer?.abstained, false);
    assert.equal(run.answer?.by, 'extractive');
    assert.ok(run.answer?.statements.some(({ support, text }) => support === 'quote' && text.includes('Narvik')));
    assert.doesNotMatch(run.answer?.text ?? '', /Bergen/);
    const told = run.events.find((event) => event.type === 'notice' && event.code === 'answer-unsupported');
    assert.match(
      told?.type === 'notice' ? runNoticeInWords(told) : '',
      /answered “Bergen”, which none of the passages says/,
    );
  });

  it('stands where only the number of its passage is wrong, which is put right', async () => {
    const model = cooperativeModel({
      answer: () => 'Because: Mara Lindqvist was born in Narvik [99].\nAnswer: Narvik',
    });
    const { answer, events } = await answered(readAs(sure), model);
    assert.equal(answer?.by, 'model');
    assert.equal(answer?.short, 'Narvik');
    assert.doesNotMatch(answer?.text ?? '', /99/);
    const [cited] = answer?.statements.find(({ support }) => support === 'supported')?.citations ?? [];
    assert.match(answer?.citations.find(({ number }) => number === cited)?.quote ?? '', /born in Narvik/);
    assert.ok(!events.some((event) => event.type === 'notice' && event.code === 'answer-unsupported'));
  });

  it('stays, marked, where it is a figure reckoned from what holds', async () => {
    const model = cooperativeModel({
      answer: (call) =>
        `Because: Mara Lindqvist was born in Narvik [${numberOfFile(call, 'mara')}]. That is 41 years ago.\nAnswer: 41 years`,
    });
    const run = await runResearch(BORN, { retriever: readAs(sure), model, options: alone });
    assert.equal(run.answer?.by, 'model');
    assert.equal(run.answer?.short, '41 years');
    assert.deepEqual(
      run.answer?.statements.map(({ support }) => support),
      ['supported', 'unsupported'],
    );
  });

  it('stays, marked, where nothing was looked up that could speak against it', async () => {
    const run = await runResearch(BORN, {
      retriever: readAs({ answerability: 0.9 }),
      model: new ScriptedLanguageModel(() => 'Because: Everybody there is from Oslo.\nAnswer: Oslo'),
      options: only('chain-of-thought'),
    });
    assert.equal(run.answer?.short, 'Oslo');
    assert.ok(run.answer?.statements.every(({ support }) => support === 'unsupported'));
  });
});

describe('a model that finds nothing', () => {
  it('leaves the quote of a reader that is sure', async () => {
    const run = await answered(readAs(sure), shrugging());
    assert.equal(run.answer?.abstained, false);
    assert.equal(run.answer?.by, 'extractive');
    assert.ok(run.answer?.statements.some(({ support, text }) => support === 'quote' && text.includes('Narvik')));
    assert.ok(run.events.some((event) => event.type === 'notice' && event.code === 'model-found-none'));
    assert.doesNotMatch(run.answer?.text ?? '', /no language model/);
  });

  it('is believed where the reader is not sure', async () => {
    const run = await answered(readAs({ ...sure, answerability: 0.8 }), shrugging());
    assert.equal(run.answer?.abstained, true);
  });
});

describe('a plan of several steps', () => {
  it('ends with the last answer that the passages support, not with the last answer', async () => {
    const model = cooperativeModel({
      'fast-plan': { json: { reason: 'Look, then think.', plan: ['single-step', 'chain-of-thought'] } },
      'closed-book': 'Because: Everybody there is from Oslo.\nAnswer: Oslo',
    });
    const run = await runResearch(BORN, {
      retriever: readAs({ answerability: 0.9 }),
      model,
      options: { debate: 'fast', critique: false },
    });
    assert.deepEqual(
      run.events.flatMap((event) =>
        event.type === 'plan-proposed' ? event.plan.steps.map((step) => step.operator) : [],
      ),
      ['single-step', 'chain-of-thought'],
    );
    assert.equal(run.answer?.short, 'Narvik');
  });
});

describe('a refusal', () => {
  it('is what a plan that looked and found nothing ends in: none of its steps answers from memory', async () => {
    const model = (only: 'plan' | 'thought') =>
      cooperativeModel({
        'fast-plan': { json: { reason: 'Look, then think.', plan: ['single-step', 'chain-of-thought'] } },
        answer: 'Answer: none',
        'brief-answer': 'Answer: none',
        'closed-book': () => (only === 'plan' ? assert.fail('it is asked what it remembers') : 'Answer: Oslo'),
      });
    const retriever = readAs({ answerability: 0.1 });
    const planned = await runResearch(BORN, { retriever, model: model('plan'), options: { debate: 'fast' } });
    assert.equal(planned.answer?.abstained, true);
    assert.equal(planned.answer?.short, '');
    const chosen = await runResearch(BORN, { retriever, model: model('thought'), options: only('chain-of-thought') });
    assert.equal(chosen.answer?.short, 'Oslo', 'whoever chose it is answered from memory');
  });

  it('makes *null* the type of the run, also of one that its time ended', async () => {
    const run = await runResearch(BORN, {
      retriever: readAs({ answerability: 0.1 }),
      model: shrugging(),
      options: { ...alone, budget: { ...defaultResearchOptions.budget, calls: 1 } },
    });
    assert.equal(run.answer?.abstained, true);
    assert.equal(run.events.findLast((event) => event.type === 'question-classified')?.classification.type, 'null');
  });

  it('makes *null* the type of the run', async () => {
    const run = await answered(readAs({ answerability: 0.1 }), shrugging());
    assert.equal(run.answer?.abstained, true);
    const types = run.events.flatMap((event) =>
      event.type === 'question-classified' ? [event.classification.type] : [],
    );
    assert.deepEqual(types, ['inference', 'null']);
  });
});
