import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countVotes, normaliseVote } from '../../../../src/learning/strategy/execute-graph.ts';

describe('vote', () => {
  it('compares answers by what they say', () => {
    const same: [string, string][] = [
      ['The Eiffel Tower.', 'eiffel tower'],
      ['Yes, both are.', 'yes'],
      ['three', '3'],
      ['1,200 m', '1200 m'],
      ['The answer is Ada Lovelace', 'Ada Lovelace'],
      ['Beyoncé', 'Beyonce'],
      ["Ada's", 'ada'],
      ['No.', 'no'],
      ['**Yes**', 'yes'],
      ['No. Neither of them is.', 'no'],
      ['Yes – both are', 'yes'],
      ['No - neither', 'no'],
      ['No. 7', 'no 7'],
      ['C++.', 'c++'],
      ['"C#"', 'C#'],
      ['−5 °C', '-5 C'],
      ['F-16', 'F 16'],
      ['1999-2001', '1999–2001'],
      ['salt+pepper', 'salt, pepper'],
    ];
    for (const [a, b] of same) assert.equal(normaliseVote(a), normaliseVote(b), `${a} is ${b}`);
    const different: [string, string][] = [
      ['yes', 'no'],
      ['No Country for Old Men', 'no'],
      ['1999', '1998'],
      ['Yesterday', 'yes'],
      ['No. 10 Downing Street', 'no'],
      ['No. 7', 'No. 8'],
      ['No.7', 'no'],
      ['yes-man', 'yes'],
      ['C++', 'C'],
      ['C#', 'C'],
      ['C++', 'C#'],
      ['A+', 'A'],
      ['-5', '5'],
      ['It is -5 degrees', 'It is 5 degrees'],
    ];
    for (const [a, b] of different) assert.notEqual(normaliseVote(a), normaliseVote(b), `${a} is not ${b}`);
  });

  it('is won by the majority, with the strongest of its members as witness', () => {
    const result = countVotes([
      { agent: 'no-retrieval', answer: 'Paris' },
      { agent: 'one-retrieval', answer: 'paris.' },
      { agent: 'ircot', answer: 'Lyon' },
    ]);
    assert.equal(result.answer, 'paris.');
    assert.equal(result.winner, 'one-retrieval');
    assert.deepEqual(result.groups, [
      { form: 'paris', agents: ['one-retrieval', 'no-retrieval'] },
      { form: 'lyon', agents: ['ircot'] },
    ]);
  });

  it('gives a tie to the stronger agent, in whatever order they voted', () => {
    const ballots = [
      { agent: 'ircot' as const, answer: 'Lyon' },
      { agent: 'no-retrieval' as const, answer: 'Paris' },
    ];
    assert.equal(countVotes(ballots).winner, 'ircot');
    assert.equal(countVotes([...ballots].reverse()).winner, 'ircot');
  });

  it('does not count those that found nothing', () => {
    const result = countVotes([
      { agent: 'no-retrieval', answer: 'Paris' },
      { agent: 'one-retrieval', answer: '' },
      { agent: 'ircot', answer: ' ' },
    ]);
    assert.equal(result.winner, 'no-retrieval');
    assert.deepEqual(
      countVotes([
        { agent: 'no-retrieval', answer: '' },
        { agent: 'ircot', answer: '' },
      ]),
      { answer: '', winner: 'ircot', groups: [] },
    );
  });
});
