import type { Answer, Citation, Statement, SubAnswer } from '../domain/answer.ts';
import type { IndexCoverage, Passage, PassageChain, Reading } from '#search';
import { uniquePassages } from '../context/passage-ledger.ts';
import { type AnswerDraft, isSamePhrase, saysPhrase } from './answer-draft.ts';
import { checkCitations, type CheckedCitation, type CheckedStatement, type CheckPorts } from './check-citations.ts';
import { findConflicts } from './extractive-answer.ts';
import { inlineText, withoutSign } from './passage-lines.ts';
import { selectQuotes } from './select-quotes.ts';
import { answeredFinds, hopOf, trailFinds } from './trail.ts';

interface AssemblyInput extends CheckPorts {
  draft: AnswerDraft;
  chain: PassageChain;
  subAnswers: readonly SubAnswer[];
  coverage: IndexCoverage;
  /** The extractive reading of the evidence; undefined when it was not read. */
  reading?: Reading;
}

/** Shown behind a statement that the check could not confirm. */
const NOT_SUPPORTED = '*(not supported by your files)*';

/** The answer that people see: checked, cited, renumbered in the order of appearance, inert. */
export function assembleAnswer(input: AssemblyInput): Answer {
  const { draft, chain, subAnswers, coverage, evidence, reading } = input;
  const ports: CheckPorts = { ...input, units: reading?.sentences };
  const short = inlineText(draft.short);
  const check = checkCitations(withShort(draft), ports);
  const disputes = checkCitations(draft.conflicts, ports);
  const numbering = new CitationList();
  const [lead, ...rest] = check.statements;
  const leadIsShort = lead !== undefined && short !== '' && isSamePhrase(lead.text, draft.short);
  const head = leadIsShort ? lead : undefined;
  const body = leadIsShort ? rest : check.statements;
  const carriers = head
    ? [head]
    : isPolar(draft.short)
      ? body
      : body.filter((statement) => saysPhrase(statement.text, draft.short)).slice(0, 1);
  const removedShort = check.removed.some((removed) => isSamePhrase(removed.text, draft.short));
  const headLine =
    removedShort || short === ''
      ? ''
      : `**${short}**${marks(numbering, ...carriers)}${head?.support === 'unsupported' ? ` ${NOT_SUPPORTED}` : ''}`;
  const bodyLines = body.map((statement) => statementLine(statement, numbering));
  const conflictLines = disputes.statements.map((statement) => statementLine(statement, numbering));
  const statements = [...(head ? [head] : []), ...body].map((statement) => publicStatement(statement, numbering));
  const hops = chain.hops.map(({ passage }) => passage);
  const isRefuted = removedShort || head?.support === 'unsupported';
  const finds = trailFinds(chain.hops, [
    ...subAnswers.flatMap(({ answer, found, thought, passageIds }) =>
      found && !thought && !(isRefuted && isSamePhrase(answer, draft.short))
        ? answeredFinds(
            answer,
            hops.filter(({ id }) => passageIds.includes(id)),
          )
        : [],
    ),
    ...(headLine === '' ? [] : answeredFinds(short, passagesBehind(carriers))),
  ]);
  return {
    text: [
      ...(headLine ? [headLine, ''] : []),
      ...(bodyLines.length > 0 ? [bodyLines.join(' ')] : []),
      ...(conflictLines.length > 0
        ? ['', 'Your files disagree:', '', ...conflictLines.map((line) => `- ${line}`)]
        : []),
    ]
      .join('\n')
      .trimEnd(),
    short: removedShort ? '' : short,
    abstained: false,
    statements,
    citations: numbering.citations,
    passages: uniquePassages([...hops, ...numbering.passages]),
    chain,
    ...(finds.some((found) => found !== null) && { finds }),
    subAnswers: [...subAnswers],
    unsupportedCount: check.unsupportedCount,
    conflicts: [
      ...disputes.statements
        .filter((statement) => statement.support !== 'unsupported' && statement.citations.length > 1)
        .map((statement) => ({
          statement: inlineText(statement.text),
          hops: statement.citations.map((citation) => hopOf(citation, chain)),
        })),
      ...(reading ? findConflicts(selectQuotes(reading, evidence, 'answer'), chain) : []),
    ],
    by: 'model',
    coverage,
  };
}

/** What statements rest on; nothing of those that the check did not confirm. */
const passagesBehind = (statements: readonly CheckedStatement[]): Passage[] =>
  statements
    .filter(({ support }) => support !== 'unsupported')
    .flatMap(({ citations }) => citations.map(({ passage }) => passage));

/** The short answer is a statement of its own unless another one makes it. Yes and no are carried by their reasons. */
export function withShort(draft: AnswerDraft): AnswerDraft['statements'] {
  const carried =
    draft.short.trim() === '' ||
    draft.statements.some((statement) => saysPhrase(statement.text, draft.short)) ||
    (isPolar(draft.short) && draft.statements.length > 0);
  if (carried) return draft.statements;
  return [
    { text: draft.short, numbers: [...new Set(draft.statements.flatMap((statement) => statement.numbers))] },
    ...draft.statements,
  ];
}

/** `Yes`, `No, it is not.`; `No more than 5 days` is neither. */
const isPolar = (short: string): boolean => /^(?:yes|no)(?:[.,;:!]|$)/iu.test(short.trim());

function statementLine(statement: CheckedStatement, numbering: CitationList): string {
  const text = withoutSign(inlineText(statement.text));
  if (statement.support === 'unsupported') return `${text} ${NOT_SUPPORTED}`;
  return `${text}${marks(numbering, statement)}`;
}

function marks(numbering: CitationList, ...statements: readonly CheckedStatement[]): string {
  const citations = statements
    .filter((statement) => statement.support !== 'unsupported')
    .flatMap((statement) => statement.citations);
  const numbers = [...new Set(citations.map((citation) => numbering.numberOf(citation)))];
  return numbers.length === 0 ? '' : ` ${numbers.map((number) => `[${number}]`).join('')}`;
}

function publicStatement(statement: CheckedStatement, numbering: CitationList): Statement {
  const citations =
    statement.support === 'unsupported'
      ? []
      : [...new Set(statement.citations.map((citation) => numbering.numberOf(citation)))];
  return {
    text: statement.support === 'quote' ? statement.text : inlineText(statement.text),
    citations,
    support: statement.support,
    ...(statement.problem && { problem: statement.problem }),
  };
}

/** Citations by order of first appearance; one number for each passage and quote. */
class CitationList {
  readonly citations: Citation[] = [];
  readonly passages: Passage[] = [];

  numberOf({ passage, quote, startLine, endLine, context }: CheckedCitation): number {
    const known = this.citations.find(
      (citation) =>
        citation.passageId === passage.id &&
        citation.startLine === startLine &&
        citation.endLine === endLine &&
        citation.quote === quote,
    );
    if (known) return known.number;
    const number = this.citations.length + 1;
    this.citations.push({
      number,
      passageId: passage.id,
      ...(quote !== undefined && { quote }),
      startLine,
      endLine,
      ...(context !== undefined && { context }),
    });
    this.passages.push(passage);
    return number;
  }
}
