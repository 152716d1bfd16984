import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { refusalOf } from '../../../src/research/answer/abstained-answer.ts';
import type { ResearchEvent } from '../../../src/research/domain/research-event.ts';
import type { PassageFilter } from '../../../src/search/domain/passage-chain.ts';
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

  it('translates whatever a refusal says of what was looked at', () => {
    for (const [coverage, scope, absent] of [
      [{ files: 40, passages: 200, embedded: 8, indexing: true }, undefined, ['CSRF']],
      [{ files: 40, passages: 200, embedded: 8, indexing: false }, { paths: ['docs/'] }, []],
      [{ files: 40, passages: 200, embedded: 200, indexing: true }, { kinds: ['code'] }, ['CSRF', 'Fly']],
      [{ files: 0, passages: 0, embedded: 0, indexing: true }, { paths: ['a.md', 'b.md'] }, []],
    ] as const) {
      const { reason = '' } = refusalOf(true, coverage, scope as PassageFilter | undefined, absent);
      const told = translateSaid(reason, (message) => message.replace(/[a-z]/gi, ''));
      assert.doesNotMatch(told.replace(/CSRF(?: or Fly)?|docs\//g, ''), /[a-z]/i, reason);
    }
  });

  it('leaves alone what a model says', () => {
    const said = 'The supplier is named. It follows, nearly.';
    assert.equal(translateSaid(said, loud), said);
    assert.equal(translateSaid('', loud), '');
  });

  it('knows whatever the recorded runs say of themselves', () => {
    const folder = new URL('../../fixtures/recordings/', import.meta.url);
    const lines = readdirSync(folder).flatMap((name) => readFileSync(new URL(name, folder), 'utf8').trim().split('\n'));
    const said = lines.flatMap((line) => {
      const event = JSON.parse(line) as Partial<ResearchEvent>;
      if (event.type === 'notice' && event.code !== 'context-cut') return [event.message ?? ''];
      if (event.type === 'critique-ready' && event.verdict?.by === 'evidence') return [event.verdict.reason];
      return event.type === 'answer-end' ? [event.answer?.abstainReason ?? '', event.answer?.doubt ?? ''] : [];
    });
    assert.ok(new Set(said).size > 20);
    const unknown = [...new Set(said)].filter((text) => translateSaid(text, () => '').trim() !== '');
    assert.deepEqual(unknown, []);
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
