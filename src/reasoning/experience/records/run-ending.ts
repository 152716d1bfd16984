import type { AnswerRecord } from '../../node-record.ts';
import type { ExperienceRecord } from './experience-record.ts';

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
 * Which runs teach. Citations must hold in any case: an answer that is right by chance teaches nothing about evidence. Then a known
 * right answer decides, then a person's word, then the critique; a run that nobody judged does not teach.
 */
export function runEnding(answer: AnswerRecord, { thumb, goldF1 }: RunSigns): RunEnding {
  if (answer.abstained || answer.answer.trim() === '') return { well: false, reason: 'It found no answer.' };
  if (answer.unsupportedCount > 0) return { well: false, reason: `${answer.unsupportedCount} of its statements are not supported by their passages.` };
  if (goldF1 !== undefined) return goldF1 >= GOLD_F1 ? { well: true, by: ['citations', 'gold'] } : { well: false, reason: 'Its answer is known to be wrong.' };
  if (thumb === 'down') return { well: false, reason: 'Its answer was rejected.' };
  if (answer.verdict && answer.verdict.verdict !== 'keep') return thumb === 'up' ? { well: true, by: ['citations', 'thumb'] } : { well: false, reason: `Its critique says: ${answer.verdict.reason}` };
  if (thumb === 'up') return { well: true, by: answer.verdict ? ['citations', 'critique', 'thumb'] : ['citations', 'thumb'] };
  return answer.verdict ? { well: true, by: ['citations', 'critique'] } : { well: false, reason: 'Nobody judged it: no critique, no thumb, no known answer.' };
}
