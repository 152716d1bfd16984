import type { Passage } from '#search';
import { type CheckedStatement, checkReading } from '../check/check-reading.ts';
import { type Critique, critiqueNode, evidenceCritique } from '../check/critique.ts';
import { passageAt } from '../answer/cite.ts';
import { withoutMarks } from '../answer/reading.ts';
import type { RecordedPassage, SentPrompt } from '../context/node-record.ts';
import type { CritiqueVerdict, SubAnswer } from '../domain/answer.ts';
import type { OperatorName } from '../domain/plan.ts';
import { inOneLine } from '../evidence/fence.ts';
import { uniquePassages } from '../evidence/ledger.ts';
import {
  type OperatorContext,
  type OperatorResult,
  type OperatorTask,
  type Step,
  withStep,
} from '../operators/operator.ts';
import { type LoopTask, runLoop } from './run-loop.ts';

/** One node of RISE: a question, its looks, the reading, and a critique of it. */
interface NodeTask extends LoopTask {
  operator: OperatorName;
  history: readonly SubAnswer[];
  asked?: SentPrompt | undefined;
  /** The model judges it, too, where the check does not reject it. */
  judge?: 'model';
}

export interface NodeOutcome extends OperatorResult {
  subAnswer: SubAnswer;
  verdict: CritiqueVerdict;
}

/** Most characters of a reading that later steps are told. */
const TOLD = 600;

export function nodeAsStep(
  context: OperatorContext,
  task: NodeTask,
  dependsOn: readonly string[],
): Promise<NodeOutcome> {
  const { step, operator, question } = task;
  return withStep(context, step, { operator, question, dependsOn }, async () => {
    const value = await readNode(context, task);
    const rejected = value.verdict.verdict === 'irrelevant' || value.verdict.verdict === 'redundant';
    return { outcome: !value.subAnswer.found ? 'nothing-found' : rejected ? 'rejected' : 'answered', value };
  });
}

/** Looks, reads, checks and judges within the step of the task; tells the sub-answer and records the node. */
async function readNode(context: OperatorContext, task: NodeTask): Promise<NodeOutcome> {
  const { step, question, history, operator } = task;
  const { reading, chain, shown, sent } = await runLoop(context, task);
  const checked = reading ? checkReading(reading, context.ledger, question, task.fromMemory) : [];
  const found = reading !== undefined && !reading.none && reading.text !== '';
  const cited = citedPassages(context, checked);
  const answer = found ? inOneLine(reading.short) : '';
  const judged = await judge(context, task, checked, found, answer);
  const critique = context.options.critique && judged.verdict;
  const subAnswer: SubAnswer = {
    stepId: step.stepId,
    question,
    answer,
    found,
    passageIds: cited.map(({ id }) => id),
    ...(critique && { critique }),
  };
  context.emit({ type: 'sub-answer-ready', ...step, subAnswer });
  if (critique) context.emit({ type: 'critique-ready', ...step, of: 'node', verdict: critique });
  const calls = {
    ...(task.asked && { asked: task.asked }),
    ...(sent && { read: sent }),
    ...(judged.sent && { judged: judged.sent }),
  };
  context.record({
    kind: 'node',
    ...step,
    operator,
    history: history.map((one) => ({ question: one.question, answer: one.answer })),
    subQuestion: question,
    passages: uniquePassages([...cited, ...shown]).map(recorded),
    reply: sent?.reply ?? '',
    answer,
    passageIds: subAnswer.passageIds,
    verdict: critique || null,
    ...(Object.keys(calls).length > 0 && { sent: calls }),
  });
  const result = { operator, stepId: step.stepId, ...(reading && { reading }), chain, evidence: shown };
  return { ...result, subAnswer, verdict: judged.verdict };
}

/** A node that reads the question of an operator's task, with all that is known. */
export const readWhole = (
  context: OperatorContext,
  { question, final, queries, seen }: OperatorTask,
  step: Step,
  operator: OperatorName,
  way: Partial<NodeTask> & Pick<LoopTask, 'looks'>,
): Promise<NodeOutcome> => {
  const { subAnswers: history } = context;
  const known = history.filter(({ found }) => found);
  return readNode(context, { operator, step, question, final, queries, seen, known, history, ...way });
};

/** The same from the answers of nodes; its trail is that of the first of them where it has none of its own. */
export async function readTogether(
  nodes: readonly NodeOutcome[],
  ...[context, task, step, operator, way]: Parameters<typeof readWhole>
): Promise<OperatorResult> {
  const whole = await readWhole(context, task, step, operator, { known: nodes.map(toldOf), ...way });
  return { ...whole, chain: whole.chain.hops.length > 0 ? whole.chain : (nodes[0]?.chain ?? whole.chain) };
}

async function judge(
  context: OperatorContext,
  { question, history, judge: by }: NodeTask,
  checked: readonly CheckedStatement[],
  found: boolean,
  answer: string,
): Promise<Critique> {
  const verdict = evidenceCritique({ question, checked, none: !found }, history);
  if (by !== 'model' || !found || verdict.verdict === 'redundant' || !context.options.critique) return { verdict };
  const places = checked.flatMap((statement) => statement.places);
  return (await critiqueNode(context, { question, answer }, places, history)) ?? { verdict };
}

function citedPassages(context: OperatorContext, checked: readonly CheckedStatement[]): Passage[] {
  const places = checked.flatMap((statement) => statement.places);
  return uniquePassages(places.flatMap((place) => passageAt(context.ledger, place) ?? []));
}

/** What later steps are told of a node: its own words with their citations, which hold over the whole run. */
export const toldOf = ({ reading, subAnswer }: NodeOutcome): SubAnswer => {
  const said = inOneLine(reading?.text ?? '');
  const text = said.length > TOLD ? `${inOneLine(subAnswer.answer)} ${withoutMarks(said).slice(0, TOLD)}` : said;
  return { ...subAnswer, answer: subAnswer.found ? text : 'nothing was found' };
};

const recorded = ({ id, path, startLine, endLine, title, text }: Passage): RecordedPassage => {
  return { id, path, startLine, endLine, title, text };
};
