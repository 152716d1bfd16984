import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'mocha';
import { planActions } from '../../../src/learning/strategy/plan-actions.ts';
import { describeChoice } from '../../../src/learning/strategy/strategy-report.ts';
import { planProblemInWords } from '../../../src/research/domain/run-notices.ts';
import { refusalOf } from '../../../src/research/answer/abstained-answer.ts';
import { defaultResearchOptions } from '../../../src/research/context/research-options.ts';
import type { OperatorName } from '../../../src/research/domain/plan.ts';
import type { ResearchEvent } from '../../../src/research/domain/research-event.ts';
import { planProblem } from '../../../src/research/plan/plan-steps.ts';
import { defaultStrategy } from '../../../src/research/run/strategy-choice.ts';
import { inEnglish } from '../../../src/search/domain/notices.ts';
import type { PassageFilter } from '../../../src/search/domain/passage-chain.ts';
import { noticeInWords, sayings, translateSaid } from '../../../src/vscode/said-in-runs.ts';
import { englishOf } from '../../../src/vscode/sayings.ts';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

const loud = (message: string): string => message.toUpperCase();

describe('translateSaid', () => {
  it('translates what runs say, with its values, sentence by sentence', () => {
    assert.equal(
      translateSaid('Only notes/a.md was looked at. The model does not know.', loud),
      'ONLY notes/a.md WAS LOOKED AT. THE MODEL DOES NOT KNOW.',
    );
    assert.equal(
      translateSaid('3 of 4 statements hold up against their passages.', loud),
      '3 OF 4 STATEMENTS HOLD UP AGAINST THEIR PASSAGES.',
    );
  });

  it('translates whatever a refusal says of what was looked at', () => {
    for (const [coverage, scope, absent] of [
      [{ files: 40, passages: 200, embedded: 8, indexing: true }, undefined, ['CSRF']],
      [{ files: 40, passages: 200, embedded: 8, indexing: false }, { paths: ['docs/'] }, []],
      [{ files: 40, passages: 200, embedded: 200, indexing: true }, { kinds: ['code'] }, ['CSRF', 'Fly']],
      [{ files: 0, passages: 0, embedded: 0, indexing: true }, { paths: ['a.md', 'b.md'] }, []],
    ] as const) {
      const { reason = '' } = refusalOf(true, coverage, scope as PassageFilter | undefined, absent);
      const told = translateSaid(reason, (message) => message.replace(/[a-z]/gi, ''));
      assert.doesNotMatch(told.replace(/CSRF(?: or Fly)?|docs\//g, ''), /[a-z]/i, reason);
    }
  });

  it('leaves alone what a model says', () => {
    const said = 'The supplier is named. It follows, nearly.';
    assert.equal(translateSaid(said, loud), said);
    assert.equal(translateSaid('', loud), '');
  });

  it('knows whatever the recorded runs say of themselves', () => {
    const folder = 'test/fixtures/recordings';
    const lines = readdirSync(folder).flatMap((name) => readRepository(`${folder}/${name}`).trim().split('\n'));
    const said = lines.flatMap((line) => {
      const event = JSON.parse(line) as Partial<ResearchEvent>;
      if (event.type === 'critique-ready' && event.verdict?.by === 'evidence') return [event.verdict.reason];
      return event.type === 'answer-end' ? [event.answer?.abstainReason ?? '', event.answer?.doubt ?? ''] : [];
    });
    assert.ok(new Set(said).size > 12, `${new Set(said).size} texts`);
    const unknown = [...new Set(said)].filter((text) => translateSaid(text, () => '').trim() !== '');
    assert.deepEqual(unknown, []);
  });

  it('leaves no English word in why a plan was chosen, whatever the type and the plan', () => {
    const costing = (cost: number) => ({ action: 0, expected: { quality: 0.5, cost }, width: 0 });
    for (const type of ['inference', 'comparison', 'temporal', 'lookup', 'overview', 'null'] as const) {
      const classification = { type, probabilities: {}, classifier: 'fixed' } as const;
      for (const said of [
        ...planActions().flatMap((plan) => [
          describeChoice(type, plan, costing(0.2), undefined),
          describeChoice(type, plan, costing(0.2), costing(0.6)),
        ]),
        defaultStrategy(classification, defaultResearchOptions).reason,
        `The usual plan for this type of question (${type}).`,
      ])
        assert.doesNotMatch(translateSaid(said, loud), /[a-z]/, said);
    }
    assert.equal(
      translateSaid('Looks like a lookup: one retrieval, seen by step-by-step retrieval.', loud),
      'LOOKS LIKE A LOOKUP: one retrieval, seen by step-by-step retrieval.',
      'a graph that a person set is in no list',
    );
  });

  it('says what is wrong with a plan, and what became of it', () => {
    const allowed = defaultResearchOptions.operators;
    const plans: OperatorName[][] = [
      ['single-step', 'single-step'],
      ['chain-of-thought'],
      ['chain-of-thought', 'single-step'],
    ];
    for (const plan of plans) {
      const problem = planProblem(plan, allowed) ?? assert.fail(plan.join());
      const said = translateSaid(`The proposed plan made no sense: ${planProblemInWords(problem)}`, loud);
      assert.doesNotMatch(said.replaceAll('chain-of-thought', ''), /[a-z]/, said);
    }
    const replaced = 'The model proposed no usable plan.';
    assert.equal(translateSaid(replaced, loud), replaced.toUpperCase());
  });

  it('knows the words as they stand in the code', () => {
    const files = filesBelow('src').filter((name) => name.endsWith('.ts') && !name.endsWith('said-in-runs.ts'));
    const inOnePiece = (text: string): string => text.replace(/(['"`]) \+\n\s*\1/g, '');
    const source = files.map(readRepository).map(inOnePiece).join('\n');
    for (const saying of sayings.map(englishOf))
      for (const piece of saying.split(/\{\d\}/))
        assert.ok(source.includes(piece.trim()), `“${piece}” of “${saying}” is said nowhere any more`);
  });
});

describe('noticeInWords', () => {
  it('translates what an error or a critique said, too, and leaves alone what is not known', () => {
    const shouted = (message: string, ...values: (string | number)[]) => inEnglish(message.toUpperCase(), ...values);
    const failed = (said: string): string => noticeInWords({ code: 'model-failed', details: { said } }, shouted);
    assert.equal(
      failed('Nothing answers at 10.0.0.1:8080.'),
      'THE LANGUAGE MODEL FAILED: NOTHING ANSWERS AT 10.0.0.1:8080. THE ANSWER IS MADE OF WHAT WAS FOUND WITHOUT IT.',
    );
    assert.match(failed('Out of memory.'), /FAILED: Out of memory\. THE ANSWER/);
    assert.equal(
      noticeInWords(
        { code: 'answer-doubted', details: { irrelevant: false, reason: 'Its passages were found for it.' } },
        shouted,
      ),
      'A LAST LOOK AT THE ANSWER FOUND IT UNSUPPORTED: ITS PASSAGES WERE FOUND FOR IT.',
    );
    assert.equal(
      noticeInWords(
        { code: 'budget-exhausted', details: { said: 'This run has used its budget of 5 model calls.' } },
        shouted,
      ),
      'THIS RUN HAS USED ITS BUDGET OF 5 MODEL CALLS. THE ANSWER IS MADE OF WHAT WAS FOUND UNTIL THEN.',
    );
  });

  it('shows as it is what an earlier version kept', () => {
    const message = 'All 20 steps that a question may take are used.';
    assert.equal(noticeInWords({ code: 'nodes-used', message }, loud), message);
  });
});
