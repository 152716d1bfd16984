import type { Answer } from '../domain/answer.ts';
import { contentStems, type Hop, type PassageChain } from '#search';
import type { QuestionPart } from './question-parts.ts';
import { answerOfQuotes, type ExtractiveEvidence, quotesOf } from './extractive-answer.ts';
import { joinedTrail, leadingFinds, trailFinds } from './trail.ts';
import { formatLead, formatQuote, inlineText, withFolders } from './passage-lines.ts';
import { type ExtractiveShape, type Quote, stemsIn } from './quote.ts';
import { verdictOf } from './verdict.ts';

/** What was found for one part of a question. */
export interface AnsweredPart {
  part: QuestionPart;
  evidence: ExtractiveEvidence;
  shape: ExtractiveShape;
  /** Why it has no answer, in a sentence; undefined where it has one. */
  refused?: string;
}

/** Quotes of a part beside those that lead. */
const MOST_BESIDE = 2;
const MOST_OF_A_LIST = 6;

/**
 * The answer to a question of several parts: below each part its unit stands large, or why it has none; the other
 * quotes follow, and the trail says of each hop for which part it was found. What two sides come to by their figures
 * stands above them.
 */
export function partsAnswer(parts: readonly AnsweredPart[]): Answer {
  const numbering = new QuoteNumbers();
  const answered = inOneAnswer(parts.map((part) => ({ ...part, ...shownQuotes(part, parts) })));
  const blocks = answered.map(({ part, leading, chosen, refused }) => {
    const heading = `*${inlineText(part.label)}*`;
    if (refused !== undefined) return { heading: `${heading} ${refused}`, said: '' };
    const marked = leading.map((quote) => ({ quote, mark: `[${numbering.numberOf(quote)}]` }));
    const said =
      chosen === undefined
        ? marked.map(({ quote, mark }) => formatLead(quote, mark))
        : [`**${inlineText(chosen)}** ${marked.map(({ mark }) => mark).join('')}`];
    return { heading, said: said.join('\n\n') };
  });
  // What one line says of two parts that follow each other is said once, below both.
  const below = blocks.map(({ heading, said }, i) =>
    said === '' || said === blocks[i + 1]?.said ? heading : `${heading}\n\n${said}`,
  );
  const leading = [...new Set(answered.flatMap((part) => part.leading.map((quote) => numbering.numberOf(quote))))];
  const lines = answered
    .flatMap((part) => part.beside)
    .flatMap((quote) => (numbering.has(quote) ? [] : [`- ${formatQuote(quote, `[${numbering.numberOf(quote)}]`)}`]));
  const verdict = verdictOf(
    answered.flatMap(({ part, leading }) =>
      part.kind === 'side' && leading.length === 1 && leading[0] ? [{ part, quote: leading[0] }] : [],
    ),
  );
  const marks = leading.map((number) => `[${number}]`).join('');
  const said = verdict && `**${inlineText(verdict.short)}** (${inlineText(verdict.figures)}) ${marks}`;
  const text = [said, ...below].filter(Boolean).join('\n\n');
  const chain = joinedChain(answered);
  return answerOfQuotes(numbering.quotes, {
    text: [text, lines.join('\n')].filter(Boolean).join('\n\n'),
    short:
      verdict?.short ??
      answered.flatMap(({ chosen, leading }) => chosen ?? leading.map((quote) => quote.text)).join(' '),
    lead:
      said === undefined
        ? { kind: 'quotes', text, citations: leading }
        : { kind: 'answer', text: said, citations: leading },
    confidence: Math.min(
      ...parts.flatMap(({ evidence, refused }) => (refused === undefined ? [evidence.reading.answerability] : [])),
    ),
    chain,
    finds: trailFinds(chain.hops, leadingFinds(answered.flatMap((part) => part.leading))),
    coverage: parts.at(-1)?.evidence.coverage ?? { files: 0, passages: 0, embedded: 0, indexing: false },
  });
}

