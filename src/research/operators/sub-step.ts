import { contentStems } from '#search';
import { BadReplyError } from '../language-model/errors.ts';
import type { SubAnswer } from '../domain/answer.ts';
import { type AnswerDraft, saysPhrase } from '../answer/answer-draft.ts';
import { OUTLINE_PASSAGES } from '../answer/select-quotes.ts';
import { askStructured } from '../context/ask-model.ts';
import { STEP_BACK_CALLS, stepBack, VERDICT_CALLS } from './critique.ts';
import {
  DECOMPOSE_TOKENS,
  decomposePrompt,
  decompositionSchema,
  endsInOne,
  fillIn,
  MOST_SUB_QUESTIONS,
  readDecomposition,
  type SubQuestion,
} from './prompts/decompose.ts';
import { checkDraft, draftOf, tellAnswer } from './sub-answers.ts';
import {
  goOnWithout,
  type Operator,
  type OperatorContext,
  type OperatorResult,
  type OperatorTask,
  type Step,
  runAsStep,
} from './operator.ts';
import { evidenceOfNodes, type NodeOutcome, runSubQuestion, trailOf } from './run-node.ts';
import { passagesToRead, readEvidence } from './retrieve.ts';
import { READING_CALLS, readWhole } from './read-passages.ts';

/**
 * Decompose, answer each sub-question from its own retrieval, aggregate (BELLE, arXiv 2505.11811, §3.2). Sub-questions
 * form a graph: one starts as soon as the answers that it needs are there, independent ones run side by side.
 */
export const subStep: Operator<'sub-step'> = {
  name: 'sub-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'split into sub-questions, look each up, put together',
    goodFor: 'comparisons, times, several known parts',
  },
  // A question that is not split is read once. Else each sub-question is read, and so may be one in its place, and the
  // whole at the end.
  cost: {
    leastCalls: 2,
    mostCalls: 1 + MOST_SUB_QUESTIONS * READING_CALLS + READING_CALLS,
    critiqueCalls: MOST_SUB_QUESTIONS * (VERDICT_CALLS + STEP_BACK_CALLS + READING_CALLS + VERDICT_CALLS),
    tokens: 2300,
  },
  prompts: decomposePrompt(''),
  splits: true,
  run: (context, task) =>
    runAsStep(context, task, 'sub-step', async (ids) => {
      const graph = await decompose(context, task.question, ids.stepId);
      return aggregate(context, task, ids, graph, await runGraph(context, graph, ids.stepId));
    }),
};

async function decompose(context: OperatorContext, question: string, stepId: string): Promise<SubQuestion[]> {
  const whole: SubQuestion[] = [{ text: question, needs: [] }];
  try {
    const { value, sent } = await askStructured(context, {
      messages: decomposePrompt(question, await context.examples?.(question)),
      name: 'sub-questions',
      schema: decompositionSchema,
      maxTokens: DECOMPOSE_TOKENS,
    });
    const graph = readDecomposition(value.questions, question);
    if (graph.length > 1 && sent) context.recordSplit({ stepId, subQuestions: graph.map(({ text }) => text), sent });
    return graph.length > 0 ? graph : whole;
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    context.notice({ code: 'not-decomposed', details: { several: true } });
    return whole;
  }
}

/** What became of one sub-question of the graph. */
interface Asked {
  /** What was looked up: the sub-question, and what was asked in its place. */
  nodes: NodeOutcome[];
  /** The one of them that answers it; undefined where none does. */
  answer?: NodeOutcome;
  /** Why nothing was looked up. */
  failure?: unknown;
}

/** Every sub-question as soon as it can be asked, in the order of the graph. One whose call fails is not answered. */
async function runGraph(
  context: OperatorContext,
  graph: readonly SubQuestion[],
  parentStepId: string,
): Promise<Asked[]> {
  const running: Promise<Asked>[] = [];
  const answers: (string | undefined)[] = [];
  graph.forEach((question, index) => {
    const needed = question.needs.map((need) => running[need]);
    running.push(
      Promise.all(needed).then(async (done) => {
        const dependsOn = done.flatMap((one) => one?.answer?.subAnswer.stepId ?? []);
        const whole = graph.length === 1;
        const text = whole ? question.text : fillIn(question, graph, answers);
        try {
          const asked = await runWithStepBack(context, text, parentStepId, dependsOn, whole);
          answers[index] = asked.answer?.subAnswer.answer;
          return asked;
        } catch (error) {
          if (whole) throw error;
          goOnWithout(context, error);
          return { nodes: [], failure: error };
        }
      }),
    );
  });
  const settled = await Promise.allSettled(running);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  const asked = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failure = asked.find((one) => one.failure !== undefined)?.failure;
  if (failure !== undefined && asked.every(({ nodes }) => nodes.length === 0)) throw failure;
  return asked;
}

