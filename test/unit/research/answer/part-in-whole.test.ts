import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HopReasonKind, Passage, PassageChain, Reading } from '#search';
import { inSubject } from '../../../../src/research/answer/question-parts.ts';
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
  return { sentences, answerability: 1 };
}

const unitOf = ({ id, text }: Passage): Reading['sentences'][number] => ({
  passageId: id,
  start: 0,
  end: text.length,
  text,
  score: 1,
});

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

  it('prefers of two units alike the one that has the words of the part before', () => {
    const decided = notePassage(
      'decided',
      'The board',
      'A renewal of a berth is decided by Ann.\nA renewal of an allotment is decided by Bo.',
    );
    const half = decided.text.indexOf('\n');
    const unit = unitOf(decided);
    const sentences = [
      { ...unit, end: half, text: decided.text.slice(0, half), score: 0.8 },
      { ...unit, start: half + 1, text: decided.text.slice(half + 1), score: 0.78 },
    ];
    const within = { before: [first], chains: [chainOf([garden, decided])], passages: [garden, decided] };
    const reading = inSubject({ ...readingOf([garden]), sentences }, question, within);
    assert.equal(reading?.sentences[0]?.start, half + 1);
  });

  it('gives what is thrown there, where it is asked what happens', () => {
    const code = notePassage('fetch', 'get', 'tries = 5\nraise TooManyTries("gave up after 5 tries")');
    const from = code.text.indexOf('raise');
    const unit = unitOf(code);
    const sentences = [
      { ...unit, end: from - 1, text: code.text.slice(0, from - 1), score: 0.6 },
      { ...unit, start: from, text: code.text.slice(from), score: 0.2, kind: 'error' as const },
    ];
    const tries = { question: 'How many tries are made?', chain: chainOf([code]) };
    const part = { question: 'What happens with more?', label: '', kind: 'part', leans: 'wholly' } as const;
    const within = { before: [tries], chains: [tries.chain], passages: [code] };
    const reading = { ...readingOf([code]), sentences };
    assert.equal(inSubject(reading, part, within)?.sentences[0]?.start, from);
    const other = { ...part, question: 'Who counts more?' };
    assert.equal(inSubject(reading, other, within)?.sentences[0]?.start, 0);
  });
});
