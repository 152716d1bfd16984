import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusedError } from '../../../src/research/language-model/errors.ts';
import {
  agreeable,
  carelessOnce,
  failing,
  inventive,
  oscillating,
  rambling,
  schemaBreaking,
  shrugging,
  slow,
  stubborn,
} from '../../doubles/model-scripts/characters.ts';
import { cooperative } from '../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../doubles/model-scripts/prompt-kind.ts';
import { assertRecording } from '../../doubles/recording.ts';
import { cooperativeModel, notices, only, recorded, steps } from '../../doubles/recorded-run.ts';
import { BEDS, BORN, relayRetriever } from '../../doubles/relay-corpus.ts';
import { runResearch, type FinishedRun, type RunSettings } from '../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../doubles/scripted-language-model.ts';

const planOf = (run: FinishedRun) =>
  run.events.flatMap((event) => (event.type === 'plan-proposed' ? [event.plan] : []))[0];

describe('a debated plan', () => {
  const full: RunSettings['options'] = { debate: 'full' };
  const roles = (run: FinishedRun) =>
    run.events.flatMap((event) => (event.type === 'debate-turn' ? [`${event.round} ${event.role}`] : []));

  it('stands when the judge finds that it does', async () => {
    const run = await recorded('debate-agreeable', BORN, { model: agreeable(), options: full });
    assert.deepEqual(roles(run), ['1 affirmative', '1 negative', '1 fast', '1 slow', '1 judge']);
    assert.equal(planOf(run)?.origin, 'debate-hard');
    assert.ok(
      run.events.every((event) => event.type !== 'debate-turn' || (event.inputTokens > 0 && event.outputTokens > 0)),
    );
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('comes from the slow debater when the rounds run out', async () => {
    const run = await recorded('debate-stubborn', BORN, { model: stubborn(), options: full });
    assert.equal(roles(run).length, 10); // both rounds; the slow debater never wavered, so nothing is left to extract
    assert.equal(planOf(run)?.origin, 'debate-soft');
    assert.deepEqual(
      planOf(run)?.steps.map((step) => step.operator),
      ['sub-step'],
    );
  });

  it('is extracted from the history of a slow debater that changed its mind', async () => {
    const run = await recorded('debate-oscillating', BORN, { model: oscillating(), options: { ...full, rounds: 3 } });
    assert.equal(roles(run).length, 16);
    assert.equal(roles(run).at(-1), '3 judge');
    assert.deepEqual(
      planOf(run)?.steps.map((step) => step.operator),
      ['adaptive-step'],
    );
    assert.equal(planOf(run)?.origin, 'debate-soft');
  });

  it('can do without either level-2 debater', async () => {
    const run = await recorded('debate-ablated', BORN, {
      model: stubborn(),
      options: { ...full, fastDebater: false, slowDebater: false, rounds: 1, strength: 'L3' },
    });
    assert.deepEqual(roles(run), ['1 affirmative', '1 negative', '1 judge']);
    assert.deepEqual(
      planOf(run)?.steps.map((step) => step.operator),
      ['sub-step'],
    );
  });

  it('can be made in one call', async () => {
    const run = await recorded('debate-fast', BORN, { model: agreeable(), options: { debate: 'fast' } });
    assert.deepEqual(roles(run), ['1 fast']);
    assert.equal(planOf(run)?.origin, 'fast');
  });

  it('is mended without a call where steps that would do nothing can be left out', async () => {
    const scripted = cooperativeModel({
      'fast-plan': { json: { reason: 'Step by step.', plan: ['chain-of-thought', 'single-step', 'single-step'] } },
    });
    const run = await recorded('plan-mended', BORN, { model: scripted, options: { debate: 'fast' } });
    assert.deepEqual(
      planOf(run)?.steps.map(({ operator }) => operator),
      ['single-step'],
    );
    assert.deepEqual(notices(run), ['plan-repaired']);
  });

  it('is replaced by the usual plan when it looks nothing up, and this is said', async () => {
    const nonsense = { json: { reason: 'I know it.', plan: ['chain-of-thought'] } };
    const scripted = cooperativeModel({ 'fast-plan': nonsense });
    const run = await recorded('plan-replaced', BORN, { model: scripted, options: { debate: 'fast' } });
    assert.equal(planOf(run)?.origin, 'default');
    assert.deepEqual(notices(run), ['plan-replaced']);
    assert.equal(run.answer?.short, 'Narvik');
  });
});

describe('a model with bad manners', () => {
  it('that rambles is understood', async () => {
    const run = await recorded('rambling', BORN, { model: rambling(), options: { ...only('sub-step') } });
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(
      run.answer?.subAnswers.map((one) => one.answer),
      ['Kestrel Hut', 'Mara Lindqvist', 'Narvik'],
    );
  });

  it('that breaks every schema still gets an answer out', async () => {
    const run = await recorded('schema-breaking', BORN, {
      model: schemaBreaking(),
      options: { debate: 'full', rounds: 1 },
    });
    assert.equal(run.ending, 'run-end');
    assert.deepEqual(notices(run), ['plan-replaced']);
    assert.ok(
      run.events.some(
        (event) => event.type === 'debate-turn' && event.text === '(gave no usable reply)' && event.inputTokens > 0,
      ),
    );
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('that breaks a schema once is told, and its second try is used', async () => {
    const scripted = carelessOnce();
    const run = await recorded('schema-repaired', BORN, { model: scripted, options: { debate: 'fast' } });
    assert.equal(planOf(run)?.origin, 'fast');
    const end = run.events.at(-1);
    assert.ok(end?.type === 'run-end' && end.usage.calls === scripted.calls.length);
  });

  it('that invents has its statements removed or marked, and counted', async () => {
    const run = await recorded('inventive', BORN, { model: inventive(), options: only('single-step') });
    const { statements = [], unsupportedCount, text = '', citations = [] } = run.answer ?? {};
    assert.equal(unsupportedCount, 4);
    assert.deepEqual(
      statements.map((statement) => statement.support),
      ['supported', 'unsupported', 'unsupported', 'unsupported'],
    );
    assert.match(statements[1]?.problem ?? '', /“14”/);
    assert.match(statements[2]?.problem ?? '', /“Torvald”.*“Bergen”|Torvald/);
    assert.match(statements[3]?.problem ?? '', /passage 77, which was not found/);
    assert.doesNotMatch(text, /lighthouse/);
    assert.deepEqual(
      citations.map((citation) => citation.passageId),
      ['mara'],
    );
    assert.equal((text.match(/not supported by your files/g) ?? []).length, 3);
  });

  it('that shrugs makes the run refuse, with the nearest passages', async () => {
    const reading = { answerability: 0.8 };
    const scripts = { 'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading } };
    const run = await recorded('shrugging', BORN, { model: shrugging(), retriever: relayRetriever({ scripts }) });
    assert.equal(run.ending, 'run-end');
    assert.equal(run.answer?.abstained, true);
    assert.equal(run.answer?.refusal, 'no-line-answers');
    assert.match(run.answer?.text ?? '', /^These files speak of it; no line was found that answers\.[\s\S]*\[1\]/);
    assert.ok((run.answer?.passages.length ?? 0) > 0);
    assert.ok(!run.events.some((event) => event.type === 'answer-delta' && /none/i.test(event.text)));
  });

  it('that cannot be reached leaves the quotes, and its error with the button that helps', async () => {
    const run = await recorded('failing-at-once', BORN, { model: failing(0), options: only('single-step') });
    assert.equal(run.ending, 'run-error');
    assert.equal(run.answer?.by, 'extractive');
    const last = run.events.at(-1);
    assert.ok(
      last?.type === 'run-error' && last.error.code === 'model-unreachable' && last.error.action === 'choose-model',
    );
  });

  it('that declines every step is said to have declined, and the quotes are given', async () => {
    const declining = new ScriptedLanguageModel(() => ({ error: new RefusedError('scripted', 'content policy') }));
    const run = await recorded('declining', BORN, { model: declining, options: only('single-step') });
    assert.equal(run.ending, 'run-error');
    assert.equal(run.answer?.by, 'extractive');
    const last = run.events.at(-1);
    assert.ok(last?.type === 'run-error' && last.error.code === 'model-refused');
  });

  it('that fails on the way leaves what was found', async () => {
    const run = await recorded('failing-midway', BORN, { model: failing(3), options: only('sub-step') });
    assert.equal(run.ending, 'run-error');
    assert.ok(run.answer);
    assert.deepEqual(
      run.answer?.subAnswers.filter((one) => one.question !== BORN).map((one) => one.answer),
      ['Kestrel Hut', 'Mara Lindqvist'],
    );
  });

  it('that is slow can be cancelled, and what was found is kept', async () => {
    const abort = new AbortController();
    const run = await recorded('cancelled', BEDS, {
      model: slow('answer'),
      options: only('sub-step'),
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type === 'sub-answer-ready' && event.subAnswer.answer === '8') setImmediate(() => abort.abort());
      },
    });
    assert.equal(run.ending, 'run-cancelled');
    assert.equal(run.answer?.subAnswers.length, 2);
    assert.equal(run.answer?.short, '');
    assert.match(run.answer?.text ?? '', /How many beds does Heron Hut have: 8\. \[\d\]/);
  });
});

describe('a budget', () => {
  it('that is used up gives the best answer from what is there, and says so', async () => {
    const { defaultResearchOptions } = await import('../../../src/research/context/research-options.ts');
    const run = await recorded('budget-exhausted', BORN, {
      model: cooperativeModel(),
      options: { ...only('sub-step'), budget: { ...defaultResearchOptions.budget, calls: 3 } },
    });
    assert.equal(run.ending, 'run-end');
    assert.deepEqual(notices(run), ['budget-exhausted']);
    assert.ok(run.events.some((event) => event.type === 'step-end' && event.outcome === 'skipped'));
    const end = run.events.at(-1);
    assert.ok(end?.type === 'run-end' && end.usage.calls === 3);
    assert.equal(run.answer?.abstained, false);
  });

  it('that is used up after a thought takes no sentence on the way for the answer', async () => {
    const { defaultResearchOptions } = await import('../../../src/research/context/research-options.ts');
    const run = await runResearch(BORN, {
      retriever: relayRetriever(),
      model: cooperativeModel(),
      options: { ...only('iterative-step'), budget: { ...defaultResearchOptions.budget, calls: 1 } },
    });
    assert.deepEqual(notices(run), ['budget-exhausted']);
    assert.equal(run.answer?.subAnswers[0]?.answer, 'The relay at Kestrel Hut failed on 4 March 2023.');
    assert.equal(run.answer.short, 'Mara Lindqvist was born in Narvik.', 'what the files say instead');
  });

  it('of nodes is never exceeded', async () => {
    const { defaultResearchOptions } = await import('../../../src/research/context/research-options.ts');
    const run = await recorded('nodes-exhausted', BORN, {
      model: cooperativeModel(),
      options: { ...only('sub-step'), budget: { ...defaultResearchOptions.budget, nodes: 2 } },
    });
    assert.equal(run.records.filter((record) => record.kind === 'node' && record.reply !== '').length, 2);
    assert.deepEqual(notices(run), ['budget-exhausted']);
  });
});

describe('the critique', () => {
  it('lets an answer whose citations hold stand where the reader doubts the evidence, and tells the doubt', async () => {
    const retriever = relayRetriever({
      scripts: {
        'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading: { answerability: 0.1 } },
      },
    });
    const run = await recorded('evidence-fails', BORN, {
      model: cooperativeModel(),
      options: { operator: 'single-step', critique: false },
      retriever,
    });
    assert.equal(run.answer?.short, 'Narvik');
    assert.match(run.answer?.doubt ?? '', /^The reader doubts .* 10 % likely\.$/);
  });

  it("keeps an answer that the question's own chain carries, where all that was gathered only clouds it", async () => {
    const retriever = relayRetriever({
      scripts: {
        'in which town was the keeper born': {
          chain: ['outage', 'kestrel', 'mara'],
          reading: (read) => ({ answerability: read.length > 3 ? 0.3 : 0.9 }),
        },
      },
    });
    const run = await recorded('own-chain-carries', BORN, {
      model: cooperativeModel(),
      options: { operator: 'single-step', critique: false },
      retriever,
    });
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(retriever.queries.length, 1, 'the chain is not looked up again');
  });

  it('steps back from a sub-question that led nowhere, and tries another', async () => {
    const scripted = cooperativeModel({
      decompose: { json: { questions: ['Which colour has the relay?', 'Where was Mara Lindqvist born?'] } },
    });
    const run = await recorded('step-back', BORN, { model: scripted, options: only('sub-step') });
    const rejected = run.records.filter(
      (record) => record.kind === 'node' && record.verdict && record.verdict.verdict !== 'keep',
    );
    assert.deepEqual(
      rejected.map((record) => record.kind === 'node' && record.subQuestion),
      ['Which colour has the relay?'],
    );
    assert.ok(
      steps(run, 'sub-step').some(
        (step) => step.question === 'Who is the keeper of Kestrel Hut?' && step.dependsOn.includes('s2'),
      ),
    );
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('asks the model where the evidence leaves a doubt, and believes its rejection', async () => {
    const retriever = relayRetriever({
      scripts: { 'which hut had the relay': { chain: ['outage'], reading: { answerability: 0.4 } } },
    });
    const scripted = cooperativeModel({
      'critique-node': { json: { reason: 'It does not help.', verdict: 'irrelevant' } },
    });
    const run = await recorded('critique-by-model', BORN, { model: scripted, options: only('sub-step'), retriever });
    const verdicts = run.events.flatMap((event) =>
      event.type === 'critique-ready' && event.of === 'node' ? [event.verdict] : [],
    );
    assert.ok(verdicts.some((verdict) => verdict.by === 'model' && verdict.verdict === 'irrelevant'));
    assert.ok(run.events.some((event) => event.type === 'step-end' && event.outcome === 'rejected'));
  });

  it('can be switched off', async () => {
    const run = await recorded('critique-off', BORN, {
      model: cooperativeModel(),
      options: { ...only('sub-step'), critique: false },
    });
    assert.ok(!run.events.some((event) => event.type === 'critique-ready'));
    assert.equal(run.answer?.short, 'Narvik');
  });
});

describe('a follow-up', () => {
  const history = [{ question: 'Who is the keeper of Kestrel Hut?', answer: 'Mara Lindqvist' }];

  it('is rewritten to stand alone, and shown with what was typed', async () => {
    const run = await recorded('follow-up', 'Where was she born?', {
      model: cooperativeModel(),
      history,
      options: only('single-step'),
    });
    const start = run.events[0];
    assert.ok(
      start?.type === 'run-start' &&
        start.asked === 'Where was she born?' &&
        start.question === 'Where was Mara Lindqvist born?',
    );
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('keeps what was pasted with it, and a reply that was cut off is not taken', async () => {
    const pasted = 'Why does it throw this?\nTypeError: no keeper of undefined\n    at Hut.open (src/hut.ts:41:12)';
    const startOf = async (question: string, model: ScriptedLanguageModel): Promise<string | undefined> => {
      const options = only('single-step');
      const { events } = await runResearch(question, { retriever: relayRetriever(), model, history, options });
      return events[0]?.type === 'run-start' ? events[0].question : undefined;
    };
    assert.equal(
      await startOf(pasted, new ScriptedLanguageModel(cooperative)),
      `${pasted} (about: Kestrel Hut, Mara Lindqvist)`,
    );
    const cut = new ScriptedLanguageModel((call) =>
      promptKind(call) === 'rewrite'
        ? { text: 'Tell where Mara Lindqvist was born and then the', truncated: true }
        : cooperative(call),
    );
    assert.equal(
      await startOf('Tell where she was born', cut),
      'Tell where she was born (about: Kestrel Hut, Mara Lindqvist)',
    );
  });

  it('takes the names of the question before with it when there is no model', async () => {
    const run = await recorded('follow-up-without-model', 'Where was she born?', { history });
    const start = run.events[0];
    assert.ok(
      start?.type === 'run-start' && start.question === 'Where was she born? (about: Kestrel Hut, Mara Lindqvist)',
    );
  });
});

describe('records', () => {
  it('hold every node with what it saw, in a stable form, and the end', async () => {
    const run = await recorded('recorded-nodes', BORN, { model: cooperativeModel(), options: only('sub-step') });
    assertRecording('recorded-nodes.records', run.records);
    assert.deepEqual(
      run.records.map((record) => record.kind),
      ['split', 'node', 'node', 'node', 'answer'],
    );
    const last = run.records[3];
    assert.ok(last?.kind === 'node');
    assert.deepEqual(last.history, [
      { question: 'Which hut had the relay that failed in March?', answer: 'Kestrel Hut' },
      { question: 'Who is the keeper of Kestrel Hut?', answer: 'Mara Lindqvist' },
    ]);
  });

  it('are not made when that is switched off', async () => {
    const run = await runResearch(BORN, {
      retriever: relayRetriever(),
      model: cooperativeModel(),
      options: { ...only('sub-step'), record: false },
    });
    assert.deepEqual(run.records, []);
  });
});