/**
 * A node; when it is rejected, RISE steps back (He et al. 2025): one other sub-question in its place. Where that asks
 * for the same in other words, its answer stands in for the rejected one; else it is one more thing that is known.
 */
async function runWithStepBack(
  context: OperatorContext,
  question: string,
  parentStepId: string,
  dependsOn: readonly string[],
  whole: boolean,
): Promise<Asked> {
  const own = { parentStepId, operator: 'sub-step', known: [] } as const;
  const node = await runSubQuestion(context, { ...own, question, dependsOn, whole });
  if (node.kept) return { nodes: [node], answer: node };
  const reason = node.subAnswer.critique?.reason ?? 'nothing found';
  const other = whole ? undefined : await stepBack(context, { question, reason });
  if (other === undefined) return { nodes: [node] };
  const second = await runSubQuestion(context, { ...own, ...other, dependsOn: [node.subAnswer.stepId] });
  const answers = second.kept && asksTheSame(question, other.question);
  return { nodes: [node, second], ...(answers && { answer: second }) };
}

/** From this part of its content words on, a question is another one in other words. */
const SAME_WORDS = 0.5;

/** Whether a question asks for what another one asked for: it begins as that does, and has half of its words. */
function asksTheSame(question: string, other: string): boolean {
  const wanted = contentStems(question);
  const said = new Set(contentStems(other));
  return (
    askedFor(question) === askedFor(other) &&
    wanted.filter((word) => said.has(word)).length >= SAME_WORDS * wanted.length
  );
}

/** A person, a place, a time: by the question word. */
const askedFor = (question: string): string =>
  /\b(who|whom|whose|when|where|why|how (?:many|much|long|old|often))\b/iu.exec(question)?.[1]?.toLowerCase() ?? 'what';

/**
 * Where each sub-question rests on the one before, the last answer is the answer: reading everything again costs as
 * much as all steps together, and a small model then stops half-way.
 */
function arrived(context: OperatorContext, ids: Step, task: OperatorTask, kept: readonly SubAnswer[]): AnswerDraft {
  const draft = draftOf(context, kept);
  context.emit({ type: 'answer-delta', text: draft.short });
  const passageIds = kept.at(-1)?.passageIds ?? [];
  tellAnswer(context, ids, { question: task.question, answer: draft.short, passageIds });
  return draft;
}

/** Whether a question says an answer to it itself, where it does not ask to choose between what it names. */
function isSaidIn(question: string, answer: string, { classification }: OperatorContext): boolean {
  if (classification.type === 'comparison' || /\bor\b/iu.test(question)) return false;
  return saysPhrase(question, answer);
}

async function aggregate(
  context: OperatorContext,
  task: OperatorTask,
  ids: Step,
  graph: readonly SubQuestion[],
  asked: readonly Asked[],
): Promise<OperatorResult> {
  const nodes = asked.flatMap((one) => one.nodes);
  const base: OperatorResult = {
    operator: 'sub-step',
    stepId: ids.stepId,
    chain: trailOf(nodes),
    evidence: evidenceOfNodes(nodes, passagesToRead(context)),
  };
  const [only] = nodes;
  if (graph.length === 1 && only)
    return only.kept && only.draft
      ? { ...base, draft: only.draft, reading: only.reading }
      : { ...base, reading: only.reading, reason: 'The passages that were found do not tell.' };
  const reading = await readEvidence(context, task.question, base.evidence);
  const kept = nodes.filter((node) => node.kept).map((node) => node.subAnswer);
  // Only where the last sub-question rests on all others does its answer answer the question.
  // What the question says already is what it was asked with: “Where is Botswana from?” leads back to its own words.
  const last = asked.at(-1)?.answer;
  const answersAll = endsInOne(graph) && last !== undefined && !isSaidIn(task.question, last.subAnswer.answer, context);
  if (task.final && answersAll && asked.every((one) => one.answer))
    return { ...base, reading, draft: arrived(context, ids, task, kept) };
  if (!task.final) {
    if (kept.length === 0) return { ...base, reading, reason: 'No sub-question could be answered.' };
    return answersAll
      ? { ...base, reading, draft: draftOf(context, kept) }
      : { ...base, reading, partial: true, reason: 'No conclusion was drawn from the sub-answers.' };
  }
  const overview = context.classification.type === 'overview';
  const draft = overview
    ? await readWhole(
        context,
        task,
        { ...base, evidence: evidenceOfNodes(nodes, OUTLINE_PASSAGES) },
        { style: 'outline', known: kept },
      )
    : await readWhole(context, task, base, { known: kept });
  const concluded = draft ?? (answersAll ? draftOf(context, kept) : undefined);
  if (!concluded) return { ...base, reading, reason: 'The sub-answers do not add up to an answer.' };
  const { passageIds } = checkDraft(context, concluded, base.evidence);
  tellAnswer(context, ids, { question: task.question, answer: concluded.short, passageIds });
  return { ...base, reading, draft: concluded };
}
