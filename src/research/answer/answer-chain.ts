import type { Hop, Passage, PassageChain } from '#search';
import type { Answer } from '../domain/answer.ts';
import type { EvidenceLedger } from '../evidence/ledger.ts';
import type { OperatorContext } from '../operators/operator.ts';
import type { CitationList } from './cite.ts';

export type AnswerContext = Pick<OperatorContext, 'question' | 'ledger' | 'subAnswers' | 'coverage'>;

/** What every answer tells beside its words and statements: what it cites, and how that was found. */
export function foundBy(
  { question, ledger, subAnswers, coverage }: AnswerContext,
  list: CitationList,
  by: Answer['by'],
) {
  return {
    citations: list.citations,
    passages: list.passages,
    chain: answerChain(list.passages, ledger, question.text),
    subAnswers: [...subAnswers],
    unsupportedCount: 0,
    conflicts: [],
    by,
    coverage,
  } satisfies Partial<Answer>;
}

/** The passages that an answer cites, with what led to each: the retrieved trail, what is linked, then the others. */
function answerChain(cited: readonly Passage[], ledger: EvidenceLedger, question: string): PassageChain {
  const known = new Map(ledger.trails.flatMap(({ hops }) => hops.map((hop) => [hop.passage.id, hop] as const)));
  const trail = ledger.trails[0]?.hops.map(({ passage }) => passage.id) ?? [];
  const left = [...cited].sort((a, b) => placeIn(trail, a) - placeIn(trail, b));
  const hops: Hop[] = [];
  while (left.length > 0) {
    const linked = left.findIndex((passage) => trail.includes(passage.id) || linkTo(passage, hops));
    const [passage] = left.splice(Math.max(0, linked), 1) as [Passage];
    hops.push(
      retrievedHop(known.get(passage.id), hops, ledger) ?? linkTo(passage, hops) ?? foundHop(passage, ledger, question),
    );
  }
  const [first] = ledger.trails;
  return { hops, score: first?.score ?? 0, completeness: first?.completeness ?? 0 };
}

const placeIn = (trail: readonly string[], { id }: Passage): number =>
  trail.includes(id) ? trail.indexOf(id) : trail.length;

/** A hop as a trail has it, where what led to it is in the answer, too. */
function retrievedHop(hop: Hop | undefined, before: readonly Hop[], ledger: EvidenceLedger): Hop | undefined {
  if (hop?.why.from === undefined) return hop;
  const { from } = hop.why;
  const trail = ledger.trails.find(({ hops }) => hops.includes(hop));
  const place = before.findIndex(({ passage }) => passage.id === trail?.hops[from]?.passage.id);
  return place < 0 ? undefined : { ...hop, why: { ...hop.why, from: place } };
}

function linkTo(passage: Passage, before: readonly Hop[]): Hop | undefined {
  for (const [from, { passage: earlier }] of before.entries()) {
    const link = earlier.links.find(({ path }) => path === passage.path && path !== earlier.path);
    if (!link) continue;
    const because = { code: 'links' as const, who: earlier.title || earlier.path, what: link.target, line: link.line };
    return { passage, score: 0, why: { kind: 'link', because, terms: [link.target], from } };
  }
  return undefined;
}

function foundHop(passage: Passage, ledger: EvidenceLedger, question: string): Hop {
  const query = ledger.queryOf(passage.id);
  if (query === undefined || query === question)
    return { passage, score: 0, why: { kind: 'question', because: { code: 'found' }, terms: [] } };
  return {
    passage,
    score: 0,
    why: { kind: 'sub-question', because: { code: 'found-for', question: query }, terms: [] },
  };
}
