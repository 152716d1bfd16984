import type { SubAnswer } from '../domain/answer.ts';
import { type NodeOutcome, nodeAsStep, readTogether, toldOf } from '../loop/read-node.ts';
import { decompose, filledIn, type SubQuestions } from '../plan/sub-questions.ts';
import { asStep, goOnWithout, type OperatorContext, type OperatorTask, type Step } from './operator.ts';

/** Turns in which each sub-question may be looked up again, and the whole, once its parts are known. */
const LOOKS = 2;
const OF_A_PART = 'It is a part of a larger question: answer it alone, and as briefly as is complete.';
const OF_THE_WHOLE = 'Its parts were looked up one by one. Put them together, and cite the lines again.';

/** Sub-questions, each in a conversation of its own, then the whole from their answers (BELLE §3.2). */
export const subStep = asStep({
  name: 'sub-step',
  needsModel: true,
  retrieves: true,
  splits: true,
  whenToUse: {
    does: 'ask sub-questions, independent ones side by side, and put their answers together',
    goodFor: 'several things are compared, ordered or added, or the ways to them are known',
  },
  cost: { leastCalls: 3, mostCalls: 22, tokens: 25_000 },
  async work(context, task, step) {
    const { subQuestions, sent } = task.subQuestions?.length
      ? { subQuestions: task.subQuestions, sent: task.split }
      : await decompose(context, task.question);
    const asked = subQuestions.map(({ question }) => question);
    if (sent) context.record({ kind: 'split', stepId: step.stepId, subQuestions: asked, sent });
    const nodes = await askAll(context, task, step, subQuestions);
    const [only] = nodes;
    // A question that was not split is answered.
    if (nodes.length === 1 && only && asked[0] === task.question) return { ...only, stepId: step.stepId };
    return readTogether(nodes, context, task, step, 'sub-step', {
      looks: LOOKS,
      // What a part did not find may stand where the whole is looked for.
      search: nodes.length < subQuestions.length || nodes.some(({ subAnswer }) => !subAnswer.found),
      queries: [],
      guidance: OF_THE_WHOLE,
    });
  },
});

/** Each sub-question as soon as those that it needs are answered. One that fails is left out, which is told. */
async function askAll(
  context: OperatorContext,
  task: OperatorTask,
  { stepId: parentStepId }: Step,
  subQuestions: SubQuestions,
): Promise<NodeOutcome[]> {
  const steps = subQuestions.map(() => ({ stepId: context.nextStepId(), parentStepId }));
  const earlier = [...context.subAnswers];
  const asked: Promise<NodeOutcome | undefined>[] = [];
  for (const [i, { question, dependsOn }] of subQuestions.entries()) asked.push(askOne(i, question, dependsOn));
  return (await Promise.all(asked)).filter((node) => node !== undefined);

  async function askOne(i: number, question: string, dependsOn: readonly number[]): Promise<NodeOutcome | undefined> {
    // Counted before any is asked, so that it does not depend on which is answered first.
    if (context.budget.nodesLeft === 0) {
      context.notice({ code: 'nodes-used', details: { nodes: context.budget.limits.nodes } });
      return undefined;
    }
    context.budget.addNode();
    const before = await Promise.all(asked.slice(0, i).map((one, n) => (dependsOn.includes(n) ? one : undefined)));
    const known = before.flatMap((node): SubAnswer[] => (node ? [toldOf(node)] : []));
    try {
      const node = await nodeAsStep(
        context,
        {
          operator: 'sub-step',
          step: steps[i] as Step,
          question: filledIn(question, before.map(answerIn)),
          final: false,
          looks: LOOKS,
          queries: i === 0 ? task.queries : [],
          known,
          guidance: OF_A_PART,
          followMissing: true,
          history: [...earlier, ...before.flatMap((node) => node?.subAnswer ?? [])],
          lane: { own: i + 1, ended: [0, ...dependsOn.map((n) => n + 1)] },
        },
        dependsOn.flatMap((n) => steps[n]?.stepId ?? []),
      );
      context.keep(node.subAnswer, node.reading);
      return node;
    } catch (error) {
      goOnWithout(context, error);
      return undefined;
    }
  }
}

/** What stands for a sub-question's mark: its answer, or the question itself where none was found. */
const answerIn = (node: NodeOutcome | undefined): string | undefined =>
  node && (node.subAnswer.found ? node.subAnswer.answer : `(${node.subAnswer.question})`);
