import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { excerpt, locationOf, printAnswer, printEvent, printHops } from '../../../src/cli/print-trail.ts';
import type { ResearchEvent, UnstampedEvent } from '../../../src/research/domain/research-event.ts';
import { planOfIndex } from '../../../src/research/plan/plan-steps.ts';
import { forTerminal, styleFor } from '../../../src/cli/terminal.ts';
import type { Because, Hop } from '../../../src/search/domain/passage-chain.ts';
import type { Passage } from '../../../src/search/domain/passage.ts';
import type { QuestionClassification } from '../../../src/search/domain/question.ts';
import { trailFinds } from '../../../src/research/answer/trail.ts';
import { supplierChain } from '../../doubles/panel-runs.ts';
import { notePassage } from '../../doubles/scripted-retriever.ts';

const passage = (path: string, startLine: number, text: string, page?: number): Passage =>
  notePassage(path, 'Title', text, { path, startLine, endLine: startLine, page });
const hop = (path: string, because: Because): Hop => ({
  passage: passage(path, 3, 'one\n\ntwo\nthree\nfour'),
  score: 1,
  why: { kind: 'question', because, terms: [] },
});
const plain = styleFor({ isTTY: false });

describe('the trail in the terminal', () => {
  it('draws hops down a line, with three lines of each passage', () => {
    assert.deepEqual(
      printHops(
        [hop('a.md', { code: 'found' }), hop('b.md', { code: 'links', who: 'Title', what: 'b', line: 5 })],
        plain,
        80,
      ),
      [
        '  ● a.md:3  Title',
        '  │   found for the question',
        '  │   one',
        '  │   two',
        '  │   three',
        '  │',
        '  ● b.md:3  Title',
        '      “Title” links to “b” on line 5',
        '      one',
        '      two',
        '      three',
        '',
      ],
    );
  });

  it('says of each hop what it found', () => {
    const { hops } = supplierChain;
    const lines = printHops(hops, plain, 80, trailFinds(hops, []));
    assert.deepEqual(
      lines.filter((line) => line.includes('→')),
      ['Mast Power', 'Halden Cells', 'Hamish Adeyemi'].map((found) => `  │   → ${found}`),
    );
  });

  it('stands below a refusal and the line that comes nearest, of which only the refusal warns', () => {
    const text = printAnswer(
      {
        text: 'No line answers.\n\n> Nearly this. [1]',
        short: '',
        abstained: true,
        refusal: 'no-line-answers',
        statements: [],
        citations: [{ number: 1, passageId: 'a.md', startLine: 4, endLine: 4 }],
        passages: [passage('a.md', 3, 'one')],
        chain: { hops: [hop('a.md', { code: 'found' })], score: 0, completeness: 0 },
        subAnswers: [],
        unsupportedCount: 0,
        conflicts: [],
        by: 'extractive',
        coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
      },
      'Which?',
      { ...plain, warn: (part) => plain.warn(`<${part}>`) },
      80,
    );
    assert.match(
      text,
      /^<No line answers\.>\n\n> Nearly this\. \[1\]\n\n {2}\[1\] a\.md:4\n\nNearest passages\n {2}● a\.md:3/,
    );
    assert.doesNotMatch(text, /language model/);
  });

  it('has above it what each step found, and where', () => {
    const step = { stepId: 's', passageIds: ['a.md'], found: true };
    const text = printAnswer(
      {
        text: 'Narvik [1]',
        short: 'Narvik',
        abstained: false,
        statements: [],
        citations: [{ number: 1, passageId: 'a.md', startLine: 4, endLine: 4 }],
        passages: [passage('a.md', 3, 'one')],
        chain: { hops: [hop('a.md', { code: 'found' })], score: 0, completeness: 0 },
        subAnswers: [
          { ...step, question: 'Who kept the hut?', answer: 'Mara Lind' },
          { ...step, question: 'Where was the keeper born?', answer: 'Narvik' },
          { ...step, question: 'Who else?', answer: '', found: false },
        ],
        unsupportedCount: 0,
        conflicts: [],
        by: 'model',
        coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
      },
      'Where was the keeper born?',
      plain,
      80,
    );
    assert.match(text, /a\.md:4\n\nFound on the way\n {2}Who kept the hut\? → Mara Lind {2}a\.md:4\n\nTrail\n/);
  });

  it('says of a type how sure that is only where something tells it, and nothing where nobody asked', () => {
    const told = (
      type: 'lookup' | 'null',
      classifier: 'embedded' | 'examples' | 'fixed',
      probabilities: QuestionClassification['probabilities'] = { [type]: 0.8 },
    ): string | undefined =>
      printEvent(
        {
          type: 'question-classified',
          classification: { type, probabilities, classifier },
          runId: 'r',
          time: 0,
        },
        plain,
      );
    assert.equal(told('lookup', 'embedded'), 'Type: lookup, 80 % (embedded): one fact that stands in one place');
    assert.equal(told('lookup', 'examples'), 'Type: lookup (examples): one fact that stands in one place');
    assert.equal(told('lookup', 'fixed'), undefined);
    assert.equal(
      told('lookup', 'embedded', { lookup: 0.55, inference: 0.44 }),
      'Type: lookup, 55 %, or inference, 44 % (embedded): ' +
        'one fact that stands in one place, or a step lies between question and answer',
    );
    assert.equal(told('null', 'fixed'), 'Type: null (fixed): no line that was read answers it');
  });

  it('says what type a question is and what that means, and which plan, whose, why and at what cost', () => {
    const told = (event: UnstampedEvent): string | undefined =>
      printEvent({ ...event, runId: 'r', time: 0 } as ResearchEvent, plain);
    assert.equal(
      told({
        type: 'question-classified',
        classification: { type: 'lookup', probabilities: { lookup: 0.915 }, classifier: 'embedded' },
        usual: ['single-step'],
      }),
      'Type: lookup, 92 % (embedded): one fact that stands in one place; usually planned as single-step',
    );
    assert.equal(
      told({
        type: 'question-classified',
        classification: { type: 'null', probabilities: { null: 1 }, classifier: 'embedded' },
      }),
      'Type: null (embedded): no line that was read answers it',
    );
    const plan = { origin: 'debate-hard' as const, reason: 'Two facts hang together.' };
    const steps = [
      { operator: 'sub-step' as const, purpose: '' },
      { operator: 'chain-of-thought' as const, purpose: '' },
    ];
    assert.equal(
      told({ type: 'plan-proposed', plan: { ...plan, steps, cost: { calls: { least: 4, most: 7 }, tokens: 2530 } } }),
      'Plan: sub-step → chain-of-thought (the debate agreed; 4 to 7 calls, about 2,530 tokens): Two facts hang together.',
    );
    assert.equal(
      told({ type: 'plan-proposed', plan: planOfIndex('It asks what links two files.') }),
      'Plan: extractive (the index lists it; no model calls): It asks what links two files.',
    );
    assert.equal(
      told({ type: 'plan-proposed', plan: { ...plan, steps, vote: true } }),
      'Plan: sub-step + chain-of-thought, a vote (the debate agreed): Two facts hang together.',
    );
    assert.equal(
      told({
        type: 'plan-proposed',
        plan: {
          steps: [{ operator: 'extractive', purpose: '' }],
          origin: 'no-model',
          reason: 'No language model is chosen: the answer is made of quotes.',
          cost: { calls: { least: 0, most: 0 }, tokens: 0 },
        },
      }),
      'Plan: extractive (the only way without a language model; no model calls): No language model is chosen: the answer is made of quotes.',
    );
    assert.equal(
      told({
        type: 'debate-turn',
        round: 2,
        role: 'slow',
        text: 'It holds.',
        plan: ['sub-step'],
        inputTokens: 1,
        outputTokens: 1,
      }),
      '  debate, round 2, slow (sub-step): It holds.',
    );
  });

  it('names the page of a PDF instead of a line', () => {
    assert.equal(locationOf(passage('a.pdf', 40, '', 7)), 'a.pdf, page 7');
  });

  it('cuts long lines to the width', () => {
    assert.deepEqual(excerpt('abcdefgh', 3, 5), ['abcd…']);
  });

  it('paints only on a terminal that wants it', () => {
    assert.equal(plain.bold('x'), 'x');
    assert.equal(forTerminal(styleFor({ isTTY: true }, {}).bold('x')), '\u001B[1mx\u001B[22m');
    assert.equal(
      forTerminal(
        styleFor({ isTTY: true }, {}).bold('a\u001B[31mb\u001B]0;owned\u0007c\u009B2Jd\u202Ee\u0008\rf\tg\nh'),
      ),
      '\u001B[1mabcdef\tg\nh\u001B[22m',
    );
    assert.equal(forTerminal('a\u001B]8;;http://x\u001B\\b\u001B]8;;\u001B\\c\u001Bd'), 'abcd');
    assert.equal(styleFor({ isTTY: true }, { NO_COLOR: '1' }).bold('x'), 'x');
  });
});
