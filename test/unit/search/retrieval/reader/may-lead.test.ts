import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mayLead } from '../../../../../src/search/retrieval/reader/may-lead.ts';

describe('what may stand in the answer’s place', () => {
  it('takes the release above what changed for an answer only where a release is asked for', () => {
    const fix = { kind: 'item', text: '5.1.2 (2023-09-07)\nKilns count no more', isCode: false, covered: 0.5 } as const;
    assert.ok(mayLead({ text: 'Which release fixed that kilns were counted?' }, fix));
    assert.ok(mayLead({ text: 'Since which version are kilns counted no more?' }, fix));
    assert.ok(!mayLead({ text: 'Which Node version do kilns need?' }, fix));
  });

  it('is no member of a class that is only declared, where somebody asks how to do something', () => {
    const leads = (question: string, text: string): boolean =>
      mayLead({ text: question }, { kind: 'field', text, isCode: true, covered: 1 });
    assert.ok(!leads('How do I add a dependency?', 'class Build\ninclude_dependencies: bool'));
    assert.ok(leads('How do I add a dependency?', 'help: "Install packages into an environment"'));
    assert.ok(leads('Which type has include_dependencies?', 'class Build\ninclude_dependencies: bool'));
  });

  it('is held by the row of a table that shares a word with the question, and by no import', () => {
    const question = { text: 'Who pays the premium for a partner?' };
    assert.ok(mayLead(question, { kind: 'row', text: '| Partner | the firm |', isCode: false, covered: 0.4 }));
    assert.ok(!mayLead(question, { kind: 'row', text: '| Child | the parents |', isCode: false, covered: 0 }));
    const line = { kind: 'import' as const, text: "import { pay } from './pay';", isCode: true, covered: 0.5 };
    assert.ok(!mayLead(question, line));
    assert.ok(mayLead({ text: 'Which module does pay come from, and who imports it?' }, line));
    assert.ok(mayLead({ text: 'Which library do we use to pay?' }, line));
    assert.ok(mayLead({ text: 'Which package uses the cache?' }, line));
    assert.ok(!mayLead({ text: 'Which handlers use the till?' }, line), 'no handler is imported there');
  });

  it('is no property of a stylesheet, unless somebody asks how a thing looks', () => {
    const leads = (question: string, own: string): boolean =>
      mayLead({ text: question }, { kind: 'field', text: `.dropdown\n${own}`, isCode: true, covered: 1 });
    for (const own of [
      'border-radius: 8px;',
      'margin-left: 1rem;',
      '--gap: 2px;',
      'padding: 0.5rem 0.4rem;;',
      'color: #fff;',
    ]) {
      assert.ok(!leads('Which entry does the dropdown show as picked?', own), own);
      assert.ok(leads('Which styles does the dropdown have?', own), own);
    }
    for (const own of [
      'width: number;',
      'content: string[];',
      'position: Point;',
      'order: Map<string, Berth>;',
      'max: 5,',
    ])
      assert.ok(leads('Which entry does the dropdown show as picked?', own), own);
  });

  it('stands behind a link, and not in it, unless a thing that has a page may be asked for', () => {
    const link = {
      kind: 'item' as const,
      text: 'Perks\n- [Taking leave](perks/leave.md)',
      isCode: false,
      covered: 0.5,
    };
    assert.ok(!mayLead({ text: 'What happens to leave that I do not take?' }, link));
    assert.ok(mayLead({ text: 'Where do I read about leave?' }, link));
    assert.ok(mayLead({ text: 'Which perks have to do with leave?' }, link));
    assert.ok(mayLead({ text: 'What happens to leave?' }, { ...link, text: '- [Leave](leave.md): it is paid out.' }));
  });

  it('stands below words that announce it, unless they hold the kind that is asked for', () => {
    const line = { kind: 'sentence' as const, text: 'You can combine several stops:', isCode: false, covered: 0.5 };
    assert.ok(!mayLead({ text: 'What is the usual stop?' }, line));
    assert.ok(mayLead({ text: 'Who stepped down?' }, { ...line, text: 'Mara stepped down :cry:' }));
    assert.ok(mayLead({ text: 'On which day do we meet?' }, { ...line, text: 'We meet on *Mondays*, where we:' }));
  });

  it('stands in the words of a text, and in its code only where one asks how', () => {
    const code = { kind: 'statement' as const, text: 'raise TooHot("fail")', isCode: false, covered: 0.5 };
    assert.ok(!mayLead({ text: 'Which error is raised when all fail?' }, code));
    assert.ok(mayLead({ text: 'How do I raise an error?' }, code));
    assert.ok(mayLead({ text: 'Which command raises an error?' }, code));
    assert.ok(mayLead({ text: 'Which error is raised when all fail?' }, { ...code, isCode: true }));
  });

  it('is a value where a default is asked for in a program', () => {
    const question = { text: 'What is the default maximum?' };
    const field = { kind: 'field' as const, isCode: true, covered: 0.5 };
    assert.ok(mayLead(question, { ...field, text: 'class wait\nmaximum: 60' }));
    assert.ok(!mayLead(question, { ...field, text: 'fixes › [0]\nA maximum below 2 underflows to zero.' }));
  });

  it('is counted in the unit of time that is asked for, in a program', () => {
    const question = { text: 'After how many seconds is a steward called again?' };
    const constant = { kind: 'constant', isCode: true, covered: 0.5 } as const;
    assert.ok(mayLead(question, { ...constant, text: 'const REPEAT_SECONDS = 240' }));
    assert.ok(!mayLead(question, { ...constant, text: 'const PAGES_BEFORE_SECOND_STEWARD = 3' }));
    assert.ok(mayLead({ text: 'How many stewards are there?' }, { ...constant, text: 'const STEWARDS = 2' }));
    const setting = { kind: 'field', isCode: false, covered: 0.5 } as const;
    assert.ok(!mayLead(question, { ...setting, text: 'alarms\nrepeat_minutes = 20' }), 'counted in minutes');
    assert.ok(mayLead(question, { ...setting, text: 'silent_after_s = 900' }));
    assert.ok(mayLead({ text: 'How many weeks of notice?' }, { ...setting, text: '**Notice:** 3 months' }));
  });

  it('is a figure of a field, whatever it is counted in by the question', () => {
    const field = { kind: 'field' as const, text: 'backups › retention: 14', isCode: false, covered: 0.5 };
    assert.ok(mayLead({ text: 'How many days are backups kept?' }, field));
    assert.ok(!mayLead({ text: 'How many days are backups kept?' }, { ...field, kind: 'sentence' }));
  });

  it('is somebody by one word of a name, where an entry begins with it', () => {
    const entry = { kind: 'item' as const, text: 'Ferry crew:\n- Joren, since 2019', isCode: false, covered: 0.5 };
    assert.ok(mayLead({ text: 'Who runs the ferry?' }, entry));
    assert.ok(!mayLead({ text: 'Besides Joren, who runs the ferry?' }, entry));
    assert.ok(!mayLead({ text: 'Who runs the ferry?' }, { ...entry, text: 'Ferry crew:\n- rows at dawn' }));
    const login = { kind: 'sentence', isCode: false, covered: 0.5, text: 'Log in as an administrator.' } as const;
    for (const asked of ["who's an admin of our ferry", 'whos the admin here?', 'Who are the admins?'])
      assert.ok(!mayLead({ text: asked }, login), asked);
    assert.ok(mayLead({ text: "who's an admin of our ferry" }, { ...login, text: 'Joren Lind does that.' }));
  });

  it('is no share, but one of the things that are counted', () => {
    const unit = { kind: 'sentence', isCode: false, covered: 0.5 } as const;
    const fits = (question: string, text: string): boolean => mayLead({ text: question }, { ...unit, text });
    const berths = 'How many berths are worth a second pier?';
    assert.ok(!fits(berths, 'A pier saves 50% of the rope.'));
    assert.ok(!fits(berths, 'A pier saves 50-60 % of the rope, or 5 to 10 percent.'));
    assert.ok(fits(berths, 'From 40 berths on a pier saves 50% of the rope.'));
    assert.ok(fits('How many votes are needed to pass a motion?', 'A motion passes with 60 % of the votes.'));
    assert.ok(fits('How many percent does a pier save?', 'A pier saves 50%.'));
  });

  it('is no date of its page, where none is asked for', () => {
    const fits = (question: string, text: string): boolean =>
      mayLead({ text: question }, { kind: 'field', isCode: false, covered: 0.5, text });
    for (const date of [
      'Date: 2023-11-14',
      'last_reviewed_on: 3 May 2024',
      '**Start date**: "2025-05-16"',
      'date: May 4, 2023',
    ]) {
      assert.ok(!fits('Which pier do we promise the guests?', date), date);
      assert.ok(fits('When was the pier reviewed?', date), date);
    }
    assert.ok(fits('What is the deadline for proposals?', 'Deadline: 2025-05-16'));
    assert.ok(fits('Is the pier closed?', 'Closed 3 May 2024'));
  });

  it('stands in no question', () => {
    const asked = { kind: 'item' as const, text: '- [ ] Does it fit in your head?', isCode: false, covered: 0.5 };
    assert.ok(!mayLead({ text: 'Who is the head of finance?' }, asked));
    assert.ok(mayLead({ text: 'Which questions do I ask before I add a library?' }, asked));
    assert.ok(mayLead({ text: 'What does it take?' }, { ...asked, text: 'limit?: number' }));
    assert.ok(mayLead({ text: 'Who is the head?' }, { ...asked, text: 'const head = all ?', isCode: true }));
  });

  it('stands in the rule, and in its example only where that is asked for', () => {
    const text = 'For instance, who has worked here for 4 years waits for 1 more year.';
    const example = { kind: 'sentence' as const, text, isCode: false, covered: 0.5 };
    assert.ok(!mayLead({ text: 'How long must I work here before a sabbatical?' }, example));
    assert.ok(mayLead({ text: 'For instance, how long must I wait after 4 years?' }, example));
    assert.ok(mayLead({ text: 'How long must I work?' }, { ...example, text: 'You wait for 5 years, for instance.' }));
  });

  it('is a condition where one asks when to do something, and no time is set', () => {
    const rule = { kind: 'sentence', isCode: false, covered: 0.5 } as const;
    const board = { ...rule, text: 'If a change costs more than the budget allows, ask the board.' };
    for (const question of [
      'When must I ask the board?',
      'When should I open an issue?',
      'When does a run fail?',
      'And when may a keeper swap?',
    ])
      assert.ok(mayLead({ text: question }, board), question);
    assert.ok(mayLead({ text: 'When must I ask?' }, { ...rule, text: 'Ask nobody unless the roof leaks.' }));
    assert.ok(!mayLead({ text: 'When was the board asked?' }, board), 'of what has been, a time is asked for');
    assert.ok(!mayLead({ text: 'When must I ask?' }, { ...rule, text: 'Ask even if it rains.' }));
    const key = { ...rule, kind: 'field', text: 'if: success()' } as const;
    assert.ok(!mayLead({ text: 'When does the job run?' }, key), 'the key of a setting');
  });

  it('is a bare figure in a program whose name speaks of a length of time, or any form of the unit', () => {
    const leads = (unit: string, text: string): boolean =>
      mayLead(
        { text: `After how many ${unit} does a request time out?` },
        { kind: 'constant', text, isCode: true, covered: 0.5 },
      );
    for (const text of [
      'TIMEOUT = 600',
      'const timeout = 30 * time.Second',
      'let limit = 30 * time.Second',
      'Duration::from_secs(30)',
      'limit = 5 * SECOND',
      'limitSec: 30',
      'max_age = 600',
    ])
      assert.ok(leads('seconds', text), text);
    for (const text of ['const limit = 5 * time.Minute', 'poll_min = 5', 'pollMins = 5', 'limit: "5min"'])
      assert.ok(leads('minutes', text), text);
    assert.ok(leads('hours', 'limit_hrs = 2'));
    assert.ok(leads('milliseconds', 'limitMs = 500'));
    for (const text of ['const RETRIES = 3', 'const TIMEOUT_MINUTES = 5', 'the_second_try = 2'])
      assert.ok(!leads('seconds', text), text);
    for (const text of ['MIN_BERTHS = 3', 'berths = Math.min(3, all)', 'REPEAT_SECONDS = 240'])
      assert.ok(!leads('minutes', text), text);
  });

  it('may be a default in any form, where a program speaks of one that is asked for', () => {
    const line = { kind: 'import', isCode: true, covered: 0.5 } as const;
    const question = { text: 'What is the default theme?' };
    assert.ok(mayLead(question, { ...line, text: "import theme from './default-theme';" }));
    assert.ok(!mayLead(question, { ...line, text: "import theme from './theme';" }));
  });
});
