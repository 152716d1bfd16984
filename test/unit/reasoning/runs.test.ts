import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusedError } from '../../../src/llm/errors.ts';
import type { ResearchEvent } from '../../../src/model/research-event.ts';
import type { OperatorName } from '../../../src/model/plan.ts';
import { agreeable, carelessOnce, failing, inventive, oscillating, rambling, schemaBreaking, shrugging, slow, stubborn } from '../../doubles/model-scripts/characters.ts';
import { cooperative } from '../../doubles/model-scripts/cooperative.ts';
import { promptKind } from '../../doubles/model-scripts/prompt-kind.ts';
import { assertRecording } from '../../doubles/recording.ts';
import { BEDS, BORN, relayRetriever } from '../../doubles/relay-corpus.ts';
import { runResearch, type FinishedRun, type RunSettings } from '../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../doubles/scripted-language-model.ts';

const ENDINGS = new Set<ResearchEvent['type']>(['run-end', 'run-error', 'run-cancelled']);

/** A run that is checked for what holds for every run, and kept as a recording. */
async function recorded(name: string, question: string, settings: Partial<RunSettings>): Promise<FinishedRun> {
  const run = await runResearch(question, { retriever: relayRetriever(), ...settings });
  const { events } = run;
  assert.equal(events[0]?.type, 'run-start');
  assert.equal(events.filter((event) => ENDINGS.has(event.type)).length, 1);
  assert.ok(ENDINGS.has(run.ending ?? 'notice'));
  const started = new Set<string>();
  for (const event of events) {
    if (event.type === 'step-start') started.add(event.stepId);
    if (event.type === 'passages-retrieved' || event.type === 'sub-answer-ready' || event.type === 'step-end') assert.ok(started.has(event.stepId), `${event.type} of a step that never started`);
  }
  if (run.ending === 'run-end') for (const id of started) assert.ok(events.some((event) => event.type === 'step-end' && event.stepId === id), `${id} never ended`);
  if (run.answer) {
    const known = new Set(run.answer.passages.map((passage) => passage.id));
    const numbers = new Set(run.answer.citations.map((citation) => citation.number));
    assert.ok(run.answer.citations.every((citation) => known.has(citation.passageId)));
    for (const [, number] of run.answer.text.matchAll(/\[(\d+)\]/g)) assert.ok(numbers.has(Number(number)), `[${number}] cites nothing`);
  }
  assertRecording(name, events);
  return run;
}

const only = (operator: OperatorName): RunSettings['options'] => ({ operator });
const model = (): ScriptedLanguageModel => new ScriptedLanguageModel((call) => cooperative(call));
const notices = (run: FinishedRun): string[] => run.events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));
const planOf = (run: FinishedRun) => run.events.flatMap((event) => (event.type === 'plan-proposed' ? [event.plan] : []))[0];
const steps = (run: FinishedRun, operator: OperatorName) => run.events.flatMap((event) => (event.type === 'step-start' && event.operator === operator ? [event] : []));

