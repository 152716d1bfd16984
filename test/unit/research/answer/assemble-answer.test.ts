import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Hop } from '../../../../src/search/domain/passage-chain.ts';
import type { Answer } from '../../../../src/research/domain/answer.ts';
import { assembleAnswer } from '../../../../src/research/answer/assemble-answer.ts';
import type { AnswerDraft } from '../../../../src/research/answer/answer-draft.ts';
import { emptyChain } from '../../../../src/research/operators/operator.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const loans = notePassage(
  'loans',
  'Loans',
  'Loans are limited for all members to 5 days. Each of them is written down.',
);

const assembled = (draft: Partial<AnswerDraft>, rest: Partial<Parameters<typeof assembleAnswer>[0]> = {}): Answer =>
  assembleAnswer({
    draft: { short: '', statements: [], conflicts: [], ...draft },
    chain: emptyChain,
    subAnswers: [],
    coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
    evidence: [loans],
    question: 'How long may members keep a boat?',
    passageOf: (number) => (number === 1 ? loans : undefined),
    ...rest,
  });

describe('an answer put together from what a model said', () => {
  it('has a short answer that is checked, also where it begins with “No”', () => {
    const statements = [{ text: 'Loans are limited for all members', numbers: [1] }];
    const { text, unsupportedCount } = assembled({ short: 'No more than 50 days', statements });
    assert.match(text, /^\*\*No more than 50 days\*\* \*\(not supported by your files\)\*/);
    assert.equal(unsupportedCount, 1);
    assert.match(assembled({ short: 'Yes, they are', statements }).text, /^\*\*Yes, they are\*\* \[1\]/);
  });

  it('numbers two quotes of one line apart', () => {
    const { citations } = assembled({
      statements: [
        { text: 'Loans are limited for all members to 5 days.', numbers: [1] },
        { text: 'Each of them is written down.', numbers: [1] },
      ],
    });
    assert.deepEqual(
      citations.map(({ number, quote }) => [number, quote]),
      [
        [1, 'Loans are limited for all members to 5 days.'],
        [2, 'Each of them is written down.'],
      ],
    );
  });

  it('does not say at a hop what the check does not confirm, be it a sub-answer', () => {
    const hop: Hop = { passage: loans, score: 1, why: { kind: 'question', because: { code: 'found' }, terms: [] } };
    const findsOf = (short: string) => {
      const subAnswer = { stepId: 's1', question: 'How long?', answer: short, found: true, passageIds: ['loans'] };
      const draft = { short, statements: [{ text: short, numbers: [1] }] };
      return assembled(draft, { chain: { ...emptyChain, hops: [hop] }, subAnswers: [subAnswer] }).finds;
    };
    assert.deepEqual(findsOf('5 days'), ['5 days']);
    assert.equal(findsOf('50 days'), undefined);
    assert.equal(findsOf('“50 days”'), undefined, 'a quote that stands nowhere');
  });

  it('tells of no disagreement that its passages do not bear out', () => {
    const conflicts = [{ text: 'One says 77 while Bodo says 99.', numbers: [1] }];
    assert.deepEqual(assembled({ conflicts }).conflicts, []);
  });
});
