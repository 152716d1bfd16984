import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkCitations, type CheckedStatement } from '../../../../src/research/answer/check-citations.ts';
import type { CompareStance } from '../../../../src/research/answer/stance.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

function check(
  statement: string,
  text: string,
  stance?: CompareStance,
  language = 'markdown',
): CheckedStatement | undefined {
  const passage = notePassage('one', 'Render farm', text, { language });
  return checkCitations([{ text: statement, numbers: [1] }], {
    passageOf: (number) => (number === 1 ? passage : undefined),
    evidence: [passage],
    question: 'What about it?',
    ...(stance && { stance }),
  }).statements[0];
}
const support = (...parameters: Parameters<typeof check>) => check(...parameters)?.support;

describe('a cited statement without names or numbers', () => {
  it('is marked where it denies what the passage says', () => {
    const checked = check('Nobody owns it any more.', 'The render farm is kept warm. Its owner is Mara Lindqvist.');
    assert.equal(checked?.support, 'unsupported');
    assert.match(checked?.problem ?? '', /say the opposite/);
    assert.equal(support('The cache is not shared.', 'The cache is shared by all workers.'), 'unsupported');
  });

  it('is marked where it says what the passage denies', () => {
    assert.equal(support('The cache is shared by all workers.', 'The cache is never shared.'), 'unsupported');
    assert.equal(support('The door is locked at night.', 'At night the door is unlocked.'), 'unsupported');
    assert.equal(support('Logging is enabled.', 'By default logging is disabled.'), 'unsupported');
  });

  it('is marked where a switch stands the other way', () => {
    assert.equal(support('The lamp of the pier is on.', 'The lamp of the pier is off.'), 'unsupported');
    assert.equal(support('The gate is always open.', 'The gate is never open.'), 'unsupported');
    assert.equal(support('The tug is able to sign papers.', 'The tug is unable to sign papers.'), 'unsupported');
  });

  it('is kept where a word only looks like a denial', () => {
    assert.equal(support('The key is used to sign releases.', 'The signing key signs all releases.'), 'supported');
    assert.equal(support('Old members used to own it.', 'The members own it.'), 'unsupported');
    for (const [one, other] of [
      ['invoice', 'voice'],
      ['import', 'port'],
      ['discount', 'count'],
    ])
      assert.equal(support(`The ${one} of each pier is kept.`, `The ${other} of each pier is kept.`), 'supported', one);
  });

  it('is kept where both deny, however they say it', () => {
    assert.equal(support('Nobody owns it any more.', 'Owner: none since the spring.'), 'supported');
    assert.equal(support('The door is not locked.', 'The door stays unlocked.'), 'supported');
    assert.equal(support('The cache is disabled.', 'The cache is not enabled.'), 'supported');
  });

  it('is kept where the passage says it in other forms of the words', () => {
    assert.equal(
      support('The gate had rusted through.', 'They found that the rusting gate had given way.'),
      'supported',
    );
    assert.equal(support('It is kept warm.', 'The render farm is kept warm, not cold.'), 'supported');
  });

  it('is marked where no word of it occurs in what it cites', () => {
    const checked = check('The lawyers objected at once.', 'The render farm is kept warm.');
    assert.equal(checked?.support, 'unsupported');
    assert.match(checked?.problem ?? '', /say nothing of it/);
  });

  it('is not marked for what denies something else nearby', () => {
    assert.equal(
      support('24 hours', 'After 24 hours without any concerns raised, the guest may be added.'),
      'supported',
    );
    assert.equal(support('The guest may be added.', 'Without any concerns, the guest may be added.'), 'supported');
  });

  it('is not compared with code, which denies in its own ways', () =>
    assert.equal(support('The pages never expire.', 'expiration: false', undefined, 'typescript'), 'supported'));

  it('is compared with the prose among what it cites, whatever else that is', () => {
    const prose = notePassage('one', 'Render farm', 'The farm is kept warm. Its owner is Mara. No fan is open.');
    const table = notePassage('two', 'Farms', 'farm,fans\nrender,open\n', { kind: 'table', language: 'csv' });
    const beside = (statement: string): string | undefined =>
      checkCitations([{ text: statement, numbers: [1, 2] }], {
        passageOf: (number) => [prose, table][number - 1],
        evidence: [prose, table],
        question: 'What about it?',
      }).statements[0]?.support;
    assert.equal(beside('Nobody owns it any more.'), 'unsupported');
    assert.equal(beside('It is kept warm.'), 'supported');
    assert.equal(beside('The fans are open.'), 'supported', 'the table says it');
    assert.equal(beside('The lawyers objected at once.'), 'supported', 'the table may say it in its own way');
  });

  it('is not marked for one word that may be said in another', () =>
    assert.equal(support('It is free.', 'It costs nothing.'), 'supported'));
});

describe('a cited statement with names', () => {
  it('is marked where a sentence that holds nearly all of it denies it', () =>
    assert.equal(support('Mara Lindqvist owns the farm.', 'Mara Lindqvist never owned the farm.'), 'unsupported'));

  it('is kept where the passage says something else besides', () =>
    assert.equal(support('Not Jonas but Mara owns it.', 'Mara owns it. Jonas has left.'), 'supported'));
});

describe('whoever compares', () => {
  it('can be another', () => {
    assert.equal(
      support('It is kept warm.', 'It is kept warm.', () => 'denies'),
      'unsupported',
    );
    assert.equal(
      support('The lawyers objected.', 'It is kept warm.', () => 'says'),
      'supported',
    );
  });
});
