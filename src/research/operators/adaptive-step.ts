import { sum } from '#base';
import type { Passage } from '#search';
import { checkCitations } from '../answer/check-citations.ts';
import {
  emptyChain,
  goOnWithout,
  type Operator,
  type OperatorContext,
  type OperatorResult,
  type OperatorTask,
  type Step,
  runAsStep,
} from './operator.ts';
import { iterativeStep } from './iterative-step.ts';
import { singleStep } from './single-step.ts';
import { subStep } from './sub-step.ts';
import { evidenceOf, readEvidence, retrieve } from './retrieve.ts';

/** From here on the first look is taken to hold what the question needs. */
const ENOUGH = 0.5;
/** Cheapest first. */
const LEVELS = [singleStep, subStep, iterativeStep] as const;

/**
 * Decides how much retrieval a question needs, and escalates (BELLE, arXiv 2505.11811, §3.2, after Adaptive-RAG). The
 * first decision costs no call: the chain's completeness and the reader's answerability make it; each further level
 * only pays when the one before did not hold.
 */
export const adaptiveStep: Operator<'adaptive-step'> = {
  name: 'adaptive-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'look once, dig deeper only if that is not enough',
    goodFor: 'questions that may be easy',
  },
  cost: {
    leastCalls: singleStep.cost.leastCalls,
    mostCalls: sum(LEVELS.map(({ cost }) => cost.mostCalls ?? 0)),
    critiqueCalls: sum(LEVELS.map(({ cost }) => cost.critiqueCalls ?? 0)),
    tokens: 2100,
  },
  prompts: [],
  run: (context, task) =>
    runAsStep(context, task, 'adaptive-step', async (ids) => {
      const own = { operator: 'adaptive-step', stepId: ids.stepId } as const;
      let best: OperatorResult | undefined;
      for (const operator of await levelsFor(context, task, ids)) {
        try {
          const result = await operator.run(context, { ...task, parentStepId: ids.stepId });
          if (!best?.draft || result.draft) best = { ...result, ...own };
          if (result.draft && holds(context, result)) break;
        } catch (error) {
          if (!best) throw error;
          goOnWithout(context, error);
        }
      }
      return best ?? { ...own, chain: emptyChain, evidence: [], reason: 'No operator is allowed to answer.' };
    }),
};

/** Operators to try, cheapest first; a first look that is plainly not enough skips the cheapest. */
async function levelsFor(context: OperatorContext, task: OperatorTask, ids: Step): Promise<Operator[]> {
  const allowed = LEVELS.filter((operator) => context.options.operators.includes(operator.name));
  const levels = allowed.length > 0 ? allowed : [singleStep];
  const { type } = context.classification;
  if (type === 'lookup' || type === 'overview' || levels.length === 1) return levels;
  const retrieval = await retrieve(context, ids, task.question);
  const evidence =
    retrieval.chain.hops.length > 0 ? retrieval.chain.hops.map((hop) => hop.passage) : evidenceOf(retrieval, 3);
  const { answerability } = await readEvidence(context, task.question, evidence);
  const enough = retrieval.chain.completeness >= ENOUGH && answerability >= ENOUGH;
  return enough ? levels : levels.filter((operator) => operator !== singleStep);
}

/** True when the draft's statements hold against their passages. */
function holds(context: OperatorContext, { draft, evidence }: OperatorResult): boolean {
  if (!draft) return false;
  const passageOf = (number: number): Passage | undefined => context.ledger.passage(number);
  const { statements, unsupportedCount } = checkCitations(draft.statements, {
    passageOf,
    evidence,
    question: context.question.text,
  });
  return (
    statements.some((statement) => statement.support !== 'unsupported') && unsupportedCount <= statements.length / 2
  );
}
