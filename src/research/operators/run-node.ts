import { cutTo } from '#base';
import type { SubAnswer } from '../domain/answer.ts';
import type { Hop, Passage, PassageChain, Reading } from '#search';
import type { StepEnd } from '../domain/research-event.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import { joinedTrail } from '../answer/trail.ts';
import { BudgetExhaustedError } from '../context/research-options.ts';
import type { SentPrompt } from '../context/node-record.ts';
import { critiqueNode } from './critique.ts';
import type { AnswerPromptInput } from './prompts/answer.ts';
import { hopsOf } from './prompts/blocks.ts';
import { idsOf, type OperatorContext, type SeenAnswer, type StepTask, withStep } from './operator.ts';
import { readPassages } from './read-passages.ts';
import { checkDraft, QUOTE_LENGTH, recordedHistory, recordedPassages, settleNode, subAnswerOf } from './sub-answers.ts';
import { evidenceToRead, passagesToRead, readEvidence, type Retrieval, retrieve } from './retrieve.ts';

interface NodeTask extends StepTask {
  style: AnswerPromptInput['style'];
  /** Most passages to read. */
  limit: number;
  /** Sub-answers that the model sees; default: all that the run has kept. */
  known?: readonly SubAnswer[];
  /** What had been answered when this was asked, for the record; default: all that the run has kept. */
  history?: readonly SubAnswer[];
  /** Streams the reply as the run's answer. */
  final: boolean;
  /** What others answered, for graphs of agents. */
  seen?: readonly SeenAnswer[];
  /** The call that asked for this question, for the record. */
  asked?: SentPrompt;
}

/** One node of RISE: sub-question, retrieval, answer, verdict. */
export interface NodeOutcome {
  subAnswer: SubAnswer;
  draft?: AnswerDraft;
  /** Kept by the critique, or not criticised. */
  kept: boolean;
  retrieval: Retrieval;
  evidence: Passage[];
  reading: Reading;
}

/** Passages that a sub-question's reader sees, or as many as its trail has. */
const NODE_PASSAGES = 3;

/**
 * A node below an operator's own step: a sub-question, or the whole question where that is looked up as it is
 * (`whole`).
 */
export const runSubQuestion = (
  context: OperatorContext,
  { whole = false, ...task }: Omit<NodeTask, 'stepId' | 'style' | 'limit' | 'final'> & { whole?: boolean },
): Promise<NodeOutcome> =>
  runNode(context, {
    ...task,
    stepId: context.nextStepId(),
    style: whole ? 'full' : 'brief',
    limit: whole ? passagesToRead(context) : NODE_PASSAGES,
    final: false,
  });

/** Looks one question up and answers it from what was found; the sub-answer is kept when the critique keeps it. */
export async function runNode(context: OperatorContext, task: NodeTask): Promise<NodeOutcome> {
  if (context.budget.nodesLeft === 0)
    throw new BudgetExhaustedError(`This run has used its budget of ${context.budget.limits.nodes} steps.`, {
      advice: 'Ask a narrower question.',
    });
  context.budget.addNode();
  return withStep(context, task, async () => {
    const ids = idsOf(task);
    const retrieval = await retrieve(context, ids, task.question);
    const evidence = evidenceToRead(retrieval, task.limit);
    const history = recordedHistory(task.history ?? context.subAnswers);
    const reading = await readEvidence(context, task.question, evidence);
    const { draft, reply, messages } =
      evidence.length === 0
        ? nothingToRead
        : await readPassages(context, { ...task, hops: hopsOf([retrieval.chain]) }, evidence);
    const checked = draft && checkDraft(context, draft, evidence);
    const subAnswer = subAnswerOf(task.stepId, task.question, draft, checked);
    const work = {
      history,
      operator: task.operator,
      passages: recordedPassages(evidence),
      reply,
      sent: { ...(task.asked && { asked: task.asked }), ...(messages && { read: { messages, reply } }) },
    };
    const kept = await settleNode(context, ids, subAnswer, work, () => {
      const node = {
        ...subAnswer,
        passageIds: evidence.map((passage) => passage.id),
        ...(checked && { supported: checked.supported }),
        ...(task.style !== 'outline' && { answerability: reading.answerability }),
      };
      return critiqueNode(context, node, quoteFor(subAnswer, reading));
    });
    const outcome: StepEnd['outcome'] = kept ? 'answered' : subAnswer.found ? 'rejected' : 'nothing-found';
    return { outcome, value: { subAnswer, ...(draft && { draft }), kept, retrieval, evidence, reading } };
  });
}

const nothingToRead = { draft: undefined, reply: '', messages: undefined };

/** What a critic looks at: the best sentence of the passages that the answer rests on. */
function quoteFor(subAnswer: SubAnswer, reading: Reading): string {
  const cited = reading.sentences.filter(({ passageId }) => subAnswer.passageIds.includes(passageId));
  const best = cited.find(({ text }) => text.includes(subAnswer.answer)) ?? cited[0] ?? reading.sentences[0];
  return cutTo(best?.text ?? '', QUOTE_LENGTH);
}

/**
 * The chain behind several nodes: for each the passages that its answer rests on, in the order in which they were
 * found.
 */
export function trailOf(nodes: readonly NodeOutcome[]): PassageChain {
  const hops = new Map<string, Hop>();
  for (const { subAnswer, retrieval, evidence, kept } of nodes) {
    if (!kept) continue;
    const ids =
      subAnswer.passageIds.length > 0
        ? subAnswer.passageIds
        : retrieval.chain.hops.slice(0, 1).map((hop) => hop.passage.id);
    for (const passage of evidence.filter((one) => ids.includes(one.id))) {
      const score = retrieval.chain.hops.find((hop) => hop.passage.id === passage.id)?.score ?? 0;
      if (!hops.has(passage.id))
        hops.set(passage.id, {
          passage,
          score,
          why: { kind: 'sub-question', because: { code: 'found-for', question: subAnswer.question }, terms: [] },
        });
    }
  }
  return joinedTrail(
    [...hops.values()],
    nodes.map((node) => node.retrieval.chain),
  );
}

/**
 * What several nodes were read from: all that their answers rest on, then the best of the rest, turn by turn, to
 * `limit` passages in all.
 */
export function evidenceOfNodes(nodes: readonly NodeOutcome[], limit: number): Passage[] {
  const evidence = new Map<string, Passage>();
  for (const { subAnswer, evidence: read } of nodes)
    for (const passage of read) if (subAnswer.passageIds.includes(passage.id)) evidence.set(passage.id, passage);
  for (let rank = 0; evidence.size < limit && nodes.some((node) => rank < node.evidence.length); rank++)
    for (const node of nodes) {
      const passage = node.evidence[rank];
      if (passage && evidence.size < limit) evidence.set(passage.id, passage);
    }
  return [...evidence.values()];
}
