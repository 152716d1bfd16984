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
import {
  type CritiqueRecord,
  type DecompositionRecord,
  experienceId,
  type ExperienceRecord,
  type ReadingRecord,
} from './experience-record.ts';
import { findPoison, promptPoison } from './find-poison.ts';

/** What is known of a run besides its records. */
export interface RunSigns {
  thumb?: 'up' | 'down';
  /** F1 against the right answer (0..1), where that is known. */
  goldF1?: number;
  /** Passages that do not belong, in a person's view. */
  rejectedPassageIds?: readonly string[];
}

type RunEnding = { well: true; by: ExperienceRecord['outcome'] } | { well: false; reason: string };

/** A known answer is met when most of it is. */
const GOLD_F1 = 0.8;

/**
 * Which runs teach. Citations must hold in any case: an answer that is right by chance teaches nothing about evidence.
 * Then a known right answer decides, then a person's word, then the critique; a run that nobody judged does not teach.
 */
function runEnding(answer: AnswerRecord, { thumb, goldF1 }: RunSigns): RunEnding {
  if (answer.abstained || answer.answer.trim() === '') return { well: false, reason: 'It found no answer.' };
  if (answer.unsupportedCount > 0)
    return { well: false, reason: `${answer.unsupportedCount} of its statements are not supported by their passages.` };
  if (goldF1 !== undefined)
    return goldF1 >= GOLD_F1
      ? { well: true, by: ['citations', 'gold'] }
      : { well: false, reason: 'Its answer is known to be wrong.' };
  if (thumb === 'down') return { well: false, reason: 'Its answer was rejected.' };
  if (answer.verdict && answer.verdict.verdict !== 'keep')
    return thumb === 'up'
      ? { well: true, by: ['citations', 'thumb'] }
      : { well: false, reason: `Its critique says: ${answer.verdict.reason}` };
  if (thumb === 'up')
    return { well: true, by: answer.verdict ? ['citations', 'critique', 'thumb'] : ['citations', 'thumb'] };
  return answer.verdict
    ? { well: true, by: ['citations', 'critique'] }
    : { well: false, reason: 'Nobody judged it: no critique, no thumb, no known answer.' };
}

interface Derived {
  records: ExperienceRecord[];
  /** What was left out, and why. */
  refused: { stepId: string | null; reason: string }[];
}

/** Characters of evidence that a critique keeps. */
const EVIDENCE = 1200;

/**
 * A run's nodes as training data (RISE, He et al. 2025): what was asked as a sub-question teaches what to ask (D_d),
 * kept nodes teach what to read (D_r), all judged nodes and the judged answer teach the critique (D_c), and the end of
 * a run that was split teaches when to stop. A run that did not end well teaches nothing; neither does a node that
 * cites what it was not shown, that holds text written for a model, or that rests on a passage which a person has
 * rejected; if such a node was kept, those after it have seen it and are left out too. With each record goes the call
 * that it answers, as it was sent.
 */
export function deriveRecords(run: readonly RunRecord[], signs: RunSigns): Derived {
  const answer = run.find((record): record is AnswerRecord => record.kind === 'answer');
  if (!answer) return { records: [], refused: [{ stepId: null, reason: 'The run did not end.' }] };
  const ending = runEnding(answer, signs);
  if (!ending.well) return { records: [], refused: [{ stepId: null, reason: ending.reason }] };
  const isKept = keptBy(ending.by, answer);
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
    const base = baseOf(node, node.stepId, ending.by);
    const judged = critiqueOf(node, base);
    if (judged) derived.records.push(judged);
    if (isKept(node)) {
      if (isSubQuestion(node))
        derived.records.push(withCall(decompositionOf(node, base, rejected, node.subQuestion), node.sent?.asked));
      if (node.passageIds.length > 0 && node.answer !== '')
        derived.records.push(withCall(readingOf(node, base), node.sent?.read));
      rejected = [];
    } else if (node.verdict) rejected = [...rejected, { question: node.subQuestion, reason: node.verdict.reason }];
  }
  const wasSplit = derived.records.some((record) => record.kind === 'decomposition');
  if (wasSplit && answer.history.length > 0 && ![answer.answer, answer.question].some(speaksToModel)) {
    const split = run.filter((record): record is SplitRecord => record.kind === 'split');
    const stop = decompositionOf(answer, baseOf(answer, null, ending.by), [], null);
    derived.records.push(withCall(stop, split.find((one) => answered(one, nodes, isKept))?.sent));
  }
  const poison = poisonOfAnswer(answer) ?? misledBy(answer, signs);
  if (poison !== undefined) derived.refused.push({ stepId: null, reason: poison });
  // A person or a known answer that called it right has overruled a last critique that rejected it.
  else if (answer.verdict?.verdict === 'keep') derived.records.push(wholeCritiqueOf(answer, answer.verdict, ending.by));
  return derived;
}

/** Longest call that is kept, in characters: the prompts of large windows would fill the store, and train nobody. */
const LONGEST_CALL = 48_000;

/** A record with the call that it answers. */
function withCall<R extends ExperienceRecord>(record: R, sent: SentPrompt | undefined): R {
  if (!sent || sum(sent.messages.map(({ content }) => content.length)) > LONGEST_CALL) return record;
  const messages = sent.messages.map(({ toolCalls, ...message }) => ({
    ...message,
    ...(toolCalls && { toolCalls: [...toolCalls] }),
  }));
  return { ...record, sent: { messages, reply: sent.reply } };
}

