import type { RunNotice } from '../domain/run-notices.ts';
import {
  type IndexCoverage,
  type Passage,
  type PassageChain,
  type PassageFilter,
  type AbsentWord,
  type ChainResult,
  contentStems,
  isStopWord,
  nameForm,
  readNames,
  type SearchHit,
} from '#search';
import { uniquePassages } from '../context/passage-ledger.ts';
import type { Answer, Refusal, SubAnswer } from '../domain/answer.ts';
import { citationOf, leadOf } from './extractive-answer.ts';
import { inlineText, nameOfPassage } from './passage-lines.ts';
import type { Quote } from './quote.ts';

/** Nearest passages shown with a refusal. */
const NEAREST = 3;

export interface Abstention {
  refusal: Refusal;
  /** Names in the question that no file has; the refusal is about them. */
  absent?: readonly string[];
  /** What is to be said beside it. */
  reason?: string;
  /** Passages that came nearest, best first. */
  nearest: readonly Passage[];
  /** The line that comes nearest to answering; not shown where no file speaks of what is asked. */
  best?: Quote | undefined;
  chain: PassageChain;
  coverage: IndexCoverage;
  subAnswers: readonly SubAnswer[];
  by: Answer['by'];
  /** Statements that the citation check removed before nothing was left. */
  unsupportedCount?: number;
}

/** The refusals in a sentence each, in English; what is shown in an editor is translated there. */
const REFUSALS: Readonly<Record<Refusal, string>> = {
  'nothing-speaks': 'No file speaks of this.',
  'no-line-answers': 'These files speak of it; no line was found that answers.',
  'part-looked-at': 'Only part was looked at, and no answer was found there.',
};

/** Which refusal it is, in a sentence, with the names that no file has. */
export const refusalSentence = ({ refusal, absent = [] }: Pick<Answer, 'refusal' | 'absent'>): string =>
  refusal === 'nothing-speaks' && absent.length > 0
    ? `No file speaks of ${listed(absent)}.`
    : REFUSALS[refusal ?? 'no-line-answers'];

/** Names in a row: `A`, `A or B`, `A, B or C`. */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1) ?? ''].filter(Boolean).join(' or ');

/** A refusal: which one it is, the line that comes nearest, and where an answer would most likely stand. */
export function abstainedAnswer(abstention: Abstention): Answer {
  const { refusal, reason = '', absent = [] } = abstention;
  const best = refusal === 'nothing-speaks' ? undefined : abstention.best;
  const quoted = best ? [{ ...best, leads: true as const }] : [];
  const lead = leadOf(quoted);
  const others = abstention.nearest.filter((passage) => passage.id !== best?.passage.id);
  const nearest = others.slice(0, NEAREST - quoted.length);
  const numberOf = (i: number): number => quoted.length + i + 1;
  const list = nearest.map((passage, i) => `- ${inlineText(nameOfPassage(passage))} [${numberOf(i)}]`);
  const nearestList = list.length === 0 ? '' : [lead ? 'Near it:' : 'The nearest passages:', '', ...list].join('\n');
  return {
    text: [
      [refusalSentence({ refusal, absent: [...absent] }), reason].filter(Boolean).join(' '),
      lead?.text,
      nearestList,
    ]
      .filter(Boolean)
      .join('\n\n'),
    short: '',
    ...(lead && { lead }),
    abstained: true,
    refusal,
    ...(absent.length > 0 && { absent: [...absent] }),
    ...(reason !== '' && { abstainReason: reason }),
    statements: [],
    citations: [
      ...quoted.map(citationOf),
      ...nearest.map((passage, i) => ({
        number: numberOf(i),
        passageId: passage.id,
        startLine: passage.startLine,
        endLine: passage.endLine,
      })),
    ],
    passages: uniquePassages([
      ...quoted.map((quote) => quote.passage),
      ...nearest,
      ...abstention.chain.hops.map((hop) => hop.passage),
    ]),
    chain: abstention.chain,
    subAnswers: [...abstention.subAnswers],
    unsupportedCount: abstention.unsupportedCount ?? 0,
    conflicts: [],
    by: abstention.by,
    coverage: abstention.coverage,
  };
}

/**
 * Which refusal it is, and which part of the files was not looked at. `nothing-speaks` is only said where all files
 * were looked at.
 * @param absent Names in the question that were not found where it was looked.
 */
