import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { questionParts } from '../../../../src/research/answer/question-parts.ts';

const parts = (question: string): string[] => questionParts(question).map((part) => part.question);

describe('a question of several parts', () => {
  it('is split where each part is a question of its own', () => {
    const cases: Record<string, string[]> = {
      'What is the notice period and who approves travel?': ['What is the notice period?', 'Who approves travel?'],
      'How long is parental leave, and how long is sick leave?': [
        'How long is parental leave?',
        'How long is sick leave?',
      ],
      'Which port does the server use? Where are logs written?': [
        'Which port does the server use?',
        'Where are logs written?',
      ],
      'Who keeps Kestrel Hut, when was the relay repaired, and what does rope cost?': [
        'Who keeps Kestrel Hut?',
        'When was the relay repaired?',
        'What does rope cost?',
      ],
      'What is glow and who maintains it?': ['What is glow?', 'Who maintains glow?'],
      'How many huts are there, and in which town is the office?': [
        'How many huts are there?',
        'In which town is the office?',
      ],
    };
    for (const [question, expected] of Object.entries(cases)) assert.deepEqual(parts(question), expected, question);
  });

  it('is split behind an introduction, which each part keeps', () => {
    assert.deepEqual(
      questionParts('Our boat is wooden: which paint do we use, and who orders it?').map(({ question, label }) => [
        label,
        question,
      ]),
      [
        ['Which paint do we use?', 'Our boat is wooden: Which paint do we use?'],
        ['Who orders it?', 'Our boat is wooden: Who orders it?'],
      ],
    );
    assert.deepEqual(parts('Our boat is wooden. Which paint do we use?'), [
      'Our boat is wooden. Which paint do we use?',
    ]);
  });

  it('is left whole where a part has no verb of its own', () => {
    for (const question of [
      'Who pays for the berth when we go to Tarnby, and who if we stay?',
      'Which paint do we use on the hull, and which for the deck?',
      'What do we call short, and what long?',
    ])
      assert.deepEqual(parts(question), [question], question);
    assert.equal(parts('Which paint do we use, and who pays?').length, 2);
  });

  it('says of a part whether it needs the one before', () => {
    const leaning = (question: string): unknown[] =>
      questionParts(question).map((part) => [part.question, part.leans ?? 'alone']);
    const cases: Record<string, [string, string][]> = {
      'How many weeks of parental leave are there, and who has to approve an extension?': [
        ['How many weeks of parental leave are there?', 'alone'],
        ['Who has to approve an extension?', 'perhaps'],
      ],
      'How many redirects are followed by default and what happens when there are more?': [
        ['How many redirects are followed by default?', 'alone'],
        ['What happens when there are more?', 'wholly'],
      ],
      'How many beds does Kestrel Hut have, and when was it repaired?': [
        ['How many beds does Kestrel Hut have?', 'alone'],
        ['When was it repaired?', 'wholly'],
      ],
      'Which port does the server use, and where are its logs written?': [
        ['Which port does the server use?', 'alone'],
        ['Where are its logs written?', 'wholly'],
      ],
      'How many beds are free, and who keeps a key of Heron Hut?': [
        ['How many beds are free?', 'alone'],
        ['Who keeps a key of Heron Hut?', 'alone'],
      ],
      'What is the notice period and who approves travel?': [
        ['What is the notice period?', 'alone'],
        ['Who approves travel?', 'alone'],
      ],
    };
    for (const [question, expected] of Object.entries(cases)) assert.deepEqual(leaning(question), expected, question);
  });

  it('is split before an irregular verb, and its pronoun stands for the thing alone', () => {
    assert.deepEqual(parts('When was the race held and who won?'), ['When was the race held?', 'Who won?']);
    assert.deepEqual(parts('Where is the log kept, and how long is it stored?'), [
      'Where is the log kept?',
      'How long is the log stored?',
    ]);
    assert.deepEqual(parts('What is `$$props` and when was it added?'), [
      'What is `$$props`?',
      'When was `$$props` added?',
    ]);
  });

  it('is left whole where a part is none, or points back at what is not known', () => {
    for (const question of [
      'Who founded and ran the mill?',
      'What are the terms and conditions?',
      'Who wrote the report and when did they leave?',
      'Where and when was the relay repaired?',
      'Who is the person who approved the release, and why?',
      'Which file says who owns the relay and what it costs?',
      'What is the difference between what the keeper does and what the warden does?',
      'In which city is the maintainer who was covering reports while the crash was investigated?',
      'How do I install and configure the relay?',
      'A bug report leaves out the expected behaviour. How long has the reporter got?',
      'When I shut a contribution, which tag should it get?',
      'After version 9 they dropped the quiet week. Does the procedure include one?',
      'What did the keeper say and what happened then?',
      'rope, relay and what else',
      'What caused the incidents of 2024, and what was decided after each?',
      'Who is the keeper of the hut, whose surprising departure was reported, and who was seen in Narvik?',
      'What show does the player, who missed the season, host?',
      'When I run a task in a second terminal, from which file does the command learn the port?',
      '',
    ])
      assert.deepEqual(parts(question), [question], question);
  });
});

