import type { Answer, SubAnswer } from '../domain/answer.ts';
import type { Passage } from '#search';
import { abstainedAnswer, refusalOf } from '../answer/abstained-answer.ts';
import {
  evidenceFails,
  extractiveAnswer,
  type ExtractiveEvidence,
  type ExtractiveShape,
} from '../answer/extractive-answer.ts';
import { shapeOf } from '../answer/question-shape.ts';
import { bestUnit, MOST_OF_A_LIST, selectQuotes } from '../answer/select-quotes.ts';
import { speaksOf } from '../answer/what-speaks.ts';
import { evidenceCritique } from '../critique/critique-node.ts';
import { recordedPassages } from './sub-answers.ts';
import { type Operator, type OperatorContext, type OperatorResult, withStep } from './operator.ts';
import { evidenceOf, retrieve, type Step } from './retrieve.ts';

/** Passages shown by an outline, and read when the beam gave no chain. */
const OUTLINE_PASSAGES = 8;
const FALLBACK_PASSAGES = 3;
/** Passages in which units are looked for: the chain's and the best hits'. */
const MOST_READ = 12;
/** So many of the best units, as far as they are about as good as the best, say which passages beside the chain are shown. */
const BEST_UNITS = 5;
const GOOD_SHARE = 0.6;

/** Beam chain, then the feature-based reader: an answer made of quotes. No language model. */
export const extractive: Operator<'extractive'> = {
  name: 'extractive',
  needsModel: false,
  retrieves: true,
  whenToUse: { does: 'quote the best passages', goodFor: 'showing the evidence', calls: 'no call' },
  async run(context, task) {
    const stepId = context.nextStepId();
    const ids = { stepId, ...(task.parentStepId !== undefined && { parentStepId: task.parentStepId }) };
    context.budget.addNode();
    return withStep(context, { ...ids, operator: 'extractive', question: task.question, dependsOn: [] }, async () => {
      const shape = shapeOf(task.question, context.classification.type);
      const { evidence, nearest } = await gatherEvidence(context, ids, task.question, shape);
      const isFar = shape !== 'outline' && !speaksOf(task.question, evidence.hits);
      const answer =
        isFar || evidenceFails(evidence, shape)
          ? refusal(context, task.question, evidence, nearest)
          : extractiveAnswer(evidence, shape);
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
        query: task.question,
        passages: recordedPassages(evidence.passages),
        reply: '',
        answer: subAnswer.answer,
        passageIds: subAnswer.passageIds,
        verdict: subAnswer.critique ?? null,
        inputTokens: 0,
        outputTokens: 0,
        estimated: false,
      });
      const value = {
        ...resultOf(context, stepId, evidence, shape, subAnswer),
        answer: { ...answer, subAnswers: [subAnswer] },
      };
      return { outcome: subAnswer.found ? 'answered' : 'nothing-found', value };
    });
  },
};

async function gatherEvidence(
  context: OperatorContext,
  ids: Step,
  question: string,
  shape: ExtractiveShape,
): Promise<{ evidence: ExtractiveEvidence; nearest: Passage[] }> {
  const retrieval = await retrieve(context, ids, question);
  const { chain, hits, coverage } = retrieval;
  const hops = chain.hops.map((hop) => hop.passage);
  const passages =
    shape === 'outline'
      ? evidenceOf(retrieval, OUTLINE_PASSAGES)
      : hops.length > 0
        ? hops
        : evidenceOf(retrieval, FALLBACK_PASSAGES);
  const read = passages.map((passage) => passage.id);
  const further = shape === 'outline' ? [] : evidenceOf(retrieval, MOST_READ).filter(({ id }) => !read.includes(id));
  const reading = await context.retriever.readWidely(
    question,
    read,
    further.map((passage) => passage.id),
    context.signal,
  );
  const nearest = evidenceOf(retrieval, FALLBACK_PASSAGES);
  // What stands beside the chain is shown where one of its units is among the best: more of them where several are asked for.
  const bar = shape === 'list' ? 0 : GOOD_SHARE * (reading.sentences[0]?.score ?? 0);
  const most = shape === 'list' ? MOST_OF_A_LIST : BEST_UNITS;
  const good = reading.sentences.slice(0, most).filter(({ score }) => score > 0 && score >= bar);
  const best = new Set(good.map(({ passageId }) => passageId));
  const shown = [...passages, ...further.filter(({ id }) => best.has(id))];
  return { evidence: { chain, hits, passages: shown, reading, coverage }, nearest };
}

/** The line that comes nearest to answering is looked for in what was read, and in no more. */
function refusal(
  context: OperatorContext,
  question: string,
  { reading, passages, hits, chain, coverage }: ExtractiveEvidence,
  nearest: readonly Passage[],
): Answer {
  return abstainedAnswer({
    ...refusalOf(speaksOf(question, hits), coverage, context.question.scope),
    nearest,
    best: bestUnit(reading, passages),
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
