import { cutTo, sum } from '#base';
import {
  type AnswerRecord,
  type NodeRecord,
  operators,
  type RunRecord,
  type SentPrompt,
  speaksToModel,
  type SplitRecord,
} from '#research';
import { type DecompositionRecord, experienceId, type ExperienceRecord } from './experience-record.ts';
import { findPoison, promptPoison } from './find-poison.ts';

/** What is known of a run besides its records. */
export interface RunSigns {
  thumb?: 'up' | 'down';
  /** F1 against the right answer (0..1), where that is known. */
  goldF1?: number;
  /** Passages that do not belong, in a person's view. */
  rejectedPassageIds?: readonly string[];
}

type Outcome = ExperienceRecord['outcome'];
/** A known answer is met when most of it is. */
const GOLD_F1 = 0.8;
/** Characters of evidence that a critique keeps. */
const EVIDENCE = 1200;
/** Longest call that is kept, in characters: the prompts of large windows would fill the store, and train nobody. */
const LONGEST_CALL = 48_000;

/**
 * Which runs teach, and by what; else why not. Citations must hold in any case: an answer that is right by chance
 * teaches nothing about evidence. Then a known right answer decides, then a person's word, then the critique.
 */
function runEnding(answer: AnswerRecord, { thumb, goldF1 }: RunSigns): Outcome | string {
  const { verdict } = answer;
  if (answer.abstained || answer.answer.trim() === '') return 'It found no answer.';
  if (answer.unsupportedCount > 0)
    return `${answer.unsupportedCount} of its statements are not supported by their passages.`;
  if (goldF1 !== undefined) return goldF1 >= GOLD_F1 ? ['citations', 'gold'] : 'Its answer is known to be wrong.';
  if (thumb === 'down') return 'Its answer was rejected.';
  const isKept = verdict?.verdict === 'keep';
  if (thumb === 'up') return isKept ? ['citations', 'critique', 'thumb'] : ['citations', 'thumb'];
  if (!verdict) return 'Nobody judged it: no critique, no thumb, no known answer.';
  return isKept ? ['citations', 'critique'] : `Its critique says: ${verdict.reason}`;
}

interface Derived {
  records: ExperienceRecord[];
  /** What was left out, and why. */
  refused: { stepId: string | null; reason: string }[];
}

/**
 * A run's nodes as training data (RISE, He et al. 2025): sub-questions teach what to ask (D_d), kept nodes what to read
 * (D_r), all judged nodes and the judged answer the critique (D_c), and the end of a run that was split when to stop. A
 * run that did not end well teaches nothing; neither does a node that is poisoned (find-poison.ts) or rests on a
 * passage which a person has rejected; if such a node was kept, those after it have seen it and are left out too. With
 * each record goes the call that it answers, as it was sent.
 */
export function deriveRecords(run: readonly RunRecord[], signs: RunSigns): Derived {
  const answer = run.find((record): record is AnswerRecord => record.kind === 'answer');
  if (!answer) return { records: [], refused: [{ stepId: null, reason: 'The run did not end.' }] };
  const outcome = runEnding(answer, signs);
  if (typeof outcome === 'string') return { records: [], refused: [{ stepId: null, reason: outcome }] };
  const isKept = keptBy(outcome, answer);
  const derived: Derived = { records: [], refused: [] };
  let rejected: DecompositionRecord['rejected'] = [];
  const nodes = run.filter((record): record is NodeRecord => record.kind === 'node');
  for (const node of nodes) {
    const poison = poisonOf(node) ?? misledBy(node, signs);
    if (poison !== undefined) {
      derived.refused.push({ stepId: node.stepId, reason: poison });
      if (isKept(node)) return derived;
      continue;
    }
    const { verdict, sent, subQuestion, passages, passageIds } = node;
    if (verdict) {
      const cited = passages.filter(({ id }) => passageIds.includes(id)).map(({ text }) => text);
      derived.records.push(
        critiqueOf(node, outcome, { question: subQuestion, evidence: cited, verdict, sent: sent?.judged }),
      );
    }
    if (!isKept(node)) {
      if (verdict) rejected = [...rejected, { question: subQuestion, reason: verdict.reason }];
      continue;
    }
    if (isSubQuestion(node)) derived.records.push(decompositionOf(node, outcome, rejected, subQuestion, sent?.asked));
    if (passageIds.length > 0 && node.answer !== '') derived.records.push(readingOf(node, outcome));
    rejected = [];
  }
  const wasSplit = derived.records.some((record) => record.kind === 'decomposition');
  if (wasSplit && answer.history.length > 0 && ![answer.answer, answer.question].some(speaksToModel)) {
    const splits = run.filter((record): record is SplitRecord => record.kind === 'split');
    const call = splits.find((split) => wasAnswered(split, nodes, isKept))?.sent;
    derived.records.push(decompositionOf(answer, outcome, [], null, call));
  }
  const { verdict, question, reasons: evidence, sent } = answer;
  const poison = poisonOfAnswer(answer) ?? misledBy(answer, signs);
  if (poison !== undefined) derived.refused.push({ stepId: null, reason: poison });
  // A person or a known answer that called it right has overruled a last critique that rejected it.
  else if (verdict?.verdict === 'keep')
    derived.records.push(critiqueOf(answer, outcome, { question, evidence, verdict, sent }));
  return derived;
}