/**
 * Whether a node's question is one into which the run's was split. A thought that was looked up is none, but where a
 * rejected one was replaced by another question; neither is the run's own question.
 */
const isSubQuestion = ({ operator, subQuestion, question, sent }: NodeRecord): boolean =>
  subQuestion !== question && (operators.get(operator)?.splits === true || sent?.asked !== undefined);

/** A split teaches where each of its sub-questions was answered, and none had to be replaced. */
function answered(
  { stepId, subQuestions, sent }: SplitRecord,
  nodes: readonly NodeRecord[],
  isKept: (node: NodeRecord) => boolean,
): boolean {
  const children = nodes.filter((node) => node.parentStepId === stepId);
  return children.length === subQuestions.length && children.every(isKept) && promptPoison(sent) === undefined;
}

type Base = Pick<ExperienceRecord, 'version' | 'runQuestion' | 'source' | 'outcome' | 'consent'>;

/**
 * Kept is what the critique kept; where there was none, or no model wrote the answer, the whole must have been judged
 * from outside. A reading that is the run's answer was judged by the last critique.
 */
function keptBy(outcome: ExperienceRecord['outcome'], answer: AnswerRecord): (node: NodeRecord) => boolean {
  const judged = outcome.includes('thumb') || outcome.includes('gold');
  const isAnswer = (node: NodeRecord): boolean =>
    node.subQuestion === node.question && node.answer === answer.answer && outcome.includes('critique');
  return (node) =>
    node.verdict === null
      ? judged || isAnswer(node)
      : node.verdict.verdict === 'keep' && (node.model !== null || judged);
}

function baseOf(record: RunRecord, stepId: string | null, outcome: ExperienceRecord['outcome']): Base {
  return {
    version: 1,
    runQuestion: record.question,
    source: { runId: record.runId, stepId, time: record.time, model: record.model },
    outcome,
    consent: 'local',
  };
}

function poisonOf(node: NodeRecord): string | undefined {
  const poison = findPoison({
    question: `${node.question}\n${node.subQuestion}\n${node.reply}`,
    answer: node.answer,
    passageIds: node.passageIds,
    passages: node.passages,
  });
  return (
    poison ??
    Object.values(node.sent ?? {})
      .map(promptPoison)
      .find((one) => one !== undefined)
  );
}

/** What the last critique saw counts, and what it said. */
const poisonOfAnswer = ({ question, answer, reasons, sent }: AnswerRecord): string | undefined =>
  findPoison({ question: [question, ...reasons].join('\n'), answer, passageIds: [], passages: [] }) ??
  (sent && promptPoison(sent));

function decompositionOf(
  record: NodeRecord | AnswerRecord,
  base: Base,
  rejected: DecompositionRecord['rejected'],
  next: string | null,
): DecompositionRecord {
  return {
    kind: 'decomposition',
    ...base,
    id: experienceId('decomposition', [record.question, record.history, rejected.map((one) => one.question)]),
    history: record.history,
    rejected,
    next,
  };
}

function misledBy(
  { passageIds }: NodeRecord | AnswerRecord,
  { rejectedPassageIds = [] }: RunSigns,
): string | undefined {
  return passageIds.some((id) => rejectedPassageIds.includes(id))
    ? 'It rests on a passage that does not belong.'
    : undefined;
}

function readingOf(node: NodeRecord, base: Base): ReadingRecord {
  return {
    kind: 'reading',
    ...base,
    id: experienceId('reading', [node.subQuestion, node.passages.map((passage) => passage.id)]),
    question: node.subQuestion,
    passages: node.passages,
    answer: node.answer,
    passageIds: node.passageIds,
  };
}

/** Every verdict teaches, marked by whom; only a model's answers a call. */
function critiqueOf(node: NodeRecord, base: Base): CritiqueRecord | undefined {
  if (!node.verdict) return undefined;
  const cited = node.passages.filter((passage) => node.passageIds.includes(passage.id)).map(({ text }) => text);
  return withCall(
    {
      kind: 'critique',
      ...base,
      id: experienceId('critique', [node.question, node.history, node.subQuestion, node.answer]),
      history: node.history,
      node: { question: node.subQuestion, answer: node.answer, evidence: evidenceOf(cited) },
      ...node.verdict,
    },
    node.sent?.judged,
  );
}

/** The last critique: of the answer to the run's question, by its reasons. */
function wholeCritiqueOf(
  answer: AnswerRecord,
  verdict: NonNullable<AnswerRecord['verdict']>,
  outcome: ExperienceRecord['outcome'],
): CritiqueRecord {
  return withCall(
    {
      kind: 'critique',
      ...baseOf(answer, null, outcome),
      id: experienceId('critique', [answer.question, answer.history, null, answer.answer]),
      history: answer.history,
      node: { question: answer.question, answer: answer.answer, evidence: evidenceOf(answer.reasons) },
      ...verdict,
    },
    answer.sent,
  );
}

const evidenceOf = (texts: readonly string[]): string => cutTo(texts.join('\n'), EVIDENCE);
