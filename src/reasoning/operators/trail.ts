import type { Hop, PassageChain } from '../../model/passage-chain.ts';
import type { Passage } from '../../model/passage.ts';
import type { NodeOutcome } from './run-node.ts';

/** The chain behind several nodes: for each the passages that its answer rests on, in the order in which they were found. */
export function trailOf(nodes: readonly NodeOutcome[]): PassageChain {
  const hops = new Map<string, Hop>();
  for (const { subAnswer, retrieval, evidence, kept } of nodes) {
    if (!kept) continue;
    const ids = subAnswer.passageIds.length > 0 ? subAnswer.passageIds : retrieval.chain.hops.slice(0, 1).map((hop) => hop.passage.id);
    for (const passage of evidence.filter((one) => ids.includes(one.id))) {
      const score = retrieval.chain.hops.find((hop) => hop.passage.id === passage.id)?.score ?? 0;
      if (!hops.has(passage.id)) hops.set(passage.id, { passage, score, why: { kind: 'sub-question', text: `found for “${subAnswer.question}”`, terms: [] } });
    }
  }
  const chains = nodes.map((node) => node.retrieval.chain).filter((chain) => chain.hops.length > 0);
  return { hops: [...hops.values()], score: chains.reduce((sum, chain) => sum + chain.score, 0), completeness: chains.length > 0 ? Math.min(...chains.map((chain) => chain.completeness)) : 0 };
}

/** What several nodes were read from: first what their answers rest on, then the best of the rest, turn by turn. */
export function evidenceOfNodes(nodes: readonly NodeOutcome[], limit: number): Passage[] {
  const evidence = new Map<string, Passage>();
  const add = (passage: Passage | undefined): void => { if (passage && evidence.size < limit) evidence.set(passage.id, passage); };
  for (const { subAnswer, evidence: read } of nodes) for (const passage of read) if (subAnswer.passageIds.includes(passage.id)) add(passage);
  for (let rank = 0; evidence.size < limit && nodes.some((node) => rank < node.evidence.length); rank++) for (const node of nodes) add(node.evidence[rank]);
  return [...evidence.values()];
}
