import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  AnswerStream,
  citedNumbers,
  readAnswer,
  saysNothing,
  withoutMarks,
} from '../../../../src/research/operators/prompts/read-answer.ts';

describe('a reply with an answer', () => {
  it('is read in its form', () => {
    assert.deepEqual(
      readAnswer(
        'Answer: Narvik [2]\nBecause: She was born there [2]. It lies in Norway [3][4].\nConflict: One note says Bodø [2], another Narvik [3].',
      ),
      {
        short: 'Narvik',
        statements: [
          { text: 'She was born there.', numbers: [2] },
          { text: 'It lies in Norway.', numbers: [3, 4] },
        ],
        conflicts: [{ text: 'One note says Bodø, another Narvik.', numbers: [2, 3] }],
      },
    );
  });

  it('is read when the mark stands behind the full stop', () =>
    assert.deepEqual(readAnswer('Answer: x\nBecause: One is so. [1] Two is not. [2]')?.statements, [
      { text: 'One is so.', numbers: [1] },
      { text: 'Two is not.', numbers: [2] },
    ]));

  it('is read as bullets', () =>
    assert.deepEqual(
      readAnswer('**Answer:** x\n**Because:**\n- One [1]\n- Two [2]')?.statements.map((statement) => statement.numbers),
      [[1], [2]],
    ));

  it('is read without a form', () => {
    assert.deepEqual(readAnswer('Mara Lindqvist was born in Narvik [3].'), {
      short: 'Mara Lindqvist was born in Narvik',
      statements: [{ text: 'Mara Lindqvist was born in Narvik.', numbers: [3] }],
      conflicts: [],
    });
    assert.equal(readAnswer('The answer is: Narvik')?.short, 'Narvik');
  });

  it('takes the question over again for no answer, and one of its options for one', () => {
    const question = 'How to Eat, released in which year, is a book by Nigella Lawson?';
    assert.equal(readAnswer(`Answer: ${question.slice(0, -1)} [1]`, question), undefined);
    assert.equal(readAnswer('Answer: How to Eat, released in which year, is a book [1]', question), undefined);
    assert.equal(readAnswer('Answer: 1998 [1]', question)?.short, '1998');
    assert.equal(readAnswer('Answer: Nigella Lawson [1]', question)?.short, 'Nigella Lawson');
    const choice = 'Which came out first, Green Grass of Wyoming or The Life of Na Woon-gyu?';
    assert.equal(readAnswer('Answer: The Life of Na Woon-gyu [2]', choice)?.short, 'The Life of Na Woon-gyu');
  });

  it('is none when the form was copied, and one when it has brackets of its own', () => {
    assert.ok(saysNothing('<answer>'));
    assert.ok(saysNothing('‹your answer'));
    assert.ok(!saysNothing('the <answer> element'));
    assert.equal(readAnswer('Answer: <the answer in as few words as possible> [<number of the passage>]'), undefined);
    assert.equal(readAnswer('Answer: Map<string, number> [1]')?.short, 'Map‹string, number›');
  });

  it('is read when it thinks first and answers last', () =>
    assert.equal(
      readAnswer('<think>Answer: Oslo</think>Because: She was born there [1].\nAnswer: Narvik')?.short,
      'Narvik',
    ));

  it('keeps initials and gives up a full stop', () => {
    assert.equal(readAnswer('Answer: George W.')?.short, 'George W.');
    assert.equal(readAnswer('Answer: "Narvik".')?.short, 'Narvik');
  });

  it('is read below headings, behind its reasons, and as a list', () => {
    const short = (reply: string): string | undefined => readAnswer(reply)?.short;
    assert.equal(short('### Because\nRuth was born in Tarnby. [1]\n### Answer\nTarnby'), 'Tarnby');
    assert.equal(short('**Answer**\nTarnby'), 'Tarnby');
    assert.equal(short('**Answer: Tarnby**\nBecause: x [1]'), 'Tarnby');
    assert.equal(short('Because: She was born there [2]. Answer: Tarnby'), 'Tarnby');
    assert.equal(short('Therefore, the answer is Tarnby.'), 'Tarnby');
    assert.equal(short('Answer:\n- api\n- worker'), 'api, worker');
    assert.deepEqual(readAnswer('Answer: Tarnby【2】')?.statements, [{ text: 'Tarnby', numbers: [2] }]);
  });

  it('keeps what a program is called', () => {
    for (const name of ['__init__', '_private', '*args', '**kwargs', 'MAX_RETRIES__DEFAULT', 'sys.argv[1]'])
      assert.equal(readAnswer(`Because: So. [1]\nAnswer: ${name}`)?.short, name);
    assert.equal(readAnswer('Answer: **Narvik** [2]')?.short, 'Narvik');
    assert.equal(readAnswer('Answer: `wait_for`[2]')?.short, 'wait_for');
  });

  it('is an answer where cited reasons lead to “null”, and none where it speaks of the passages', () => {
    for (const answer of ['null', 'Nothing', 'Not found', 'Not available on Windows', 'Files do not expire'])
      assert.equal(readAnswer(`Because: It says so. [1]\nAnswer: ${answer}`)?.short, answer);
    for (const answer of [
      'none',
      'none (not mentioned)',
      'None of the passages mention it',
      'There is no information about this in the passages',
      'It is not mentioned in the passages',
      'The provided passages do not say who',
      'Based on the passages, it is not possible to determine it',
      'The passage doesn’t say',
      'I could not find it',
    ])
      assert.equal(readAnswer(`Because: It says so. [1]\nAnswer: ${answer} [1]`), undefined, answer);
  });

  it('is the code in a block, and none of its fence', () => {
    for (const reply of [
      'Because: It is declared there. [2]\nAnswer: ```ts\nretry(limit: number): void\n```',
      'Answer:\n~~~\nretry(limit: number): void\n~~~\nBecause: It is declared there. [2]',
    ]) {
      const draft = readAnswer(reply);
      assert.equal(draft?.short, 'retry(limit: number): void', reply);
      assert.deepEqual(draft.statements, [{ text: 'It is declared there.', numbers: [2] }]);
    }
  });

  it('ends where its reasons begin, on its line', () => {
    const draft = readAnswer('Answer: Tarnby [1]. Because: Ruth Ockley was born there. [2]');
    assert.equal(draft?.short, 'Tarnby');
    assert.deepEqual(draft.statements, [{ text: 'Ruth Ockley was born there.', numbers: [2] }]);
  });

  it('is none when it says so', () => {
    for (const reply of [
      'Answer: none',
      'none.',
      'Answer: Not mentioned in the passages.',
      'The passages do not say.',
      'Answer: Unknown',
      '',
      'It cannot be determined from the passages.',
      'Answer: No information is given about it.',
    ])
      assert.equal(readAnswer(reply), undefined, reply);
  });

  it('is an answer when it only looks like none', () => {
    for (const reply of [
      'No',
      'Nothing Compares 2 U',
      'None Such Records',
      'no, it was closed',
      'Unknown Pleasures',
      'Not Fade Away',
    ])
      assert.equal(saysNothing(reply), false, reply);
  });
});

