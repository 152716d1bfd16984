import { z } from 'zod';
import { spaced } from '../check/terms.ts';
import { askStructured, promptOf } from '../context/ask-model.ts';
import type { SentPrompt } from '../context/node-record.ts';
import { inOneLine, knownLine, listed } from '../evidence/fence.ts';
import { BadReplyError } from '../language-model/errors.ts';
import { type NodeOutcome, nodeAsStep, readTogether, toldOf } from '../loop/read-node.ts';
import { asStep, goOnWithout, type OperatorContext, type OperatorTask, type Step } from './operator.ts';

/** Sub-questions that may lead nowhere at one point before the step that led there is taken back. */
const MOST_TRIES = 3;
const NEXT_TOKENS = 250;
const LOOKS = 1;

const OF_A_STEP = 'It is a step towards a larger question: answer it alone, and as briefly as is complete.';
const OF_THE_WHOLE = 'Its steps were looked up one by one. Put them together, and cite the lines again.';

const nextSchema = z.object({
  reason: z.string().optional(),
  enough: z.boolean().optional(),
  question: z.string().optional(),
});

const NEXT_SYSTEM = `You lead a search for the answer to a question, one sub-question at a time. Given what is known, \
write the next sub-question: one fact that has to be looked up and leads on; it stands alone and is none of those that \
led nowhere. "enough" is true where what is known answers the question. Reply with JSON: {"reason": "<at most 20 \
words>", "enough": true or false, "question": "..."}`;

interface Rejected {
  question: string;
  reason: string;
}

/** A step that was kept, and what had led nowhere before it at the same point. */
interface KeptStep {
  node: NodeOutcome;
  rejected: readonly Rejected[];
}

interface Walk {
  path: KeptStep[];
  nodes: NodeOutcome[];
  /** Questions that led nowhere, at whatever point: none is looked up twice. */
  deadEnds: Set<string>;
}

/**
 * RISE's loop (He et al. 2025, arXiv 2505.21940, Algorithm 1): the next sub-question given the history, retrieve and
 * read, critique; a step that is kept goes on the path, a redundant or irrelevant one is tried otherwise, and where
 * nothing leads on, the last step of the path is taken back. Ends when the model finds the path enough, has nothing
 * else to ask, or N nodes are used (20 in the paper). Then the path is read once for the answer.
 */
export const selfCritical = asStep({
  name: 'self-critical',
  needsModel: true,
  retrieves: true,
  splits: true,
  whenToUse: {
    does: 'look up one fact after another, criticise each, step back where one led nowhere',
    goodFor: 'long trails on which a wrong turn is likely',
  },
  cost: { leastCalls: 4, tokens: 40_000 },
  async work(context, task, step) {
    const walk: Walk = { path: [], nodes: [], deadEnds: new Set() };
    try {
      await walkOn(context, task, walk, step);
    } catch (error) {
      if (walk.path.length === 0) throw error;
      goOnWithout(context, error); // the path ends where its call failed
    } finally {
      for (const { node } of walk.path) context.keep(node.subAnswer, node.reading);
    }
    const kept = walk.path.map(({ node }) => node);
    const last = kept.at(-1);
    if (last && isWhole(task, last.subAnswer.question)) return { ...last, stepId: step.stepId };
    return readTogether(kept, context, task, step, 'self-critical', {
      looks: LOOKS,
      search: kept.length === 0,
      guidance: kept.length === 0 ? '' : OF_THE_WHOLE,
      history: kept.map(({ subAnswer }) => subAnswer),
    });
  },
});

async function walkOn(context: OperatorContext, task: OperatorTask, walk: Walk, step: Step): Promise<void> {
  let rejected: readonly Rejected[] = [];
  for (;;) {
    if (context.budget.nodesLeft === 0) {
      context.notice({ code: 'nodes-used', details: { nodes: context.budget.limits.nodes } });
      return;
    }
    const next = await nextQuestion(context, task, walk, rejected);
    if (next === undefined) return;
    const { question } = next;
    const node = walk.deadEnds.has(spaced(question)) ? undefined : await look(context, task, walk, next, step);
    if (node) walk.nodes.push(node);
    if (node && isKept(node)) {
      walk.path.push({ node, rejected });
      rejected = [];
      if (isWhole(task, question)) return;
      continue;
    }
    walk.deadEnds.add(spaced(question));
    rejected = [...rejected, { question, reason: node?.verdict.reason ?? 'it led nowhere before' }];
    if (rejected.length < MOST_TRIES) continue;
    const last = walk.path.pop();
    if (!last) return;
    walk.deadEnds.add(spaced(last.node.subAnswer.question));
    rejected = [...last.rejected, { question: last.node.subAnswer.question, reason: 'nothing led on from its answer' }];
    if (rejected.length >= MOST_TRIES && walk.path.length === 0) return;
  }
}

const isWhole = (task: OperatorTask, question: string): boolean => spaced(question) === spaced(task.question);

/** An answer that helps goes on the path; a doubt of the check marks it, and does not take it back. */
const isKept = ({ subAnswer, verdict }: NodeOutcome): boolean =>
  subAnswer.found && verdict.verdict !== 'redundant' && verdict.verdict !== 'irrelevant';

interface NextQuestion {
  question: string;
  asked?: SentPrompt | undefined;
}

/** What to look up next; undefined: enough is known, or there is nothing else to ask. */
async function nextQuestion(
  context: OperatorContext,
  task: OperatorTask,
  { path, nodes }: Walk,
  rejected: readonly Rejected[],
): Promise<NextQuestion | undefined> {
  const known = path.map(({ node }) => node.subAnswer);
  const parts = [
    `Question: ${task.question}`,
    listed('Known:', known.map(knownLine)),
    listed(
      'Led nowhere:',
      rejected.map((one) => `- ${inOneLine(one.question)} (${inOneLine(one.reason)})`),
    ),
  ];
  try {
    const { value, sent } = await askStructured(context, {
      messages: promptOf(NEXT_SYSTEM, parts),
      name: 'next_step',
      schema: nextSchema,
      maxTokens: NEXT_TOKENS,
    });
    const question = value.question?.trim() ?? '';
    if (value.enough && known.length > 0) return undefined;
    if (question === '') return nodes.length === 0 ? wholeQuestion(context, task) : undefined;
    const before = [...known, ...rejected].map((one) => spaced(one.question));
    return before.includes(spaced(question)) ? undefined : { question, asked: sent };
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    return nodes.length > 0 ? undefined : wholeQuestion(context, task);
  }
}

function wholeQuestion(context: OperatorContext, { question }: OperatorTask): NextQuestion {
  context.notice({ code: 'not-decomposed', details: { several: false } });
  return { question };
}

function look(
  context: OperatorContext,
  task: OperatorTask,
  { path }: Walk,
  { question, asked }: NextQuestion,
  { stepId: parentStepId }: Step,
): Promise<NodeOutcome> {
  context.budget.addNode();
  const before = path.map(({ node }) => node);
  return nodeAsStep(
    context,
    {
      operator: 'self-critical',
      step: { stepId: context.nextStepId(), parentStepId },
      question,
      final: false,
      looks: LOOKS,
      known: before.slice(-2).map(toldOf),
      guidance: isWhole(task, question) ? '' : OF_A_STEP,
      asked,
      history: before.map(({ subAnswer }) => subAnswer),
      judge: 'model',
    },
    before.slice(-1).map(({ subAnswer }) => subAnswer.stepId),
  );
}
