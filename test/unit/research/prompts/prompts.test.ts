import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatMessage } from '../../../../src/research/language-model/language-model.ts';
import {
  affirmativePrompt,
  fastDebaterPrompt,
  fastPlanPrompt,
  judgePrompt,
  judgeSoftPrompt,
  negativePrompt,
  slowDebaterPrompt,
} from '../../../../src/research/plan/debate.ts';
import { answerPrompt } from '../../../../src/research/operators/prompts/answer.ts';
import { closedBookPrompt } from '../../../../src/research/operators/chain-of-thought.ts';
import { critiqueAnswerPrompt, critiqueNodePrompt } from '../../../../src/research/operators/critique.ts';
import { passageBlock } from '../../../../src/research/operators/prompts/blocks.ts';
import { decomposePrompt } from '../../../../src/research/operators/prompts/decompose.ts';
import { nextSubQuestionPrompt, nextThoughtPrompt } from '../../../../src/research/operators/prompts/next-step.ts';
import { rewriteFollowUpPrompt } from '../../../../src/research/run/follow-up.ts';
import { shortenPrompt } from '../../../../src/research/operators/shorten-draft.ts';
import type { OperatorName } from '../../../../src/research/domain/plan.ts';
import { assertFixture } from '../../../doubles/recording.ts';

const passages = [{ number: 3, path: 'notes/mara.md', title: 'People > Mara', text: 'Mara was born in Narvik.' }];
const known = [{ question: 'Who keeps Kestrel Hut?', answer: 'Mara', numbers: [1] }];
const question = 'Where was the keeper of Kestrel Hut born?';
const operators: OperatorName[] = ['chain-of-thought', 'single-step', 'iterative-step', 'sub-step', 'adaptive-step'];
const matter = { question, type: 'inference' as const, operators };
const turns = [
  { round: 1, role: 'affirmative', text: 'One look is enough.', plan: ['single-step' as const] },
  { round: 1, role: 'negative', text: 'It would miss the keeper.', plan: ['sub-step' as const] },
];

const prompts: Record<string, ChatMessage[]> = {
  'answer-brief': answerPrompt({ question, passages, known: [], style: 'brief' }),
  'answer-full': answerPrompt({ question, passages, known, style: 'full' }),
  'answer-outline': answerPrompt({ question, passages, known: [], style: 'outline' }),
  'closed-book': closedBookPrompt(question, []),
  'closed-book-known': closedBookPrompt(question, known),
  decompose: decomposePrompt(question),
  'next-sub-question': nextSubQuestionPrompt(question, known, [
    { question: 'Which colour has it?', reason: 'nothing found' },
  ]),
  'next-thought': nextThoughtPrompt({ question, passages, known: [], thoughts: ['Mara keeps Kestrel Hut.'] }),
  'critique-node': critiqueNodePrompt({
    question,
    known,
    subQuestion: 'Where was Mara born?',
    answer: 'Narvik',
    evidence: 'Mara was born in Narvik.',
  }),
  'critique-answer': critiqueAnswerPrompt(question, 'Narvik', ['Mara was born in Narvik.']),
  'rewrite-follow-up': rewriteFollowUpPrompt('Where was she born?', [
    { question: 'Who keeps Kestrel Hut?', answer: 'Mara' },
  ]),
  'shorten-answer': shortenPrompt(question, 'The keeper of Kestrel Hut was born in Narvik'),
  affirmative: affirmativePrompt(matter, []),
  'affirmative-later': affirmativePrompt(matter, turns),
  ...Object.fromEntries(
    (['L0', 'L1', 'L2', 'L3'] as const).map((strength) => [
      `negative-${strength}`,
      negativePrompt(matter, turns.slice(0, 1), strength),
    ]),
  ),
  'fast-debater': fastDebaterPrompt(matter, turns),
  'slow-debater': slowDebaterPrompt(matter, turns),
  judge: judgePrompt(matter, turns),
  'judge-soft': judgeSoftPrompt(matter, turns),
  'fast-plan': fastPlanPrompt(matter),
};

describe('prompts', () => {
  for (const [name, messages] of Object.entries(prompts)) {
    it(`${name} reads as it did`, () =>
      assertFixture(
        new URL(`./snapshots/${name}.txt`, import.meta.url),
        `${messages.map((message) => `--- ${message.role}\n${message.content}`).join('\n')}\n`,
      ));
  }

  it('end in no half of a sign where something is cut: servers refuse it', () => {
    const half = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/u;
    const cutAt = (length: number): string => `${'a'.repeat(length - 1)}🛖 and more`;
    assert.doesNotMatch(passageBlock([{ number: 1, path: `${cutAt(120)}.md`, title: cutAt(120), text: '' }]), half);
    const [, asked] = rewriteFollowUpPrompt('And then?', [{ question: 'What burnt?', answer: cutAt(300) }]);
    assert.doesNotMatch(asked?.content ?? '', half);
  });
});