/** What leads a part, and what stands beside it; of a list all lead. */
function shownQuotes(
  { part, evidence, shape, refused }: AnsweredPart,
  all: readonly AnsweredPart[],
): { chosen?: string; leading: Quote[]; beside: Quote[]; chain: PassageChain } {
  if (refused !== undefined) return { leading: [], beside: [], chain: evidence.chain };
  const read = quotesOf(part.kind === 'side' ? aboutSide(part, evidence, all) : evidence, shape);
  const { quotes, chain } = read;
  const chosen = read.chosen && { chosen: read.chosen.chosen };
  const leads = quotes.filter((quote) => quote.leads);
  const rest = quotes.filter((quote) => !quote.leads).sort((a, b) => b.score - a.score);
  if (leads.length > 0) return { ...chosen, leading: leads, beside: rest.slice(0, MOST_BESIDE), chain };
  const most = shape === 'list' ? MOST_OF_A_LIST : MOST_BESIDE;
  return { ...chosen, leading: rest.slice(0, most), beside: [], chain };
}

/** Quotes of all parts together say in which folders files of one name lie. */
function inOneAnswer<P extends { leading: Quote[]; beside: Quote[] }>(parts: readonly P[]): P[] {
  const quotes = parts.flatMap(({ leading, beside }) => [...leading, ...beside]);
  const told = withFolders(quotes);
  const of = (some: readonly Quote[]): Quote[] => some.map((quote) => told[quotes.indexOf(quote)] ?? quote);
  return parts.map((part) => ({ ...part, leading: of(part.leading), beside: of(part.beside) }));
}

/** What is left of the score of a unit that says nothing of the side of a comparison. */
const OTHER_SIDE = 0.2;

/** What was found for one side, units first that have, or stand below, a word of this side and of no other. */
function aboutSide(part: QuestionPart, evidence: ExtractiveEvidence, all: readonly AnsweredPart[]): ExtractiveEvidence {
  const others = new Set(all.filter((one) => one.part !== part).flatMap((one) => contentStems(one.part.label)));
  const own = contentStems(part.label).filter((stem) => !others.has(stem));
  const passages = new Map(evidence.passages.map((passage) => [passage.id, passage]));
  const sentences = evidence.reading.sentences.map((unit) => {
    const passage = passages.get(unit.passageId);
    const said = new Set(stemsIn(unit.text, unit.context?.text, passage?.title, passage?.path));
    const share = own.filter((stem) => said.has(stem)).length / Math.max(1, own.length);
    return { ...unit, score: unit.score * (OTHER_SIDE + (1 - OTHER_SIDE) * share) };
  });
  sentences.sort((a, b) => b.score - a.score);
  return { ...evidence, reading: { ...evidence.reading, sentences } };
}

/** Quotes in the order in which they are first shown; one number for each. */
class QuoteNumbers {
  readonly quotes: Quote[] = [];

  numberOf(quote: Quote): number {
    const known = this.#find(quote);
    if (known >= 0) return known + 1;
    this.quotes.push(quote);
    return this.quotes.length;
  }

  has(quote: Quote): boolean {
    return this.#find(quote) >= 0;
  }

  #find({ passage, start, end }: Quote): number {
    return this.quotes.findIndex((one) => one.passage.id === passage.id && one.start === start && one.end === end);
  }
}

/** The chains of the parts one after the other; where each begins, the part says why. */
function joinedChain(parts: readonly { part: QuestionPart; chain: PassageChain }[]): PassageChain {
  const hops: Hop[] = [];
  for (const { part, chain } of parts) {
    const places: number[] = [];
    for (const hop of chain.hops) {
      const known = hops.findIndex(({ passage }) => passage.id === hop.passage.id);
      places.push(known < 0 ? hops.length : known);
      if (known < 0) hops.push({ ...hop, why: whyOf(hop, part, places) });
    }
  }
  return joinedTrail(
    hops,
    parts.map(({ chain }) => chain),
  );
}

function whyOf({ why }: Hop, part: QuestionPart, places: readonly number[]): Hop['why'] {
  if (why.from !== undefined) return { ...why, from: places[why.from] };
  return { kind: 'sub-question', because: { code: 'found-for', question: part.label }, terms: why.terms };
}
