import { documentTitle, type IndexCoverage, isProsePassage, type Passage, type ReadUnit } from '#search';
import { answerChain } from '../answer/answer-chain.ts';
import { CitationList } from '../answer/cite.ts';
import { codeBlock, codeSpan, onOneLine } from '../answer/inert-text.ts';
import type { Answer, Statement } from '../domain/answer.ts';
import type { EvidenceLedger } from '../evidence/ledger.ts';

interface QuoteInput {
  question: string;
  /** Passages of the trail, then what else was read, best first. */
  passages: readonly Passage[];
  /** Ids of those on the trail. */
  hops: ReadonlySet<string>;
  /** Units of these passages, the likeliest first. */
  units: readonly ReadUnit[];
  /** How likely it is that they hold an answer, 0..1. */
  answerability: number;
  ledger: EvidenceLedger;
  coverage: IndexCoverage;
}

/** A unit of a passage with its lines in the file. */
interface Quote {
  passage: Passage;
  text: string;
  from: number;
  to: number;
}

/** Quotes beside the one that stands large. */
const MOST_QUOTES = 6;
const LONGEST_QUOTE = 600;
/** Under this, it is said that the lines may not answer. */
const DOUBTFUL = 0.5;
const MAY_NOT = 'These lines come closest; they may not answer it.';

/**
 * An answer without a model: of each hop of the trail the likeliest unit, word for word, the best of all large. Nobody
 * pretends to have read them. undefined where no unit was found.
 */
export function quoteAnswer({
  question,
  passages,
  hops,
  units,
  answerability,
  ledger,
  coverage,
}: QuoteInput): Answer | undefined {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const best = new Map<string, Quote>();
  for (const unit of units) {
    const passage = byId.get(unit.passageId);
    const [first] = best.keys();
    if (!passage || best.has(passage.id) || (first !== undefined && !hops.has(passage.id))) continue;
    best.set(passage.id, quoteOf(passage, unit));
  }
  const quotes = [...best.values()].slice(0, MOST_QUOTES);
  const [lead, ...others] = quotes;
  if (!lead) return undefined;
  const list = new CitationList(ledger);
  const numberOf = ({ passage, from, to }: Quote): number => list.add(passage, from, to);
  const said = shownQuote(lead);
  // A fence closes only on a line of its own.
  const leadText = `${said}${said.includes('\n') ? '\n\n' : ' '}[${numberOf(lead)}]`;
  // The trail in its order: what leads stands above it.
  const order = [...hops];
  const trail = others.sort((a, b) => order.indexOf(a.passage.id) - order.indexOf(b.passage.id));
  const lines = trail.map((quote) => `- ${namedQuote(quote)} [${numberOf(quote)}]`);
  return {
    text: [answerability < DOUBTFUL ? MAY_NOT : '', leadText, lines.join('\n')].filter(Boolean).join('\n\n'),
    short: lead.text.trim(),
    lead: { kind: 'quotes', text: leadText, citations: [numberOf(lead)] },
    abstained: false,
    statements: [lead, ...trail].map((quote): Statement => ({
      text: quote.text,
      citations: [numberOf(quote)],
      support: 'quote',
    })),
    citations: list.citations,
    passages: list.passages,
    chain: answerChain(list.passages, ledger, question),
    subAnswers: [],
    unsupportedCount: 0,
    conflicts: [],
    by: 'extractive',
    coverage,
  };
}

function quoteOf(passage: Passage, { start, end }: ReadUnit): Quote {
  const text = passage.text.slice(start, end);
  const from =
    passage.startColumn === undefined ? passage.startLine + count(passage.text.slice(0, start)) : passage.startLine;
  const to = passage.startColumn === undefined ? from + count(text.trimEnd()) : passage.startLine;
  return { passage, text: text.slice(0, LONGEST_QUOTE), from, to: Math.min(to, passage.endLine) };
}

const count = (text: string): number => text.split('\n').length - 1;

/** A hop's quote behind the title of its file. */
function namedQuote(quote: Quote): string {
  const title = documentTitle(quote.passage.title) || quote.passage.path;
  return `${codeSpan(title)}: ${shownQuote({ ...quote, text: quote.text.replace(/\s+/gu, ' ') })}`;
}

/**
 * A quote word for word, with nothing active in it: code, and prose in which Markdown or a page would read links or
 * tags, as code.
 */
function shownQuote({ passage, text }: Quote): string {
  const said = text.trim();
  if (isProsePassage(passage) && !/[[\]<>&\\`|]|\w:\/\/|^[#>+-]|www\./mu.test(said)) return onOneLine(said);
  return said.includes('\n') ? codeBlock(said, isProsePassage(passage) ? '' : passage.language) : codeSpan(said);
}
