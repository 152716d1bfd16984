import type { ChainOptions, ChainResult, IndexCoverage, Passage, PassageChain, Reading, SearchHit } from '#search';
import { emptyChain, type OperatorContext, type Step } from './operator.ts';
import type { ExtractiveEvidence } from '../answer/extractive-answer.ts';
import type { ExtractiveShape } from '../answer/quote.ts';
import { askedListFirst, type HeadingUnit, headingsAsked } from '../answer/asked-list.ts';
import { inSubject, type PartBefore, type QuestionPart } from '../answer/question-parts.ts';
import { MOST_OF_A_LIST, OUTLINE_PASSAGES } from '../answer/select-quotes.ts';
import { uniquePassages } from '../context/passage-ledger.ts';

/** What one retrieval gave a step. */
export interface Retrieval {
  chain: PassageChain;
  hits: readonly SearchHit[];
  coverage: IndexCoverage;
  /** What of the query stands in no passage. */
  absent: NonNullable<ChainResult['absent']>;
}

/**
 * Retrieves through the beam and tells of it: a step sees a chain, not only passages. Repeated retrievals cost nothing.
 */
export async function retrieve(context: OperatorContext, step: Step, query: string): Promise<Retrieval> {
  const started = context.now();
  const result = await context.ledger.chains(query, chainOptions(context), context.signal);
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
    chain: chain ?? emptyChain,
    hits: result.hits,
    coverage: result.coverage,
    absent: result.absent ?? [],
  };
}

/** How every chain of a run is looked up: the same options are the same retrieval, which is not made twice. */
export function chainOptions({
  options: { beam, maxHops, stop, threshold },
  question: { scope },
}: Pick<OperatorContext, 'options' | 'question'>): ChainOptions {
  return { beam, maxHops, ...(stop === 'threshold' && { stop, threshold }), ...(scope && { filter: scope }) };
}

/** The chain's passages, then the best of the other hits, at most `limit`. */
export const evidenceOf = ({ chain, hits }: Retrieval, limit: number): Passage[] =>
  uniquePassages([...chain.hops, ...hits].map(({ passage }) => passage)).slice(0, limit);

/** As `evidenceOf`, for a model: every passage of the chain, as one that is left out may be the one with the answer. */
export const evidenceToRead = (retrieval: Retrieval, limit: number): Passage[] =>
  evidenceOf(retrieval, Math.max(limit, retrieval.chain.hops.length));

/**
 * Passages that a reader of the whole question is given, by the least tokens of the model's window. Of 736 questions
 * about code .67 have evidence among five passages and .72 among eight, of 592 about notes .86 and .90
 * (lab/heads/train-units.ts). A passage has 250 tokens: even twelve take less than half of the window.
 */
const PASSAGES_BY_WINDOW = [
  { tokens: 16_384, passages: 12 },
  { tokens: 8_192, passages: 8 },
];
const FEWEST_PASSAGES = 5;

export const passagesToRead = ({ model }: Pick<OperatorContext, 'model'>): number =>
  PASSAGES_BY_WINDOW.find(({ tokens }) => (model?.contextTokens ?? 0) >= tokens)?.passages ?? FEWEST_PASSAGES;

/** What the extractive reader makes of passages. */
export const readEvidence = (
  { retriever, signal }: Pick<OperatorContext, 'retriever' | 'signal'>,
  question: string,
  passages: readonly Passage[],
): Promise<Reading> =>
  retriever.read(
    question,
    passages.map(({ id }) => id),
    signal,
  );

/** Passages read when the beam gave no chain. */
const FALLBACK_PASSAGES = 3;
/** Passages in which units are looked for: the chain's and the best hits'. */
const MOST_READ = 12;
/** So many of the best units say which passages beside the chain are shown. */
export const BEST_UNITS = 6;
/** What stands behind headings that answer has less than this share of their score. */
const BEHIND_HEADINGS = 0.3;

/** A part, the question that it is of, and what was found for the parts before it. */
export interface EvidenceOfPart {
  part: QuestionPart;
  whole: string;
  before: readonly PartBefore[];
}