describe('a reply while it is written', () => {
  const shownOf = (...pieces: string[]): string => {
    let shown = '';
    const stream = new AnswerStream((text) => (shown += text));
    for (const piece of pieces) stream.write(piece);
    stream.end();
    return shown;
  };

  it('shows no thought and no label', () => {
    for (const name of ['think', 'Thinking', 'reasoning'])
      assert.equal(
        shownOf(`<${name}>Okay, the user\nwants `, `the town.\n</${name}>\nBecause: May`, 'be. [1]\n## Answer\nBergen'),
        'Maybe.\nBergen',
      );
  });

  it('shows no fence of a block of code', () => assert.equal(shownOf('Answer: ```ts\nretry()\n```\n'), 'retry()'));

  it('shows what only speaks of the marks of thoughts', () => {
    const said = 'It looks for `<think>`.';
    assert.equal(
      shownOf(`Because: ${said} [1]\nIt ends at`, ' `</think>`. [2]\n'),
      `It looks for \`‹think›\`.\nIt ends at \`‹/think›\`.`,
    );
  });
});

describe('citation marks', () => {
  it('are read in all their forms', () => {
    assert.deepEqual(
      citedNumbers('a [1] b [2, 3] c [passage 4] d [5-7] e (passage 8) f [#9]'),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    assert.deepEqual(citedNumbers('in [2019] or [a], or sys.argv[1]'), []);
    assert.deepEqual(citedNumbers('Narvik[2], at 3.5[4]'), [2, 4]);
  });

  it('can be taken out', () => assert.equal(withoutMarks('It is so [1][2], and so [3].'), 'It is so, and so.'));
});
