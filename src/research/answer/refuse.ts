import type { ChainResult, IndexCoverage, Passage, PassageFilter } from '#search';
import type { CheckedStatement } from '../check/check-reading.ts';
import type { Answer, Refusal } from '../domain/answer.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { type AnswerContext, foundBy } from './answer-chain.ts';
import { writeBody } from './assemble-answer.ts';
import { CitationList } from './cite.ts';
import { codeSpan } from './inert-text.ts';
import type { Reading } from './reading.ts';

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
