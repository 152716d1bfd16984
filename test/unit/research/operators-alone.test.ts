import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusedError } from '../../../src/research/language-model/errors.ts';
import { cooperativeModel, notices, only, recorded, steps } from '../../doubles/recorded-run.ts';
import { BEDS, BORN, relayRetriever } from '../../doubles/relay-corpus.ts';
import { runResearch } from '../../doubles/run-research.ts';
import { notePassage } from '../../doubles/scripted-retriever.ts';

describe('an operator alone', () => {
  it('cuts an answer that came as a sentence down to what was asked, and keeps the sentence as a statement', async () => {
    const wordy = cooperativeModel({
      answer: 'Answer: The keeper of Kestrel Hut, Mara Lindqvist, was born in Narvik [3]',
    });
    const run = await recorded('single-step-sentence', BORN, { model: wordy, options: only('single-step') });
    assert.equal(run.answer?.short, 'Narvik');
    assert.match(run.answer?.text ?? '', /Mara Lindqvist, was born in Narvik/);
    assert.equal(wordy.calls.length, 2);
  });

  it('keeps an answer that came as a sentence when the call that would cut it down is refused', async () => {
    const wordy = cooperativeModel({
      shorten: { error: new RefusedError('scripted', 'content policy') },
      answer: 'Answer: The keeper of Kestrel Hut, Mara Lindqvist, was born in Narvik [3]',
    });
    const run = await recorded('single-step-sentence-uncut', BORN, { model: wordy, options: only('single-step') });
    assert.equal(run.ending, 'run-end');
    assert.match(run.answer?.short ?? '', /Mara Lindqvist, was born in Narvik/);
  });

  it('single-step retrieves once and answers with a checked citation', async () => {
    const run = await recorded('single-step', BORN, { model: cooperativeModel(), options: only('single-step') });
    assert.equal(run.answer?.short, 'Narvik');
    assert.match(run.answer?.text ?? '', /^\*\*Narvik\*\* \[1\]\n\nMara Lindqvist was born in Narvik\. \[1\]$/);
    assert.deepEqual(
      run.answer?.citations.map((citation) => [citation.passageId, citation.quote]),
      [['mara', 'Mara Lindqvist was born in Narvik.']],
    );
    assert.deepEqual(
      run.answer?.chain.hops.map((hop) => hop.passage.id),
      ['outage', 'kestrel', 'mara'],
    );
    const end = run.events.at(-1);
    assert.ok(end?.type === 'run-end' && end.usage.calls === 1 && end.usage.retrievals === 1);
  });

  it('single-step shows more passages to a model whose window is wide', async () => {
    const more = Array.from({ length: 12 }, (_, i) =>
      notePassage(`hut-${i}`, `Hut ${i}`, `The keeper of hut ${i} was born in a town where the relay failed in March.`),
    );
    const shownTo = async (contextTokens: number): Promise<number> => {
      const model = cooperativeModel({}, { contextTokens });
      await runResearch(BORN, { model, options: only('single-step'), retriever: relayRetriever({ more }) });
      return model.calls[0]?.prompt.match(/ file="notes\/(?:hut-|outage|kestrel|mara|heron|rope)/g)?.length ?? 0;
    };
    assert.deepEqual([await shownTo(4_096), await shownTo(8_192), await shownTo(128_000)], [5, 8, 12]);
  });

  for (const operator of ['single-step', 'iterative-step', 'sub-step', 'self-critical', 'adaptive-step'] as const)
    it(`${operator} shows every passage of a trail, however long it is`, async () => {
      const huts = Array.from({ length: 5 }, (_, i) => notePassage(`hut-${i}`, `Hut ${i}`, `Hut ${i} has a relay.`));
      const chain = ['outage', 'kestrel', 'mara', ...huts.map(({ id }) => id)];
      const [whole, part] = ['in which town was the keeper born', 'which hut had the relay'];
      const model = cooperativeModel({}, { contextTokens: 4_096 });
      const retriever = relayRetriever({
        more: huts,
        scripts: { [whole]: { chain, reading: { answerability: 0.9 } }, [part]: { chain } },
      });
      await runResearch(BORN, { model, options: only(operator), retriever });
      const first = model.calls.find(({ prompt }) => prompt.includes('<passage number'));
      const files = [...(first?.prompt.matchAll(/ file="notes\/(\S+)\.md"/g) ?? [])].map(([, name]) => name);
      assert.deepEqual(files, chain);
    });

  it('iterative-step lets go of what is on no trail first', async () => {
    const more = Array.from({ length: 12 }, (_, i) =>
      notePassage(
        `hut-${i}`,
        `Hut ${i}`,
        'The keeper of the hut repaired the relay that failed in March, born in Narvik.',
      ),
    );
    const model = cooperativeModel();
    const second = ['kestrel', 'mara', 'rope', 'heron', 'hut-9'];
    const retriever = relayRetriever({
      more,
      scripts: {
        'in which town was the keeper born': { chain: ['outage'], reading: { answerability: 0.9 } },
        'relay at kestrel hut failed': { chain: second },
      },
    });
    await runResearch(BORN, { model, options: only('iterative-step'), retriever });
    const [first = [], then = []] = model.calls.map(({ prompt }) =>
      [...prompt.matchAll(/ file="notes\/(\S+)\.md"/g)].map(([, name]) => name ?? ''),
    );
    assert.equal(first.length, 3);
    assert.deepEqual(then, ['outage', ...second]);
  });

  it('sub-step follows a graph whose later questions need earlier answers', async () => {
    const run = await recorded('sub-step', BORN, { model: cooperativeModel(), options: only('sub-step') });
    assert.deepEqual(
      steps(run, 'sub-step').map((step) => step.question),
      [
        BORN,
        'Which hut had the relay that failed in March?',
        'Who is the keeper of Kestrel Hut?',
        'Where was Mara Lindqvist born?',
      ],
    );
    assert.deepEqual(
      steps(run, 'sub-step').map((step) => step.dependsOn),
      [[], [], ['s2'], ['s3']],
    );
    assert.equal(run.answer?.short, 'Narvik');
    assert.deepEqual(
      run.answer?.subAnswers.map((one) => one.answer),
      ['Kestrel Hut', 'Mara Lindqvist', 'Narvik'],
    );
    assert.deepEqual(
      run.answer?.chain.hops.map((hop) => [hop.passage.id, hop.why.kind]),
      [
        ['outage', 'sub-question'],
        ['kestrel', 'sub-question'],
        ['mara', 'sub-question'],
      ],
    );
  });

  it('sub-step runs independent sub-questions side by side', async () => {
    const scripted = cooperativeModel();
    const run = await recorded('sub-step-parallel', BEDS, {
      model: scripted,
      options: only('sub-step'),
      type: 'comparison',
    });
    assert.equal(scripted.mostRunning, 2);
    assert.equal(run.answer?.short, 'yes');
    assert.match(run.answer?.text ?? '', /Kestrel Hut has 12 beds\. \[\d\] Heron Hut has 8 beds\. \[\d\]/);
  });

  it('iterative-step searches for its own thoughts until it arrives', async () => {
    const retriever = relayRetriever({
      scripts: {
        'in which town was the keeper born': { chain: ['outage'] },
        'the relay at kestrel hut failed': { chain: ['kestrel'] },
        'the keeper of kestrel hut is': { chain: ['mara'] },
      },
    });
    const run = await recorded('iterative-step', BORN, {
      model: cooperativeModel(),
      options: only('iterative-step'),
      retriever,
    });
    assert.deepEqual(retriever.queries, [
      BORN,
      'The relay at Kestrel Hut failed on 4 March 2023.',
      'The keeper of Kestrel Hut is Mara Lindqvist.',
      'Mara Lindqvist was born in Narvik.',
    ]);
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(run.answer?.statements.length, 3);
    assert.equal(run.answer?.unsupportedCount, 0);
  });

  it('adaptive-step stops at one look when that is enough', async () => {
    const run = await recorded('adaptive-step-enough', BORN, {
      model: cooperativeModel(),
      options: only('adaptive-step'),
    });
    assert.equal(steps(run, 'single-step').length, 1);
    assert.equal(steps(run, 'sub-step').length, 0);
    assert.equal(run.answer?.short, 'Narvik');
  });

  it('adaptive-step digs deeper when the first look is plainly not enough', async () => {
    const retriever = relayRetriever({
      scripts: {
        'in which town was the keeper born': {
          chain: ['outage'],
          reading: (read) => ({ answerability: read.includes('mara') ? 0.9 : 0.2 }),
        },
      },
    });
    const run = await recorded('adaptive-step-deeper', BORN, {
      model: cooperativeModel(),
      options: only('adaptive-step'),
      retriever,
    });
    assert.equal(steps(run, 'single-step').length, 0);
    assert.ok(steps(run, 'sub-step').length > 1);
    assert.equal(run.answer?.short, 'Narvik');
    assert.equal(retriever.queries.filter((query) => query === BORN).length, 1);
  });

  it('chain-of-thought answers from memory, and says so', async () => {
    const run = await recorded('chain-of-thought', BORN, {
      model: cooperativeModel(),
      options: only('chain-of-thought'),
    });
    assert.deepEqual(notices(run).slice(0, 1), ['from-memory']);
    assert.equal(run.answer?.short, 'Oslo');
    assert.ok(
      run.answer?.statements.every(
        (statement) => statement.support === 'unsupported' && statement.citations.length === 0,
      ),
    );
    assert.match(run.answer?.text ?? '', /not supported by your files/);
    assert.deepEqual(run.answer?.citations, []);
  });
});
