import type { ChainOptions, ChainResult, IndexCoverage, Passage, PassageChain, SearchHit } from '#search';
import { emptyChain, type OperatorContext } from './operator.ts';

export interface Step {
  stepId: string;
  parentStepId?: string;
}

/** What one retrieval gave a step. */
export interface Retrieval {
  query: string;
  chain: PassageChain;
  /** Every chain, best first. */
  chains: readonly PassageChain[];
  hits: readonly SearchHit[];
  coverage: IndexCoverage;
  /** What of the query stands in no passage. */
  absent: NonNullable<ChainResult['absent']>;
  /** The same retrieval was made before in this run. */
  repeated: boolean;
}

/**
 * Retrieves through the beam and tells of it: a step sees a chain, not only passages. Repeated retrievals cost nothing.
 */
export async function retrieve(
  context: OperatorContext,
  step: Step,
  query: string,
  startFrom?: readonly string[],
): Promise<Retrieval> {
  const started = context.now();
  const options = { ...chainOptions(context), ...(startFrom?.length && { startFrom }) };
  const result = await context.ledger.chains(query, options, context.signal);
  if (!result.repeated) context.budget.addRetrieval();
  context.noteCoverage(result.coverage);
  const chain = result.chains[0];
  context.emit({
    type: 'passages-retrieved',
    ...step,
    query,
    hits: result.hits,
    ...(chain && { chain }),
    milliseconds: context.now() - started,
  });
  return {
    query,
    chain: chain ?? emptyChain,
    chains: result.chains,
    hits: result.hits,
    coverage: result.coverage,
    absent: result.absent ?? [],
    repeated: result.repeated,
  };
}

/** How every chain of a run is looked up: the same options are the same retrieval, which is not made twice. */
export function chainOptions({
  options: { beam, maxHops },
  question: { scope },
}: Pick<OperatorContext, 'options' | 'question'>): ChainOptions {
  return { beam, maxHops, ...(scope && { filter: scope }) };
}

/** The chain's passages, then the best of the other hits, at most `limit`. */
export function evidenceOf(retrieval: Retrieval, limit: number): Passage[] {
  const evidence = new Map<string, Passage>();
  for (const passage of [
    ...retrieval.chain.hops.map((hop) => hop.passage),
    ...retrieval.hits.map((hit) => hit.passage),
  ]) {
    if (evidence.size < limit && !evidence.has(passage.id)) evidence.set(passage.id, passage);
  }
  return [...evidence.values()];
}
