import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  type DamagedLine,
  fileOnDisk,
  jsonLines,
  lazy,
  LearningFileError,
  type LineFile,
  parsedJson,
  readJsonLines,
} from '#base';
import { AS_SHIPPED, beliefShape } from './bandit/prior-belief.ts';
import { decisionShape } from './decision.ts';
import { QUESTION_FEATURES_VERSION } from './question-features.ts';

const entryShape = z.discriminatedUnion('kind', [
  /**
   * How a run ended. `of`: the version of the features that it was chosen by; `plans`: that of what the names of plans
   * stand for, which the first did not write down.
   */
  decisionShape.extend({
    kind: z.literal('outcome'),
    of: z.number(),
    plans: z.number().default(1),
    learnt: decisionShape.shape.learnt.unwrap(),
  }),
  /** A person's word about a run, after its end. `null` takes an earlier one back. */
  z.object({
    kind: z.literal('word'),
    runId: z.string(),
    thumb: z.enum(['up', 'down']).nullable().optional(),
    thinkHarder: z.boolean().optional(),
    edit: z.enum(['kept', 'changed', 'removed']).optional(),
  }),
  /** How far the prior is believed from here on. */
  z.object({ kind: z.literal('belief'), belief: beliefShape }),
  /** Everything until this time is forgotten, also by who has not written it down yet. */
  z.object({ kind: z.literal('reset'), time: z.number() }),
]);

/** What is written down of the strategies: one line each, in the order in which it came about; the newest are kept. */
export type StrategyEntry = z.infer<typeof entryShape>;

/** Most lines that are kept: with each start the choice of strategies is fitted to them all, 0.2 ms a line. */
const MOST_LINES = 5000;

/**
 * A text with these entries behind what it holds, also where that ends within a line. The oldest lines go where there
 * are too many, and with them those that cannot be read; what was forgotten and what is believed stays.
 */
export function appended(text: string, entries: readonly StrategyEntry[]): string {
  const all = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${jsonLines(entries)}`;
  const lines = all.trimEnd().split('\n');
  const tooMany = lines.length - MOST_LINES;
  if (tooMany <= 0) return all;
  const lasting = readEntries(lines.slice(0, tooMany).join('\n')).values.filter(
    ({ kind }) => kind === 'reset' || kind === 'belief',
  );
  return `${jsonLines(lasting)}${lines.slice(tooMany).join('\n')}\n`;
}

/** The entries of a text; lines that are none are left alone. */
export const readEntries = (text: string): { values: StrategyEntry[]; damaged: DamagedLine[] } =>
  readJsonLines(text, entryShape);

/** Port: the entries of one user, which all windows share. */
export interface StrategyStore extends Pick<LineFile, 'read' | 'change'> {
  /** Deletes what an earlier version left and what could not be taken over. Absent: there is no such thing. */
  forgetEarlier?(): Promise<void>;
}

/**
 * `strategies.jsonl` in a folder, into which what an earlier version kept in `strategies.json` is taken over.
 * @param onProblem Told of what of that could not be taken over, and where it lies. @throws LearningFileError
 */
export function strategiesOnDisk(folder: string, onProblem: (error: unknown) => void): StrategyStore {
  const file = fileOnDisk(join(folder, 'strategies.jsonl'));
  const taken = lazy(() => takeOver(file, join(folder, 'strategies.json'), onProblem));
  return {
    read: async () => {
      await taken();
      return file.read();
    },
    change: async (change) => {
      await taken();
      return file.change(change);
    },
    forgetEarlier: async () => {
      for (const name of ['strategies.json', SET_ASIDE]) await rm(join(folder, name), { force: true });
    },
  };
}

const SET_ASIDE = 'strategies-before.json';
/** The earlier version kept the last choices one by one, and of those before only what they had made of its model. */
const KEPT_BEFORE = 200;

const stateBefore = z.object({
  version: z.literal(1),
  bandit: z.object({ questionFeatures: z.number() }).optional().catch(undefined),
  decisions: z.array(decisionShape),
  belief: beliefShape.optional().catch(undefined),
  since: z.number().default(0),
});

async function takeOver(file: LineFile, path: string, onProblem: (error: unknown) => void): Promise<void> {
  const text = await fileOnDisk(path).read();
  if (text.trim() === '') return;
  const json = parsedJson(text);
  const state = stateBefore.safeParse(json instanceof SyntaxError ? undefined : json.value);
  if (state.success) {
    const { decisions, belief = AS_SHIPPED, bandit, since } = state.data;
    await file.change((now) => {
      const known = new Set(readEntries(now).values.map((entry) => 'runId' in entry && entry.runId));
      const entries: StrategyEntry[] =
        now === ''
          ? [
              { kind: 'reset', time: since },
              { kind: 'belief', belief },
            ]
          : [];
      for (const decision of decisions)
        if (decision.learnt && !known.has(decision.runId))
          entries.push({
            kind: 'outcome',
            of: bandit?.questionFeatures ?? QUESTION_FEATURES_VERSION,
            plans: 1,
            ...decision,
            learnt: decision.learnt,
          });
      return { text: appended(now, entries), result: undefined };
    });
    if (decisions.length < KEPT_BEFORE) return rm(path, { force: true });
  }
  const aside = join(dirname(path), SET_ASIDE);
  await rename(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error; // another window has done it
  });
  onProblem(
    new LearningFileError(
      state.success
        ? `Of what an earlier version learnt about strategies, the last ${KEPT_BEFORE} runs were taken over; ` +
            `what it had made of earlier ones lies in ${aside}.`
        : `What an earlier version learnt about strategies cannot be read: it lies in ${aside}.`,
      { advice: 'Nothing needs to be done. Resetting what was learnt deletes it.' },
    ),
  );
}
