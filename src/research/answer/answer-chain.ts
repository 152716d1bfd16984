import type { Hop, Passage, PassageChain } from '#search';
import type { EvidenceLedger } from '../evidence/ledger.ts';

/**
 * The trail of an answer: exactly the passages that it cites, in their order, each with what led to it: as the
 * retrieved trail has it where that hop's own reason is in the answer, too, else the query that found it.
 */
export function answerChain(cited: readonly Passage[], ledger: EvidenceLedger, question: string): PassageChain {
  const trails = ledger.trails;
  const hops: Hop[] = [];
  for (const passage of cited) {
    const trail = trails.find((one) => one.hops.some((hop) => hop.passage.id === passage.id));
    const hop = trail?.hops.find((one) => one.passage.id === passage.id);
    const led = hop?.why.from === undefined ? undefined : trail?.hops[hop.why.from]?.passage.id;
    const from = hops.findIndex((one) => one.passage.id === led);
    if (hop && hop.why.from === undefined) hops.push(hop);
    else if (hop && from >= 0) hops.push({ ...hop, why: { ...hop.why, from } });
    else hops.push(hopFoundBy(passage, ledger.queryOf(passage.id), question));
  }
  const [first] = trails;
  return { hops, score: first?.score ?? 0, completeness: first?.completeness ?? 0 };
}

function hopFoundBy(passage: Passage, query: string | undefined, question: string): Hop {
  if (query === undefined || query === question)
    return { passage, score: 0, why: { kind: 'question', because: { code: 'found' }, terms: [] } };
  return {
    passage,
    score: 0,
    why: { kind: 'sub-question', because: { code: 'found-for', question: query }, terms: [] },
  };
}
