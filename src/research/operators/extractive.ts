import {
  type ChainResult,
  contentStems,
  documentTitle,
  exactIdsOf,
  type Hop,
  isProsePassage,
  type Passage,
  type ReadUnit,
} from '#search';
import { noticeAbsent, refuse } from '../answer/assemble-answer.ts';
import { type AnswerContext, CitationList, foundBy } from '../answer/cite.ts';
import { codeBlock, codeSpan, onOneLine } from '../answer/inert-text.ts';
import type { Answer, Statement } from '../domain/answer.ts';
import { firstLook } from '../loop/look-up.ts';
import { asStep } from './operator.ts';

/** Passages beside the trail whose units are scored, too. */
const BESIDE = 6;
/** Quotes beside the one that stands large. */
const MOST_QUOTES = 6;
const LONGEST_QUOTE = 600;
/** Under this, it is said that the lines may not answer. */
const DOUBTFUL = 0.5;
const MAY_NOT = 'These lines come closest; they may not answer it.';

/** The likeliest lines of the trail, word for word. No language model. */
export const extractive = asStep({
  name: 'extractive',
  needsModel: false,
  retrieves: true,
  whenToUse: { does: 'quote the likeliest lines', goodFor: 'showing the evidence' },
  cost: { leastCalls: 0, mostCalls: 0, tokens: 0 },
  async work(context, { question }, { stepId }) {
    const { chain, passages, absent } = await firstLook(context, { stepId }, question);
    const evidence = passages.slice(0, chain.hops.length + BESIDE);
    const ids = evidence.map(({ id }) => id);
    const { sentences, answerability } =
      ids.length === 0 ? NOTHING_READ : await context.retriever.read(question, ids, context.signal);
    const quotes = likeliestOf(evidence, chain.hops, sentences, question);
    const quoted = isOfAnother(quotes[0], absent) ? undefined : quoteAnswer(context, quotes, answerability);
    const subAnswer = {
      stepId,
      question,
      answer: quoted?.short ?? '',
      found: quoted !== undefined,
      passageIds: [...new Set(quoted?.citations.map(({ passageId }) => passageId))],
    };
    context.emit({ type: 'sub-answer-ready', stepId, subAnswer });
    if (quoted) noticeAbsent(context, absent);
    const answer = quoted ?? refuse(context, { closest: evidence, absent, by: 'extractive' });
    return { operator: 'extractive', stepId, chain, evidence, answer };
  },
});

const NOTHING_READ = { sentences: [], answerability: 0 };

interface Quote {
  passage: Passage;
  text: string;
  from: number;
  to: number;
}

/** What leads, then the likeliest unit of each other hop in the trail's order. `units`: likeliest first. */
function likeliestOf(
  passages: readonly Passage[],
  hops: readonly Hop[],
  units: readonly ReadUnit[],
  question: string,
): Quote[] {
  const order = hops.map(({ passage }) => passage.id);
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const best = new Map<string, Quote>();
  for (const unit of units) {
    const passage = byId.get(unit.passageId);
    if (!passage || best.has(passage.id) || (best.size > 0 && !order.includes(passage.id))) continue;
    best.set(passage.id, quoteOf(passage, unit));
  }
  const quotes = [...best.values()].slice(0, MOST_QUOTES);
  const lead = leadOf(quotes, hops, question);
  const others = quotes.filter((quote) => quote !== lead);
  others.sort((a, b) => order.indexOf(a.passage.id) - order.indexOf(b.passage.id));
  return lead ? [lead, ...others] : [];
}

/**
 * The likeliest quote, or that of a hop which another led to, where both together have more words of the question: a
 * name in it stands at the near end of a trail, what is asked at the far end, and what is like that elsewhere.
 */
function leadOf(quotes: readonly Quote[], hops: readonly Hop[], question: string): Quote | undefined {
  const asked = [...new Set(contentStems(question))];
  const shared = (texts: readonly string[]): string[] => {
    const stems = new Set(texts.flatMap(contentStems));
    return asked.filter((stem) => stems.has(stem));
  };
  /** Texts on the way to a passage, without its own. */
  const before = (hop: Hop | undefined): string[] => {
    const from = hop?.why.kind === 'link' || hop?.why.kind === 'title' ? hops[hop.why.from ?? -1] : undefined;
    return from ? [...before(from), from.passage.title, from.passage.text] : [];
  };
  let lead: { quote: Quote; words: string[] } | undefined;
  for (const quote of quotes) {
    const way = before(hops.find(({ passage }) => passage.id === quote.passage.id));
    const known = shared(way);
    const words = [...new Set([...known, ...shared([quote.passage.title, quote.passage.text])])];
    const adds = way.length > 0 && shared([quote.text]).some((stem) => !known.includes(stem));
    const hasMore =
      adds && lead && words.length > lead.words.length && lead.words.every((stem) => words.includes(stem));
    if (!lead || hasMore) lead = { quote, words };
  }
  return lead?.quote;
}

/** Whether a quote's passage is about an identifier while one that the question names stands in no file. */
const isOfAnother = (quote: Quote | undefined, absent: ChainResult['absent'] = []): boolean =>
  quote !== undefined &&
  absent.some(({ text }) => exactIdsOf(text).length > 0) &&
  exactIdsOf(`${quote.passage.title}\n${quote.passage.text}`).length > 0;

/** The quotes as an answer, the first large; nobody pretends to have read them. undefined where there is none. */
function quoteAnswer(context: AnswerContext, quotes: readonly Quote[], answerability: number): Answer | undefined {
  const [lead, ...others] = quotes;
  if (!lead) return undefined;
  const list = new CitationList(context.ledger);
  const numberOf = ({ passage, from, to }: Quote): number => list.add(passage, from, to);
  const said = shownQuote(lead);
  // A fence closes only on a line of its own.
  const leadText = `${said}${said.includes('\n') ? '\n\n' : ' '}[${numberOf(lead)}]`;
  const lines = others.map((quote) => `- ${namedQuote(quote)} [${numberOf(quote)}]`);
  return {
    text: [answerability < DOUBTFUL ? MAY_NOT : '', leadText, lines.join('\n')].filter(Boolean).join('\n\n'),
    short: lead.text.trim(),
    lead: { kind: 'quotes', text: leadText, citations: [numberOf(lead)] },
    abstained: false,
    statements: quotes.map((quote): Statement => ({
      text: quote.text,
      citations: [numberOf(quote)],
      support: 'quote',
    })),
    ...foundBy(context, list, 'extractive'),
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

function namedQuote(quote: Quote): string {
  const title = documentTitle(quote.passage.title) || quote.passage.path;
  return `${codeSpan(title)}: ${shownQuote({ ...quote, text: quote.text.replace(/\s+/gu, ' ') })}`;
}

/** A quote word for word; as code where Markdown or a page would read links or tags in it. */
function shownQuote({ passage, text }: Quote): string {
  const said = text.trim();
  if (isProsePassage(passage) && !/[[\]<>&\\`|]|\w:\/\/|^[#>+-]|www\./mu.test(said)) return onOneLine(said);
  return said.includes('\n') ? codeBlock(said, isProsePassage(passage) ? '' : passage.language) : codeSpan(said);
}
