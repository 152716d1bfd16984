import type { AnswerRecord, NodeRecord, RunRecord } from '../../node-record.ts';
import { experienceId, type CritiqueRecord, type DecompositionRecord, type ExperienceRecord, type ReadingRecord } from './experience-record.ts';
import { findPoison, speaksToModel } from './find-poison.ts';
import { runEnding, type RunSigns } from './run-ending.ts';
import { knownAtStepBack, readingForm, shownToCritic, splitPlan } from './shown-prompts.ts';

export interface Derived {
  records: ExperienceRecord[];
  /** What was left out, and why. */
  refused: { stepId: string | null; reason: string }[];
}

/** Characters of evidence that a critique keeps. */
const EVIDENCE = 1200;

/**
 * A run's nodes as training data (RISE, He et al. 2025): kept nodes teach what to ask (D_d) and what to read (D_r), all judged nodes
 * teach the critique (D_c), and the end of the run teaches when to stop. A run that did not end well teaches nothing; neither does a
 * node that cites what it was not shown, that holds text written for a model, or that rests on a passage which a person has rejected;
 * if such a node was kept, those after it have seen it and are left out too. With each record goes what the run tells of the prompt that it
 * answers (shown-prompts.ts).
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
      if (node.passageIds.length > 0 && node.answer !== '') derived.records.push({ ...readingOf(node, base), ...readingForm(node, nodes) });
      rejected = [];
    } else if (node.verdict) rejected = [...rejected, { question: node.subQuestion, reason: node.verdict.reason }];
  }
  if (answer.history.length > 0 && ![answer.answer, answer.question].some(speaksToModel)) derived.records.push(stopOf(answer, ending.by, derived.records, nodes));
  return derived;
}

/** Enough is known: the end of a decomposition, and the whole of it where the run was split at its beginning. */
function stopOf(answer: AnswerRecord, outcome: ExperienceRecord['outcome'], records: readonly ExperienceRecord[], nodes: readonly NodeRecord[]): DecompositionRecord {
  const stop = decompositionOf(answer, baseOf(answer, null, outcome), [], null);
  const plan = splitPlan(nodes, [...records.filter((record): record is DecompositionRecord => record.kind === 'decomposition'), stop]);
  return { ...stop, ...(plan && { plan }) };
}

type Base = Pick<ExperienceRecord, 'version' | 'runQuestion' | 'source' | 'outcome' | 'consent'>;

/** Kept is what the critique kept; where there was none, or no model wrote the answer, the whole must have been judged from outside. */
function keptBy(outcome: ExperienceRecord['outcome']): (node: NodeRecord) => boolean {
  const judged = outcome.includes('thumb') || outcome.includes('gold');
  return (node) => (node.verdict === null ? judged : node.verdict.verdict === 'keep' && (node.model !== null || judged));
}

function baseOf(record: RunRecord, stepId: string | null, outcome: ExperienceRecord['outcome']): Base {
  return { version: 1, runQuestion: record.question, source: { runId: record.runId, stepId, time: record.time, model: record.model }, outcome, consent: 'local' };
}

function poisonOf(node: NodeRecord): string | undefined {
  return findPoison({ question: `${node.question}\n${node.subQuestion}\n${node.reply}`, answer: node.answer, passageIds: node.passageIds, passages: node.passages });
}

function decompositionOf(record: RunRecord, base: Base, rejected: DecompositionRecord['rejected'], next: string | null): DecompositionRecord {
  return { kind: 'decomposition', ...base, id: experienceId('decomposition', [record.question, record.history, rejected.map((one) => one.question)]), history: record.history, rejected, next };
}

function misledBy(node: NodeRecord, { rejectedPassageIds = [] }: RunSigns): string | undefined {
  return node.passageIds.some((id) => rejectedPassageIds.includes(id)) ? 'It rests on a passage that does not belong.' : undefined;
}

function readingOf(node: NodeRecord, base: Base): ReadingRecord {
  return { kind: 'reading', ...base, id: experienceId('reading', [node.subQuestion, node.passages.map((passage) => passage.id)]), question: node.subQuestion, passages: node.passages, answer: node.answer, passageIds: node.passageIds };
}

/** Only verdicts of a model teach a model: those by evidence scores need no learning. */
function critiqueOf(node: NodeRecord, base: Base, nodes: readonly NodeRecord[]): CritiqueRecord | undefined {
  if (!node.verdict || node.verdict.by !== 'model') return undefined;
  const evidence = node.passages.filter((passage) => node.passageIds.includes(passage.id)).map((passage) => passage.text).join('\n').slice(0, EVIDENCE);
  const content = { question: node.subQuestion, answer: node.answer, evidence };
  const shown = shownToCritic(node, nodes);
  return { kind: 'critique', ...base, id: experienceId('critique', [node.question, node.history, node.subQuestion, node.answer]), history: node.history, node: content, verdict: node.verdict.verdict, reason: node.verdict.reason, ...(shown && { shown }) };
}
