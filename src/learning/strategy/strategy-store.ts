import { join } from 'node:path';
import { z } from 'zod';
import { type DamagedLine, fileOnDisk, jsonLines, type LineFile, readJsonLines } from '#base';
import { decisionShape } from './decision.ts';

const entryShape = z.union([
  z.discriminatedUnion('kind', [
    /** How a run ended. `of`: the version of the features that describe its question. */
    decisionShape.extend({ kind: z.literal('outcome'), of: z.number() }),
    /** A person's word about a run, after its end. `null` takes an earlier one back. */
    z.object({
      kind: z.literal('word'),
      runId: z.string(),
      thumb: z.enum(['up', 'down']).nullable().optional(),
      thinkHarder: z.boolean().optional(),
      edit: z.enum(['kept', 'changed', 'removed']).optional(),
    }),
    /** Everything until this time is forgotten, also by windows that have not written it down yet. */
    z.object({ kind: z.literal('reset'), time: z.number() }),
  ]),
  /** A line of another version of Hoptrail: left alone. */
  z.object({ kind: z.string() }).transform(() => ({ kind: 'foreign' as const })),
]);

/** A line of what is written down of the strategies, in the order in which it came about. */
export type StrategyEntry = z.infer<typeof entryShape>;

/** Most lines that are kept: the newest. */
const MOST_LINES = 2000;

/** A text with these entries behind it, also where it ends within a line. Old lines go; a reset stays. */
export function appended(text: string, entries: readonly StrategyEntry[]): string {
  const all = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${jsonLines(entries)}`;
  const lines = all.trimEnd().split('\n');
  const tooMany = lines.length - MOST_LINES;
  if (tooMany <= 0) return all;
  const resets = readEntries(lines.slice(0, tooMany).join('\n')).values.filter(({ kind }) => kind === 'reset');
  return `${jsonLines(resets.slice(-1))}${lines.slice(tooMany).join('\n')}\n`;
}

/** The entries of a text; lines that hold none are left alone. */
export const readEntries = (text: string): { values: StrategyEntry[]; damaged: DamagedLine[] } =>
  readJsonLines(text, entryShape);

/** Port: the entries of one user, which all windows share. */
export type StrategyStore = Pick<LineFile, 'read' | 'change'>;

/** `strategies.jsonl` in a folder. @throws LearningFileError */
export const strategiesOnDisk = (folder: string): StrategyStore => fileOnDisk(join(folder, 'strategies.jsonl'));
