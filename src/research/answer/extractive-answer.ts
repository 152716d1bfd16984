import {
  type IndexCoverage,
  type Passage,
  type PassageChain,
  type Reading,
  type SearchHit,
  isStopWord,
  readWords,
  stem,
  isProsePassage,
} from '#search';
import type { Answer, Citation, Lead } from '../domain/answer.ts';
import type { ExtractiveShape, Quote } from './quote.ts';
import { selectQuotes } from './select-quotes.ts';
import { hopOf, leadingFinds, passagesOf, trailFinds, trailToLead } from './trail.ts';
import { asOnPage, formatLead, formatQuote, inlineText, linesOf, nameOfPassage } from './passage-lines.ts';

/**
 * Under this probability, the passages are taken not to carry an answer. The reader's probability is calibrated, so one
 * half it is.
 */
export const ABSTAIN_BELOW = 0.5;

export interface ExtractiveEvidence {
  /** What it was gathered for. */
  question: string;
  chain: PassageChain;
  hits: readonly SearchHit[];
  /** Passages that were read, best first. */
  passages: readonly Passage[];
  reading: Reading;
  coverage: IndexCoverage;
}

/**
 * So many words of a question that no file has put its answer in doubt, which then has to be surer. Of 949 questions
 * about 33 folders that had been kept, this refused ten of 202 that nothing answers, 15 whose line was wrong, and 4 of
 * 535 whose line was right.
 */
const MANY_ABSENT = 2;
const ABSTAIN_IN_DOUBT_BELOW = 0.7;

/** Below which probability there is no answer to a question of which no file has so many words. */
export const abstainsBelow = (absent: number): number =>
  absent >= MANY_ABSENT ? ABSTAIN_IN_DOUBT_BELOW : ABSTAIN_BELOW;

/**
 * True when the evidence does not carry an answer. An outline only needs something to show.
 * @param absent How many words of the question no file has; 0 while files are still being read.
 */
export function evidenceFails(evidence: ExtractiveEvidence, shape: ExtractiveShape, absent: number): boolean {
  const { passages, reading } = evidence;
  if (passages.length === 0) return true;
  if (shape === 'outline') return reading.sentences.length === 0;
  return reading.answerability < abstainsBelow(absent);
}

/**
 * What an answer is made of: what the reader chose by the years, if anything, the quotes with those that lead, and the
 * trail to these.
 */
export function quotesOf(
  { question, reading, passages, chain }: Pick<ExtractiveEvidence, 'question' | 'reading' | 'passages' | 'chain'>,
  shape: ExtractiveShape,
): { chosen: Reading['byYears']; quotes: Quote[]; chain: PassageChain } {
  const chosen = shape === 'outline' || shape === 'list' ? undefined : reading.byYears;
  const quotes = selectQuotes(reading, passages, shape, chosen ? 0 : LEADING[shape], chain.hops);
  return { chosen, quotes, chain: !chosen && shape !== 'outline' ? trailToLead(chain, quotes, question) : chain };
}

/**
 * The answer made of quotes alone. What leads is what the reader chose by the years, else the units that best
 * answer; the others follow in reading order, each exact and with its link.
 */
export function extractiveAnswer(evidence: ExtractiveEvidence, shape: ExtractiveShape): Answer {
  const { reading, coverage } = evidence;
  const { chosen, quotes, chain } = quotesOf(evidence, shape);
  const lead = chosen ? answerLine(chosen, quotes) : leadOf(quotes);
  const label = shape === 'outline' ? 'What your files say about this:' : undefined;
  const lines = quotes.flatMap((quote, i) =>
    quote.leads ? [] : [listed(withoutSaid(quote, quotes, i), `[${i + 1}]`, shape)],
  );
  const finds = trailFinds(
    chain.hops,
    chosen && lead
      ? [{ short: chosen.chosen, passageId: quotes[(lead.citations[0] ?? 0) - 1]?.passage.id }]
      : leadingFinds(quotes),
  );
  return answerOfQuotes(quotes, {
    text: [lead?.text ?? label, lines.join('\n')].filter(Boolean).join('\n\n'),
    short:
      shape === 'outline' ? quotes.map((quote) => asOnPage(quote).text).join(' ') : (chosen?.chosen ?? bestOf(quotes)),
    lead,
    confidence: shape === 'outline' ? undefined : reading.answerability,
    chain,
    finds,
    coverage,
  });
}

/** An answer in which each quote is a statement, and a citation by its place. */
export function answerOfQuotes(
  quotes: readonly Quote[],
  said: Pick<Answer, 'text' | 'short' | 'lead' | 'confidence' | 'chain' | 'coverage'> & {
    finds: NonNullable<Answer['finds']>;
  },
): Answer {
  const { text, short, lead, confidence, chain, finds, coverage } = said;
  return {
    text,
    short,
    ...(lead && { lead }),
    abstained: false,
    ...(confidence !== undefined && { confidence }),
    statements: quotes.map((quote, i) => ({ text: quote.text, citations: [i + 1], support: 'quote' })),
    citations: quotes.map(citationOf),
    passages: passagesOf(chain, quotes),
    chain,
    ...(finds.some((found) => found !== null) && { finds }),
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: findConflicts(quotes, chain),
    by: 'extractive',
    coverage,
  };
}

/** How many units stand in the answer's place. */
const LEADING = { answer: 1, sides: 2, list: 0, outline: 0 } as const;

