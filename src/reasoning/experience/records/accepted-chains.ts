import type { RecordedPassage } from '../../node-record.ts';
import type { ExperienceRecord, ReadingRecord } from './experience-record.ts';

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
 * Trails of runs that ended well: per run the passages that its kept readings rest on, for the run's question, and those of each
 * reading alone, for its sub-question.
 */
export function acceptedChains(records: readonly ExperienceRecord[]): AcceptedChain[] {
  const readings = records.filter((record): record is ReadingRecord => record.kind === 'reading');
  const runs = new Map<string, ReadingRecord[]>();
  for (const reading of [...readings].sort((a, b) => a.source.time - b.source.time)) runs.set(reading.source.runId, [...(runs.get(reading.source.runId) ?? []), reading]);
  const whole = [...runs.values()].map((parts): AcceptedChain => ({ question: parts[0]?.runQuestion ?? '', runQuestion: parts[0]?.runQuestion ?? '', runId: parts[0]?.source.runId ?? '', passages: distinct(parts.flatMap(restsOn)) }));
  const parts = readings.filter((reading) => reading.question !== reading.runQuestion).map((reading): AcceptedChain => ({ question: reading.question, runQuestion: reading.runQuestion, runId: reading.source.runId, passages: distinct(restsOn(reading)) }));
  return [...whole, ...parts].filter((chain) => chain.passages.length > 0);
}

const restsOn = (reading: ReadingRecord): RecordedPassage[] => reading.passageIds.flatMap((id) => reading.passages.find((passage) => passage.id === id) ?? []);
const distinct = (passages: readonly RecordedPassage[]): RecordedPassage[] => [...new Map(passages.map((passage) => [passage.id, passage])).values()];
