import { cutTo } from '#base';
import type { CritiqueVerdict, SubAnswer } from '../domain/answer.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import type { PassageLedger } from '../context/passage-ledger.ts';
import type { KnownAnswer } from './prompts/blocks.ts';
import type { Passage } from '#search';
import type { RecordedPassage, SentPrompt, UnstampedNode } from '../context/node-record.ts';
import { withShort } from '../answer/assemble-answer.ts';
import { checkCitations, upholds } from '../answer/check-citations.ts';
import type { OperatorContext, SeenAnswer, Step } from './operator.ts';

/**
 * An answer made of the sub-answers alone: the last is the answer, all are the reasons. What a sub-question has in
 * quotation marks quotes no passage.
 */
export function draftOf(context: { ledger: PassageLedger }, kept: readonly SubAnswer[]): AnswerDraft {
  const statements = kept.map(({ question, answer, passageIds }) => ({
    text: `${question.replace(/\?\s*$|["“”„«»]/gu, '')}: ${answer}.`,
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

/** What others answered, as prompts show it beside sub-answers. */
export const seenAnswers = (seen: readonly SeenAnswer[] = []): KnownAnswer[] =>
  seen.map(({ by, answer }) => ({ question: `${by} answers:`, answer, numbers: [] }));

/** Sub-answers as a record keeps what had been answered before. */
export const recordedHistory = (subAnswers: readonly SubAnswer[]): { question: string; answer: string }[] =>
  subAnswers.filter((one) => one.found).map(({ question, answer }) => ({ question, answer }));

/** Passages as a record keeps them: what the node saw, without what only the index needs. */
export const recordedPassages = (passages: readonly Passage[]): RecordedPassage[] =>
  passages.map(({ id, path, startLine, endLine, title, text }) => ({ id, path, startLine, endLine, title, text }));

/** What the citation check says of a draft. */
export interface CheckedDraft {
  /** Passages that support the draft by the check; where the check found none, those that the draft names. */
  passageIds: string[];
  /** Its short answer holds up against them. */
  supported: boolean;
  /** The words that carry it, for a critic; '' where nothing was read. */
  quote: string;
}

/** As much of a passage as a critic is shown. */
export const QUOTE_LENGTH = 400;

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
    quote: cutTo(found[0]?.quote ?? (passages[0] ?? evidence[0])?.text ?? '', QUOTE_LENGTH),
  };
}

/** A step's answer as the run keeps it, where it has one. */
export const subAnswerOf = (
  stepId: string,
  question: string,
  draft: AnswerDraft | undefined,
  checked: CheckedDraft | undefined,
): SubAnswer => ({
  stepId,
  question,
  answer: draft?.short ?? '',
  found: draft !== undefined,
  passageIds: checked?.passageIds ?? [],
});

/** Tells what an operator's own step has come to: the answer to its whole question. */
export const tellAnswer = (
  context: OperatorContext,
  ids: Step,
  { question, answer, passageIds }: Pick<SubAnswer, 'question' | 'answer' | 'passageIds'>,
): void =>
  context.emit({
    type: 'sub-answer-ready',
    ...ids,
    subAnswer: { stepId: ids.stepId, question, answer, found: true, passageIds },
  });

/** A verdict, and the call that gave it, where a model did. */
export interface Critique {
  verdict: CritiqueVerdict;
  sent?: SentPrompt;
}

/** What a node's record says besides its sub-answer and what became of it. */
type NodeWork = Omit<UnstampedNode, keyof Step | 'subQuestion' | 'answer' | 'passageIds' | 'verdict'>;

/**
 * Tells a node's sub-answer, has it judged where runs are criticised, keeps it unless it was rejected, and records the
 * node either way.
 *
 * @param criticise Undefined where there is no evidence to judge by
 * @returns Whether it was kept; `subAnswer` gains the verdict
 */
export async function settleNode(
  context: OperatorContext,
  ids: Step,
  subAnswer: SubAnswer,
  work: NodeWork,
  criticise: (() => Promise<Critique>) | undefined,
): Promise<boolean> {
  context.emit({ type: 'sub-answer-ready', ...ids, subAnswer });
  const critique = context.options.critique ? await criticise?.() : undefined;
  if (critique) {
    subAnswer.critique = critique.verdict;
    context.emit({ type: 'critique-ready', ...ids, of: 'node', verdict: critique.verdict });
  }
  const kept = subAnswer.found && (critique === undefined || critique.verdict.verdict === 'keep');
  if (kept) context.keep(subAnswer);
  const { history, operator, passages, reply, sent } = work;
  context.record({
    history,
    ...ids,
    operator,
    subQuestion: subAnswer.question,
    passages,
    reply,
    answer: subAnswer.answer,
    passageIds: subAnswer.passageIds,
    verdict: critique?.verdict ?? null,
    sent: { ...sent, ...(critique?.sent && { judged: critique.sent }) },
  });
  return kept;
}
