import type { Statement } from '../domain/answer.ts';
import {
  contentStems,
  isProsePassage,
  type Passage,
  type ReadUnit,
  readWords,
  splitSentences,
  textInPlace,
} from '#search';
import { type DraftStatement, saysPhrase } from './answer-draft.ts';
import { claimsOf, factsOf, missingClaims, type Claims, type PassageFacts } from './claims.ts';
import { type CompareStance, stanceByWords } from './stance.ts';
import { findQuote, linesOf } from './passage-lines.ts';

/** A passage that a statement rests on, with the words that carry it when code found them. */
export interface CheckedCitation {
  passage: Passage;
  quote?: string;
  startLine: number;
  endLine: number;
  /** What has to be read before the quote: header cells of a row, the signature around a statement. */
  context?: string;
}

export interface CheckedStatement {
  text: string;
  support: Statement['support'];
  /** Why it is unsupported, for people. */
  problem?: string;
  citations: CheckedCitation[];
}

export interface CitationCheck {
  /** Statements that stay, in order; those that failed are marked. */
  statements: CheckedStatement[];
  /** Statements that went: what they quote stands nowhere. */
  removed: { text: string; problem: string }[];
  /** Removed and marked. */
  unsupportedCount: number;
}

export interface CheckPorts {
  /** undefined for a number that was never given to a passage. */
  passageOf(number: number): Passage | undefined;
  /**
   * Passages that the answer was made from: where a statement without a citation, or with a wrong one, may find its
   * passage.
   */
  evidence: readonly Passage[];
  /** Units of these, as far as they were read: what is quoted of a passage is one of its own, else a sentence. */
  units?: readonly ReadUnit[];
  /** The question: its words are no news. */
  question: string;
  /** What passages say of a statement; by words when undefined. */
  stance?: CompareStance;
}

/**
 * Whether the check lets a short answer stand: a statement that makes it holds up against its passages. Yes and no are
 * made by their reasons.
 */
export function upholds(short: string, statements: readonly Pick<CheckedStatement, 'text' | 'support'>[]): boolean {
  const making = statements.filter(({ text }) => saysPhrase(text, short));
  return (making.length > 0 ? making : statements).some(({ support }) => support !== 'unsupported');
}

/** A statement must share this part of its words with the passage that code finds for it. */
const ATTRIBUTION_OVERLAP = 0.7;
/** A longer statement is no sentence that joins a few passages. */
const LONGEST = 1000;
/** A unit must hold this part of a statement's words to be shown as its quote. */
const QUOTE_OVERLAP = 0.4;

/**
 * Checks every statement against the passages that it cites: they must have been retrieved, quoted words must stand in
 * them, and so must its names and numbers, and they must not say the opposite. The model only names numbers; which
 * passage a statement really rests on is found here.
 */
export function checkCitations(drafts: readonly DraftStatement[], ports: CheckPorts): CitationCheck {
  const facts = new Map<string, PassageFacts>();
  const factsFor = (passage: Passage): PassageFacts => {
    const known = facts.get(passage.id) ?? factsOf(passage);
    facts.set(passage.id, known);
    return known;
  };
  const lowerWords = new Set(
    [ports.question, ...ports.evidence.map((passage) => passage.text)].flatMap((text) =>
      readWords(text)
        .filter((word) => !word.capital)
        .map((word) => word.text),
    ),
  );
  const check: CitationCheck = { statements: [], removed: [], unsupportedCount: 0 };
  for (const draft of drafts) {
    const claims = claimsOf(draft.text, (word) => lowerWords.has(word));
    const checked = checkOne(draft, claims, ports, factsFor);
    if ('removed' in checked) check.removed.push({ text: draft.text, problem: checked.removed });
    else check.statements.push(checked);
  }
  check.unsupportedCount =
    check.removed.length + check.statements.filter((statement) => statement.support === 'unsupported').length;
  return check;
}

function checkOne(
  draft: DraftStatement,
  claims: Claims,
  ports: CheckPorts,
  factsFor: (passage: Passage) => PassageFacts,
): CheckedStatement | { removed: string } {
  const { text, numbers } = draft;
  const cited = [...new Set(numbers.map((number) => ports.passageOf(number)))].filter(
    (passage) => passage !== undefined,
  );
  const unknown = numbers.filter((number) => !ports.passageOf(number));
  if (claims.quotes.length > 0) {
    const quoted = claims.quotes.map((quote) => locate(quote, cited) ?? locate(quote, ports.evidence));
    const missing = claims.quotes.find((_quote, i) => !quoted[i]);
    if (missing !== undefined) return { removed: `“${missing}” does not stand in the passages that were found.` };
    const places = quoted.filter((place) => place !== undefined);
    const passages = [...new Set([...places.map((place) => place.passage), ...cited])];
    const absent = missingClaims(claims, passages.map(factsFor));
    if (absent.length > 0) return marked(text, places, absentProblem(absent));
    return { text, citations: places, support: isOnlyQuote(text, claims) ? 'quote' : 'supported' };
  }
  const absent = missingClaims(claims, cited.map(factsFor));
  const found = cited.length > 0 && absent.length === 0 ? cited : holding(text, claims, cited, ports, factsFor);
  if (found) return compared(text, claims, found, ports, factsFor);
  if (cited.length > 0)
    return marked(
      text,
      cited.map((passage) => carrying(passage, text, ports)),
      absentProblem(absent),
    );
  return unknown.length > 0
    ? marked(text, [], `It cites passage ${unknown.join(', ')}, which was not found in this run.`)
    : marked(text, [], 'It names no passage, and none that was found says it.');
}

