import type { Answer, SubAnswer } from '../domain/answer.ts';
import type { Passage } from '#search';
import {
  decidingNames,
  noticeAbsent,
  abstainedAnswer,
  refusalOf,
  refusalSentence,
  speaksOf,
} from '../answer/abstained-answer.ts';
import { evidenceFails, extractiveAnswer, type ExtractiveEvidence } from '../answer/extractive-answer.ts';
import { type ExtractiveShape, shapeOf } from '../answer/quote.ts';
import { partsAnswer, type AnsweredPart } from '../answer/parts-answer.ts';
import { type QuestionPart, questionParts } from '../answer/question-parts.ts';
import { bestUnit, selectQuotes } from '../answer/select-quotes.ts';
import { evidenceCritique } from './critique.ts';
import { uniquePassages } from '../context/passage-ledger.ts';
import { recordedPassages } from './sub-answers.ts';
import {
  type Operator,
  type OperatorContext,
  type OperatorResult,
  type OperatorTask,
  type Step,
  stepFor,
  withStep,
} from './operator.ts';
import { type EvidenceOfPart, gatherEvidence, type Retrieval } from './retrieve.ts';

/** Beam chain, then the feature-based reader: an answer made of quotes. No language model. */
export const extractive: Operator<'extractive'> = {
  name: 'extractive',
  needsModel: false,
  retrieves: true,
  whenToUse: { does: 'quote the best passages', goodFor: 'showing the evidence' },
  cost: { leastCalls: 0, mostCalls: 0, tokens: 0 },
  prompts: [],
  async run(context, task) {
    const parts = shapeOf(task.question, context.classification.type) === 'outline' ? [] : questionParts(task.question);
    if (parts.length < 2) return (await lookUp(context, task)).result;
    if (parts.some(({ kind }) => kind === 'part')) return runParts(context, task, parts);
    // Two sides: where the whole settles it, or where nothing speaks of one of them, that is the answer.
    const whole = await lookUp(context, task);
    const { answer } = whole.result;
    // A time between two dates hardly stands in any line: the two ends may be found where the whole is not.
    const isTime = parts.some(({ ends }) => ends);
    if (!answer || (answer.abstained && !isTime) || answer.lead?.kind === 'answer') return whole.result;
    const weighed = await runParts(context, task, parts);
    // Such a time, and yes or no, are asked for alone: without them the two sides answer less than the whole.
    const isAlone = isTime || parts.some(({ whether }) => whether);
    return isAlone && weighed.answer?.lead?.kind !== 'answer' ? whole.result : weighed;
  },
};

/** What was found for one question, which words of it no file has, and its result. */
interface LookedUp extends Omit<AnsweredPart, 'part' | 'refused'> {
  absent: Retrieval['absent'];
  result: OperatorResult;
}

/** @param within The whole, where the task is a part of it: one thing is asked then, whatever the type of the whole. */
async function lookUp(context: OperatorContext, task: OperatorTask, within?: EvidenceOfPart): Promise<LookedUp> {
  const ids = stepFor(context, task);
  const { stepId } = ids;
  context.budget.addNode();
  return withStep(context, { ...ids, operator: 'extractive', question: task.question, dependsOn: [] }, async () => {
    const shape = shapeOf(task.question, within ? 'lookup' : context.classification.type);
    const { evidence, nearest, absent } = await gatherEvidence(context, ids, task.question, shape, within);
    const isFar = shape !== 'outline' && !speaksOf(task.question, evidence.hits);
    const answer =
      isFar ||
      decidingNames(absent).length > 0 ||
      evidenceFails(evidence, shape, evidence.coverage.indexing ? 0 : (absent?.length ?? 0))
        ? refusal(context, task.question, evidence, nearest, absent)
        : extractiveAnswer(evidence, shape);
    // A refusal that is about such words names them itself; those of all parts are told together.
    if (!within && decidingNames(absent).length === 0)
      noticeAbsent(context, { absent, coverage: evidence.coverage }, context.question.scope);
    const subAnswer = criticise(context, evidence, shape, ids, {
      stepId,
      question: task.question,
      answer: answer.short,
      found: !answer.abstained,
      passageIds: answer.abstained ? [] : [...new Set(answer.citations.map((citation) => citation.passageId))],
    });
    if (subAnswer.found) context.keep(subAnswer);
    context.record({
      history: [],
      ...ids,
      operator: 'extractive',
      subQuestion: task.question,
      passages: recordedPassages(evidence.passages),
      reply: '',
      answer: subAnswer.answer,
      passageIds: subAnswer.passageIds,
      verdict: subAnswer.critique ?? null,
    });
    const result = {
      ...resultOf(context, stepId, evidence, shape, subAnswer),
      answer: { ...answer, subAnswers: [subAnswer] },
    };
    return { outcome: subAnswer.found ? 'answered' : 'nothing-found', value: { result, evidence, shape, absent } };
  });
}

