import { OUTLINE_PASSAGES } from '../answer/select-quotes.ts';
import { type Operator, type OperatorResult, stepFor } from './operator.ts';
import { VERDICT_CALLS } from './critique.ts';
import { READING_CALLS } from './read-passages.ts';
import { passagesToRead } from './retrieve.ts';
import { runNode, type NodeOutcome } from './run-node.ts';

/** Retrieve once, read once (BELLE, arXiv 2505.11811, §3.2). */
export const singleStep: Operator<'single-step'> = {
  name: 'single-step',
  needsModel: true,
  retrieves: true,
  whenToUse: { does: 'look the whole question up once', goodFor: 'a fact that stands in one place' },
  cost: { leastCalls: 1, mostCalls: READING_CALLS, critiqueCalls: VERDICT_CALLS, tokens: 1300 },
  prompts: [],
  async run(context, task) {
    const overview = context.classification.type === 'overview';
    const node = await runNode(context, {
      ...stepFor(context, task),
      operator: 'single-step',
      question: task.question,
      dependsOn: [],
      style: overview ? 'outline' : 'full',
      limit: overview ? OUTLINE_PASSAGES : passagesToRead(context),
      final: task.final,
      seen: task.seen,
    });
    return resultOfNode('single-step', node);
  },
};

/** A node's outcome as an operator's. A rejected draft is no draft. */
function resultOfNode(operator: Operator['name'], node: NodeOutcome): OperatorResult {
  const base: OperatorResult = {
    operator,
    stepId: node.subAnswer.stepId,
    chain: node.retrieval.chain,
    evidence: node.evidence,
    reading: node.reading,
  };
  if (node.draft && node.kept) return { ...base, draft: node.draft };
  return {
    ...base,
    reason: node.draft
      ? `The answer was rejected: ${node.subAnswer.critique?.reason ?? 'it does not hold'}`
      : 'The passages that were found do not tell.',
  };
}