/** Passages that hold what the cited ones lack: one alone, or some together with these. */
function holding(
  text: string,
  claims: Claims,
  cited: readonly Passage[],
  { evidence }: CheckPorts,
  factsFor: (passage: Passage) => PassageFacts,
): Passage[] | undefined {
  const right = attribute(text, claims, evidence, factsFor);
  if (right) return [right];
  const joined = cited.length > 0 && text.length <= LONGEST ? joinedBy(claims, cited, evidence, factsFor) : undefined;
  return joined && [...cited, ...joined];
}

/** A statement whose names and numbers all stand in the passages: whether they say it, or the opposite. */
function compared(
  text: string,
  claims: Claims,
  passages: readonly Passage[],
  ports: CheckPorts,
  factsFor: (passage: Passage) => PassageFacts,
): CheckedStatement {
  const named = claims.names.length + claims.symbols.length + claims.numbers.length > 0;
  const citations = passages.map((passage) => carrying(passage, text, ports));
  const compare = ports.stance ?? stanceByWords;
  switch (compare(text, passages, named)) {
    case 'denies':
      return marked(text, citations, 'The passages that it cites say the opposite.');
    case 'silent': {
      const right = attribute(text, claims, ports.evidence, factsFor);
      return right && compare(text, [right], named) !== 'denies'
        ? supported(text, [right], ports)
        : marked(text, citations, 'The passages that it cites say nothing of it.');
    }
    case 'says':
    case undefined:
      return { text, support: 'supported', citations };
  }
}

const marked = (text: string, citations: CheckedCitation[], problem: string): CheckedStatement => ({
  text,
  support: 'unsupported',
  problem,
  citations,
});
const supported = (text: string, passages: readonly Passage[], ports: CheckPorts): CheckedStatement => ({
  text,
  support: 'supported',
  citations: passages.map((passage) => carrying(passage, text, ports)),
});
const absentProblem = (absent: readonly string[]): string =>
  `The passages that it cites do not mention ${absent.map((claim) => `“${claim}”`).join(', ')}.`;

const isOnlyQuote = (text: string, claims: Claims): boolean =>
  claims.quotes.length === 1 && text.replace(claims.quotes[0] ?? '', '').replace(/[^\p{L}\p{N}]/gu, '') === '';

function locate(quote: string, passages: readonly Passage[]): CheckedCitation | undefined {
  for (const passage of passages) {
    const span = findQuote(passage.text, quote) ?? findQuote(textInPlace(passage), quote);
    if (span) return { passage, quote: passage.text.slice(span.start, span.end), ...linesOf(passage, span) };
  }
  return undefined;
}

/** The one passage that holds every claim of a statement and most of its words; undefined when there is none. */
function attribute(
  text: string,
  claims: Claims,
  evidence: readonly Passage[],
  factsFor: (passage: Passage) => PassageFacts,
): Passage | undefined {
  const words = distinctStems(text);
  let best: { passage: Passage; overlap: number } | undefined;
  for (const passage of evidence) {
    const facts = factsFor(passage);
    if (missingClaims(claims, [facts]).length > 0) continue;
    const overlap = words.filter((word) => facts.stems.has(word)).length / Math.max(1, words.length);
    if (overlap >= ATTRIBUTION_OVERLAP && overlap > (best?.overlap ?? 0)) best = { passage, overlap };
  }
  return best?.passage;
}

/**
 * Passages that hold what the cited ones lack, where a sentence says in one breath what several passages say. Each must
 * share a name with what is cited, or else it speaks of something else. undefined: not all that is missing is there.
 */
function joinedBy(
  claims: Claims,
  cited: readonly Passage[],
  evidence: readonly Passage[],
  factsFor: (passage: Passage) => PassageFacts,
): Passage[] | undefined {
  const lacking = (passages: readonly Passage[]): string[] => missingClaims(claims, passages.map(factsFor));
  const absent = new Set(lacking(cited));
  const bridges = claims.names.map(({ text }) => text).filter((name) => !absent.has(name));
  const joined: Passage[] = [];
  for (const passage of evidence) {
    if (cited.includes(passage)) continue;
    const lacks = new Set(lacking([passage]));
    if ([...absent].every((claim) => lacks.has(claim)) || bridges.every((name) => lacks.has(name))) continue;
    joined.push(passage);
    const left = lacking([...cited, ...joined]);
    if (left.length === 0) return joined;
  }
  return undefined;
}

/** The unit of a passage that carries a statement (where its units are not known, the sentence), else all of it. */
function carrying(passage: Passage, statement: string, { units = [] }: CheckPorts): CheckedCitation {
  const words = distinctStems(statement);
  const own = units.filter(({ passageId }) => passageId === passage.id);
  const spans: readonly Pick<ReadUnit, 'start' | 'end' | 'context'>[] =
    own.length > 0 ? own : splitSentences(passage.text, isProsePassage(passage) ? 'prose' : 'code');
  let best: { span: (typeof spans)[number]; share: number } | undefined;
  for (const span of spans) {
    const said = new Set(distinctStems(passage.text.slice(span.start, span.end)));
    const share = words.filter((word) => said.has(word)).length / Math.max(1, words.length);
    if (share >= QUOTE_OVERLAP && share > (best?.share ?? 0)) best = { span, share };
  }
  if (!best) return { passage, startLine: passage.startLine, endLine: passage.endLine };
  const { start, end, context } = best.span;
  return {
    passage,
    quote: passage.text.slice(start, end),
    ...linesOf(passage, best.span),
    ...(context && { context: context.text }),
  };
}

const distinctStems = (text: string): string[] => [...new Set(contentStems(text))];
