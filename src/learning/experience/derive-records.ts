import type { AnswerRecord, NodeRecord, RecordedPassage, RunRecord } from '#research';
import {
  type CritiqueRecord,
  type DecompositionRecord,
  experienceId,
  type ExperienceRecord,
  type ReadingRecord,
} from './experience-record.ts';
import { findPoison, speaksToModel } from './find-poison.ts';
import { knownAtStepBack, readingForm, shownToCritic, splitPlan } from './shown-prompts.ts';

/** A trail that answered a question: what the chain scorer can learn from. */
export interface AcceptedChain {
  question: string;
  /** The run's question; the same for the trail of the whole run. */
  runQuestion: string;
  runId: string;
  /** In the order in which they were read; at least one. */
  passages: RecordedPassage[];
}

/**
 * Trails of runs that ended well: per run the passages that its kept readings rest on, for the run's question, and
 * those of each reading alone, for its sub-question.
 */
export function acceptedChains(records: readonly ExperienceRecord[]): AcceptedChain[] {
  const readings = records.filter((record): record is ReadingRecord => record.kind === 'reading');
  const runs = new Map<string, ReadingRecord[]>();
  for (const reading of [...readings].sort((a, b) => a.source.time - b.source.time))
    runs.set(reading.source.runId, [...(runs.get(reading.source.runId) ?? []), reading]);
  const whole = [...runs.values()].map((parts): AcceptedChain => ({
    question: parts[0]?.runQuestion ?? '',
    runQuestion: parts[0]?.runQuestion ?? '',
    runId: parts[0]?.source.runId ?? '',
    passages: distinct(parts.flatMap(restsOn)),
  }));
  const parts = readings
    .filter((reading) => reading.question !== reading.runQuestion)
    .map((reading): AcceptedChain => ({
      question: reading.question,
      runQuestion: reading.runQuestion,
      runId: reading.source.runId,
      passages: distinct(restsOn(reading)),
    }));
  return [...whole, ...parts].filter((chain) => chain.passages.length > 0);
}

const restsOn = (reading: ReadingRecord): RecordedPassage[] =>
  reading.passageIds.flatMap((id) => reading.passages.find((passage) => passage.id === id) ?? []);
const distinct = (passages: readonly RecordedPassage[]): RecordedPassage[] => [
  ...new Map(passages.map((passage) => [passage.id, passage])).values(),
];

/** What is known of a run besides its records. */
export interface RunSigns {
  thumb?: 'up' | 'down';
  /** F1 against the right answer (0..1), where that is known. */
  goldF1?: number;
  /** Passages that do not belong, in a person's view. */
  rejectedPassageIds?: readonly string[];
}

export type RunEnding = { well: true; by: ExperienceRecord['outcome'] } | { well: false; reason: string };

/** A known answer is met when most of it is. */
const GOLD_F1 = 0.8;

/**
 * Which runs teach. Citations must hold in any case: an answer that is right by chance teaches nothing about evidence.
 * Then a known right answer decides, then a person's word, then the critique; a run that nobody judged does not teach.
 */
export function runEnding(answer: AnswerRecord, { thumb, goldF1 }: RunSigns): RunEnding {
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

export interface Derived {
  records: ExperienceRecord[];
  /** What was left out, and why. */
  refused: { stepId: string | null; reason: string }[];
}

/** Characters of evidence that a critique keeps. */
const EVIDENCE = 1200;

/**
 * A run's nodes as training data (RISE, He et al. 2025): kept nodes teach what to ask (D_d) and what to read (D_r), all
 * judged nodes teach the critique (D_c), and the end of the run teaches when to stop. A run that did not end well
 * teaches nothing; neither does a node that cites what it was not shown, that holds text written for a model, or that
 * rests on a passage which a person has rejected; if such a node was kept, those after it have seen it and are left out
 * too. With each record goes what the run tells of the prompt that it answers (shown-prompts.ts).
 */
export function deriveRecords(run: readonly RunRecord[], signs: RunSigns): Derived {
  const answer = run.find((record): record is AnswerRecord => record.kind === 'answer');
  if (!answer) return { records: [], refused: [{ stepId: null, reason: 'The run did not end.' }] };
  const ending = runEnding(answer, signs);
  if (!ending.well) return { records: [], refused: [{ stepId: null, reason: ending.reason }] };
  const isKept = keptBy(ending.by);
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
    const judged = critiqueOf(node, base, nodes);
    if (judged) derived.records.push(judged);
    if (isKept(node)) {
      const known = knownAtStepBack(node, nodes, rejected);
      derived.records.push({ ...decompositionOf(node, base, rejected, node.subQuestion), ...(known && { known }) });
      if (node.passageIds.length > 0 && node.answer !== '')
        derived.records.push({ ...readingOf(node, base), ...readingForm(node, nodes) });
      rejected = [];
    } else if (node.verdict) rejected = [...rejected, { question: node.subQuestion, reason: node.verdict.reason }];
  }
  if (answer.history.length > 0 && ![answer.answer, answer.question].some(speaksToModel))
    derived.records.push(stopOf(answer, ending.by, derived.records, nodes));
  return derived;
}

/** Enough is known: the end of a decomposition, and the whole of it where the run was split at its beginning. */
function stopOf(
  answer: AnswerRecord,
  outcome: ExperienceRecord['outcome'],
  records: readonly ExperienceRecord[],
  nodes: readonly NodeRecord[],
): DecompositionRecord {
  const stop = decompositionOf(answer, baseOf(answer, null, outcome), [], null);
  const plan = splitPlan(nodes, [
    ...records.filter((record): record is DecompositionRecord => record.kind === 'decomposition'),
    stop,
  ]);
  return { ...stop, ...(plan && { plan }) };
}

type Base = Pick<ExperienceRecord, 'version' | 'runQuestion' | 'source' | 'outcome' | 'consent'>;

/**
 * Kept is what the critique kept; where there was none, or no model wrote the answer, the whole must have been judged
 * from outside.
 */
function keptBy(outcome: ExperienceRecord['outcome']): (node: NodeRecord) => boolean {
  const judged = outcome.includes('thumb') || outcome.includes('gold');
  return (node) =>
    node.verdict === null ? judged : node.verdict.verdict === 'keep' && (node.model !== null || judged);
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
  return findPoison({
    question: `${node.question}\n${node.subQuestion}\n${node.reply}`,
    answer: node.answer,
    passageIds: node.passageIds,
    passages: node.passages,
  });
}

function decompositionOf(
  record: RunRecord,
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

function misledBy(node: NodeRecord, { rejectedPassageIds = [] }: RunSigns): string | undefined {
  return node.passageIds.some((id) => rejectedPassageIds.includes(id))
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

/** Only verdicts of a model teach a model: those by evidence scores need no learning. */
function critiqueOf(node: NodeRecord, base: Base, nodes: readonly NodeRecord[]): CritiqueRecord | undefined {
  if (!node.verdict || node.verdict.by !== 'model') return undefined;
  const evidence = node.passages
    .filter((passage) => node.passageIds.includes(passage.id))
    .map((passage) => passage.text)
    .join('\n')
    .slice(0, EVIDENCE);
  const content = { question: node.subQuestion, answer: node.answer, evidence };
  const shown = shownToCritic(node, nodes);
  return {
    kind: 'critique',
    ...base,
    id: experienceId('critique', [node.question, node.history, node.subQuestion, node.answer]),
    history: node.history,
    node: content,
    verdict: node.verdict.verdict,
    reason: node.verdict.reason,
    ...(shown && { shown }),
  };
}
