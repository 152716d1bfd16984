import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkCitations, type CitationCheck } from '../../../../src/research/answer/check-citations.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const passages = [
  notePassage('one', 'Ferry decision', 'The ferry costs 1,200 crowns.\n\nIt was decided on 2024-03-04 by Åsa Öberg.', {
    startLine: 10,
    endLine: 12,
  }),
  notePassage(
    'two',
    'Harbour',
    'The harbour was built in 1998 and rebuilt in 2010. “We need a crane,” said Olaf’s brother.',
  ),
  notePassage('code', 'Store > merge', 'export function mergeRows(a: Row[]) {\n  return a.flat();\n}', {
    kind: 'function',
    language: 'typescript',
    path: 'src/store.ts',
  }),
];

function check(text: string, numbers: number[] = [], question = 'What about it?'): CitationCheck {
  return checkCitations([{ text, numbers }], {
    passageOf: (number) => passages[number - 1],
    evidence: passages,
    question,
  });
}
const support = (...parameters: Parameters<typeof check>) => check(...parameters).statements[0]?.support;
const problem = (...parameters: Parameters<typeof check>) => check(...parameters).statements[0]?.problem ?? '';

describe('the citation check', () => {
  it('keeps what its passage says, with the sentence that says it', () => {
    const { statements, unsupportedCount } = check('The ferry costs 1,200 crowns.', [1]);
    assert.equal(unsupportedCount, 0);
    assert.deepEqual(
      statements[0]?.citations.map(({ quote, startLine, endLine }) => ({ quote, startLine, endLine })),
      [{ quote: 'The ferry costs 1,200 crowns.', startLine: 10, endLine: 10 }],
    );
  });

  it('quotes the unit that says it, with what has to be read before it', () => {
    const text = '| Part | Months |\n|---|---|\n| cable | 12 |\n| warranty | 36. |';
    const table = notePassage('table', 'Parts', text, { startLine: 20, endLine: 23 });
    const header = { start: 0, end: 17, text: 'Part | Months' };
    const row = (words: string) => {
      const start = text.indexOf(words);
      return { passageId: 'table', start, end: start + words.length, text: words, score: 1, context: header };
    };
    const { statements } = checkCitations([{ text: 'The warranty is 36 months.', numbers: [1] }], {
      passageOf: () => table,
      evidence: [table],
      units: [row('| cable | 12 |'), row('| warranty | 36. |')],
      question: 'How long?',
    });
    assert.deepEqual(statements[0]?.citations, [
      { passage: table, quote: '| warranty | 36. |', startLine: 23, endLine: 23, context: 'Part | Months' },
    ]);
  });

  it('marks what cites a passage that was never retrieved, where none that was says it', () => {
    assert.equal(support('The ferry costs 1,300 crowns.', [9]), 'unsupported');
    assert.match(problem('The ferry costs 1,300 crowns.', [9]), /passage 9, which was not found/);
    assert.match(problem('A painter lived beside the quay.', [8, 9]), /passage 8, 9, which was not found/);
  });

  it('puts a number right that no passage has, where a passage says it', () => {
    for (const numbers of [[9], [9, 99], [1, 9], [2, 9], []]) {
      const { statements, unsupportedCount } = check('The ferry costs 1,200 crowns.', numbers);
      assert.equal(unsupportedCount, 0);
      assert.deepEqual(
        statements.map(({ support, citations }) => [
          support,
          citations.map(({ passage, quote }) => [passage.id, quote]),
        ]),
        [['supported', [['one', 'The ferry costs 1,200 crowns.']]]],
        numbers.join(),
      );
    }
    const denied = check('The harbour was not rebuilt in 2010.', [9]).statements[0];
    assert.match(denied?.problem ?? '', /say the opposite/);
  });

  it('marks numbers and names that the cited passages do not hold', () => {
    assert.match(problem('The ferry costs 1,300 crowns.', [1]), /“1300”/);
    assert.match(problem('The ferry was decided by Nils Holm.', [1]), /“Nils Holm”/);
    assert.match(problem('Torvald decided on the ferry.', [1]), /“Torvald”/);
  });

  it('takes a number that begins a sentence as a word for no name', () => {
    const hut = notePassage('hut', 'Kestrel Hut', 'The hut has 12 beds.');
    const { statements } = checkCitations([{ text: 'Twelve beds are in the hut.', numbers: [1] }], {
      passageOf: () => hut,
      evidence: [hut],
      question: 'How many beds?',
    });
    assert.equal(statements[0]?.support, 'supported');
  });

  it('lets a length of time stand that follows from two days, and no other', () => {
    const weir = notePassage('weir', 'Weir', 'The weir closed on 4 March 2024. It opened again on 9 March 2024.');
    const held = (text: string) =>
      checkCitations([{ text, numbers: [1] }], { passageOf: () => weir, evidence: [weir], question: 'How long?' })
        .statements[0]?.support;
    assert.equal(held('The weir was closed for 5 days.'), 'supported');
    assert.equal(held('The weir was closed for 6 days.'), 'unsupported');
    assert.equal(held('The weir was closed for 5 hours.'), 'unsupported');
  });

  const of = (text: string, said: string, numbers = [1]) => {
    const passage = notePassage('weir', 'Weir', said);
    return checkCitations([{ text, numbers }], {
      passageOf: (number) => (number === 1 ? passage : notePassage('other', 'Other', 'The ferry is late.')),
      evidence: [passage],
      question: 'What of it?',
    });
  };

  it('lets a number of years follow from two of them, and nothing else', () => {
    const years = 'The weir was written of in 2019 and in 2024. There are 3 sluices.';
    assert.equal(of('The weir was known for 5 years.', years).statements[0]?.support, 'supported');
    assert.equal(of('5', years).statements[0]?.support, 'supported');
    assert.equal(of('There are 5 sluices.', years).statements[0]?.support, 'unsupported');
  });

  it('reads numbers with their units, and no part of a decimal for one', () => {
    assert.equal(of('At most 10MB are kept.', 'At most 5MB are kept.').statements[0]?.support, 'unsupported');
    assert.equal(of('At most 5 MB are kept.', 'At most 5MB are kept.').statements[0]?.support, 'supported');
    assert.equal(of('It waits 5 seconds.', 'It waits 0.5 seconds.').statements[0]?.support, 'unsupported');
    assert.equal(of('It needs Weir 3.', 'It needs Weir 3.8.').statements[0]?.support, 'supported');
  });

  it('takes nothing between two short quotations for a third', () => {
    const check = of('Set "log" to the value "on" in the file.', 'In the file the value of log is set to on.');
    assert.deepEqual(check.removed, []);
    assert.equal(of('“the gate [...] closes at six”', 'The gate, they say, closes at six.').statements.length, 1);
  });

  it('marks what the passage denies that code finds for it, cited wrongly or not at all', () => {
    const denied = 'Mara Lind clears the cache at night.';
    for (const numbers of [[1], [2], []])
      assert.equal(
        of('Mara Lind does not clear the cache at night.', denied, numbers).statements[0]?.support,
        'unsupported',
        String(numbers),
      );
  });

  it('marks facts that are true of different passages', () =>
    assert.equal(support('The ferry was built in 1998.', [1]), 'unsupported'));

  it('adds the passage that joins a name to what is cited, and no other', () => {
    const more = [
      ...passages,
      notePassage('hut', 'Huts', 'The keeper of Kestrel Hut is Mara Lindqvist.'),
      notePassage('mara', 'People', 'Mara Lindqvist was born in Narvik.'),
      notePassage('heron', 'Huts', 'The keeper of Heron Hut is Jonas Berg.'),
    ];
    const [joined, foreign] = checkCitations(
      [
        { text: 'The keeper of Kestrel Hut, Mara Lindqvist, was born in Narvik.', numbers: [5] },
        { text: 'The keeper of Heron Hut, Jonas Berg, was born in Narvik.', numbers: [5] },
      ],
      { passageOf: (number) => more[number - 1], evidence: more, question: 'Where was the keeper born?' },
    ).statements;
    assert.equal(joined?.support, 'supported');
    assert.deepEqual(
      joined?.citations.map((citation) => citation.passage.id),
      ['mara', 'hut'],
    );
    assert.equal(foreign?.support, 'unsupported');
  });

  it('reads numbers however they are written', () => {
    assert.equal(support('It costs 1200 crowns, says the ferry decision.', [1]), 'supported');
    assert.equal(support('The ferry was decided on 4 March 2024.', [1]), 'supported');
    assert.equal(support('The harbour was rebuilt after 12 years.', [2]), 'supported');
    assert.equal(support('The harbour was rebuilt after 13 years.', [2]), 'unsupported');
  });

  it('does not take the first word of a sentence for a name when it is a word', () => {
    assert.equal(support('Construction of the harbour ended in 1998.', [2]), 'supported');
    assert.equal(support('Crane: it was needed at the harbour.', [2]), 'supported');
    assert.equal(support('Yes, the harbour was rebuilt in 2010.', [2]), 'supported');
  });

  it('reads names without accents and possessives', () =>
    assert.equal(support('Asa Oberg decided on the ferry.', [1]), 'supported'));

  it('wants quoted words to stand in the passage, and removes a statement whose quotation does not', () => {
    const { statements, removed, unsupportedCount } = check('He said “we need a bridge at once”.', [2]);
    assert.deepEqual(statements, []);
    assert.match(removed[0]?.problem ?? '', /we need a bridge at once/);
    assert.equal(unsupportedCount, 1);
    const kept = check('He said "We need a  crane,"', [2]).statements[0];
    assert.equal(kept?.support, 'supported');
    assert.equal(kept?.citations[0]?.quote, 'We need a crane,');
  });

  it('cites the passage where a quotation really stands', () => {
    const { statements } = check('It says “the harbour was built in 1998”.', [1]);
    assert.deepEqual(
      statements[0]?.citations.map((citation) => citation.passage.id),
      ['two'],
    );
  });

  it('calls a statement that is a quotation a quote', () =>
    assert.equal(support('“The ferry costs 1,200 crowns.”', [1]), 'quote'));

  it('finds the passage of a statement that names none, or the wrong one', () => {
    assert.deepEqual(
      check('The harbour was built in 1998.').statements[0]?.citations.map((citation) => citation.passage.id),
      ['two'],
    );
    assert.deepEqual(
      check('The harbour was built in 1998.', [1]).statements[0]?.citations.map((citation) => citation.passage.id),
      ['two'],
    );
    assert.match(problem('The moon is made of cheese.'), /names no passage/);
  });

  it('checks identifiers and paths', () => {
    assert.equal(support('The function mergeRows() in src/store.ts flattens rows.', [3]), 'supported');
    assert.match(problem('The function dropRows() flattens rows.', [3]), /dropRows/);
    assert.match(problem('See src/other.ts for it.', [3]), /src\/other\.ts/);
  });
});
