import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  excerpt,
  howLine,
  locationOf,
  newSummary,
  noteEvent,
  printAnswer,
  progressOf,
} from '../../../src/cli/print-answer.ts';
import { forTerminal, styleFor } from '../../../src/cli/terminal.ts';
import type { Answer } from '../../../src/research/domain/answer.ts';
import type { UnstampedEvent } from '../../../src/research/domain/research-event.ts';
import type { Hop } from '../../../src/search/domain/passage-chain.ts';
import type { Passage } from '../../../src/search/domain/passage.ts';
import { notePassage } from '../../doubles/scripted-retriever.ts';

const passage = (path: string, startLine: number, text: string, page?: number): Passage =>
  notePassage(path, 'Title', text, { path, startLine, endLine: startLine, page });
const hop = (path: string): Hop => ({
  passage: passage(path, 3, 'one'),
  score: 1,
  why: { kind: 'question', because: { code: 'found' }, terms: [] },
});
const plain = styleFor({ isTTY: false });

const answer = (more: Partial<Answer> = {}): Answer => ({
  text: 'Narvik [1]',
  short: 'Narvik',
  abstained: false,
  statements: [],
  citations: [{ number: 1, passageId: 'a.md', startLine: 4, endLine: 4 }],
  passages: [passage('a.md', 3, 'one')],
  chain: { hops: [hop('a.md'), hop('b.md')], score: 0, completeness: 0 },
  subAnswers: [],
  unsupportedCount: 0,
  conflicts: [],
  by: 'model',
  coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
  ...more,
});

describe('an answer in the terminal', () => {
  it('stands above its sources, each with its reason, and hops that are not cited follow', () => {
    assert.equal(
      printAnswer(answer(), plain),
      [
        'Narvik [1]',
        '',
        'Sources',
        '  [1]  a.md:4  Title',
        '       found for the question',
        '       b.md:3  Title',
        '       found for the question',
      ].join('\n'),
    );
  });

  it('names what is still open and what the sources do not confirm', () => {
    const text = printAnswer(
      answer({
        missing: ['When did she move?'],
        statements: [
          { text: 'She moved in 1990.', citations: [1], support: 'unsupported', problem: '1990 is not there' },
          { text: 'Narvik.', citations: [1], support: 'supported' },
        ],
        coverage: { files: 3, passages: 9, embedded: 4, indexing: true },
      }),
      plain,
    );
    assert.match(text, /\n\nStill open\n {2}\? When did she move\?\n\n/);
    assert.match(text, /Not confirmed by the cited lines\n {2}! She moved in 1990\. \(1990 is not there\)\n\n/);
    assert.match(text, /Indexing continues: 3 files read, 4 of 9 passages searchable by meaning\.$/);
  });

  it('shows the closest passages below a refusal, of which only the refusal warns', () => {
    const refusal = answer({ text: 'I couldn’t find an answer.\n\n> Nearly this. [1]', abstained: true });
    const text = printAnswer(refusal, { ...plain, warn: (part: string) => plain.warn(`<${part}>`) });
    assert.match(
      text,
      /^<I couldn’t find an answer\.>\n\n> Nearly this\. \[1\]\n\nClosest passages\n {2}\[1\] {2}a\.md:4/,
    );
  });

  it('ends with one line on how it was made', () => {
    const summary = newSummary();
    const usage = { calls: 3, inputTokens: 4000, outputTokens: 210, estimated: false, retrievals: 2, seconds: 2.06 };
    assert.equal(howLine(summary), '0 searches');
    const events: UnstampedEvent[] = [
      {
        type: 'question-classified',
        classification: { type: 'inference', probabilities: { inference: 1 }, classifier: 'embedded' },
      },
      {
        type: 'plan-proposed',
        plan: {
          steps: [
            { operator: 'sub-step', purpose: '' },
            { operator: 'single-step', purpose: '' },
          ],
          origin: 'fast',
          reason: '',
        },
      },
      { type: 'passages-retrieved', stepId: 's', query: 'q', hits: [], milliseconds: 1 },
      { type: 'tool-used', stepId: 's', tool: 'read', asked: 'a.md:1-9', places: [], total: 1, milliseconds: 1 },
      { type: 'run-end', usage: { ...usage, cachedTokens: 900 } },
    ];
    const stamped = events.map((event) => ({ ...event, runId: 'r', time: 0 }));
    for (const event of stamped) noteEvent(summary, event);
    assert.equal(
      howLine(summary),
      'inference; planned: sub-step → single-step; 1 search, 1 look; 3 model calls, 4,210 tokens (900 cached); 2.1 s',
    );
    assert.deepEqual(
      stamped.map(progressOf).filter((told) => told !== undefined),
      ['Found 0 passages for “q”', 'read: a.md:1-9'],
    );
    noteEvent(summary, { type: 'run-end', usage: { ...usage, calls: 0 }, runId: 'r', time: 0 });
    assert.match(howLine(summary), /no language model; 2\.1 s$/);
  });

  it('writes control characters of names out, and drops those of texts', () => {
    assert.equal(locationOf(passage('a\u001b[31m.md', 1, 'x')), 'a\\u{1b}[31m.md:1');
    assert.equal(locationOf(passage('a.pdf', 1, 'x', 3)), 'a.pdf, page 3');
    const shown = forTerminal(printAnswer(answer({ text: 'evil\u001b]0;owned\u0007' }), styleFor({ isTTY: true }, {})));
    assert.doesNotMatch(shown, /\u001b\]|\u0007/);
    assert.match(shown, /\u001b\[1mSources/);
  });

  it('cuts excerpts to the width, without blank lines', () => {
    assert.deepEqual(excerpt('one\n\n  two\nthree', 2, 10), ['one', '  two']);
    assert.deepEqual(excerpt('a long line', 1, 5), ['a lo…']);
  });
});