/**
 * Kept is what the critique kept; where there was none, or no model wrote the answer, the whole must have been judged
 * from outside. A reading that is the run's answer was judged by the last critique.
 */
function keptBy(outcome: Outcome, answer: AnswerRecord): (node: NodeRecord) => boolean {
  const judged = outcome.includes('thumb') || outcome.includes('gold');
  return ({ verdict, model, subQuestion, question, answer: said }) =>
    verdict === null
      ? judged || (subQuestion === question && said === answer.answer && outcome.includes('critique'))
      : verdict.verdict === 'keep' && (model !== null || judged);
}

/**
 * Whether a node's question is one into which the run's was split. A thought that was looked up is none, but where a
 * rejected one was replaced by another question; neither is the run's own question.
 */
const isSubQuestion = ({ operator, subQuestion, question, sent }: NodeRecord): boolean =>
  subQuestion !== question && (operators.get(operator)?.splits === true || sent?.asked !== undefined);

/** A split teaches where each of its sub-questions was answered, and none had to be replaced. */
function wasAnswered(
  { stepId, subQuestions, sent }: SplitRecord,
  nodes: readonly NodeRecord[],
  isKept: (node: NodeRecord) => boolean,
): boolean {
  const children = nodes.filter((node) => node.parentStepId === stepId);
  return children.length === subQuestions.length && children.every(isKept) && promptPoison(sent) === undefined;
}

const poisonOf = ({
  question,
  subQuestion,
  reply,
  answer,
  passageIds,
  passages,
  sent,
}: NodeRecord): string | undefined =>
  findPoison({ question: `${question}\n${subQuestion}\n${reply}`, answer, passageIds, passages }) ??
  Object.values(sent ?? {})
    .map(promptPoison)
    .find((one) => one !== undefined);

/** What the last critique saw counts, and what it said. */
const poisonOfAnswer = ({ question, answer, reasons, sent }: AnswerRecord): string | undefined =>
  findPoison({ question: [question, ...reasons].join('\n'), answer, passageIds: [], passages: [] }) ??
  (sent && promptPoison(sent));

const misledBy = (
  { passageIds }: NodeRecord | AnswerRecord,
  { rejectedPassageIds = [] }: RunSigns,
): string | undefined =>
  passageIds.some((id) => rejectedPassageIds.includes(id)) ? 'It rests on a passage that does not belong.' : undefined;

/** What all records have, with the call that this one answers. */
function baseOf(record: NodeRecord | AnswerRecord, outcome: Outcome, sent: SentPrompt | undefined) {
  const { question: runQuestion, runId, time, model } = record;
  const fits = sent && sum(sent.messages.map(({ content }) => content.length)) <= LONGEST_CALL;
  return {
    version: 1 as const,
    runQuestion,
    source: { runId, stepId: record.kind === 'node' ? record.stepId : null, time, model },
    outcome,
    consent: 'local' as const,
    ...(fits && { sent }),
  };
}

const decompositionOf = (
  record: NodeRecord | AnswerRecord,
  outcome: Outcome,
  rejected: DecompositionRecord['rejected'],
  next: string | null,
  sent: SentPrompt | undefined,
): ExperienceRecord => ({
  kind: 'decomposition',
  ...baseOf(record, outcome, sent),
  id: experienceId('decomposition', [record.question, record.history, rejected.map(({ question }) => question)]),
  history: record.history,
  rejected,
  next,
});

const readingOf = (node: NodeRecord, outcome: Outcome): ExperienceRecord => ({
  kind: 'reading',
  ...baseOf(node, outcome, node.sent?.read),
  id: experienceId('reading', [node.subQuestion, node.passages.map(({ id }) => id)]),
  question: node.subQuestion,
  passages: node.passages,
  answer: node.answer,
  passageIds: node.passageIds,
});

/** Every verdict teaches, marked by whom; only a model's answers a call. */
const critiqueOf = (
  record: NodeRecord | AnswerRecord,
  outcome: Outcome,
  judged: {
    question: string;
    evidence: readonly string[];
    verdict: NonNullable<NodeRecord['verdict']>;
    sent: SentPrompt | undefined;
  },
): ExperienceRecord => ({
  kind: 'critique',
  ...baseOf(record, outcome, judged.sent),
  id: experienceId('critique', [
    record.question,
    record.history,
    record.kind === 'node' ? record.subQuestion : null,
    record.answer,
  ]),
  history: record.history,
  node: { question: judged.question, answer: record.answer, evidence: cutTo(judged.evidence.join('\n'), EVIDENCE) },
  ...judged.verdict,
});
