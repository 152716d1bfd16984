import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type CriticisedNode, evidenceCritique } from '../../../../src/research/operators/critique.ts';

const node: CriticisedNode = {
  question: 'Who keeps Kestrel Hut?',
  answer: 'Mara',
  found: true,
  passageIds: ['a'],
  answerability: 0.8,
};
const verdict = (change: Partial<CriticisedNode>, kept: Parameters<typeof evidenceCritique>[1] = []) =>
  evidenceCritique({ ...node, ...change }, kept).verdict;

describe('the critique by evidence', () => {
  it('keeps what its passages carry', () => assert.equal(verdict({}), 'keep'));
  it('finds a question that was answered before redundant, and one that was not found not', () => {
    assert.equal(verdict({}, [{ question: 'who keeps Kestrel Hut', answer: 'Mara', found: true }]), 'redundant');
    assert.equal(verdict({}, [{ question: 'who keeps Kestrel Hut', answer: '', found: false }]), 'keep');
  });
  it('finds passages that have nothing to do with it irrelevant', () => {
    assert.equal(verdict({ passageIds: [] }), 'irrelevant');
    assert.equal(verdict({ answerability: 0.05 }), 'irrelevant');
  });
  it('finds an answer that is not there, or hardly, unsupported', () => {
    assert.equal(verdict({ found: false }), 'unsupported');
    assert.equal(verdict({ answerability: 0.2 }), 'unsupported');
  });
  it('rejects no answer whose citations hold for what the reader makes of its passages', () => {
    assert.equal(verdict({ answerability: 0.05, supported: true }), 'keep');
    assert.equal(verdict({ answerability: 0.2, supported: true }), 'keep');
    assert.equal(verdict({ answerability: 0.05, supported: false }), 'irrelevant');
  });
  it('says who it is', () => assert.equal(evidenceCritique(node, []).by, 'evidence'));
});
