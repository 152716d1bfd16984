import type { LanguageModel } from '#research';
import {
  CALLS_PER_MADE,
  hostOf,
  type LearningProgress,
  mostCalls,
  type TrainerResult,
  type ExperienceRecord,
  type Learning,
} from '#learning';
import { UsageError } from '../exit.ts';
import { withEngine, type EngineOptions, hoptrail } from '../open-engine.ts';
import { type Output, bar, ProgressLine, signed, printable } from '../terminal.ts';
import { readFileSync } from 'node:fs';

export interface LearnOptions extends EngineOptions {
  json?: boolean;
  /** Questions to make from the workspace's own chains. */
  made: number;
  /** The language model may be asked, and sent passages of this folder. */
  withModel?: boolean;
  /** Rounds one after the other; between them the questions that were made are answered, and teach the next. */
  rounds: number;
  /** A trainer whose last winner is undone, instead of a round. */
  stepBack?: string;
}

/**
 * `hoptrail learn DIR [--rounds N]`: rounds of learning on this machine; what wins on held-out questions is put to use,
 * the rest is dropped. No model is asked without `--with-model`.
 */
export async function learnCommand(
  directory: string,
  options: LearnOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  await withEngine(directory, options, signal, async ({ engine, update }) => {
    if (options.stepBack !== undefined) {
      if (!(await engine.unlearn(options.stepBack)))
        throw new UsageError(`Nothing that “${options.stepBack}” learnt is in use.`, {
          advice: 'hoptrail learning says what is in use.',
        });
      output.err(`Undone: ${options.stepBack} is what it was before.`);
      return;
    }
    if (options.withModel) tellOfModel(engine.model, options, output);
    await update({}, signal);
    const line = new ProgressLine();
    try {
      const onProgress = ({ what, done, of }: LearningProgress): void =>
        line.update(
          what === 'questions'
            ? `Making questions ${bar(done, of)} ${done}/${of}`
            : `Comparing examples ${bar(done, of)} ${done}/${of}`,
        );
      const withModel = options.withModel ?? false;
      const known = new Set<string>();
      for (let round = 1; round <= options.rounds; round++) {
        const state = await engine.learn({ made: options.made, withModel, onProgress }, signal, (result) => {
          line.clear();
          if (!options.json) output.err(`${result.trainer}: ${result.phase}`);
        });
        line.clear();
        if (options.json) output.json(state);
        else for (const result of state.results) output.out(describeTraining(result));
        if (round === options.rounds) return;
        const { asked, right, teach } = await engine.answerMade(
          {
            made: options.made,
            withModel,
            known,
            onProgress: (done, of) => line.update(`Answering ${bar(done, of)} ${done}/${of}`),
          },
          signal,
        );
        line.clear();
        output.err(
          `Round ${round} of ${options.rounds}: ${asked} made questions were asked, ${right} answered right, ` +
            `${teach} of them teach the next.`,
        );
      }
    } finally {
      line.clear();
    }
  });
}

/** How often the model is asked at most, and where. @throws UsageError without one */
function tellOfModel(model: LanguageModel | undefined, { made, rounds }: LearnOptions, output: Output): void {
  if (!model)
    throw new UsageError('--with-model needs a language model.', {
      advice: 'Name it: --base-url URL --model NAME, or HOPTRAIL_BASE_URL and HOPTRAIL_MODEL.',
    });
  output.err(
    `With ${model.name} at ${hostOf(model) ?? model.id}: at most ` +
      `${rounds * mostCalls(made).all + (rounds - 1) * made * CALLS_PER_MADE} calls. Passages of this folder are ` +
      `sent there to make questions, and questions of yours that it has read before.`,
  );
}

/** One trainer's outcome in one line. */
function describeTraining({ trainer, phase, examples, verdict, problem }: TrainerResult): string {
  const scores =
    verdict &&
    `${verdict.before.toFixed(3)} before, ${verdict.after.toFixed(3)} after on ${verdict.questions} held-out ` +
      `questions (difference ${signed(verdict.difference)}, 95 % interval ${signed(verdict.ci95[0])} to ` +
      `${signed(verdict.ci95[1])}, p ${verdict.p.toFixed(3)})`;
  const outcome = {
    pending: 'not done yet',
    skipped: 'skipped',
    trained: 'trained, not compared yet',
    installed: 'in use: it won',
    kept: 'the old one stays: no certain gain',
    failed: 'failed',
    'stepped-back': 'undone',
  }[phase];
  return [`${trainer}: ${outcome}`, `from ${examples} examples`, scores, problem].filter(Boolean).join('; ');
}