/**
 * What is looked up for a question: of a part that leans on the whole, the whole's trail with its own passages behind.
 */
async function retrieveAll(
  context: OperatorContext,
  ids: Step,
  question: string,
  within: EvidenceOfPart | undefined,
): Promise<{ retrieval: Retrieval; own: Retrieval }> {
  const own = await retrieve(context, ids, question);
  if (!within?.part.leans) return { retrieval: own, own };
  const whole = await retrieve(context, ids, within.whole);
  return { retrieval: whole.chain.hops.length > 0 ? whole : own, own };
}

/**
 * Evidence for a question: a chain, the hits beside it, and what their units say. Of a part of a question, units of
 * the whole's subject come first.
 */
export async function gatherEvidence(
  context: OperatorContext,
  ids: Step,
  question: string,
  shape: ExtractiveShape,
  within: EvidenceOfPart | undefined,
): Promise<{ evidence: ExtractiveEvidence; nearest: Passage[]; absent: Retrieval['absent'] }> {
  const { retrieval, own } = await retrieveAll(context, ids, question, within);
  const { chain, hits, coverage } = retrieval;
  const hops = chain.hops.map((hop) => hop.passage);
  const passages =
    shape === 'outline'
      ? evidenceOf(retrieval, OUTLINE_PASSAGES)
      : hops.length > 0
        ? hops
        : evidenceOf(retrieval, FALLBACK_PASSAGES);
  const read = passages.map((passage) => passage.id);
  // The two sides of a comparison are two subjects.
  const before = within?.part.kind === 'part' ? within.before : [];
  const beside = [
    ...before.flatMap((part) => part.chain.hops.map((hop) => hop.passage)),
    ...(retrieval === own ? [] : evidenceOf(own, FALLBACK_PASSAGES)),
    ...evidenceOf(retrieval, MOST_READ),
  ];
  const further = shape === 'outline' ? [] : uniquePassages(beside.filter(({ id }) => !read.includes(id)));
  const found = await context.retriever.readWidely(
    question,
    read,
    further.map((passage) => passage.id),
    context.signal,
  );
  const chains = [chain, own.chain];
  const ofSubject =
    (before.length > 0 && within
      ? inSubject(found, within.part, { before, chains, passages: [...passages, ...further] })
      : undefined) ?? found;
  const all = [...passages, ...further];
  const headings =
    shape === 'list'
      ? await headingsAsked(question, all, (path) => context.retriever.passagesOf(path, context.signal))
      : undefined;
  const listed = shape === 'list' && !headings ? askedListFirst(ofSubject, question, all) : undefined;
  const reading = headings ? headingsFirst(ofSubject, headings) : (listed ?? ofSubject);
  const nearest = evidenceOf(retrieval, FALLBACK_PASSAGES);
  // What stands beside the chain is shown where one of its units is among the best: more of them where several are
  // asked for.
  const most = shape === 'list' ? MOST_OF_A_LIST : BEST_UNITS;
  const good = reading.sentences.slice(0, most).filter(({ score }) => score > 0);
  const best = new Set(good.map(({ passageId }) => passageId));
  const shown = uniquePassages([
    ...(headings ?? []).map(({ passage }) => passage),
    ...passages,
    ...further.filter(({ id }) => best.has(id)),
  ]);
  return {
    evidence: { question, chain, hits, passages: shown, reading, coverage },
    nearest,
    absent: own.absent,
  };
}

/** They are the answer: what else was read stands behind, so far that it is not shown beside them. */
function headingsFirst(reading: Reading, headings: readonly HeadingUnit[]): Reading {
  const score = Math.max(...reading.sentences.map((unit) => unit.score), 0);
  return {
    ...reading,
    answerability: 1,
    sentences: [
      ...headings.map(({ passage: _, ...unit }) => ({ ...unit, score, fits: true })),
      ...reading.sentences.map((unit) => ({ ...unit, score: unit.score * BEHIND_HEADINGS })),
    ],
  };
}
