import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { gapsOf, summaryOf, usersInWords } from '../../../src/research/run/reference-text.ts';
import {
  type FoundDefinition,
  type FoundReference,
  noReferences,
  type ReferenceAnswer,
  type ReferenceQuery,
  referenceKind,
} from '../../../src/search/domain/reference-answer.ts';
import { gapInWords, listInWords } from '../../../src/vscode/said-in-lists.ts';

const loud = (message: string): string => message.toUpperCase();
const found = (query: Partial<ReferenceQuery>, more: Partial<ReferenceAnswer> = {}): ReferenceAnswer => ({
  ...noReferences({ symbol: '#', kind: 'reaches', ...query }, { files: 0, passages: 0, embedded: 0, indexing: false }),
  complete: true,
  ...more,
});

const english = (text: string): boolean => /[a-z]/.test(listInWords(text, loud));
const at = { path: '#', line: 1, text: '#', passageId: '#' };
const place: FoundReference = { ...at, relation: 'calls', from: '#', to: '#', confidence: 1 };
const definition: FoundDefinition = { ...at, name: '#', kind: '#', endLine: 1 };

describe('what a list says of itself', () => {
  it('has words in every language, however many places it has', () => {
    for (const kind of referenceKind.options.filter((option) => option !== 'reaches'))
      for (const [total, files] of [
        [0, 0],
        [1, 1],
        [3, 1],
        [3, 2],
      ] as const) {
        const references = Array.from({ length: total }, () => place);
        const definitions = Array.from({ length: total }, () => definition);
        const answer = found({ kind }, { total, files, references, definitions });
        for (const said of [summaryOf(answer), `${summaryOf(answer)}${usersInWords(answer)}`])
          assert.equal(english(`**${said}** [1]`), false, said);
      }
  });

  it('has words for the way between two', () => {
    for (const way of ['none', 'meeting', 'forwards', 'backwards'] as const)
      for (const relation of ['calls', 'imports'] as const)
        for (const steps of [1, 2]) {
          const answer = found(
            { to: '#' },
            {
              route: { found: way, reached: steps, ambiguous: [] },
              definitions: [definition],
              references: Array.from({ length: steps }, () => ({ ...place, relation })),
            },
          );
          assert.equal(english(`**${summaryOf(answer)}**`), false, summaryOf(answer));
        }
  });

  it('has words for what it may lack, and leaves the places alone', () => {
    for (const count of [1, 2]) {
      const cutFiles = Array.from({ length: count * 2 }, () => '1.2');
      const gaps = gapsOf(
        found({}, { complete: false, possibleTotal: count, named: count, isCommon: true, cutFiles, total: 9 }),
      );
      assert.ok(gaps.length >= 6);
      for (const gap of gaps) assert.doesNotMatch(gapInWords(gap, loud), /[a-z]/, gap);
      assert.equal(english(`*${gaps.join(' ')}*`), false);
    }
    assert.equal(
      listInWords('**3 places in 2 files call `f`.** [1]\n\nDefined here:\n\n- function `f` [1]', loud),
      '**3 PLACES IN 2 FILES CALL `f`.** [1]\n\nDEFINED HERE:\n\n- function `f` [1]',
    );
  });
});
