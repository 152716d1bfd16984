import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exactKindsAsked, holdsExactly } from '../../../../../src/search/retrieval/reader/exact-kinds.ts';

const holds = (question: string, text: string, saysValue: boolean): boolean =>
  holdsExactly(exactKindsAsked(question), text, saysValue);

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
        "It leaves at seven o'clock.",
        'It runs at `0 5 * * 1`.',
      ],
      lacks: ['ferry: 1.60.0', 'It leaves every Tuesday.', 'From 2021 on', 'Lines 1 2 3 4 apples'],
    },
    {
      question: 'On which weekday do the keepers meet?',
      holds: [
        'They meet on Thursdays.',
        'Tue, 10:00',
        'cron: 0 7 * * 1',
        'days: [mon, thu]',
        'open mon-fri at nine',
        'day: fri',
        'MON and WED',
      ],
      lacks: ['They meet every two weeks at 16:00.', 'Since May 2021', 'The sun is hot and the board sat down.'],
    },
    {
      question: 'On what schedule does the check of links run?',
      holds: ['- cron: "0 11 * * *"', 'It runs every night.', 'Mondays at 6:00', 'once a week'],
      lacks: ['runs-on: ubuntu-latest', 'The check takes 5 minutes.'],
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
      holds: ['A berth is €40 a night.', '40 CHF', 'Members moor free of charge.', 'Fee: 40', 'The fee is seven.'],
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
    {
      question: 'Which http codes does the check of links let through?',
      holds: [
        ':ignore_codes => [0, 303, 401]',
        'w.WriteHeader(http.StatusTeapot)',
        'render status: :not_found',
        'any 2xx',
        'raise Http404',
        'raise APIException(HTTP_404_NOT_FOUND)',
        'return NotFound();',
        'head :no_content',
        'It answers Forbidden.',
      ],
      lacks: [':ignore_missing_alt => true', 'It lets 1.5 pass.', 'The check has a status.', 'The page is not found.'],
    },
    {
      question: 'What status code does the call end with?',
      holds: ['codes.Unavailable', 'It ends with UNAVAILABLE.', 'Status.INTERNAL'],
      lacks: ['It ends soon.', 'The mast is unavailable.'],
    },
    {
      question: 'Which exit code does the installer end with?',
      holds: [
        'It ends with 1603.',
        'Code -1073741819',
        'A non-zero one.',
        'It is zero then.',
        'returns -EINVAL',
        'S_OK',
      ],
      lacks: ['It ends soon.', 'It needs version 1.5.', 'ENDS WITH A NOTE'],
    },
    {
      question: "can't reach the mast by its name, whats the ip?",
      holds: [
        'Local IP is: 10.106.79.4.',
        'fe80::1',
        'It listens on localhost.',
        'the 10.0.0.x range',
        '10.*.*.*',
        'It listens on all interfaces.',
        'It listens on the loopback.',
        'bind(INADDR_ANY)',
      ],
      lacks: ['The public IP is shown in the portal.', 'Mast 4.0.1', 'at 10:15', 'at 10:15:30', 'std::string'],
    },
  ];
  for (const { question, holds: shown, lacks } of cases)
    it(`is held by what shows it: ${question}`, () => {
      for (const text of shown) assert.ok(holds(question, text, false), text);
      for (const text of lacks) assert.ok(!holds(question, text, false), text);
    });

  it('is money where a question asks what something costs, whatever follows', () => {
    for (const question of [
      'What does a berth cost?',
      'What do you charge for a berth?',
      'What does it cost to moor?',
      'What will a berth cost me?',
      'What does a berth cost yearly?',
      'What is the yearly fee?',
      "What's the price of a berth?",
    ])
      assert.ok(!holds(question, 'Mara does.', false), question);
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
      'What does the cost function do?',
      'What does the total cost include?',
      'What happens if the fee is late?',
      'What does the email address field hold?',
      'Which error code comes from a bad link?',
      'Which team owns the IP?',
      'What IP rating does the lamp have?',
      'Which IP camera watches the jetty?',
      'What IP version does the mast speak?',
      'What IP address format does it take?',
      'What IP do we own?',
      'Which IP was licensed to the ferry line?',
      'What HTTP code generator is used?',
      'Which exit code handler is called?',
      'Which functions return code points?',
      'Which steps return code coverage?',
    ])
      assert.ok(holds(question, 'Mara does.', false), question);
  });

  it('may be a bare figure in a program or a field, but for what is no amount', () => {
    assert.ok(holds('How many seconds does it wait?', 'const WAIT = 30', true));
    assert.ok(holds('How many seconds does it wait?', 'wait = LONGEST_WAIT', true));
    assert.ok(!holds('How many seconds does it wait?', '@lock = Mutex.new', true));
    assert.ok(holds('What percentage is sampled?', 'sample_rate: 20', true));
    assert.ok(holds('What percentage is sampled?', 'dropRatio: WORST_RATIO,', true));
    for (const other of [
      'BUFFER_LENGTH = 128 * 1_024',
      'GENERATED_FILES = 128',
      'log_level: 3',
      'separate(boats, 3)',
    ]) {
      assert.ok(!holds('What percentage is sampled?', other, true), other);
    }
    assert.ok(!holds('Which email address is used?', 'const MAIL = 30', true));
  });
});
