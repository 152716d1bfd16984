import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { givesDefault, holdsKind } from '../../../../../src/search/retrieval/reader/kind-fit.ts';

describe('the kind of thing that an answer must hold', () => {
  it('takes no redirection of a shell for a number, and no name of a step for a version', () => {
    assert.ok(!holdsKind('number', 'if ! git reflog expire; then\n  echo >&2 "out of date"\nfi', true, 'statement'));
    assert.ok(!holdsKind('number', 'bake "${1-}" 2>/dev/null || return', true, 'statement'));
    assert.ok(holdsKind('number', 'bake --degrees 900 2>&1', true, 'statement'));
    assert.ok(!holdsKind('version', 'steps › Install latest kiln\nrun: brew install kiln', false, 'field'));
    assert.ok(holdsKind('version', 'Kilns\nAlways the latest one.', false, 'sentence'));
  });

  it('can stand in a text that holds one, in figures or in words', () => {
    assert.ok(holdsKind('number', 'Four of the huts have one.', false));
    assert.ok(holdsKind('duration', 'By default, that term is four months.', false));
    assert.ok(holdsKind('duration', 'retryDelay: 500,', true));
    assert.ok(holdsKind('time', 'It meets every other Tuesday.', false));
    assert.ok(holdsKind('time', 'Once the tests have passed.', false));
    assert.ok(holdsKind('variable', 'Set `$CACHE_HOME` to move it.', false));
    assert.ok(holdsKind('variable', 'Options may stand in the KILNOPT environment variable.', false));
    assert.ok(!holdsKind('variable', 'Options may stand in an environment variable.', false));
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

  it('is no figure that takes one unit for another', () => {
    const inMinutes = 'def minutes_into(at):\n  return (at - start).total_seconds() / 60';
    assert.ok(!holdsKind('number', inMinutes, true, 'signature'));
    assert.ok(holdsKind('number', 'const SIZE = 4 * 1024;', true, 'constant'));
    assert.ok(holdsKind('number', 'return waited > 5 * 60', true, 'statement'));
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

  it('is a month, and no permission', () => {
    for (const text of ['Members may vote.', 'May I vote?', 'The guards march on.', 'Of 12 huts 3 may open.'])
      assert.ok(!holdsKind('time', text, false), text);
    for (const text of ['The hut opens in May.', 'March is too early.', 'Up to the 3rd of may.', 'It opens on may 3.'])
      assert.ok(holdsKind('time', text, false), text);
  });

  it('is any number in words', () => {
    for (const number of ['thirteen', 'fourteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'seventy', 'eighty'])
      assert.ok(holdsKind('duration', `The notice period is ${number} days.`, false), number);
  });

  it('is a version, and not the number of a step or a table', () => {
    for (const text of ['See Step 3.', 'Table 4 lists the huts.', 'Steps 2 to 4', 'In Week 8 nobody is there.'])
      assert.ok(!holdsKind('version', text, false), text);
    assert.ok(holdsKind('version', 'See Step 3, which needs Node 20.', false));
  });
});
