import { readFileSync } from 'node:fs';
import type { ExperienceRecord, Learning } from '#learning';
import { UsageError } from '../exit.ts';
import { hoptrail } from '../open-engine.ts';
import { type Output, printable } from '../terminal.ts';

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
 * `hoptrail learning`: what was learnt from this user's runs. `--list` prints the records, `--export` as JSON lines,
 * `--import` reads those, `--delete` forgets some records, `--reset` everything.
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

/** @throws UsageError if none of them exists */
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
    `Imported ${taken.added} records. Left out: ${taken.damaged} damaged lines, ${taken.refused} records that must ` +
      'not teach.',
  );
}

/** @throws UsageError for an unreadable file */
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

/** A record in one line. */
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

async function describeLearning({ report, folder }: Learning, json: boolean, output: Output): Promise<void> {
  const { strategies, experience } = await report();
  if (json) return output.json({ folder, strategies, experience });
  output.out(`Strategies: learnt from ${strategies.runs} of your runs; prior: ${strategies.prior ?? 'none'}`);
  for (const { strategy, runs, quality, cost } of strategies.strategies)
    output.out(`  ${strategy.padEnd(32)} ${runs} runs, quality ${quality.toFixed(2)}, cost ${cost.toFixed(2)}`);
  const kinds = Object.entries(experience.records).map(([kind, count]) => `${kind} ${count}`);
  output.out(
    `Records: ${kinds.join(', ') || 'none'} of ${experience.runs} runs, ${(experience.bytes / 1000).toFixed(1)} kB ` +
      `in ${folder}`,
  );
}
