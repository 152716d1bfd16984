import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askedKind, versionedThing } from '../../../../../src/search/retrieval/reader/asked-kind.ts';

describe('the kind of thing that a question asks for', () => {
  it('knows how long a text may be from how long something lasts', () => {
    for (const question of [
      'How long can the subject of a git commit be if I stick to our rules?',
      'How long is a line?',
    ])
      assert.equal(askedKind(question), 'number', question);
    for (const question of ['How long are keys in the cache kept?', 'How long may a comment stay open?'])
      assert.equal(askedKind(question), 'duration', question);
  });

  it('is a number, a length or a point of time by its words', () => {
    const kinds: Record<string, ReturnType<typeof askedKind>> = {
      'How many huts have a radio?': 'number',
      'Which port does the server listen on?': 'number',
      'What is the maximum size of a request?': 'number',
      'How much does the rope cost?': 'number',
      'How long is the notice period?': 'duration',
      'How often does the group meet?': 'time',
      'When was the relay repaired?': 'time',
      'The top seat in our Slack: since when have they owned it?': 'time',
      'On which day is the canteen closed?': 'time',
      'How soon after a resignation is it announced?': 'duration',
      'Which environment variable moves the cache?': 'variable',
      'Which env variable moves the cache?': 'variable',
      'Which variable sets the height of the picker?': 'variable',
      'Which variable holds the count?': undefined,
      'What flag turns the colours off?': 'flag',
      'Which address do I write to?': 'address',
      'What is the support email of the shop?': 'address',
      'What quorum does a vote need?': 'number',
      'Which Python versions are supported?': 'version',
      'What version of Node does it need?': 'version',
      'Which is the minimum version of the relay software?': 'version',
      'Since which release is the bell gone?': 'version',
      'Which release checklist do we follow?': undefined,
      'Who do I write to about noise?': 'contact',
      'Who should we report a broken lamp to?': 'contact',
      'Whom do I contact when the relay fails?': 'contact',
      'Who addresses the board?': undefined,
      'Who repaired the relay?': undefined,
      'What happens when the relay fails?': undefined,
      'When I shut a contribution, which tag should it get?': undefined,
      'When is a code freeze acceptable?': undefined,
      'When should I use the spare relay?': undefined,
    };
    for (const [question, kind] of Object.entries(kinds)) assert.equal(askedKind(question), kind, question);
  });

  it('is a version by its order, where that is what is asked', () => {
    assert.equal(askedKind('oldest Java version we may run on'), 'version');
    assert.equal(askedKind('How do I pin an exact version?'), undefined);
    assert.deepEqual(versionedThing('Which printer version does it need?'), ['print']);
    assert.deepEqual(versionedThing('Which team owns the release?'), []);
  });

  it('is no noun behind a verb: that is spoken of', () => {
    for (const question of [
      'What happens on timeout?',
      'What happens every day?',
      'What happens when email bounces?',
      'What does the rate limiter do?',
      'What does the limit parameter do?',
      'What does the email say?',
      'What does the flag do?',
      'What does the environment variable do?',
      'What triggers a release?',
      'What runs before release?',
      'Which branch is the release cut from?',
      'Which team owns the release?',
      'What is a timeout?',
      'What should the rate limiter do?',
    ])
      assert.equal(askedKind(question), undefined, question);
    assert.equal(askedKind('On which date is version 3 due?'), 'time', 'of two nouns the one that is asked for');
  });

  it('is a noun behind words that describe it', () => {
    const kinds: Record<string, ReturnType<typeof askedKind>> = {
      'what default timeout': 'duration',
      'what is the default timeout': 'duration',
      'What is default port?': 'number',
      'What should the timeout be?': 'duration',
      'what’s the maximum request size limit': 'number',
      "what's the maximum request size limit": 'number',
      'Which of the limits is the total?': undefined,
      'which minimum version': 'version',
      'What is the oldest Node.js version?': 'version',
      'What start date does the rota have?': 'time',
      'What kind of number is it?': 'number',
      'What is the flag for colours?': 'flag',
      'Which two environment variables move the cache?': 'variable',
      'What are the street addresses?': undefined,
    };
    for (const [question, kind] of Object.entries(kinds)) assert.equal(askedKind(question), kind, question);
  });
});
