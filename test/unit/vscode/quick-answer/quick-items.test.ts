import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/research/domain/answer.ts';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { bestLine, oneLine, plainLine } from '../../../../src/vscode/quick-answer/one-line.ts';
import { nearestRowRun, answeredRun, examplePassage } from '../../../doubles/panel-runs.ts';

const { answerItems, searchItems } = await import('../../../../src/vscode/quick-answer/quick-items.ts');

describe('rows of the quick answer', () => {
  it('are one plain line', () => {
    assert.equal(oneLine('**Ann** [1]\n> keeps $(it)'), 'Ann keeps $ (it)');
    assert.equal(oneLine('x'.repeat(300)).length, 160);
    assert.equal(bestLine('\n# Title\n\n---\nWhat it says', 'who?').text, 'What it says');
    assert.equal(bestLine('# Only title', 'who?').text, 'Only title');
  });

  it('keep names and code as they are written', () => {
    assert.equal(
      oneLine('_Set_ MAX_SCOPE_FILES, or `__init__` and `argv[1]` [2], to 2 * 3 **at most**.'),
      'Set MAX_SCOPE_FILES, or __init__ and argv[1] , to 2 * 3 at most.',
    );
    assert.equal(oneLine('#include `<map>`'), '#include <map>');
    assert.equal(plainLine('  const x = argv[1] * `${$(y)}`;'), 'const x = argv[1] * `${$ (y)}`;');
    for (const before of ['', 'a']) assert.doesNotMatch(plainLine(before + '😀'.repeat(1_000)), /\p{Cs}/u);
  });

  it('show a line of code as it stands, and one of prose without its signs', () => {
    const passage = examplePassage('notes/systems/mast-power.md', 7, 10, 'Mast Power');
    const detail = (kind: Passage['kind'], text: string): string | undefined =>
      searchItems('battery $(x)', [{ passage: { ...passage, kind, text }, score: 1, folded: [], parts: {} }])[1]
        ?.detail;
    assert.equal(detail('function', 'x = battery_pack[1] or **kwargs'), 'x = battery_pack[1] or **kwargs');
    assert.equal(detail('section', 'The **battery** pack [1]'), 'The battery pack');
    assert.equal(searchItems('battery $(x)', [])[0]?.label, '$(arrow-right) battery $ (x)');
  });

  it('say what to do about what went wrong', () => {
    const error = {
      code: 'unreachable',
      message: 'Nothing answers at 127.0.0.1:11434.',
      advice: 'Is the server running, and is its address right?',
    };
    const usage = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0, seconds: 0 };
    const [row, ...others] = answerItems('Who?', [{ type: 'run-error', runId: 'r', time: 0, error, usage }]);
    assert.deepEqual([row?.label, row?.detail, others], [`$(info) ${error.message}`, error.advice, []]);
  });

  it('show the line that holds most of the question', () => {
    assert.deepEqual(
      bestLine(
        '---\nsystem: Mast\n---\nThe pack freezes\nbelow zero the battery pack rests',
        'battery pack below zero?',
      ),
      { text: 'below zero the battery pack rests', offset: 4 },
    );
    assert.equal(bestLine('---\ntags: [battery]\n---\nWhat it says', 'battery').text, 'What it says');
    assert.deepEqual(
      bestLine('---\ntags: [battery]\n---\n\n', 'battery'),
      { text: 'tags: [battery]', offset: 1 },
      'where nothing else stands there, that is shown',
    );
    assert.deepEqual(
      bestLine('---\nx: 1\n---\n# Title\n\nother words', 'battery'),
      { text: 'other words', offset: 5 },
      'where no line has a word of the question, the place is that of the line that is shown',
    );
  });
});

describe('the rows of an answer', () => {
  const answerOf = (rest: Partial<Answer>): ResearchEvent[] =>
    answeredRun.map((event) =>
      event.type === 'answer-end' ? { ...event, answer: { ...event.answer, ...rest } } : event,
    );
  const first = (rest: Partial<Answer>) => answerItems('Who rings?', answerOf(rest))[0];
  const quoted = (text: string) => ({ lead: { kind: 'quotes' as const, text, citations: [3] } });

  it('begin with the answer, and Enter opens its line', () => {
    const row = first({ lead: { kind: 'answer', text: '**Hamish Adeyemi** [4]', citations: [4] } });
    assert.deepEqual(
      [row?.label, row?.description, row?.action],
      ['$(check) Hamish Adeyemi', 'hamish-adeyemi.md:1', 'open'],
    );
    assert.ok(row?.action === 'open' && row.line === 1 && row.passage.path === 'people/hamish-adeyemi.md');
  });

  it('begin with the unit that best answers where no answer is sure, without a guess', () => {
    const row = first({ by: 'extractive', short: 'x', ...quoted('> Claims go through **him**. [3]') });
    assert.equal(row?.label, '$(check) Claims go through him.');
    assert.equal(row.description, 'halden-cells.md:9');
    assert.ok(!JSON.stringify(answerItems('Who?', answerOf({ by: 'extractive' }))).includes('guess'));
  });

  it('show a row of a table behind its header cells, and code as it stands', () => {
    const table = '| Plan | Term \\| it |\n| --- | --- |\n| Mast | 36 months [3] |';
    assert.equal(first(quoted(table))?.label, '$(check) Plan Mast · Term | it 36 months');
    const code = '```ts\nfunction run() {\n  …\n  return `x` * 501;\n```\n\n`run.ts:3` [3]';
    assert.equal(first(quoted(code))?.label, '$(check) function run() { … return `x` * 501;');
  });

  it('say that there is no answer, and then the line that comes closest', () => {
    const rows = answerItems('Where is it claimed?', nearestRowRun);
    assert.equal(rows[0]?.label, '$(circle-slash) I couldn’t find an answer in the part that was searched.');
    assert.match(rows[1]?.label ?? '', /^\$\(arrow-small-right\) Part Battery pack/);
    assert.ok(rows.some(({ label }) => label === 'Closest passages'));
  });
});
