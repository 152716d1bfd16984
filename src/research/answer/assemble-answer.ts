import {
  type ChainResult,
  contentStems,
  type IndexCoverage,
  type Passage,
  type PassageFilter,
  withoutTrailing,
} from '#search';
import type { Answer, Lead, Refusal, Statement } from '../domain/answer.ts';
import { type CheckedStatement, problemInWords } from '../check/check-reading.ts';
import { Haystack } from '../check/terms.ts';
import { type MarkedSentence, sentencesOf } from '../evidence/citations.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { type AnswerContext, CitationList, foundBy } from './cite.ts';
import { codeSpan, inert } from './inert-text.ts';
import type { Reading } from './reading.ts';

/** Stands behind a statement that the check does not confirm. */
const NOT_CONFIRMED = '*(not confirmed)*';
/** A first paragraph that is not longer may stand large as it is. */
const LONGEST_LEAD = 320;

/** The answer that people see: the model's own words, inert, with numbered citations and its doubts marked. */
export function assembleAnswer(context: AnswerContext, reading: Reading, checked: readonly CheckedStatement[]): Answer {
  const list = new CitationList(context.ledger);
  const written = writeBody(reading.text, checked, list);
  const short = inert(reading.short);
  const [first = ''] = written.text.split('\n', 1);
  const statements = written.statements;
  // A short answer that the prose does not begin with stands before it, on what the first statement rests on.
  const numbers = statements.find(({ citations }) => citations.length > 0)?.citations ?? [];
  const head = beginsWith(first, short) ? '' : `**${short}**${marks(numbers)}`;
  const leading = head === '' ? first : head;
  const isMarked = head === '' && leading.includes(NOT_CONFIRMED);
  const lead: Lead | undefined =
    leading !== '' && leading.length <= LONGEST_LEAD && !isMarked && !/^(?:[#|>]|```|[-*+] )/u.test(leading)
      ? { kind: 'answer', text: leading, citations: numbersIn(leading) }
      : undefined;
  return {
    text: [head, written.text].filter(Boolean).join('\n\n'),
    short,
    ...(lead && { lead }),
    abstained: false,
    ...(reading.missing.length > 0 && { missing: reading.missing.map(inert) }),
    statements,
    ...foundBy(context, list, 'model'),
    unsupportedCount: statements.filter(({ support }) => support === 'unsupported').length,
  };
}

/** Whether the prose begins with the answer: its words, most of them, or what the model has set in bold. */
function beginsWith(first: string, short: string): boolean {
  const stems = contentStems(short);
  const said = new Set(contentStems(first));
  const most = stems.length > 0 && stems.filter((stem) => said.has(stem)).length * 2 > stems.length;
  return most || short === '' || first.startsWith('**') || new Haystack([first]).has(short);
}

/** A reading's text with its marks as numbers of a list. */
function writeBody(
  body: string,
  checked: readonly CheckedStatement[],
  list: CitationList,
): Pick<Answer, 'text' | 'statements'> {
  const statements: Statement[] = [];
  let at = 0;
  let inCode = false;
  const lines = body.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/u.test(line);
    if (isFence) inCode = !inCode;
    if (isFence || inCode) return line;
    return sentencesOf(line)
      .map((sentence) => writeSentence(sentence, checked[at++], list, statements))
      .join(' ')
      .trimEnd();
  });
  if (inCode) lines.push('```');
  return {
    text: lines
      .join('\n')
      .replace(/\n{3,}/gu, '\n\n')
      .trim(),
    statements,
  };
}