/** Each part is looked up on its own, below a step of the whole. Where none is answered, the whole is looked up. */
async function runParts(
  context: OperatorContext,
  task: OperatorTask,
  parts: readonly QuestionPart[],
): Promise<OperatorResult> {
  const ids = stepFor(context, task);
  const { stepId } = ids;
  return withStep(context, { ...ids, operator: 'extractive', question: task.question, dependsOn: [] }, async () => {
    const found: (LookedUp & { part: QuestionPart })[] = [];
    for (const part of parts)
      found.push({
        part,
        ...(await lookUp(
          context,
          { ...task, question: part.question, parentStepId: stepId },
          {
            part,
            whole: task.question,
            before: found.map((one) => ({ question: one.part.question, chain: one.evidence.chain })),
          },
        )),
      });
    const answered = found.filter(({ result }) => result.draft);
    const [first] = answered;
    if (!first) {
      const whole = await lookUp(context, { ...task, parentStepId: stepId });
      return { outcome: whole.result.draft ? 'answered' : 'nothing-found', value: { ...whole.result, stepId } };
    }
    const told = found.filter(({ absent }) => decidingNames(absent).length === 0).flatMap(({ absent }) => absent);
    const absent = [...new Map(told.map((word) => [word.text, word])).values()];
    noticeAbsent(context, { absent, coverage: first.evidence.coverage }, context.question.scope);
    const answer = partsAnswer(
      found.map(({ part, evidence, shape, result }) => ({
        part,
        evidence,
        shape,
        ...(result.answer?.abstained && { refused: refusalSentence(result.answer) }),
      })),
    );
    const value: OperatorResult = {
      operator: 'extractive',
      stepId,
      chain: answer.chain,
      evidence: uniquePassages(answered.flatMap(({ result }) => result.evidence)),
      draft: {
        short: answer.short,
        statements: answered.flatMap(({ result }) => result.draft?.statements ?? []),
        conflicts: [],
      },
      answer: { ...answer, subAnswers: found.flatMap(({ result }) => result.answer?.subAnswers ?? []) },
    };
    return { outcome: 'answered', value };
  });
}

/** The line that comes nearest to answering is looked for in what was read, and in no more. */
function refusal(
  context: OperatorContext,
  question: string,
  { reading, passages, hits, chain, coverage }: ExtractiveEvidence,
  nearest: readonly Passage[],
  absent: Retrieval['absent'],
): Answer {
  return abstainedAnswer({
    ...refusalOf(speaksOf(question, hits), coverage, context.question.scope, decidingNames(absent)),
    nearest,
    best: bestUnit(question, reading, passages),
    chain,
    coverage,
    subAnswers: [],
    by: 'extractive',
  });
}

function criticise(
  context: OperatorContext,
  evidence: ExtractiveEvidence,
  shape: ExtractiveShape,
  ids: Step,
  subAnswer: SubAnswer,
): SubAnswer {
  context.emit({ type: 'sub-answer-ready', ...ids, subAnswer });
  if (!context.options.critique) return subAnswer;
  const passageIds = evidence.passages.map((passage) => passage.id);
  const critique = evidenceCritique(
    { ...subAnswer, passageIds, ...(shape !== 'outline' && { answerability: evidence.reading.answerability }) },
    context.subAnswers,
  );
  context.emit({ type: 'critique-ready', ...ids, of: 'node', verdict: critique });
  return { ...subAnswer, critique };
}

function resultOf(
  context: OperatorContext,
  stepId: string,
  evidence: ExtractiveEvidence,
  shape: ExtractiveShape,
  subAnswer: SubAnswer,
): OperatorResult {
  const base = {
    operator: 'extractive' as const,
    stepId,
    chain: evidence.chain,
    evidence: [...evidence.passages],
    reading: evidence.reading,
  };
  if (!subAnswer.found) return { ...base, reason: 'The nearest passages do not carry an answer.' };
  const statements = selectQuotes(evidence.reading, evidence.passages, shape).map((quote) => ({
    text: `“${quote.text}”`,
    numbers: [context.ledger.numberOf(quote.passage.id) ?? 0],
  }));
  return { ...base, draft: { short: subAnswer.answer, statements, conflicts: [] } };
}
