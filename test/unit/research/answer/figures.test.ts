import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { momentsIn, quantitiesIn, timeBetween, type UnitOfTime } from '../../../../src/research/answer/figures.ts';

const between = (text: string, unit?: UnitOfTime): string | undefined => {
  const [one, other, more] = momentsIn(text);
  assert.ok(one && other && !more, `${text}: two moments`);
  return timeBetween(one, other, unit);
};

describe('moments that a text names', () => {
  it('are days, months and years, as finely as they are written, each once', () => {
    for (const [text, ...moments] of [
      ['Released on 2024-03-04.', { year: 2024, month: 3, day: 4 }],
      ['On 4 March 2024, that is March 4th, 2024', { year: 2024, month: 3, day: 4 }],
      ['the 12th of Sept. 2023', { year: 2023, month: 9, day: 12 }],
      ['in March 2024 and in 2019', { year: 2024, month: 3 }, { year: 2019 }],
      ['on 4 March', { year: undefined, month: 3, day: 4 }],
      ['at 02:10 and at 14:05:30', { minutes: 130 }, { minutes: 845 }],
      ['2024-03-04 14:05', { year: 2024, month: 3, day: 4, minutes: 845 }],
    ] as const)
      assert.deepEqual(momentsIn(text), moments, text);
  });

  it('are no versions, ports, ratios, impossible days or other numbers', () => {
    for (const text of [
      'v2024.1.0',
      'RFC 2119',
      'localhost:2019',
      'in the 1990s',
      '2024-13-40',
      '16:9:4',
      'issue-2014-fix',
      '10 Market Street',
      'Decision 12, Mayor 3',
    ])
      assert.deepEqual(momentsIn(text), [], text);
  });
});

describe('the time between two moments', () => {
  it('is told in the unit that is asked for, whichever comes first', () => {
    const text = 'from 2024-02-26 to 2024-03-04';
    assert.equal(between(text, 'day'), '7 days');
    assert.equal(between(text, 'week'), '1 week');
    assert.equal(between('4 March 2024, and 26 February 2024', 'day'), '7 days', 'a leap year');
    assert.equal(between('2022-11-15, 2024-03-04', 'month'), '15 months, 18 days');
    assert.equal(between('2022-11-15, 2024-03-04', 'year'), '1 year, 3 months, 18 days');
    assert.equal(between('1998 and 2010', 'year'), '12 years');
    assert.equal(between('02:10 to 14:05', 'hour'), '11 hours, 55 minutes');
    assert.equal(between('02:10 to 14:05', 'minute'), '715 minutes');
    assert.equal(between('2023-01-31, 2023-03-01', 'month'), '1 month, 1 day');
    const [from, to] = [momentsIn('4 March 2024 14:05')[0], momentsIn('9 March 2024')[0]];
    assert.equal(from && to && timeBetween(from, to), '5 days', 'the hour of one of them does not count');
  });

  it('is told in what suits it where nothing is asked', () => {
    assert.equal(between('4 March to 9 March'), '5 days');
    assert.equal(between('2024-03-04 01:05, 02:10'), '1 hour, 5 minutes');
    assert.equal(between('2023-12-30, 2024-03-04'), '2 months, 4 days', 'two months after 30 December is 29 February');
    assert.equal(between('March 2021 and May 2024'), '3 years, 2 months');
  });

  it('is not told finer than it is known', () => {
    assert.equal(between('March 2021 and May 2024', 'day'), undefined);
    assert.equal(between('1998 and 2010', 'month'), undefined);
    assert.equal(between('4 March, and 9 March 2024', 'day'), undefined, 'one has no year');
  });
});

describe('quantities of a text', () => {
  it('are compared in the smallest unit of their scale', () => {
    const values = (text: string): unknown[] => quantitiesIn(text).map(({ value, scale }) => [value, scale]);
    assert.deepEqual(values('const DefaultDialTimeout = 30 * time.Second'), [[30_000, 'time']]);
    assert.deepEqual(values('after 2 hours, that is 120 minutes'), [[7_200_000, 'time']]);
    assert.deepEqual(values('1,200 days, 64 % and 64%'), [
      [1_200 * 86_400_000, 'time'],
      [64, 'share'],
    ]);
    assert.deepEqual(values('1 KiB is 1024 bytes'), [[1_024, 'size']]);
    assert.deepEqual(values('version 2.0, 12 beds, 5 m'), []);
  });

  it('are of what is counted, in any form of its word', () => {
    assert.deepEqual(
      quantitiesIn('It has 12 beds and 3 rooms.', 'bed').map(({ value }) => value),
      [12],
    );
  });
});
