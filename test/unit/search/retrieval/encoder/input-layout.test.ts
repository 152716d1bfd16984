import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../../../scripts/vscode-host/locations.ts';
import { layOut, shareRoom, type EncoderInput } from '../../../../../src/search/retrieval/encoder/input-layout.ts';
import { WordPieces } from '../../../../../src/search/retrieval/encoder/word-pieces.ts';

/** Written by the training program: what it reads is what the product must read. A place begins with its passage's. */
type Case = Required<EncoderInput> & {
  ids: number[];
  types: number[];
  places: ([number, boolean, number, number] | null)[];
};

describe('the input of the joint encoder', () => {
  const pieces = WordPieces.open(path.join(repositoryRoot, 'models/Xenova/bge-small-en-v1.5/tokenizer.json'));
  const cases = JSON.parse(
    readFileSync(path.join(repositoryRoot, 'test/fixtures/joint-encoder/inputs.json'), 'utf8'),
  ) as Case[];

  for (const { ids, types, places, ...input } of cases) {
    it(`is token for token what it was in training: ${input.question.slice(0, 40)}`, () => {
      const laid = layOut(pieces, input);
      assert.deepEqual(laid.ids, ids);
      assert.deepEqual(laid.types, types);
      assert.deepEqual(
        laid.places.map((place) => (place ? [0, place.inHeader, place.start, place.end] : null)),
        places.map((place) => (place && place[0] === input.chain.length ? [0, ...place.slice(1)] : null)),
      );
    });
  }

  it('spells ligatures and wide letters as their plain ones', () => {
    assert.deepEqual(pieces.encode('o\ufb03cer ｔｉｎｋｅｒ').ids, pieces.encode('officer tinker').ids);
  });

  it('is never longer than the network takes, however many passages come before', () => {
    const passage = { header: 'a long path of a note of many words '.repeat(9), text: 'Says little.' };
    const chain = Array.from({ length: 19 }, () => passage);
    const { ids, types, places } = layOut(pieces, { question: 'Which?', chain, candidate: passage }, 384);
    assert.deepEqual([ids.length, types.length, places.length], [384, 384, 384]);
  });

  it('is cut at the average, the chain before the candidate, and what is left over goes back to the chain', () => {
    assert.deepEqual(shareRoom([10, 20, 30], 60), [10, 20, 30]);
    assert.deepEqual(shareRoom([100, 100], 100), [50, 50]);
    assert.deepEqual(shareRoom([10, 100, 100], 120), [10, 40, 70]);
    assert.deepEqual(shareRoom([100, 100, 10], 120), [55, 55, 10]);
    assert.deepEqual(shareRoom([5, 5], -3), [0, 0]);
  });
});
