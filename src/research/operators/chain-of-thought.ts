import type { ChatMessage } from '../language-model/language-model.ts';
import { type KnownAnswer, knownBlock } from './prompts/blocks.ts';
import type { SubAnswer } from '../domain/answer.ts';
import { readAnswer } from './prompts/read-answer.ts';
import {
  checkDraft,
  knownAnswers,
  recordedHistory,
  recordedPassages,
  seenAnswers,
  settleNode,
  subAnswerOf,
} from './sub-answers.ts';
import { critiqueNode, VERDICT_CALLS } from './critique.ts';
import { emptyChain, type Operator, type OperatorResult, stepFor, withStep } from './operator.ts';
import { askAnswer, READING_CALLS } from './read-passages.ts';
import { shortenDraft } from './shorten-draft.ts';

const CLOSED_BOOK_TOKENS = 200;
const RESTING = ', each ending with the number in brackets of what it rests on, like [2]';

/**
 * Chain of thought with no retrieval of its own (BELLE, arXiv 2505.11811, §3.2): over what is known so far, or from
 * memory.
 */
export function closedBookPrompt(question: string, known: readonly KnownAnswer[]): ChatMessage[] {
  const rests = known.length > 0;
  return [
    {
      role: 'system',
      content: rests
        ? 'You answer a question by thinking about what was found.'
        : 'You answer a question from what you know.',
    },
    {
      role: 'user',
      content: [
        knownBlock(known),
        [
          `Question: ${question}\n`,
          'Reply in this form:',
          `Because: <one to three short sentences of reasoning${rests ? RESTING : ''}>`,
          'Answer: <the answer alone, in as few words as possible: a name, a date, a number, yes or no>',
          'If you cannot tell, reply only with:',
          'Answer: none',
        ].join('\n'),
      ]
        .filter(Boolean)
        .join('\n\n'),
    },
  ];
}

/**
 * Thinks without looking (BELLE, arXiv 2505.11811, §3.2): over the sub-answers so far, or, when there are none, from
 * the model's memory.
 */
export const chainOfThought: Operator<'chain-of-thought'> = {
  name: 'chain-of-thought',
  needsModel: true,
  retrieves: false,
  whenToUse: {
    does: 'think, look nothing up',
    goodFor: 'drawing the conclusion from what earlier steps found',
  },
  cost: { leastCalls: 1, mostCalls: READING_CALLS, critiqueCalls: VERDICT_CALLS, tokens: 230 },
  prompts: [...closedBookPrompt('', []), ...closedBookPrompt('', [{ question: '', answer: '', numbers: [] }])],
  async run(context, task) {
    const ids = stepFor(context, task);
    const { stepId } = ids;
    const before = context.subAnswers.filter((one) => one.found);
    context.budget.addNode();
    return withStep<OperatorResult>(
      context,
      { ...ids, operator: 'chain-of-thought', question: task.question, dependsOn: before.map((one) => one.stepId) },
      async () => {
        const base = { operator: 'chain-of-thought' as const, stepId, chain: emptyChain };
        if (task.foundOnly && before.length === 0)
          return { outcome: 'nothing-found', value: { ...base, evidence: [] } };
        const known = [...knownAnswers(before, context.ledger), ...seenAnswers(task.seen)];
        if (before.length === 0 && !task.seen?.some(({ lookedUp }) => lookedUp))
          context.notice({ code: 'from-memory', details: {} });
        const messages = closedBookPrompt(task.question, known);
        const { text } = await askAnswer(context, messages, {
          maxTokens: CLOSED_BOOK_TOKENS,
          final: task.final,
        });
        const read = readAnswer(text, task.question);
        const draft = read && (await shortenDraft(context, task.question, read));
        const evidence = context.ledger.among(before.flatMap((one) => one.passageIds));
        const checked = draft && checkDraft(context, draft, evidence);
        const subAnswer = subAnswerOf(stepId, task.question, draft, checked);
        const kept = await settleNode(
          context,
          ids,
          subAnswer,
          {
            history: recordedHistory(before),
            operator: 'chain-of-thought',
            passages: recordedPassages(evidence),
            reply: text,
            sent: { read: { messages, reply: text } },
          },
          // From memory there is no evidence to judge by.
          checked && before.length > 0
            ? () => {
                const node = { ...subAnswer, passageIds: evidence.map(({ id }) => id), supported: checked.supported };
                return critiqueNode(context, node, saidBefore(before));
              }
            : undefined,
        );
        if (kept) return { outcome: 'answered', value: { ...base, evidence, draft } };
        return draft
          ? {
              outcome: 'rejected',
              value: { ...base, evidence, reason: `The conclusion was rejected: ${subAnswer.critique?.reason}` },
            }
          : { outcome: 'nothing-found', value: { ...base, evidence, reason: 'The model does not know.' } };
      },
    );
  },
};

/** What a conclusion is drawn from, for a critic. */
const saidBefore = (before: readonly SubAnswer[]): string =>
  before.map(({ question, answer }) => `${question} ${answer}`).join('\n');
