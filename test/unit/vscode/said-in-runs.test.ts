import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { sayingsInEnglish, translateSaid } from '../../../src/vscode/said-in-runs.ts';

const loud = (message: string): string => message.toUpperCase();

describe('translateSaid', () => {
  it('translates what runs say, with its values, sentence by sentence', () => {
    assert.equal(
      translateSaid('Only notes/a.md was looked at. The model does not know.', loud),
      'ONLY notes/a.md WAS LOOKED AT. THE MODEL DOES NOT KNOW.',
    );
    assert.equal(
      translateSaid('3 of 4 statements hold up against their passages.', loud),
      '3 OF 4 STATEMENTS HOLD UP AGAINST THEIR PASSAGES.',
    );
    assert.equal(
      translateSaid(
        'The language model failed: 10.0.0.1 broke off. The answer is made of what was found without it.',
        loud,
      ),
      'THE LANGUAGE MODEL FAILED: 10.0.0.1 broke off. THE ANSWER IS MADE OF WHAT WAS FOUND WITHOUT IT.',
    );
  });

  it('leaves alone what a model says', () => {
    const said = 'The supplier is named. It follows, nearly.';
    assert.equal(translateSaid(said, loud), said);
    assert.equal(translateSaid('', loud), '');
  });

  it('knows the words as they stand in the code', () => {
    const folder = new URL('../../../src/', import.meta.url);
    const source = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('said-in-runs.ts'))
      .map((name) => readFileSync(new URL(name.replaceAll('\\', '/'), folder), 'utf8'))
      .join('\n');
    for (const saying of sayingsInEnglish)
      for (const piece of saying.split(/\{\d\}/))
        assert.ok(source.includes(piece.trim()), `“${piece}” of “${saying}” is said nowhere any more`);
  });
});
