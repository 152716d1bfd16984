import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadQuestions, type DatasetQuestion } from '../../../lab/evaluation/dataset.ts';
import { scoreAnswer } from '../../../lab/evaluation/score-answer.ts';
import { answerSaying as answer, datasetQuestion } from './asked.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const question = (answer: string, rest: Partial<DatasetQuestion> = {}): DatasetQuestion =>
  datasetQuestion({ answer, type: 'lookup', ...rest });

describe('scoreAnswer', () => {
  it('sees the gold answer in what is shown, as whole words', () => {
    const shown = answer('Quoted from your files:\n\n- `retryDelay: 500,` [1]');
    assert.equal(scoreAnswer(question('500'), shown)['seen'], 1);
    assert.equal(scoreAnswer(question('50'), shown)['seen'], 0);
    assert.equal(scoreAnswer(question('half a second', { aliases: ['500'] }), shown)['seen'], 1);
  });

  it('does not take the number of a citation for an answer', () => {
    const shown = answer('- “Nobody knows.” [1][2]\n- `rows[3]` [4]');
    for (const number of ['1', '2', '4']) assert.equal(scoreAnswer(question(number), shown)['seen'], 0, number);
    assert.equal(scoreAnswer(question('3'), shown)['seen'], 1, 'code is what is shown');
  });

  it('sees a list when every item is shown, and says how much of it', () => {
    const list = question('Keeley, David', { type: 'list', items: [['Keeley', 'VerteDinde'], 'David'] });
    const half = scoreAnswer(list, answer('- “VerteDinde goes.” [1]'));
    assert.deepEqual([half['seen'], half['items']], [0, 0.5]);
    const whole = scoreAnswer(list, answer('- “VerteDinde goes.” [1]\n- “So does David.” [2]'));
    assert.deepEqual([whole['seen'], whole['items']], [1, 1]);
  });

  it('takes a verdict from the answer line only', () => {
    const polar = question('No: two is the most', { aliases: ['no'] });
    const quote = answer('(no language model was used) “There is no limit.” [1]');
    assert.equal(scoreAnswer(polar, quote)['seen'], 0);
    const lead = { kind: 'answer' as const, text: '', citations: [] };
    const line = scoreAnswer(polar, { ...quote, short: 'no', lead });
    assert.deepEqual([line['seen'], line['precision']], [1, 1]);
    assert.equal(scoreAnswer(polar, { ...quote, short: 'yes', lead })['precision'], 0);
  });

  it('tells what is offered from a quote that stands in its place', () => {
    const lead = (kind: 'answer' | 'quotes') => ({ lead: { kind, text: '', citations: [1] } });
    const quoted = answer('', { short: 'The keeper is Mara.', ...lead('quotes') });
    const unsure = scoreAnswer(question('Mara'), quoted);
    assert.equal(unsure['offered'], 0);
    assert.ok(!('precision' in unsure), 'what is not offered cannot be wrong');
    const sure = scoreAnswer(question('Mara'), { ...quoted, short: 'Mara Lindqvist', ...lead('answer') });
    assert.deepEqual([sure['offered'], sure['precision'], sure['em']], [1, 1, 0]);
    const wrong = scoreAnswer(question('Mara'), { ...quoted, short: 'Halden Cells', ...lead('answer') });
    assert.deepEqual([wrong['offered'], wrong['precision']], [1, 0]);
  });

  it('counts refusals of what can be answered and of what cannot apart', () => {
    const refusal = answer('Nothing answers that. The best line: “In Canadian Dollars.” [1]', { abstained: true });
    const lost = scoreAnswer(question('Canadian Dollars'), refusal);
    assert.deepEqual([lost['kept'], lost['seen'], lost['refusedAbove'], lost['offered']], [0, 0, 1, 0]);
    assert.deepEqual(scoreAnswer(question('', { type: 'null' }), refusal), { refused: 1 });
    assert.deepEqual(scoreAnswer(question('', { type: 'null' }), answer('“Yes.” [1]')), { refused: 0 });
  });

  it('takes a run that failed for neither', () => {
    assert.deepEqual(scoreAnswer(question('', { type: 'null' }), undefined), { refused: 0 });
    const failed = scoreAnswer(question('Mara'), undefined);
    assert.deepEqual([failed['kept'], failed['seen'], failed['offered'], failed['f1']], [0, 0, 0, 0]);
  });

  it('reads items as names or as the names one goes by', () => {
    const directory = temporaryFolder();
    const file = join(directory, 'q.jsonl');
    writeFileSync(file, JSON.stringify({ question: 'Who?', answer: 'a, b', items: ['a', ['b', 'bee']] }));
    assert.deepEqual(loadQuestions(file)[0]?.items, ['a', ['b', 'bee']]);
  });
});