/** Without a sure answer: the unit that stands in its place, else the one that comes nearest to being it. */
function bestOf(quotes: readonly Quote[]): string {
  const [best] = [...quotes].sort((a, b) => Number(b.leads ?? false) - Number(a.leads ?? false) || b.score - a.score);
  return best ? asOnPage(best).text : '';
}

export function citationOf(quote: Quote, i: number): Citation {
  return {
    number: i + 1,
    passageId: quote.passage.id,
    quote: quote.text,
    ...linesOf(quote.passage, quote),
    ...(quote.context && { context: quote.context.text }),
  };
}

/** What was chosen with the marks of the quotes that show it; of all, where none is of a passage with the years. */
function answerLine({ chosen, passageIds }: NonNullable<Reading['byYears']>, quotes: readonly Quote[]): Lead {
  const numbers = (shows: (quote: Quote) => boolean): number[] =>
    quotes.flatMap((quote, i) => (shows(quote) ? [i + 1] : []));
  const showing = numbers(({ passage }) => passageIds.includes(passage.id));
  const citations = showing.length > 0 ? showing : numbers(() => true);
  const marks = citations.map((number) => `[${number}]`).join('');
  return { kind: 'answer', text: `**${inlineText(chosen)}** ${marks}`.trim(), citations };
}

/** The units that lead; undefined when none does. */
export function leadOf(quotes: readonly Quote[]): Lead | undefined {
  const leading = quotes.flatMap((quote, i) => (quote.leads ? [{ quote, number: i + 1 }] : []));
  if (leading.length === 0) return undefined;
  return {
    kind: 'quotes',
    text: leading.map(({ quote, number }) => formatLead(quote, `[${number}]`)).join('\n\n'),
    citations: [...leading].sort((a, b) => b.quote.score - a.quote.score).map(({ number }) => number),
  };
}

/**
 * An entry, or a line of an example, without what stands above it, where a line that leads or the one right before has
 * said that.
 */
function withoutSaid(quote: Quote, quotes: readonly Quote[], i: number): Quote {
  const before = quotes.slice(0, i).findLast(({ leads }) => !leads);
  const above = [...quotes.filter(({ leads }) => leads), ...(before ? [before] : [])];
  if (quote.kind === 'statement') return isProsePassage(quote.passage) ? withoutAnnounced(quote, above) : quote;
  const says = ({ passage, kind, text, context }: Quote): boolean =>
    passage.id === quote.passage.id &&
    (kind === 'item' ? context?.text === quote.context?.text : text.trim() === quote.context?.text.trim());
  if (quote.kind !== 'item' || !above.some(says)) return quote;
  const { context: _said, ...entry } = quote;
  return entry;
}

/** A line of an example without the words that announce it, where these stand above another line of it. */
function withoutAnnounced(quote: Quote, above: readonly Quote[]): Quote {
  const { context, ...line } = quote;
  const said = above.find(
    (other) =>
      other.passage.id === quote.passage.id &&
      other.context !== undefined &&
      (context?.text === other.context.text || context?.text.startsWith(`${other.context.text} › `)),
  );
  if (!context || !said?.context) return quote;
  const rest = context.text.slice(said.context.text.length + ' › '.length);
  return rest === '' ? line : { ...line, context: { text: rest } };
}

function listed(quote: Quote, mark: string, shape: ExtractiveShape): string {
  return shape === 'outline'
    ? `- **${inlineText(nameOfPassage(quote.passage))}**: ${formatQuote(quote, mark)}`
    : `- ${formatQuote(quote, mark)}`;
}

/** Share of content words that two sentences must have in common to be about the same thing. */
const SAME_MATTER = 0.6;

/**
 * Quotes of different files that say the same with other figures: shown side by side, not averaged. Two sentences are
 * taken to disagree when they share most of their words and each has a number that the other has not.
 */
export function findConflicts(quotes: readonly Quote[], chain: PassageChain): Answer['conflicts'] {
  const profiles = quotes.map((quote) => ({ quote, ...profileOf(quote.text) }));
  const conflicts: Answer['conflicts'] = [];
  for (const [i, one] of profiles.entries()) {
    for (const other of profiles.slice(i + 1)) {
      if (one.quote.passage.uri === other.quote.passage.uri || !disagree(one, other)) continue;
      const figures = [
        [...one.numbers].filter((n) => !other.numbers.has(n)),
        [...other.numbers].filter((n) => !one.numbers.has(n)),
      ].map((list) => list.join(', '));
      conflicts.push({
        statement: `${one.quote.passage.path} says ${figures[0]}, ${other.quote.passage.path} says ${figures[1]}.`,
        hops: [hopOf(one.quote, chain), hopOf(other.quote, chain)],
      });
    }
  }
  return conflicts;
}

interface Profile {
  words: Set<string>;
  numbers: Set<string>;
}

function profileOf(text: string): Profile {
  const words = readWords(text).map((word) => word.text);
  return {
    words: new Set(words.filter((word) => !/\d/.test(word) && !isStopWord(word)).map(stem)),
    numbers: new Set(words.filter((word) => /\d/.test(word))),
  };
}

function disagree(a: Profile, b: Profile): boolean {
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  const all = new Set([...a.words, ...b.words]).size;
  if (shared < 3 || shared / all < SAME_MATTER) return false;
  return [...a.numbers].some((n) => !b.numbers.has(n)) && [...b.numbers].some((n) => !a.numbers.has(n));
}
