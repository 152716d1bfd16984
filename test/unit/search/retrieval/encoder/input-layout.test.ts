import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../../../scripts/vscode-host/locations.ts';
import { layOut, type EncoderInput } from '../../../../../src/search/retrieval/encoder/input-layout.ts';
import { WordPieces } from '../../../../../src/search/retrieval/encoder/word-pieces.ts';

/** Written by the training program: what it reads is what the product must read. */
type Case = EncoderInput & { ids: number[]; types: number[]; places: ([number, boolean, number, number] | null)[] };

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
        places,
      );
    });
  }
});
