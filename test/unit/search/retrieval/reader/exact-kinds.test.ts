import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { holdsExactly } from '../../../../../src/search/retrieval/reader/exact-kinds.ts';

describe('what a question names exactly', () => {
  const cases: { question: string; holds: string[]; lacks: string[] }[] = [
    {
      question: 'At what time does the ferry leave?',
      holds: [
        'It leaves at 7:30.',
        'Daily, 6 pm',
        '1600 hours',
        "- cron: '00 01 * * *'",
        'It leaves at noon.',
        'Open 9-17',
        'It leaves at sunset.',
        'It runs at `0 5 * * 1`.',
      ],
      lacks: ['ferry: 1.60.0', 'It leaves every Tuesday.', 'From 2021 on', 'Lines 1 2 3 4 apples'],
    },
    {
      question: 'On which weekday do the keepers meet?',
      holds: ['They meet on Thursdays.', 'Tue, 10:00', 'cron: 0 7 * * 1'],
      lacks: ['They meet every two weeks at 16:00.', 'Since May 2021'],
    },
    {
      question: 'In which year was the jetty built?',
      holds: ['Built in 1987.', 'It was built three years ago.'],
      lacks: ['Built of 1200 planks.', 'Built in May.'],
    },
    {
      question: 'What percentage of the huts is heated?',
      holds: ['85 % of them', 'Half of them are.', 'Most: 3/4', 'rate 0.25'],
      lacks: ['12 huts are heated.'],
    },
    {
      question: 'How much does a berth cost?',
      holds: ['A berth is €40 a night.', '40 CHF', 'Members moor free of charge.', 'Fee: 40'],
      lacks: ['A berth is 12 m long.'],
    },
    {
      question: 'How many days may a boat stay?',
      holds: ['At most two weeks.', 'daysUntilTowed: 14', 'stay_max_days = 14', '14d', 'until Monday'],
      lacks: ['At most 14 boats.', 'The second boat waits.', "The harbour's limit is 14 boats."],
    },
    {
      question: 'Which email address does the harbour office have?',
      holds: ['office@harbour.example', 'office [at] harbour.example'],
      lacks: ['Write to the office.', 'https://harbour.example'],
    },
  ];
  for (const { question, holds, lacks } of cases)
    it(`is held by what shows it: ${question}`, () => {
      for (const text of holds) assert.ok(holdsExactly(question, text, false), text);
      for (const text of lacks) assert.ok(!holdsExactly(question, text, false), text);
    });

  it('is anything where the question names no such thing', () => {
    for (const question of [
      'Who runs the ferry?',
      'Within what time must it be mended?',
      'After what time does it stop?',
      'What time zone is it in?',
      'What time series does it draw?',
      'In which year of the course do they sail?',
      'Which huts share the cable?',
      'How much time should I spend on it?',
      'How much paid leave do keepers get?',
      'How do I change my email address?',
      'Which email provider sends the reminders?',
    ])
      assert.ok(holdsExactly(question, 'Mara does.', false), question);
  });

  it('may be a bare figure in a program or a field, but for what is no amount', () => {
    assert.ok(holdsExactly('How many seconds does it wait?', 'const WAIT = 30', true));
    assert.ok(holdsExactly('How many seconds does it wait?', 'wait = LONGEST_WAIT', true));
    assert.ok(!holdsExactly('How many seconds does it wait?', '@lock = Mutex.new', true));
    assert.ok(holdsExactly('What percentage is sampled?', 'sample_rate: 20', true));
    assert.ok(holdsExactly('What percentage is sampled?', 'dropRatio: WORST_RATIO,', true));
    for (const other of [
      'BUFFER_LENGTH = 128 * 1_024',
      'GENERATED_FILES = 128',
      'log_level: 3',
      'separate(boats, 3)',
    ]) {
      assert.ok(!holdsExactly('What percentage is sampled?', other, true), other);
    }
    assert.ok(!holdsExactly('Which email address is used?', 'const MAIL = 30', true));
  });
});