export function refusalOf(
  speaks: boolean,
  coverage: IndexCoverage,
  scope: PassageFilter | undefined,
  absent: readonly string[] = [],
): Pick<Abstention, 'refusal' | 'reason' | 'absent'> {
  const part = [scopeSentence(scope), coverageSentence(coverage)].filter(Boolean).join(' ');
  const named = absent.length > 0 && { absent };
  if (part !== '') {
    const nothing = absent.length > 0 ? `Nothing there speaks of ${listed(absent)}.` : '';
    return { refusal: 'part-looked-at', reason: [part, nothing].filter(Boolean).join(' '), ...named };
  }
  return { refusal: speaks && absent.length === 0 ? 'no-line-answers' : 'nothing-speaks', ...named };
}

function scopeSentence(scope: PassageFilter | undefined): string {
  const paths = scope?.paths ?? [];
  if (paths.length > 1) return `Only ${paths.length} files or folders were looked at.`;
  if (paths.length === 1) return `Only ${inlineText(paths[0] ?? '')} was looked at.`;
  return scope?.languages || scope?.kinds ? 'Only some kinds of files were looked at.' : '';
}

function coverageSentence({ indexing, files, passages, embedded }: IndexCoverage): string {
  if (!indexing && embedded >= passages) return '';
  if (passages === 0) return 'No file has been read yet.';
  const share = Math.floor((100 * embedded) / passages);
  if (share === 100) return `The index is still being built; files read so far: ${files}.`;
  return indexing
    ? `Files read so far: ${files}, ${share} % of them indexed by meaning.`
    : `Files read: ${files}, ${share} % of them indexed by meaning.`;
}

/** Names of a question that no file has, where it is about them: whatever was found speaks of something else. */
export const decidingNames = (absent: readonly AbsentWord[] | undefined): string[] =>
  (absent ?? []).filter(({ decides }) => decides).map(({ text }) => text);

/**
 * Tells beside an answer or a refusal which words of its question no file has, or none of those that were looked at.
 * Nothing is told while files are still being read, nor of a question that was not looked up.
 */
export function noticeAbsent(
  context: { notice(notice: RunNotice): void },
  found: Pick<ChainResult, 'absent' | 'coverage'> | undefined,
  scope: PassageFilter | undefined,
): void {
  const absent = found?.absent ?? [];
  if (absent.length === 0 || found?.coverage.indexing) return;
  const details = { words: absent.map(({ text }) => text), part: scopeSentence(scope) !== '' };
  context.notice({ code: 'absent-words', details });
}

/**
 * Below this cosine of the bundled encoder a passage is about something else: of 60 questions about a handbook the
 * nearest passage was never below 0.559, of 50 questions of Wikipedia asked there it was for all but one. With a
 * model whose cosines are higher in general, fewer passages fall below it, so that it is said less often.
 */
const FAR = 0.55;
/** A passage with this share of the question's words speaks of it, if not of the right thing. */
const ENOUGH = 0.5;

/**
 * Whether the files speak of what is asked, as far as the nearest passages tell: one of them is near in meaning, names
 * what the question names, or has half of its words, also as part of a longer one: `owns` of a column called `owner`.
 */
export function speaksOf(question: string, hits: readonly SearchHit[]): boolean {
  if (hits.length === 0) return false;
  if (hits.some(({ parts }) => (parts.vector?.score ?? 0) >= FAR)) return true;
  const words = new Set(contentStems(question));
  const names = namesOf(question);
  const least = Math.max(Math.min(2, words.size), Math.ceil(words.size * ENOUGH));
  return hits.some(({ passage }) => {
    const form = ` ${nameForm(textOf(passage))} `;
    if (names.some((name) => form.includes(` ${name} `))) return true;
    const said = contentStems(textOf(passage));
    return words.size > 0 && [...words].filter((word) => said.some((one) => isRootOf(word, one))).length >= least;
  });
}

/** Letters that make another word of one: `own`, `owner`, `ownership`. */
const MOST_ADDED = 4;
/** Shorter ones begin too many words. */
const SHORTEST_ROOT = 3;

const isRootOf = (stem: string, other: string): boolean =>
  other === stem ||
  (stem.length >= SHORTEST_ROOT && other.startsWith(stem) && other.length <= stem.length + MOST_ADDED);

const textOf = ({ path, title, text }: Passage): string => `${path}\n${title}\n${text}`;

/** Names that are more than a word that stands first, or a number. */
const namesOf = (question: string): string[] =>
  readNames(question)
    .filter(({ kind, key }) => kind !== 'number' && key.split(' ').some((word) => !isStopWord(word)))
    .map(({ key }) =>
      key
        .split(' ')
        .filter((word, i) => i > 0 || !isStopWord(word))
        .join(' '),
    );
