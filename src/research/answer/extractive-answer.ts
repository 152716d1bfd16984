import type { Answer, Citation, Statement } from '../domain/answer.ts';
import type { IndexCoverage, Passage, PassageChain, Reading, SearchHit } from '#search';
import { abstainedAnswer } from './abstained-answer.ts';
import { findConflicts } from './find-conflicts.ts';
import { selectQuotes, type Quote } from './select-quotes.ts';
import { formatQuote, inlineText, linesOf, nameOfPassage } from './passage-lines.ts';

/**
 * Under this probability, the passages are taken not to carry an answer. The reader's probability is calibrated, so one
 * half it is.
 */
export const ABSTAIN_BELOW = 0.5;

export interface ExtractiveEvidence {
  chain: PassageChain;
  hits: readonly SearchHit[];
  /** Passages that were read, best first. */
  passages: readonly Passage[];
  reading: Reading;
  coverage: IndexCoverage;
}

/**
 * `outline`: a question over everything; several passages are shown by their names, and the bar for answering is lower.
 */
export type ExtractiveShape = 'answer' | 'outline';

/** True when the evidence does not carry an answer. An outline only needs something to show. */
export function evidenceFails(evidence: ExtractiveEvidence, shape: ExtractiveShape): boolean {
  if (evidence.passages.length === 0) return true;
  return shape === 'answer' ? evidence.reading.answerability < ABSTAIN_BELOW : evidence.reading.sentences.length === 0;
}

/**
 * The answer made of quotes alone: the best sentences of the best passages, each exact and with its link, in reading
 * order.
 */
export function extractiveAnswer(evidence: ExtractiveEvidence, shape: ExtractiveShape): Answer {
  const { chain, reading, passages, coverage } = evidence;
  if (evidenceFails(evidence, shape)) {
    const reason =
      passages.length === 0 ? 'Nothing was found for this question.' : 'The nearest passages do not carry an answer.';
    return abstainedAnswer({ reason, nearest: passages, chain, coverage, subAnswers: [], by: 'extractive' });
  }
  const quotes = selectQuotes(reading, passages, shape);
  const citations: Citation[] = quotes.map((quote, i) => ({
    number: i + 1,
    passageId: quote.passage.id,
    quote: quote.text,
    ...linesOf(quote.passage, quote),
  }));
  const statements: Statement[] = quotes.map((quote, i) => ({
    text: quote.text,
    citations: [i + 1],
    support: 'quote',
  }));
  const short = shape === 'outline' ? '' : shortAnswer(reading, quotes);
  return {
    text: layOut(
      quotes,
      shape,
      shape === 'answer' && hasSpan(reading)
        ? `Perhaps **${inlineText(short)}** ${shortMarks(reading, quotes)}`.trim()
        : undefined,
    ),
    short: shape === 'outline' ? quotes.map((quote) => quote.text).join(' ') : short,
    abstained: false,
    statements,
    citations,
    passages: passagesOf(chain, quotes),
    chain,
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: findConflicts(quotes, chain),
    by: 'extractive',
    coverage,
  };
}

const hasSpan = (reading: Reading): boolean => reading.answerType !== 'none' && reading.answer.trim() !== '';

/** The reader's answer; without one, the sentence that comes nearest to being it. */
function shortAnswer(reading: Reading, quotes: readonly Quote[]): string {
  if (hasSpan(reading)) return reading.answerType === 'span' ? reading.answer.trim() : reading.answerType;
  return [...quotes].sort((a, b) => b.score - a.score)[0]?.text ?? '';
}

/** Marks of the quotes that hold the span; for yes and no, of all of them: both sides are shown. */
function shortMarks(reading: Reading, quotes: readonly Quote[]): string {
  const { span } = reading;
  const holds = (quote: Quote): boolean =>
    !span || (quote.passage.id === span.passageId && quote.start <= span.start && quote.end >= span.end);
  return quotes.flatMap((quote, i) => (holds(quote) ? [`[${i + 1}]`] : [])).join('');
}

/**
 * Quotes are what the files say and come first; the reader's span is right for every second to eighth question, and
 * says that it is a guess.
 */
function layOut(quotes: readonly Quote[], shape: ExtractiveShape, guess: string | undefined): string {
  const label =
    shape === 'outline'
      ? 'What your files say about this, in quotes (no language model was used):'
      : 'Quoted from your files (no language model was used):';
  const lines = quotes.map((quote, i) => {
    const mark = `[${i + 1}]`;
    return shape === 'outline'
      ? `- **${inlineText(nameOfPassage(quote.passage))}**: ${formatQuote(quote, mark)}`
      : `- ${formatQuote(quote, mark)}`;
  });
  return [label, '', ...lines, ...(guess === undefined ? [] : ['', `${guess}, a guess from these quotes.`])].join('\n');
}

function passagesOf(chain: PassageChain, quotes: readonly Quote[]): Passage[] {
  const passages = new Map<string, Passage>();
  for (const passage of [...chain.hops.map((hop) => hop.passage), ...quotes.map((quote) => quote.passage)])
    passages.set(passage.id, passage);
  return [...passages.values()];
}