describe('a comparison of two', () => {
  it('is looked up side by side', () => {
    assert.deepEqual(questionParts('Which of the two meets more often these days, Ecosystem or Upgrades?'), [
      { question: 'Ecosystem meets more often these days', label: 'Ecosystem', kind: 'side' },
      { question: 'Upgrades meets more often these days', label: 'Upgrades', kind: 'side' },
    ]);
    assert.deepEqual(parts('Does it pay sooner, renting or buying?'), [
      'renting Does it pay sooner',
      'buying Does it pay sooner',
    ]);
    assert.deepEqual(parts('Kestrel Hut or Heron Hut: which has more beds?'), [
      'Kestrel Hut has more beds',
      'Heron Hut has more beds',
    ]);
    assert.deepEqual(parts('What is the difference between annual leave and parental leave?'), [
      'annual leave',
      'parental leave',
    ]);
  });

  it('is also what asks whether one is so beside the other', () => {
    const cases: Record<string, readonly string[]> = {
      'Is Kestrel Hut older than Heron Hut?': ['Kestrel Hut older', 'Heron Hut older'],
      'Was the relay of Narvik repaired before the ferry?': [
        'the relay of Narvik repaired earlier',
        'the ferry repaired earlier',
      ],
      'Has Kestrel Hut been painted more recently than Heron Hut has?': [
        'Kestrel Hut been painted more recently',
        'Heron Hut been painted more recently',
      ],
      'Does Kestrel Hut have more beds than Heron Hut?': ['Kestrel Hut have more beds', 'Heron Hut have more beds'],
      'Did the tug arrive after the ferry did?': ['the tug arrive later', 'the ferry arrive later'],
      'Is the hut a larger one than the barn?': ['the hut a larger one', 'the barn a larger one'],
    };
    for (const [question, expected] of Object.entries(cases)) {
      assert.deepEqual(parts(question), expected, question);
      assert.ok(
        questionParts(question).every(({ whether, label, question: side }) => whether && side.startsWith(label)),
        question,
      );
    }
    for (const question of [
      'Is parental leave longer than a month?',
      'Is Kestrel Hut older than it?',
      'Is Kestrel Hut larger than the others?',
      'Is Kestrel Hut before Heron Hut?',
      'Does the tug carry more than 5 tonnes?',
      'Do I sign before the meeting?',
      'Is there more rope than wire?',
    ])
      assert.deepEqual(parts(question), [question], question);
  });

  it('is also what asks for the time between two, each a date to be looked up', () => {
    assert.deepEqual(questionParts('How many days were there between the March outage and the repair of the relay?'), [
      { question: 'When was the March outage?', label: 'the March outage', ends: { unit: 'day' }, kind: 'side' },
      {
        question: 'When was the repair of the relay?',
        label: 'the repair of the relay',
        ends: { unit: 'day' },
        kind: 'side',
      },
    ]);
    assert.deepEqual(parts('How long did it take from the first alarm until the all-clear?'), [
      'When was the first alarm?',
      'When was the all-clear?',
    ]);
    for (const question of [
      'How long is the walk from Kestrel Hut to Heron Hut?',
      'How long does it wait between retries?',
      'How many days a week may I work from home?',
    ])
      assert.deepEqual(parts(question), [question], question);
  });

  it('is left whole where there are no two', () => {
    for (const question of [
      'Which hut has a radio or a stove?',
      'Which of radio, stove or lamp is used?',
      'Does the plan cover radios, stoves or lamps?',
      'Is it true that the relay failed, or did somebody switch it off because of the storm that came in March?',
      'Which of these, or which others, have a radio?',
      'What is the difference between the two?',
    ])
      assert.deepEqual(parts(question), [question], question);
  });
});