export interface LearningOptions {
  json?: boolean;
  export?: boolean;
  /** A file that `--export` has written. */
  import?: string;
  list?: boolean;
  /** Ids of records, as `--list` prints them. */
  delete?: string[];
  reset?: boolean;
}

/**
 * `hoptrail learning`: what was learnt from this user's own runs, from how much. `--list` prints the records one by
 * one, `--export` as JSON lines, `--import` takes those back, `--delete` forgets some of them, `--reset` everything.
 */
export async function learningCommand(options: LearningOptions, output: Output): Promise<void> {
  const learning = hoptrail().learning();
  if (options.reset) {
    await learning.reset();
    await learning.settled();
    output.err('Forgotten: what was learnt from your runs on the command line.');
    return;
  }
  if (options.delete) return deleteRecords(learning, options.delete, output);
  if (options.import !== undefined) return importRecords(learning, options.import, options.json === true, output);
  if (options.list) return listRecords(await learning.experience.list(), options.json === true, output);
  if (options.export) {
    const records = (await learning.export()).trimEnd();
    if (records !== '') output.out(records);
    return;
  }
  await describeLearning(learning, options.json === true, output);
}

/** @throws UsageError when none of them is there */
async function deleteRecords(learning: Learning, ids: string[], output: Output): Promise<void> {
  const deleted = await learning.forget(ids);
  if (deleted === 0)
    throw new UsageError('There is no record of that id.', {
      advice: 'hoptrail learning --list says which there are.',
    });
  output.err(deleted === 1 ? 'Forgotten: 1 record.' : `Forgotten: ${deleted} records.`);
}

async function importRecords({ experience }: Learning, file: string, json: boolean, output: Output): Promise<void> {
  const taken = await experience.import(readText(file));
  if (json) return output.json(taken);
  output.out(
    `Taken up: ${taken.added} records. Left out: ${taken.damaged} lines that are no record, ${taken.refused} ` +
      `records that must not teach.`,
  );
}

/** @throws UsageError for a file that cannot be read */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, {
      advice: 'Name a file that hoptrail learning --export has written.',
      cause: error,
    });
  }
}

function listRecords(records: readonly ExperienceRecord[], json: boolean, output: Output): void {
  if (json) return output.json(records);
  if (records.length === 0) return output.out('There are no records.');
  for (const record of records)
    output.out(
      `${record.id}  ${new Date(record.source.time).toISOString().slice(0, 10)}  ${record.kind.padEnd(13)}  ` +
        `${printable(lessonOf(record))}`,
    );
}

/** What a record teaches, in one line. */
function lessonOf(record: ExperienceRecord): string {
  switch (record.kind) {
    case 'decomposition':
      return `${record.runQuestion} → ${record.next ?? '(enough is known)'}`;
    case 'reading':
      return `${record.question} → ${record.answer}`;
    case 'critique':
      return `${record.node.question} → ${record.node.answer}: ${record.verdict}`;
  }
}

async function describeLearning({ report, rounds, folder }: Learning, json: boolean, output: Output): Promise<void> {
  const { strategies, experience } = await report();
  const damaged = await rounds.damaged();
  const round = await rounds.current().catch(() => undefined); // stands among what is damaged
  const inUse = await rounds.inUse();
  if (json) return output.json({ folder, strategies, experience, round: round ?? null, inUse, damaged });
  output.out(`Strategies: ${strategies.runs} of your runs taught; it started from: ${strategies.prior ?? 'nothing'}`);
  for (const { strategy, runs, quality, cost } of strategies.strategies)
    output.out(`  ${strategy.padEnd(32)} ${runs} runs, quality ${quality.toFixed(2)}, cost ${cost.toFixed(2)}`);
  const kinds = Object.entries(experience.records)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
  output.out(
    `Records: ${kinds || 'none'} of ${experience.runs} runs, ${(experience.bytes / 1000).toFixed(1)} kB in ${folder}`,
  );
  const learnt = inUse
    .filter((one) => one.learnt)
    .map(
      ({ trainer, undoable }) =>
        `${trainer}${undoable ? ` (hoptrail learn DIR --step-back ${trainer} undoes it)` : ''}`,
    );
  output.out(`In use, learnt in a round: ${learnt.join(', ') || 'nothing'}`);
  for (const problem of damaged) output.out(`Damaged: ${problem}`);
  for (const result of round?.results ?? []) output.out(`Last round, ${describeTraining(result)}`);
}