describe('an operator alone', () => {
  it('cuts an answer that came as a sentence down to what was asked, and keeps the sentence as a statement', async () => {
    const wordy = new ScriptedLanguageModel((call) => (promptKind(call) === 'answer' ? 'Answer: The keeper of Kestrel Hut, Mara Lindqvist, was born in Narvik [3]' : cooperative(call)));
    const run = await recorded('single-step-sentence', BORN, { model: wordy, options: only('single-step') });
    assert.equal(run.answer?.short, 'Narvik');
    assert.match(run.answer?.text ?? '', /Mara Lindqvist, was born in Narvik/);
    assert.equal(wordy.calls.length, 2);
  });

  it('keeps an answer that came as a sentence when the call that would cut it down is refused', async () => {
    const wordy = new ScriptedLanguageModel((call) => {
      if (promptKind(call) === 'shorten') return { error: new RefusedError('scripted', 'content policy') };
      return promptKind(call) === 'answer' ? 'Answer: The keeper of Kestrel Hut, Mara Lindqvist, was born in Narvik [3]' : cooperative(call);
    });
    const run = await recorded('single-step-sentence-uncut', BORN, { model: wordy, options: only('single-step') });
    assert.equal(run.ending, 'run-end');
    assert.match(run.answer?.short ?? '', /Mara Lindqvist, was born in Narvik/);
  });

  it('single-step retrieves once and answers with a checked citation', async () => {
    const run = await recorded('single-step', BORN, { model: model(), options: only('single-step') });
    assert.equal(run.answer?.short, 'Narvik');
    assert.match(run.answer?.text ?? '', /^\*\*Narvik\*\* \[1\]\n\nMara Lindqvist was born in Narvik\. \[1\]$/);
    assert.deepEqual(run.answer?.citations.map((citation) => [citation.passageId, citation.quote]), [['mara', 'Mara Lindqvist was born in Narvik.']]);
    assert.deepEqual(run.answer?.chain.hops.map((hop) => hop.passage.id), ['outage', 'kestrel', 'mara']);
    const end = run.events.at(-1);
    assert.ok(end?.type === 'run-end' && end.usage.calls === 1 && end.usage.retrievals === 1);
  });

  it('sub-step follows a graph whose later questions need earlier answers', async () => {
    const run = await recorded('sub-step', BORN, { model: model(), options: only('sub-step') });
    assert.deepEqual(steps(run, 'sub-step').map((step) => step.question), [BORN, 'Which hut had the relay that failed in March?', 'Who is the keeper of Kestrel Hut?', 'Where was Mara Lindqvist born?']);
    assert.deepEqual(steps(run, 'sub-step').map((step) => step.dependsOn), [[], [], ['s2'], ['s3']]);
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(run.answer?.subAnswers.map((one) => one.answer), ['Kestrel Hut', 'Mara Lindqvist', 'Narvik']);
    assert.deepEqual(run.answer?.chain.hops.map((hop) => [hop.passage.id, hop.why.kind]), [['outage', 'sub-question'], ['kestrel', 'sub-question'], ['mara', 'sub-question']]);
  });

  it('sub-step runs independent sub-questions side by side', async () => {
    const scripted = model();
    const run = await recorded('sub-step-parallel', BEDS, { model: scripted, options: only('sub-step'), type: 'comparison' });
    assert.equal(scripted.mostRunning, 2);
    assert.equal(run.answer?.short, 'yes');
    assert.match(run.answer?.text ?? '', /Kestrel Hut has 12 beds\. \[\d\] Heron Hut has 8 beds\. \[\d\]/);
  });

  it('iterative-step searches for its own thoughts until it arrives', async () => {
    const retriever = relayRetriever({ scripts: { 'in which town was the keeper born': { chain: ['outage'] }, 'the relay at kestrel hut failed': { chain: ['kestrel'] }, 'the keeper of kestrel hut is': { chain: ['mara'] } } });
    const run = await recorded('iterative-step', BORN, { model: model(), options: only('iterative-step'), retriever });
    assert.deepEqual(retriever.queries, [BORN, 'The relay at Kestrel Hut failed on 4 March 2023.', 'The keeper of Kestrel Hut is Mara Lindqvist.', 'Mara Lindqvist was born in Narvik.']);
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(run.answer?.statements.length, 3);
    assert.equal(run.answer?.unsupportedCount, 0);
  });

  it('adaptive-step stops at one look when that is enough', async () => {
    const run = await recorded('adaptive-step-enough', BORN, { model: model(), options: only('adaptive-step') });
    assert.equal(steps(run, 'single-step').length, 1);
    assert.equal(steps(run, 'sub-step').length, 0);
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('adaptive-step digs deeper when the first look is plainly not enough', async () => {
    const retriever = relayRetriever({ scripts: { 'in which town was the keeper born': { chain: ['outage'], reading: { answerability: 0.3 } } } });
    const run = await recorded('adaptive-step-deeper', BORN, { model: model(), options: only('adaptive-step'), retriever });
    assert.equal(steps(run, 'single-step').length, 0);
    assert.ok(steps(run, 'sub-step').length > 1);
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(retriever.queries.filter((query) => query === BORN).length, 1);
  });

  it('chain-of-thought answers from memory, and says so', async () => {
    const run = await recorded('chain-of-thought', BORN, { model: model(), options: only('chain-of-thought') });
    assert.deepEqual(notices(run).slice(0, 1), ['from-memory']);
    assert.equal(run.answer?.short, 'Oslo');
    assert.ok(run.answer?.statements.every((statement) => statement.support === 'unsupported' && statement.citations.length === 0));
    assert.match(run.answer?.text ?? '', /not supported by your files/);
    assert.deepEqual(run.answer?.citations, []);
  });
});

describe('a debated plan', () => {
  const full: RunSettings['options'] = { debate: 'full' };
  const roles = (run: FinishedRun) => run.events.flatMap((event) => (event.type === 'debate-turn' ? [`${event.round} ${event.role}`] : []));

  it('stands when the judge finds that it does', async () => {
    const run = await recorded('debate-agreeable', BORN, { model: agreeable(), options: full });
    assert.deepEqual(roles(run), ['1 affirmative', '1 negative', '1 fast', '1 slow', '1 judge']);
    assert.equal(planOf(run)?.origin, 'debate-hard');
    assert.ok(run.events.every((event) => event.type !== 'debate-turn' || (event.inputTokens > 0 && event.outputTokens > 0)));
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('comes from the slow debater when the rounds run out', async () => {
    const run = await recorded('debate-stubborn', BORN, { model: stubborn(), options: full });
    assert.equal(roles(run).length, 10); // both rounds; the slow debater never wavered, so nothing is left to extract
    assert.equal(planOf(run)?.origin, 'debate-soft');
    assert.deepEqual(planOf(run)?.steps.map((step) => step.operator), ['sub-step']);
  });

  it('is extracted from the history of a slow debater that changed its mind', async () => {
    const run = await recorded('debate-oscillating', BORN, { model: oscillating(), options: { ...full, rounds: 3 } });
    assert.equal(roles(run).length, 16);
    assert.equal(roles(run).at(-1), '3 judge');
    assert.deepEqual(planOf(run)?.steps.map((step) => step.operator), ['adaptive-step']);
    assert.equal(planOf(run)?.origin, 'debate-soft');
  });

  it('can do without either level-2 debater', async () => {
    const run = await recorded('debate-ablated', BORN, { model: stubborn(), options: { ...full, fastDebater: false, slowDebater: false, rounds: 1, strength: 'L3' } });
    assert.deepEqual(roles(run), ['1 affirmative', '1 negative', '1 judge']);
    assert.deepEqual(planOf(run)?.steps.map((step) => step.operator), ['sub-step']);
  });

  it('can be made in one call', async () => {
    const run = await recorded('debate-fast', BORN, { model: agreeable(), options: { debate: 'fast' } });
    assert.deepEqual(roles(run), ['1 fast']);
    assert.equal(planOf(run)?.origin, 'fast');
  });

  it('is repaired once when it makes no sense, and this is said', async () => {
    const scripted = new ScriptedLanguageModel((call) => (promptKind(call) === 'fast-plan' ? { json: { reason: 'I know it.', plan: ['chain-of-thought'] } } : cooperative(call)));
    const run = await recorded('plan-repaired', BORN, { model: scripted, options: { debate: 'fast' } });
    assert.equal(planOf(run)?.origin, 'repaired');
    assert.deepEqual(notices(run), ['plan-repaired']);
  });

  it('is replaced by the usual plan when its repair makes no sense either, and this is said', async () => {
    const nonsense = { json: { reason: 'I know it.', plan: ['chain-of-thought'] } };
    const scripted = new ScriptedLanguageModel((call) => (['fast-plan', 'repair-plan'].includes(promptKind(call)) ? nonsense : cooperative(call)));
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
    assert.deepEqual(run.answer?.subAnswers.map((one) => one.answer), ['Kestrel Hut', 'Mara Lindqvist', 'Narvik']);
  });

  it('that breaks every schema still gets an answer out', async () => {
    const run = await recorded('schema-breaking', BORN, { model: schemaBreaking(), options: { debate: 'full', rounds: 1 } });
    assert.equal(run.ending, 'run-end');
    assert.deepEqual(notices(run), ['plan-replaced']);
    assert.ok(run.events.some((event) => event.type === 'debate-turn' && event.text === '(gave no usable reply)' && event.inputTokens > 0));
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
    assert.deepEqual(statements.map((statement) => statement.support), ['supported', 'unsupported', 'unsupported', 'unsupported']);
    assert.match(statements[1]?.problem ?? '', /“14”/);
    assert.match(statements[2]?.problem ?? '', /“Torvald”.*“Bergen”|Torvald/);
    assert.match(statements[3]?.problem ?? '', /passage 77, which was not found/);
    assert.doesNotMatch(text, /lighthouse/);
    assert.deepEqual(citations.map((citation) => citation.passageId), ['mara']);
    assert.equal((text.match(/not supported by your files/g) ?? []).length, 3);
  });

  it('that shrugs makes the run refuse, with the nearest passages', async () => {
    const run = await recorded('shrugging', BORN, { model: shrugging() });
    assert.equal(run.ending, 'run-end');
    assert.equal(run.answer?.abstained, true);
    assert.match(run.answer?.text ?? '', /^Nothing in this workspace answers that\.[\s\S]*\[1\]/);
    assert.ok((run.answer?.passages.length ?? 0) > 0);
    assert.ok(!run.events.some((event) => event.type === 'answer-delta' && /none/i.test(event.text)));
  });

  it('that cannot be reached leaves the quotes, and its error with the button that helps', async () => {
    const run = await recorded('failing-at-once', BORN, { model: failing(0), options: only('single-step') });
    assert.equal(run.ending, 'run-error');
    assert.equal(run.answer?.by, 'extractive');
    const last = run.events.at(-1);
    assert.ok(last?.type === 'run-error' && last.error.code === 'model-unreachable' && last.error.action === 'choose-model');
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
    assert.deepEqual(run.answer?.subAnswers.filter((one) => one.question !== BORN).map((one) => one.answer), ['Kestrel Hut', 'Mara Lindqvist']);
  });

  it('that is slow can be cancelled, and what was found is kept', async () => {
    const abort = new AbortController();
    const run = await recorded('cancelled', BEDS, {
      model: slow('answer'), options: only('sub-step'), signal: abort.signal,
      onEvent: (event) => { if (event.type === 'sub-answer-ready' && event.subAnswer.answer === '8') setImmediate(() => abort.abort()); },
    });
    assert.equal(run.ending, 'run-cancelled');
    assert.equal(run.answer?.subAnswers.length, 2);
    assert.equal(run.answer?.short, '');
    assert.match(run.answer?.text ?? '', /How many beds does Heron Hut have: 8\. \[\d\]/);
  });
});

describe('a budget', () => {
  it('that is used up gives the best answer from what is there, and says so', async () => {
    const { defaultResearchOptions } = await import('../../../src/reasoning/default-options.ts');
    const run = await recorded('budget-exhausted', BORN, { model: model(), options: { ...only('sub-step'), budget: { ...defaultResearchOptions.budget, calls: 3 } } });
    assert.equal(run.ending, 'run-end');
    assert.deepEqual(notices(run), ['budget-exhausted']);
    assert.ok(run.events.some((event) => event.type === 'step-end' && event.outcome === 'skipped'));
    const end = run.events.at(-1);
    assert.ok(end?.type === 'run-end' && end.usage.calls === 3);
    assert.equal(run.answer?.abstained, false);
  });

  it('of nodes is never exceeded', async () => {
    const { defaultResearchOptions } = await import('../../../src/reasoning/default-options.ts');
    const run = await recorded('nodes-exhausted', BORN, { model: model(), options: { ...only('sub-step'), budget: { ...defaultResearchOptions.budget, nodes: 2 } } });
    assert.equal(run.records.filter((record) => record.kind === 'node' && record.reply !== '').length, 2);
    assert.deepEqual(notices(run), ['budget-exhausted']);
  });
});

describe('the critique', () => {
  it('refuses where the evidence carries no answer, whatever the model says, and tells what it would have said', async () => {
    const retriever = relayRetriever({ scripts: { 'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading: { answerability: 0.1 } } } });
    const run = await recorded('evidence-fails', BORN, { model: model(), options: { operator: 'single-step', critique: false }, retriever });
    assert.equal(run.answer?.abstained, true);
    assert.match(run.answer?.abstainReason ?? '', /do not seem to carry an answer\. The model would have said: “Narvik”/);
    assert.equal(run.answer?.short, '');
    assert.ok((run.answer?.citations.length ?? 0) > 0, 'the nearest passages are shown');
  });

  it('leaves a doubtful case to the last critique: refused when it rejects, kept when it does not', async () => {
    const retriever = () => relayRetriever({ scripts: { 'in which town was the keeper born': { chain: ['outage', 'kestrel', 'mara'], reading: { answerability: 0.4 } } } });
    const strict = new ScriptedLanguageModel((call) => (promptKind(call) === 'critique-answer' ? { json: { reason: 'The town is not told.', verdict: 'unsupported' } } : cooperative(call)));
    const refused = await recorded('doubt-refused', BORN, { model: strict, options: only('single-step'), retriever: retriever() });
    assert.equal(refused.answer?.abstained, true);
    assert.ok(notices(refused).includes('answer-doubted'));
    const kept = await recorded('doubt-kept', BORN, { model: model(), options: only('single-step'), retriever: retriever() });
    assert.equal(kept.answer?.short, 'Narvik');
  });

  it('steps back from a sub-question that led nowhere, and tries another', async () => {
    const scripted = new ScriptedLanguageModel((call) => (promptKind(call) === 'decompose' ? { json: { questions: ['Which colour has the relay?', 'Where was Mara Lindqvist born?'] } } : cooperative(call)));
    const run = await recorded('step-back', BORN, { model: scripted, options: only('sub-step') });
    const rejected = run.records.filter((record) => record.kind === 'node' && record.verdict?.verdict !== 'keep');
    assert.deepEqual(rejected.map((record) => record.kind === 'node' && record.subQuestion), ['Which colour has the relay?']);
    assert.ok(steps(run, 'sub-step').some((step) => step.question === 'Who is the keeper of Kestrel Hut?' && step.dependsOn.includes('s2')));
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('asks the model where the evidence leaves a doubt, and believes its rejection', async () => {
    const retriever = relayRetriever({ scripts: { 'which hut had the relay': { chain: ['outage'], reading: { answerability: 0.4 } } } });
    const scripted = new ScriptedLanguageModel((call) => (promptKind(call) === 'critique-node' ? { json: { reason: 'It does not help.', verdict: 'irrelevant' } } : cooperative(call)));
    const run = await recorded('critique-by-model', BORN, { model: scripted, options: only('sub-step'), retriever });
    const verdicts = run.events.flatMap((event) => (event.type === 'critique-ready' && event.of === 'node' ? [event.verdict] : []));
    assert.ok(verdicts.some((verdict) => verdict.by === 'model' && verdict.verdict === 'irrelevant'));
    assert.ok(run.events.some((event) => event.type === 'step-end' && event.outcome === 'rejected'));
  });

  it('can be switched off', async () => {
    const run = await recorded('critique-off', BORN, { model: model(), options: { ...only('sub-step'), critique: false } });
    assert.ok(!run.events.some((event) => event.type === 'critique-ready'));
    assert.equal(run.answer?.short, 'Narvik');
  });
});

describe('a follow-up', () => {
  const history = [{ question: 'Who is the keeper of Kestrel Hut?', answer: 'Mara Lindqvist' }];

  it('is rewritten to stand alone, and shown with what was typed', async () => {
    const run = await recorded('follow-up', 'Where was she born?', { model: model(), history, options: only('single-step') });
    const start = run.events[0];
    assert.ok(start?.type === 'run-start' && start.asked === 'Where was she born?' && start.question === 'Where was Mara Lindqvist born?');
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('takes the names of the question before with it when there is no model', async () => {
    const run = await recorded('follow-up-without-model', 'Where was she born?', { history });
    const start = run.events[0];
    assert.ok(start?.type === 'run-start' && start.question === 'Where was she born? (about: Kestrel Hut, Mara Lindqvist)');
  });
});

describe('records', () => {
  it('hold every node with what it saw, in a stable form, and the end', async () => {
    const run = await recorded('recorded-nodes', BORN, { model: model(), options: only('sub-step') });
    assertRecording('recorded-nodes.records', run.records);
    assert.deepEqual(run.records.map((record) => record.kind), ['node', 'node', 'node', 'answer']);
    const last = run.records[2];
    assert.ok(last?.kind === 'node' && last.inputTokens > 0);
    assert.deepEqual(last?.history, [{ question: 'Which hut had the relay that failed in March?', answer: 'Kestrel Hut' }, { question: 'Who is the keeper of Kestrel Hut?', answer: 'Mara Lindqvist' }]);
  });

  it('are not made when that is switched off', async () => {
    const run = await runResearch(BORN, { retriever: relayRetriever(), model: model(), options: { ...only('sub-step'), record: false } });
    assert.deepEqual(run.records, []);
  });
});
