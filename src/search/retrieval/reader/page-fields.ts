import { contentStems } from '../../text/words.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import type { FittedScore } from './fitting-first.ts';
import { askedKind, holdsKind } from './kind-fit.ts';

/** A stem that begins another says the same: who owns a page, and its `owner`. */
const LEAST_STEM = 3;

/**
 * Units without the fields above a page that nobody asked for: who may edit it, under which menu it stands. One stays
 * that has a word of the question, holds the number or day that is asked for, or answers best of all.
 * @param units Best first.
 */
export function withoutPageFields(question: QuestionProfile, units: readonly FittedScore[]): FittedScore[] {
  const asked = askedKind(question.text);
  const isAsked = ({ text }: FittedScore): boolean =>
    (asked !== undefined && holdsKind(asked, text, false, 'field')) ||
    contentStems(text).some((stem) => question.stems.some((other) => saysSame(stem, other)));
  return units.filter((unit, i) => i === 0 || !isPageField(unit) || isAsked(unit));
}

function saysSame(stem: string, other: string): boolean {
  const [short, long] = stem.length < other.length ? [stem, other] : [other, stem];
  return short === long || (short.length >= LEAST_STEM && long.startsWith(short));
}

/** A key with its value in the front matter at the beginning of a note. */
function isPageField({ kind, sentence, profile: { isCode, passage } }: FittedScore): boolean {
  if (kind !== 'field' || isCode || passage.startLine > 1) return false;
  const end = /^---\r?\n[^]*?\n---(?=\r?\n|$)/.exec(passage.text)?.[0].length ?? 0;
  return sentence.start < end;
}
