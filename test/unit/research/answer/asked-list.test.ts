import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askedListFirst } from '../../../../src/research/answer/asked-list.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { Reading, ReadUnit } from '../../../../src/search/retrieval/retriever.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

describe('a list that is asked for', () => {
  const holidays = notePassage('list', 'Perks > Observed Holidays', '- New Year\n- Labour Day\n- Harvest\n');
  const rules = notePassage(
    'rules',
    'Perks > Leave',
    'If a holiday falls on a Sunday, the office is closed on Monday.',
  );
  const unit = ({ id, text }: Passage, words: string, score: number, kind: ReadUnit['kind']): ReadUnit => {
    const start = text.indexOf(words);
    return { passageId: id, text: words, start, end: start + words.length, score, ...(kind && { kind }) };
  };
  const entries = ['- New Year', '- Labour Day', '- Harvest'];
  const reading: Reading = {
    answerability: 1,
    answerType: 'none',
    answer: '',
    sentences: [
      unit(rules, rules.text, 0.8, 'sentence'),
      ...entries.toReversed().map((entry) => unit(holidays, entry, 0.01, 'item')),
    ],
  };
  const first = (question: string, read = reading): string[] | undefined =>
    askedListFirst(read, question, [rules, holidays])?.sentences.map(({ text }) => text);

  it('comes first, in its own order', () => {
    assert.deepEqual(first('On which holidays is the office closed?'), [...entries, rules.text]);
    assert.deepEqual(first('What are the holidays?'), [...entries, rules.text]);
  });

  it('is headed by what is asked for, and is little else than its entries', () => {
    assert.equal(first('Which suppliers do we have?'), undefined);
    assert.equal(first('Who is in the night watch?'), undefined);
    const more = ['sentence', 'sentence', 'sentence', 'sentence'] as const;
    const text = { ...reading, sentences: [...reading.sentences, ...more.map((k) => unit(holidays, 'x', 0.1, k))] };
    assert.equal(first('What are the holidays?', text), undefined);
  });

  it('stays as it is where one of its entries leads already', () => {
    const led = { ...reading, sentences: [unit(holidays, '- Harvest', 0.9, 'item'), ...reading.sentences] };
    assert.equal(first('What are the holidays?', led), undefined);
  });
});
