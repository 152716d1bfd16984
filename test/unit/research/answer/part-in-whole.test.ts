import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HopReasonKind, Passage, PassageChain, Reading } from '#search';
import { inSubject } from '../../../../src/research/answer/part-in-whole.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const garden = notePassage('garden', 'Allotments', 'An allotment is let for two years.');
const board = notePassage('board', 'The board', 'A renewal is decided by the board.');
const boats = notePassage('boats', 'Boats', 'A renewal of a berth is decided by the harbour master.');
const question = {
  question: 'Who decides about a renewal?',
  label: 'a renewal',
  kind: 'part',
  leans: 'perhaps',
} as const;
const first = { question: 'For how long is an allotment let?', chain: chainOf([garden]) };

function chainOf(passages: readonly Passage[], kind: HopReasonKind = 'link'): PassageChain {
  const hops = passages.map((passage, i) => ({
    passage,
    score: 1,
    why: { kind: i === 0 ? ('question' as const) : kind, text: '', terms: [], ...(i > 0 && { from: i - 1 }) },
  }));
  return { hops, score: 0, completeness: 1 };
}

/** Units as long as their passages, in this order. */
function readingOf(passages: readonly Passage[], unfit: readonly Passage[] = []): Reading {
  const sentences = passages.map((passage, i) => ({
    passageId: passage.id,
    start: 0,
    end: passage.text.length,
    text: passage.text,
    score: 1 - i / 10,
    fits: !unfit.includes(passage),
  }));
  return { answerType: 'none', answer: '', sentences, answerability: 1 };
}

const orderOf = (reading: Reading | undefined): string[] | undefined =>
  reading?.sentences.map((unit) => unit.passageId);

describe('a part that is read within the subject of the one before', () => {
  it('prefers what the passages of that subject link to', () => {
    const passages = [boats, board, garden];
    const linked = { before: [first], chains: [chainOf([garden, board])], passages };
    assert.equal(orderOf(inSubject(readingOf(passages), question, linked))?.[0], 'board');
    const unlinked = { ...linked, chains: [chainOf([garden, board], 'meaning')] };
    assert.equal(inSubject(readingOf(passages), question, unlinked), undefined, 'near in meaning is not linked');
  });

  it('changes nothing where that subject has less of its words, or no unit of the kind', () => {
    const passages = [boats, garden];
    const within = { before: [first], chains: [chainOf([garden])], passages };
    assert.equal(inSubject(readingOf(passages), question, within), undefined);
    const linked = { before: [first], chains: [chainOf([garden, board])], passages: [boats, board] };
    assert.equal(inSubject(readingOf([boats, board], [board]), question, linked), undefined);
  });

  it('stays there where a pronoun says so, by the words of the part before elsewhere', () => {
    const renewals = notePassage('renewals', 'Renewals', 'Who has let an allotment is asked about it in May.');
    const passages = [boats, renewals, garden];
    const within = { before: [first], chains: [chainOf([garden])], passages };
    const reading = inSubject(readingOf(passages), { ...question, leans: 'wholly' }, within);
    assert.deepEqual(orderOf(reading), ['garden', 'renewals', 'boats']);
  });
});
