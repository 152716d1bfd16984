import type { SubAnswer } from '../domain/answer.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import type { PassageLedger } from '../run/passage-ledger.ts';
import type { KnownAnswer } from './prompts/blocks.ts';
import type { Passage } from '#search';
import type { RecordedPassage } from '../run/node-record.ts';
import { withShort } from '../answer/assemble-answer.ts';
import { checkCitations, upholds } from '../answer/check-citations.ts';
import type { OperatorContext } from './operator.ts';

/** An answer made of the sub-answers alone: the last is the answer, all are the reasons. */
export function draftOf(context: { ledger: PassageLedger }, kept: readonly SubAnswer[]): AnswerDraft {
  const statements = kept.map(({ question, answer, passageIds }) => ({
    text: `${question.replace(/\?\s*$/u, '')}: ${answer}.`,
    numbers: passageIds.flatMap((id) => context.ledger.numberOf(id) ?? []),
  }));
  return { short: kept.at(-1)?.answer ?? '', statements, conflicts: [] };
}

/** Sub-answers as prompts show them. */
export const knownAnswers = (subAnswers: readonly SubAnswer[], ledger: PassageLedger): KnownAnswer[] =>
  subAnswers
    .filter((one) => one.found)
    .map(({ question, answer, passageIds }) => ({
      question,
      answer,
      numbers: passageIds.flatMap((id) => ledger.numberOf(id) ?? []),
    }));

/** Sub-answers as a record keeps what had been answered before. */
export const recordedHistory = (subAnswers: readonly SubAnswer[]): { question: string; answer: string }[] =>
  subAnswers.filter((one) => one.found).map(({ question, answer }) => ({ question, answer }));

/** Passages as a record keeps them: what the node saw, without what only the index needs. */
export const recordedPassages = (passages: readonly Passage[]): RecordedPassage[] =>
  passages.map(({ id, path, startLine, endLine, title, text }) => ({ id, path, startLine, endLine, title, text }));

/** What the citation check says of a draft. */
export interface CheckedDraft {
  /** Passages that it rests on; those that it named, when the check found none. */
  passageIds: string[];
  /** Its short answer holds up against them. */
  supported: boolean;
  /** The words that carry it, for a critic; '' where nothing was read. */
  quote: string;
}

/** As much of a passage as a critic is shown. */
const QUOTE_LENGTH = 400;

/** A draft after the citation check. */
export function checkDraft(context: OperatorContext, draft: AnswerDraft, evidence: readonly Passage[]): CheckedDraft {
  const passageOf = (number: number): Passage | undefined => context.ledger.passage(number);
  const { statements } = checkCitations(withShort(draft), { passageOf, evidence, question: context.question.text });
  const found = statements
    .filter((statement) => statement.support !== 'unsupported')
    .flatMap((statement) => statement.citations);
  const named = draft.statements.flatMap((statement) => statement.numbers.flatMap((number) => passageOf(number) ?? []));
  const passages = found.length > 0 ? found.map(({ passage }) => passage) : named;
  return {
    passageIds: [...new Set(passages.map(({ id }) => id))],
    supported: upholds(draft.short, statements),
    quote: (found[0]?.quote ?? (passages[0] ?? evidence[0])?.text ?? '').slice(0, QUOTE_LENGTH),
  };
}
