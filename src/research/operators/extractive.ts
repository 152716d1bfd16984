import type { Answer } from '../domain/answer.ts';
import { noticeAbsent, refuse } from '../answer/refuse.ts';
import { chainOptions, firstLook } from '../loop/look-up.ts';
import { quoteAnswer } from '../quotes/quote-answer.ts';
import { asStep, type OperatorContext, type OperatorTask, type Step } from './operator.ts';

/** Passages beside the trail whose units are scored, too. */
const BESIDE = 6;

/** The likeliest lines of the trail, word for word. No language model. */
export const extractive = asStep({
  name: 'extractive',
  needsModel: false,
  retrieves: true,
  whenToUse: { does: 'quote the likeliest lines', goodFor: 'showing the evidence' },
  cost: { leastCalls: 0, mostCalls: 0, tokens: 0 },
  async work(context, task, step) {
    const { chain, passages } = await firstLook(context, step, task.question);
    const read = passages.slice(0, chain.hops.length + BESIDE);
    const answer = await quoted(context, task, step, read, new Set(chain.hops.map(({ passage }) => passage.id)));
    return { operator: 'extractive', stepId: step.stepId, chain, evidence: read, answer };
  },
});

async function quoted(
  context: OperatorContext,
  { question }: OperatorTask,
  step: Step,
  passages: Awaited<ReturnType<typeof firstLook>>['passages'],
  hops: ReadonlySet<string>,
): Promise<Answer> {
  const { ledger, signal, retriever, subAnswers, question: asked } = context;
  const { absent, coverage } = await ledger.chains(question, chainOptions(context), signal);
  const ids = passages.map(({ id }) => id);
  const reading = ids.length === 0 ? { sentences: [], answerability: 0 } : await retriever.read(question, ids, signal);
  const { sentences: units, answerability } = reading;
  const answer = quoteAnswer({ question, passages, hops, units, answerability, ledger, coverage });
  const passageIds = answer ? [...new Set(answer.citations.map(({ passageId }) => passageId))] : [];
  const subAnswer = {
    stepId: step.stepId,
    question,
    answer: answer?.short ?? '',
    found: answer !== undefined,
    passageIds,
  };
  context.emit({ type: 'sub-answer-ready', ...step, subAnswer });
  const scope = asked.scope;
  if (answer) {
    noticeAbsent(context, absent, coverage, scope);
    return { ...answer, subAnswers: [...subAnswers] };
  }
  return refuse({ question, closest: passages, ledger, scope, subAnswers, coverage, absent, by: 'extractive' });
}
