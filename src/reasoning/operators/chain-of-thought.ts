import type { SubAnswer } from '../../model/answer.ts';
import type { Passage } from '../../model/passage.ts';
import { AnswerStream } from '../answer/answer-stream.ts';
import { askText } from '../ask-model.ts';
import { CLOSED_BOOK_TOKENS, closedBookPrompt } from '../prompts/closed-book.ts';
import { readAnswer } from '../prompts/read-answer.ts';
import { knownAnswers } from './known-answers.ts';
import { emptyChain, type Operator } from './operator.ts';
import { recordedPassages } from './recorded-passages.ts';
import { restsOn } from './rests-on.ts';
import { shortenDraft } from './shorten-draft.ts';
import { withStep } from './with-step.ts';

/** Thinks without looking (BELLE, arXiv 2505.11811, §3.2): over the sub-answers so far, or, when there are none, from the model's memory. */
export const chainOfThought: Operator = {
  name: 'chain-of-thought',
  needsModel: true,
  async run(context, task) {
    const stepId = context.nextStepId();
    const ids = { stepId, ...(task.parentStepId !== undefined && { parentStepId: task.parentStepId }) };
    const before = context.subAnswers.filter((one) => one.found);
    context.budget.addNode();
    return withStep(context, { ...ids, operator: 'chain-of-thought', question: task.question, dependsOn: before.map((one) => one.stepId) }, async () => {
      const known = [...knownAnswers(before, context.ledger), ...(task.seen ?? []).map(({ by, answer }) => ({ question: `${by} answers:`, answer, numbers: [] }))];
      if (before.length === 0) context.notice('from-memory', 'This step answers from the language model’s memory: no file was read for it.');
      const stream = task.final ? new AnswerStream((text) => context.emit({ type: 'answer-delta', text })) : undefined;
      const { text, usage } = await askText(context, closedBookPrompt(task.question, known), { maxTokens: CLOSED_BOOK_TOKENS, ...(stream && { onText: (piece: string) => stream.write(piece) }) });
      stream?.end();
      const read = readAnswer(text);
      const draft = read && (await shortenDraft(context, task.question, read));
      const evidence = passagesOf(before, context.ledger.all);
      const subAnswer: SubAnswer = { stepId, question: task.question, answer: draft?.short ?? '', found: draft !== undefined, passageIds: draft ? restsOn(context, draft, evidence) : [] };
      context.emit({ type: 'sub-answer-ready', ...ids, subAnswer });
      if (draft) context.keep(subAnswer);
      context.record({
        history: before.map(({ question, answer }) => ({ question, answer })), ...ids, operator: 'chain-of-thought', subQuestion: task.question, query: '', passages: recordedPassages(evidence),
        reply: text, answer: subAnswer.answer, passageIds: subAnswer.passageIds, verdict: null, ...usage,
      });
      const base = { operator: 'chain-of-thought' as const, stepId, chain: emptyChain, evidence };
      return { outcome: draft ? 'answered' : 'nothing-found', value: draft ? { ...base, draft } : { ...base, reason: 'The model does not know.' } };
    });
  },
};

const passagesOf = (subAnswers: readonly SubAnswer[], all: readonly Passage[]): Passage[] => {
  const ids = new Set(subAnswers.flatMap((one) => one.passageIds));
  return all.filter((passage) => ids.has(passage.id));
};