function writeSentence(
  { pieces }: MarkedSentence,
  checked: CheckedStatement | undefined,
  list: CitationList,
  statements: Statement[],
): string {
  const cited = new Set<number>();
  const isDoubted = checked?.support === 'unsupported';
  const plain: string[] = [];
  const last = pieces.findLastIndex(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const written = pieces.map((piece, i) => {
    const closed = piece.text.replace(/(?<! ) +(?=[.,;:!?](?:\s|$))/gu, '').trimEnd();
    const text = inert(piece.commas ? withoutCommas(closed, piece.commas) : closed).trimEnd();
    plain.push(text);
    if (!checked || !/[\p{L}\p{N}]/u.test(text)) return text;
    const numbers = [...new Set(piece.marks.flatMap((mark) => list.numberOf(mark, text) ?? []))];
    for (const number of numbers) cited.add(number);
    const doubt = isDoubted && i === last ? ` ${NOT_CONFIRMED}` : '';
    // Marks stand before the sign that ends the statement.
    const said = withoutTrailing(text, /[.,;:]/u);
    return `${said}${marks(numbers)}${doubt}${text.slice(said.length)}`;
  });
  const text = plain.join(' ').trim();
  if (checked && /[\p{L}\p{N}]/u.test(text)) {
    const { support, why } = checked;
    statements.push({ text, citations: [...cited], support, ...(why && { problem: problemInWords(why), why }) });
  }
  return written.join(' ');
}

/** Without so many commas or semicolons before the sign that ends a piece. */
function withoutCommas(text: string, count: number): string {
  const said = text.replace(/[,;.:!?]{1,20}$/u, '');
  return said + text.slice(said.length).replace(/[,;]/gu, (sign) => (count-- > 0 ? '' : sign));
}

const marks = (numbers: readonly number[]): string =>
  numbers.length === 0 ? '' : ` ${numbers.map((number) => `[${number}]`).join('')}`;

const numbersIn = (text: string): number[] => [...new Set([...text.matchAll(/\[(\d+)\]/gu)].map(([, n]) => Number(n)))];

const CLOSEST = 3;

interface RefusalInput {
  /** What the model said of it, and the check of that. */
  reading?: Reading | undefined;
  checked?: readonly CheckedStatement[];
  closest: readonly Passage[];
  absent: ChainResult['absent'];
  by: Answer['by'];
  reason?: string;
}

/** No answer: what the model said of that, and where an answer would most likely stand. */
export function refuse(context: AnswerContext, input: RefusalInput): Answer {
  const { reading, checked = [] } = input;
  const list = new CitationList(context.ledger);
  const { text: said } = writeBody(reading?.text ?? '', checked, list);
  const absent = (input.absent ?? []).filter(({ decides }) => decides).map(({ text }) => text);
  const part = [scopeSentence(context.question.scope), coverageSentence(context.coverage)].filter(Boolean).join(' ');
  const isFound = input.closest.length > 0 && absent.length === 0;
  const refusal = part !== '' ? 'part-looked-at' : isFound ? 'no-line-answers' : 'nothing-speaks';
  const reason = [input.reason, part].filter(Boolean).join(' ');
  const closest = input.closest.slice(0, CLOSEST).map((passage) => {
    const number = list.add(passage, passage.startLine, passage.endLine);
    return `- ${codeSpan(`${passage.path}:${passage.startLine}`)} [${number}]`;
  });
  const names = absent.map((name) => `“${name}”`).join(' or ');
  const head =
    refusal === 'nothing-speaks' && names !== ''
      ? `I couldn’t find an answer: no file has ${names}.`
      : REFUSALS[refusal];
  return {
    text: [
      said === '' ? [head, reason].filter(Boolean).join(' ') : said,
      closest.length > 0 ? `Closest passages:\n\n${closest.join('\n')}` : '',
    ]
      .filter(Boolean)
      .join('\n\n'),
    short: '',
    abstained: true,
    refusal,
    ...(absent.length > 0 && { absent }),
    ...(reason !== '' && { abstainReason: reason }),
    ...(reading && reading.missing.length > 0 && { missing: reading.missing }),
    statements: [],
    ...foundBy(context, list, input.by),
  };
}

/** The refusals in a sentence each, in English; what is shown in an editor is translated there. */
const REFUSALS: Readonly<Record<Refusal, string>> = {
  'nothing-speaks': 'I couldn’t find an answer: no file speaks of this.',
  'no-line-answers': 'I couldn’t find an answer in these files.',
  'part-looked-at': 'I couldn’t find an answer, and only a part was looked at.',
};

function scopeSentence(scope: PassageFilter | undefined): string {
  const paths = scope?.paths ?? [];
  if (paths.length > 1) return `Only ${paths.length} files or folders were looked at.`;
  if (paths.length === 1) return `Only ${codeSpan(paths[0] ?? '')} was looked at.`;
  return scope?.languages || scope?.kinds ? 'Only some kinds of files were looked at.' : '';
}

function coverageSentence({ indexing, files, passages, embedded }: IndexCoverage): string {
  if (!indexing && embedded >= passages) return '';
  if (passages === 0) return 'No file has been read yet.';
  const share = Math.floor((100 * embedded) / passages);
  return `Files read so far: ${files}, ${share} % of them indexed by meaning.`;
}

/** Tells which names of an answer's question no file has; nothing while files are still being read. */
export function noticeAbsent(
  context: Pick<OperatorContext, 'notice' | 'coverage' | 'question'>,
  absent: ChainResult['absent'],
): void {
  if (!absent || absent.length === 0 || context.coverage.indexing) return;
  const details = { words: absent.map(({ text }) => text), part: scopeSentence(context.question.scope) !== '' };
  context.notice({ code: 'absent-words', details });
}
