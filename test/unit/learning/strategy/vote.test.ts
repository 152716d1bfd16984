import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countVotes, saySame } from '../../../../src/learning/strategy/vote.ts';

describe('vote', () => {
  it('compares what answers say', () => {
    for (const [a, b] of [
      ['The Eiffel Tower.', 'eiffel tower'],
      ['Yes, both were built in Tallinn.', 'yes'],
      ['1,200 m', '1200 m'],
      ['Beyoncé', 'Beyonce'],
      ['**Yes**', 'yes'],
      ['C++.', 'c++'],
      ['−5 °C', '-5 C'],
      ['1999-2001', '1999–2001'],
      ['1912', 'On 12 April 1912'],
      ['Ada Lovelace', 'Ada Lovelace, the daughter of Byron'],
      ['onFailure', 'the callback `onFailure` of the worker'],
    ] as const) {
      assert.ok(saySame(a, b), `${a} is ${b}`);
      assert.ok(saySame(b, a), `${b} is ${a}`);
    }
    for (const [a, b] of [
      ['yes', 'no'],
      ['1999', '1998'],
      ['12 April 1912', '15 April 1912'],
      ['Lake Ontario Ferry', 'Lake Erie Ferry'],
      ['Anna Maria Smith', 'Clara Maria Smith'],
      ['Thomas Mann', 'Heinrich Mann'],
      ['No. 7', 'No. 8'],
      ['C++', 'C'],
      ['C++', 'C#'],
      ['-5', '5'],
      ['', 'Paris'],
    ] as const)
      assert.ok(!saySame(a, b), `${a} is not ${b}`);
  });

  it('is won by the majority, whose fullest answer stands', () => {
    const result = countVotes([
      { agent: 'no-retrieval', answer: 'Paris, in the house of his uncle' },
      { agent: 'one-retrieval', answer: 'paris.' },
      { agent: 'ircot', answer: 'Lyon' },
    ]);
    assert.equal(result.answer, 'Paris, in the house of his uncle');
    assert.equal(result.winner, 'no-retrieval');
    assert.deepEqual(result.groups, [['no-retrieval', 'one-retrieval'], ['ircot']]);
  });

  it('gives a tie to the stronger agent, in whatever order they voted', () => {
    const ballots = [
      { agent: 'ircot' as const, answer: 'Lyon' },
      { agent: 'no-retrieval' as const, answer: 'Paris' },
    ];
    assert.equal(countVotes(ballots).winner, 'ircot');
    assert.equal(countVotes([...ballots].reverse()).winner, 'ircot');
    const same = [...ballots, { agent: 'one-retrieval' as const, answer: 'lyon.' }];
    assert.equal(countVotes(same).winner, 'ircot', 'of answers as full the stronger one stands');
  });

  it('does not count those that found nothing', () => {
    const empty = { agent: 'one-retrieval' as const, answer: ' ' };
    assert.equal(countVotes([{ agent: 'no-retrieval', answer: 'Paris' }, empty]).winner, 'no-retrieval');
    assert.deepEqual(countVotes([empty, { agent: 'ircot', answer: '' }]), { answer: '', winner: 'ircot', groups: [] });
    assert.equal(countVotes([]).winner, undefined);
  });
});
