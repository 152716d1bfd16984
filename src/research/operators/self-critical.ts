import { nameForm } from '#search';
import { BadReplyError } from '../language-model/errors.ts';
import type { OtherQuestion } from './critique.ts';
import { askStructured } from '../context/ask-model.ts';
import { NEXT_STEP_TOKENS, nextStepPrompt, nextStepSchema, type RejectedSubQuestion } from './prompts/next-step.ts';
import {
  goOnWithout,
  type Operator,
  type OperatorContext,
  type OperatorResult,
  type OperatorTask,
  type Step,
  noticeNodesUsed,
  runAsStep,
} from './operator.ts';
import { evidenceOfNodes, type NodeOutcome, runSubQuestion, trailOf } from './run-node.ts';
import { readWhole } from './read-passages.ts';
import { passagesToRead, readEvidence } from './retrieve.ts';
import { checkDraft, knownAnswers, tellAnswer } from './sub-answers.ts';

/** Sub-questions that may lead nowhere at one point before the step that led there is taken back. */
const MOST_TRIES = 3;

/** A step that was kept, and what had led nowhere before it at the same point. */
interface KeptStep {
  node: NodeOutcome;
  rejected: readonly RejectedSubQuestion[];
}

/**
 * RISE's loop (He et al. 2025, Algorithm 1): the next sub-question given the history, retrieve-then-read, critique; a
 * step that is kept goes on the path, one that is rejected is tried otherwise, and where nothing leads on, the last
 * step of the path is taken back. Ends when the model finds the path enough, has nothing else to ask, or N nodes are
 * used (the run's budget: 20 in the paper). Then everything on the path is read once for the answer.
 */
export const selfCritical: Operator<'self-critical'> = {
  name: 'self-critical',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'look up one fact after another, criticise each, step back where one led nowhere',
    goodFor: 'trails on which a wrong turn is likely',
  },
  cost: { leastCalls: 2, tokens: 2000 },
  prompts: nextStepPrompt('', [], []),
  splits: true,
  run: (context, task) =>
    runAsStep(context, task, 'self-critical', async (ids) =>
      conclude(context, task, ids, await walkPath(context, task, ids.stepId)),
    ),
};

interface PathWalk {
  path: KeptStep[];
  /** Every node, kept or not: what was read although it led nowhere. */
  nodes: NodeOutcome[];
  /**
   * Questions that led nowhere, at whatever point, in the form in which names are compared: none is looked up twice.
   */
  deadEnds: Set<string>;
}

async function walkPath(context: OperatorContext, task: OperatorTask, parentStepId: string): Promise<PathWalk> {
  const walk: PathWalk = { path: [], nodes: [], deadEnds: new Set() };
  try {
    await walkOn(context, task, walk, parentStepId);
  } catch (error) {
    if (walk.path.length === 0) throw error;
    goOnWithout(context, error); // the path ends where its call failed
  }
  return walk;
}

async function walkOn(
  context: OperatorContext,
  task: OperatorTask,
  walk: PathWalk,
  parentStepId: string,
): Promise<void> {
  let rejected: readonly RejectedSubQuestion[] = [];
  for (;;) {
    if (context.budget.nodesLeft === 0) {
      noticeNodesUsed(context);
      return;
    }
    const next = await nextQuestion(context, task, walk, rejected);
    if (next === undefined) return;
    const { question } = next;
    const node = walk.deadEnds.has(nameForm(question))
      ? undefined
      : await look(context, task, walk, next, parentStepId);
    if (node) walk.nodes.push(node);
    if (node?.kept) {
      walk.path.push({ node, rejected });
      rejected = [];
      if (isWhole(task, question)) return;
      continue;
    }
    walk.deadEnds.add(nameForm(question));
    const reason = node ? (node.subAnswer.critique?.reason ?? 'nothing found') : 'it led nowhere before';
    rejected = [...rejected, { question, reason }];
    if (rejected.length < MOST_TRIES) continue;
    const last = walk.path.pop();
    if (!last) return;
    walk.deadEnds.add(nameForm(last.node.subAnswer.question));
    rejected = [...last.rejected, { question: last.node.subAnswer.question, reason: 'nothing led on from its answer' }];
    if (rejected.length >= MOST_TRIES && walk.path.length === 0) return;
  }
}

const isWhole = (task: OperatorTask, question: string): boolean => nameForm(question) === nameForm(task.question);

/** What to look up next; undefined: enough is known, or there is nothing else to ask. */
async function nextQuestion(
  context: OperatorContext,
  task: OperatorTask,
  { path, nodes }: PathWalk,
  rejected: readonly RejectedSubQuestion[],
): Promise<OtherQuestion | undefined> {
  const known = path.map(({ node }) => node.subAnswer);
  try {
    const { value, sent } = await askStructured(context, {
      messages: nextStepPrompt(task.question, knownAnswers(known, context.ledger), rejected),
      name: 'next-step',
      schema: nextStepSchema,
      maxTokens: NEXT_STEP_TOKENS,
    });
    const question = value.question.trim();
    if (question === '' && nodes.length === 0) return wholeQuestion(context, task);
    if (question === '' || (value.enough && known.length > 0)) return undefined;
    const before = [...known.map((one) => one.question), ...rejected.map((one) => one.question)];
    if (before.some((earlier) => nameForm(earlier) === nameForm(question))) return undefined;
    return { question, ...(sent && { asked: sent }) };
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    return nodes.length > 0 ? undefined : wholeQuestion(context, task);
  }
}

function wholeQuestion(context: OperatorContext, { question }: OperatorTask): OtherQuestion {
  context.notice({ code: 'not-decomposed', details: { several: false } });
  return { question };
}

/** One node: looked up, read and criticised. */
function look(
  context: OperatorContext,
  task: OperatorTask,
  { path }: PathWalk,
  { question, asked }: OtherQuestion,
  parentStepId: string,
): Promise<NodeOutcome> {
  const whole = isWhole(task, question);
  const before = path.map(({ node }) => node.subAnswer);
  return runSubQuestion(context, {
    parentStepId,
    operator: 'self-critical',
    question,
    asked,
    dependsOn: before.slice(-1).map((one) => one.stepId),
    whole,
    known: whole ? before : [],
    history: before,
  });
}

async function conclude(
  context: OperatorContext,
  task: OperatorTask,
  ids: Step,
  { path, nodes }: PathWalk,
): Promise<OperatorResult> {
  const kept = path.map(({ node }) => node);
  const read = kept.length > 0 ? kept : nodes;
  const base: OperatorResult = {
    operator: 'self-critical',
    stepId: ids.stepId,
    chain: trailOf(kept),
    evidence: evidenceOfNodes(read, passagesToRead(context)),
  };
  const last = kept.at(-1);
  if (!last) {
    const reading = nodes.at(-1)?.reading;
    return { ...base, ...(reading && { reading }), reason: 'No step of the search led to an answer.' };
  }
  if (isWhole(task, last.subAnswer.question) && last.draft)
    return { ...base, reading: last.reading, draft: last.draft };
  const reading = await readEvidence(context, task.question, base.evidence);
  const draft = await readWhole(context, task, base, { known: kept.map((node) => node.subAnswer) });
  if (!draft) return { ...base, reading, reason: 'What was found does not add up to an answer.' };
  const { passageIds } = checkDraft(context, draft, base.evidence);
  tellAnswer(context, ids, { question: task.question, answer: draft.short, passageIds });
  return { ...base, reading, draft };
}
