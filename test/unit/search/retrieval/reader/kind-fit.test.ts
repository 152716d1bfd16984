import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  askedKind,
  givesDefault,
  holdsKind,
  mayLead,
  versionedThing,
} from '../../../../../src/search/retrieval/reader/kind-fit.ts';

describe('the kind of thing that a question asks for', () => {
  it('takes the release above what changed for an answer only where a release is asked for', () => {
    const fix = { kind: 'item', text: '5.1.2 (2023-09-07)\nKilns count no more', isCode: false, covered: 0.5 } as const;
    assert.ok(mayLead({ text: 'Which release fixed that kilns were counted?' }, fix));
    assert.ok(mayLead({ text: 'Since which version are kilns counted no more?' }, fix));
    assert.ok(!mayLead({ text: 'Which Node version do kilns need?' }, fix));
  });

  it('takes no redirection of a shell for a number, and no name of a step for a version', () => {
    assert.ok(!holdsKind('number', 'if ! git reflog expire; then\n  echo >&2 "out of date"\nfi', true, 'statement'));
    assert.ok(!holdsKind('number', 'bake "${1-}" 2>/dev/null || return', true, 'statement'));
    assert.ok(holdsKind('number', 'bake --degrees 900 2>&1', true, 'statement'));
    assert.ok(!holdsKind('version', 'steps › Install latest kiln\nrun: brew install kiln', false, 'field'));
    assert.ok(holdsKind('version', 'Kilns\nAlways the latest one.', false, 'sentence'));
  });

  it('knows how long a text may be from how long something lasts', () => {
    for (const question of [
      'How long can the subject of a git commit be if I stick to our rules?',
      'How long is a line?',
    ])
      assert.equal(askedKind(question), 'number', question);
    for (const question of ['How long are keys in the cache kept?', 'How long may a comment stay open?'])
      assert.equal(askedKind(question), 'duration', question);
  });

  it('is a number, a length or a point of time by its words', () => {
    const kinds: Record<string, ReturnType<typeof askedKind>> = {
      'How many huts have a radio?': 'number',
      'Which port does the server listen on?': 'number',
      'What is the maximum size of a request?': 'number',
      'How much does the rope cost?': 'number',
      'How long is the notice period?': 'duration',
      'How often does the group meet?': 'time',
      'When was the relay repaired?': 'time',
      'The top seat in our Slack: since when have they owned it?': 'time',
      'On which day is the canteen closed?': 'time',
      'How soon after a resignation is it announced?': 'duration',
      'Which environment variable moves the cache?': 'variable',
      'Which variable sets the height of the picker?': 'variable',
      'Which variable holds the count?': undefined,
      'What flag turns the colours off?': 'flag',
      'Which address do I write to?': 'address',
      'What is the support email of the shop?': 'address',
      'What quorum does a vote need?': 'number',
      'Which Python versions are supported?': 'version',
      'What version of Node does it need?': 'version',
      'Which is the minimum version of the relay software?': 'version',
      'Since which release is the bell gone?': 'version',
      'Which release checklist do we follow?': undefined,
      'Who do I write to about noise?': 'contact',
      'Who should we report a broken lamp to?': 'contact',
      'Whom do I contact when the relay fails?': 'contact',
      'Who addresses the board?': undefined,
      'Who repaired the relay?': undefined,
      'What happens when the relay fails?': undefined,
      'When I shut a contribution, which tag should it get?': undefined,
      'When is a code freeze acceptable?': undefined,
      'When should I use the spare relay?': undefined,
    };
    for (const [question, kind] of Object.entries(kinds)) assert.equal(askedKind(question), kind, question);
  });

  it('can stand in a text that holds one, in figures or in words', () => {
    assert.ok(holdsKind('number', 'Four of the huts have one.', false));
    assert.ok(holdsKind('duration', 'By default, that term is four months.', false));
    assert.ok(holdsKind('duration', 'retryDelay: 500,', true));
    assert.ok(holdsKind('time', 'It meets every other Tuesday.', false));
    assert.ok(holdsKind('time', 'Once the tests have passed.', false));
    assert.ok(holdsKind('variable', 'Set `$CACHE_HOME` to move it.', false));
    assert.ok(holdsKind('variable', "os.environ.get('cache')", true));
    assert.ok(holdsKind('flag', 'Use `--no-color` in scripts.', false));
    assert.ok(holdsKind('address', 'Write to office@example.org first.', false));
    assert.ok(holdsKind('address', "host: '0.0.0.0',", true));
    assert.ok(holdsKind('address', 'The office is at 4 Harbour Street.', false));
  });

  it('is a version where one is written, and no length', () => {
    const versions = [
      ['requires-python = ">=3.10"', true],
      ['pipx requires 3.10 or above.', false],
      ['Node 20+ is needed.', false],
      ['Only the latest one.', false],
      ['The two most recent are kept working.', false],
      ['It was built with Node 14.', false],
    ] as const;
    for (const [text, isCode] of versions) assert.ok(holdsKind('version', text, isCode), text);
    for (const text of [
      'It takes 0.5s.',
      'On April 23 it failed.',
      'Four huts have a radio.',
      'def find(python_version: str)',
    ])
      assert.ok(!holdsKind('version', text, true), text);
  });

  it('is no member of a class that is only declared, where somebody asks how to do something', () => {
    const leads = (question: string, text: string): boolean =>
      mayLead({ text: question }, { kind: 'field', text, isCode: true, covered: 1 });
    assert.ok(!leads('How do I add a dependency?', 'class Build\ninclude_dependencies: bool'));
    assert.ok(leads('How do I add a dependency?', 'help: "Install packages into an environment"'));
    assert.ok(leads('Which type has include_dependencies?', 'class Build\ninclude_dependencies: bool'));
  });

  it('is where to turn to, rather than who may be there', () => {
    const turnedTo = ['Mail conduct@example.org.', 'Ask in #help-radio.', 'Ping @ines.', 'Ring +47 55 12 34.'];
    for (const text of turnedTo) assert.ok(holdsKind('contact', text, false), text);
    assert.ok(!holdsKind('contact', 'The shift lead will look at it.', false));
  });

  it('cannot stand in a text without one, whatever its links and footnotes count', () => {
    assert.ok(!holdsKind('number', 'See [the issue](https://example.org/12) #23265 [3].', false));
    assert.ok(!holdsKind('number', 'M5 and EM1 make them with 1Password.', false), 'a figure in a name counts nothing');
    assert.ok(holdsKind('number', 'It needs v20 or 3GB.', false));
    assert.ok(!holdsKind('number', 'Kiln {A3E2B050-B636-46C4-8563-CEE18EB6B146}', false), 'a GUID');
    assert.ok(!holdsKind('number', 'kiln/fire@v6.0.0', false), 'the version of what is used');
    assert.ok(!holdsKind('number', 'pub min: u64', true));
    assert.ok(holdsKind('number', 'min: u64 = 10', true));
    assert.ok(!holdsKind('number', 'Keepers trade shifts with one another.', false));
    assert.ok(!holdsKind('number', 'Update the version ([4faac04](https://example.org/4faac04))', false));
    assert.ok(holdsKind('number', 'Order 1200450 is the last.', false), 'a long number is no hash');
    assert.ok(!holdsKind('number', 'Chair: Ines Marlow, since 2021', false));
    assert.ok(!holdsKind('number', '"""Refuses one that is too hot."""', true));
    assert.ok(!holdsKind('number', 'def check(now) -> Alarm | None', true));
    assert.ok(holdsKind('number', '/** Two copies are kept. */', true));
    assert.ok(!holdsKind('duration', 'Assign a person to handle backports', false));
    assert.ok(!holdsKind('duration', 'The captain of version 14 leads for the release.', false));
    assert.ok(!holdsKind('duration', 'let lastError: H3Error | undefined;', true), 'a name is no length');
    assert.ok(holdsKind('duration', 'sleep(3_000)', true));
    const fails = 'if err != nil {\n\treturn 0, time.Time{}, nil, fmt.Errorf("put object %s: %w", key, err)\n}';
    for (const kind of ['duration', 'number'] as const) {
      assert.ok(!holdsKind(kind, fails, true), 'nothing is given back beside an error');
      assert.ok(!holdsKind(kind, 'return nil, 0, err', true));
      assert.ok(holdsKind(kind, 'return 30 * time.Second, nil', true));
      assert.ok(holdsKind(kind, 'return 0', true), 'alone it may be what is asked for');
    }
    assert.ok(!holdsKind('time', 'Rotate the chair', false));
    assert.ok(!holdsKind('time', 'Ten habits of 10 good teams', false), 'a number of things is no point of time');
    for (const time of ['at 17:30', 'on the 3rd', 'at 5 pm', 'in 2 weeks', 'in 2019', '2024-05-01', 'since 4.2'])
      assert.ok(holdsKind('time', `It was moved ${time}`, false), time);
    assert.ok(!holdsKind('variable', 'self._config = Config(directory=self.config_dir)', true));
    assert.ok(!holdsKind('flag', 'A well-kept list of colours', false));
    for (const kind of ['number', 'duration'] as const)
      assert.ok(!holdsKind(kind, 'until = "07:00"', true, 'field'), 'a time of day is no amount');
    assert.ok(holdsKind('time', 'until = "07:00"', true, 'field'));
    assert.ok(holdsKind('number', 'silent_after_s = 900', true, 'field'));
    assert.ok(!holdsKind('address', '**Step 1: Confirm your date of return**', false));
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

  it('is given by a parameter with a value, and by no call', () => {
    for (const text of [
      'def get(self, key, timeout=5):\n    return key',
      'async def get(\n    self,\n    timeout: float = 5,\n) -> str:',
      'export async function load(cwd: string, clearCache: boolean = false) {',
      'async load(cwd: string, clearCache = false): Promise<void> {',
      'const load = ({ depth = 3 }: Options = {}) => {',
      'const load = (depth = 3): number => depth',
      'fun get(url: String, depth: Int = 2): Result {',
      'data class Small(val size: Int = 7)',
      'public Result Get(string url, int depth = 2) {',
      'def get(url, timeout: 5, depth: 2)\n  go(url)\nend',
      'function get($url, $depth = 2) {',
    ])
      assert.ok(givesDefault(text), text);
    for (const text of [
      'connect(url, attempts=3)',
      'def get(self, key: str) -> str:',
      'if (a == b) {',
      'while ((match = find(text)) !== null) {',
      'const f = (a) => { b = 3; }',
      'function get(url: string) {\n  depth = 2;\n}',
      'return { a: 1 };',
    ])
      assert.ok(!givesDefault(text), text);
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

  it('is no figure that takes one unit for another', () => {
    const inMinutes = 'def minutes_into(at):\n  return (at - start).total_seconds() / 60';
    assert.ok(!holdsKind('number', inMinutes, true, 'signature'));
    assert.ok(holdsKind('number', 'const SIZE = 4 * 1024;', true, 'constant'));
    assert.ok(holdsKind('number', 'return waited > 5 * 60', true, 'statement'));
  });

  it('is a version by its order, where that is what is asked', () => {
    assert.equal(askedKind('oldest Java version we may run on'), 'version');
    assert.equal(askedKind('How do I pin an exact version?'), undefined);
    assert.deepEqual(versionedThing('Which printer version does it need?'), ['print']);
    assert.deepEqual(versionedThing('Which team owns the release?'), []);
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
  });

  it('is no version of something else, and in a comment says in what it is counted', () => {
    for (const isCode of [true, false]) {
      assert.ok(!holdsKind('time', 'uses: harbour/bell@v3 # v3.2.0', isCode, 'field'));
      assert.ok(!holdsKind('number', 'needs: "1.4.0-rc.1"', isCode, 'field'));
      assert.ok(holdsKind('number', 'limit: 140', isCode, 'field'));
    }
    assert.ok(!holdsKind('number', '// Added in 1.4.0.', true, 'comment'));
    assert.ok(holdsKind('time', 'RELEASED = "14.11.2023"', true, 'constant'));
    assert.ok(!holdsKind('duration', '# Counts a little over 500 berths, as all would be throttled.', true, 'comment'));
    assert.ok(holdsKind('duration', '// It rings for 30 seconds.', true, 'comment'));
    assert.ok(holdsKind('duration', '// timeout: 30 by default', true, 'comment'));
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
});
