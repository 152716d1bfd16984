import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProseStream, readReply } from '../../../../src/research/answer/reading.ts';

describe('a reply as a reading', () => {
  it('is prose with its labelled lines', () => {
    const reading = readReply(
      'It is **500 ms** [1:68], by default.\n\n- unless set [2:3]\n\nShort: 500 ms\nMissing: Who sets it?\nMissing: Since when?',
    );
    assert.equal(reading.text, 'It is **500 ms** [1:68], by default.\n\n- unless set [2:3]');
    assert.equal(reading.short, '500 ms');
    assert.deepEqual(reading.missing, ['Who sets it?', 'Since when?']);
    assert.deepEqual(
      reading.statements.map(({ marks }) => marks.length),
      [1, 1],
    );
    assert.equal(reading.statements[0]?.text, 'It is **500 ms**, by default.', 'a sentence is not cut at its marks');
    assert.equal(reading.none, false);
  });

  for (const [name, reply, short] of [
    ['labels in bold', 'It is 5 [1].\n\n**Short:** 5', '5'],
    ['a label with words', 'It is 5 [1].\nShort answer: **5**', '5'],
    ['the form of earlier prompts', 'Answer: 5 [1]\nBecause: it says so [1].', '5'],
    ['no label at all', 'It is 5 [1].', 'It is 5'],
    ['a label alone', 'Short: 5 [1:2]', '5'],
    ['thoughts before', '<think>Is it 6?</think>It is 5 [1].\nShort: 5', '5'],
    ['JSON', '{"statements":[{"text":"It is 5.","citations":["1:2"]}],"short":"5","missing":[]}', '5'],
    ['JSON in a fence, with a number', '```json\n{"statements":[{"text":"5","citations":[1]}],"short":5,}\n```', '5'],
    ['a reply in a fence', '```markdown\nIt is 5 [1].\n\nShort: 5\n```', '5'],
    ['JSON of strings', '{"statements":["It is 5 [1]."],"short":"5"}', '5'],
  ] as const)
    it(`takes ${name}`, () => {
      const reading = readReply(reply);
      assert.equal(reading.short, short);
      assert.equal(reading.none, false);
      assert.ok(
        reading.statements.some(({ marks }) => marks.length > 0),
        JSON.stringify(reading),
      );
    });

  for (const reply of [
    'Short: none',
    'short: None.',
    'The files do not say [1:2].\n**Short:** none',
    'none',
    '{"none":true,"short":""}',
  ])
    it(`says that there is none by ${JSON.stringify(reply)}`, () => assert.equal(readReply(reply).none, true));

  it('takes a list of what is missing', () => {
    assert.deepEqual(readReply('It is 5 [1].\nShort: 5\nMissing:\n- Who?\n- When?').missing, ['Who?', 'When?']);
    assert.deepEqual(readReply('It is 5 [1].\nShort: 5\nMissing: none').missing, []);
  });

  it('leaves code alone', () => {
    const { statements, text } = readReply('So [1:2]:\n```ts\nconst a = b[3];\n```\nShort: a');
    assert.equal(statements.length, 1);
    assert.match(text, /b\[3\]/);
  });
});

describe('the prose of a reply while it comes', () => {
  const streamed = (reply: string, length: number): string[] => {
    const told: string[] = [];
    const stream = new ProseStream((text) => told.push(text));
    for (let at = 0; at < reply.length; at += length) stream.push(reply.slice(at, at + length));
    stream.end();
    return told;
  };
  const reply = 'It is **five** [1:2]. That is so [2:3].\n\n- one [3:1]\nShort: five\nMissing: Who?';

  for (const length of [1, 7, 1000])
    it(`is told without marks and labelled lines, in pieces of ${length}`, () => {
      const told = streamed(reply, length);
      assert.equal(told.join('').trim(), 'It is **five**. That is so.\n\n- one');
    });

  it('comes sentence by sentence', () => assert.ok(streamed(reply, 4).length >= 4));
  it('tells nothing of JSON', () => assert.deepEqual(streamed('{"look":[{"tool":"read"}]}', 5), []));
  it('holds nothing active, however it is cut', () => {
    for (const length of [1, 3, 50])
      assert.doesNotMatch(
        streamed('See. [a. b](https://evil.example/x). <img src=x>. Go\n', length).join(''),
        /\]\(|<img/u,
      );
  });
});
