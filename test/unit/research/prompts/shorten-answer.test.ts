import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isRambling, readShortened } from '../../../../src/research/operators/shorten-draft.ts';

describe('shortening an answer', () => {
  it('is for sentences that repeat the question, or say something in its stead', () => {
    assert.ok(isRambling('What is the place of birth of the director?', 'Ruth Ockley was born in Tarnby, Norway'));
    assert.ok(isRambling('Where was the keeper of Kestrel Hut born?', 'The keeper of Kestrel Hut was born in Narvik'));
    assert.ok(isRambling('Are Mara and Jon in the same team?', 'No, Mara and Jon are not in the same team'));
  });

  it('leaves names alone, however long, and accounts of how and why', () => {
    assert.ok(!isRambling('Where was the keeper born?', 'Narvik'));
    assert.ok(!isRambling('Who keeps the hut?', 'Mara Elisabeth Lindqvist of Upper Tarn'));
    assert.ok(!isRambling('Why did the relay fail?', 'The relay failed because its battery froze'));
    assert.ok(!isRambling('How is the index rebuilt?', 'The index is rebuilt beside the old one'));
    assert.ok(!isRambling('Which services are there?', 'There are the api, the worker and the scheduler service'));
    assert.ok(isRambling('How many beds has Kestrel Hut?', 'Kestrel Hut has twelve beds'));
  });

  it('takes only what the answer had said, as it had written it', () => {
    const read = (reply: string): string | undefined =>
      readShortened(reply, 'Where was she born?', 'She was born in Upper Narvik, Norway');
    assert.equal(read('upper narvik'), 'Upper Narvik');
    assert.equal(read('Answer: “Upper Narvik, Norway.”'), 'Upper Narvik, Norway');
    assert.equal(read('Oslo'), undefined);
    assert.equal(read('Nar'), undefined, 'half a word');
    assert.equal(read(''), undefined);
    assert.equal(read('She was born in Upper Narvik, Norway, I think'), undefined);
    const branches = 'İzmir, İstanbul and İznik are branches; the head office is in Ankara since 1999.';
    assert.equal(readShortened('ankara', 'Where is the head office?', branches), 'Ankara');
  });

  it('takes no echo of the question, but a choice that it offered', () => {
    assert.equal(
      readShortened(
        'Kestrel Hut',
        'Where is the keeper of Kestrel Hut from?',
        'The keeper of Kestrel Hut is from Narvik',
      ),
      undefined,
    );
    assert.equal(
      readShortened(
        'Kestrel Hut',
        'Which has more beds, Kestrel Hut or Heron Hut?',
        'Kestrel Hut has more beds than Heron Hut',
      ),
      'Kestrel Hut',
    );
  });

  it('takes yes and no when they were asked for', () => {
    assert.equal(readShortened('No.', 'Are they in the same team?', 'They are in different teams'), 'no');
    assert.equal(readShortened('No', 'Is it cleared on start?', 'Yes, the cache is cleared on start'), undefined);
    assert.equal(readShortened('no', 'In which team are they?', 'They are in different teams'), undefined);
  });
});
