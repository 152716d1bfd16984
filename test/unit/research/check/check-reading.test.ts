import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readReply } from '../../../../src/research/answer/reading.ts';
import { checkReading } from '../../../../src/research/check/check-reading.ts';
import { Haystack, numbersIn, termsOf } from '../../../../src/research/check/terms.ts';
import { EvidenceLedger } from '../../../../src/research/evidence/ledger.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const text = [
  'The worker calls onFailure once the retries are used up.',
  'Unity keeps a .meta file beside each asset; their .meta files are versioned.',
  'The default is 1,500 ms; since 2024-05-01 it was 0.5 s.',
  'It does not merge open entries, and nothing is lost.',
  'Mara Lindqvist was born in Narvik.',
  'response.Status(http.StatusForbidden); PollingErrorLimit is 3; you will want to set write to no, by an API',
].join('\n');

const check = (reply: string, question = 'What is it?') => {
  const ledger = new EvidenceLedger(new ScriptedRetriever([]));
  ledger.add([notePassage('a', 'Worker > onFailure', text, { path: 'src/queue/worker.ts', startLine: 1, endLine: 6 })]);
  ledger.block({ path: 'src/queue/worker.ts', from: 1, to: 6, title: 'Worker > onFailure' });
  return checkReading(readReply(reply), ledger, question);
};

describe('the check of a reading', () => {
  for (const statement of [
    '`Worker.onFailure` is called when the retries are used up',
    'Worker::onFailure and Worker#onFailure are the same',
    'The assets have their .meta files',
    'The default is 1500 ms, or 0.5 s',
    'It changed on 1 May 2024',
    'Open entries are merged by nobody, and nothing is lost',
    'It says “nothing is lost”',
    'Mara Lindqvist comes from Narvik',
    'There are 3 of them',
    'It stands in worker.ts',
    'The reader gets 403 (Forbidden)',
    'It is bounded by `POLLING_ERROR_LIMIT`',
    'The pages advise `write: no`',
    'The Workers call it',
    'The APIs of Narviks harbour',
  ])
    it(`holds: ${statement}`, () => {
      const [checked] = check(`${statement} [1:1-5].`);
      assert.notEqual(checked?.support, 'unsupported', JSON.stringify(checked?.why));
    });

  for (const [statement, code, terms] of [
    ['The reader gets 404 (Forbidden) [1:6].', 'not-there', ['404']],
    ['The default is 2500 ms [1:3].', 'not-there', ['2500']],
    ['`Worker.onSuccess` is called [1:1].', 'not-there', ['Worker.onSuccess']],
    ['It says “everything is lost” [1:4].', 'not-there', ['everything is lost']],
    ['The `workers` call it [1:1].', 'not-there', ['workers']],
    ['They asked Anna [1:1].', 'not-there', ['Anna']],
    ['The keeper is Jonas Berg [1:5].', 'not-there', ['Jonas Berg']],
    ['It is so [7:1].', 'no-such-place', ['7:1']],
    ['It was built in 1887.', 'not-cited', ['1887']],
  ] as const)
    it(`marks: ${statement}`, () => {
      const [checked] = check(statement);
      assert.equal(checked?.support, 'unsupported');
      assert.deepEqual(checked?.why, { code, terms: [...terms] });
    });

  it('takes names from the question, and from what an earlier statement has shown', () => {
    const [first, second] = check(
      'Mara Lindqvist was born in Narvik [1:5]. So Jonas Berg’s keeper is from Narvik [1:1].',
      'Who kept Jonas Berg?',
    );
    assert.equal(first?.support, 'quote');
    assert.equal(second?.support, 'supported');
  });

  it('needs no citation behind a sentence that only joins others', () => {
    assert.equal(check('Mara Lindqvist was born in Narvik [1:5].\nSo Narvik it is.')[1]?.support, 'supported');
  });
});

describe('terms that are checked', () => {
  it('are code, quotations, identifiers, numbers and names', () => {
    assert.deepEqual(
      termsOf('The `a.b()` of Mara Voss says “so it is” in retryDelay, 1,000 times at v1.2.3, twice').map(
        ({ form, text: said }) => `${form} ${said}`,
      ),
      ['code a.b()', 'quote so it is', 'identifier retryDelay', 'number 1000', 'number 1.2.3', 'name Mara Voss'],
    );
  });
  it('keep the code in a quotation, and are no abbreviations of a phrase', () =>
    assert.deepEqual(
      termsOf('it answers "by adding a `.gitmodules` file, or", i.e. at once').map(({ text }) => text),
      ['.gitmodules', 'by adding a `.gitmodules` file, or'],
    ));
  it('hold the words that an abbreviation is made of', () => {
    const text = new Haystack(['API Working Group of gear']);
    const held = ['API WG', 'API WE', 'OG'].map((name) => text.holds({ text: name, form: 'name' }));
    assert.deepEqual(held, [true, false, false]);
  });
  it('are no German nouns', () =>
    assert.deepEqual(termsOf('Die Antwort steht in der Tabelle der Hütten und Masten'), []));
  it('have one form of each number', () => {
    const numbers = ['1,000', '1000', '01:20', '3.50', '2024-05-01', '1.2.3', '2,5'].flatMap(numbersIn);
    assert.equal(numbers.join(' '), '1000 1000 1 20 3.5 2024 5 1 1.2.3 2.5');
  });
  it('are found as whole words alone', () => {
    const haystack = new Haystack(['The merger of A > b in 1500']);
    assert.equal(haystack.has('merge'), false);
    assert.equal(haystack.has('A.b'), true);
    assert.equal(haystack.holds({ text: '150', form: 'number' }), false);
  });
});
