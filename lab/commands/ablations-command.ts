import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bar, type EngineOptions, type Output, ProgressLine, UsageError } from '#cli/lab';
import { ABLATIONS, runAblations } from '../evaluation/ablations.ts';
import { loadQuestions } from '../evaluation/dataset.ts';
import { recordReplies } from '../evaluation/recording.ts';
import type { Setting } from '../evaluation/runs/retrieval-run.ts';
import { askedHash } from './asked-hash.ts';
import { sampleOf, withCorpus } from './eval-command.ts';

export interface AblationsOptions extends EngineOptions {
  data: string;
  corpus?: string;
  setting?: Setting;
  /** Folder for the records and the table. */
  out: string;
  /** Names of ablations; default: all. */
  only?: string;
  limit: number;
  seed: number;
}

/** `hoptrail eval ablations --data F --out FOLDER`: the methods with one part changed at a time, as one table. */
export async function ablationsCommand(options: AblationsOptions, output: Output, signal: AbortSignal): Promise<void> {
  const names = options.only?.split(',').map((name) => name.trim());
  const unknown = names?.filter((name) => !ABLATIONS.some((ablation) => ablation.name === name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`Unknown: ${unknown.join(', ')}.`, {
      advice: `Known: ${ABLATIONS.map(({ name }) => name).join(', ')}.`,
    });
  const ablations = ABLATIONS.filter(({ name }) => !names || names.includes(name));
  const questions = loadQuestions(options.data).filter(({ type, answer }) => type !== 'null' && answer !== '');
  const asked = sampleOf(questions, options);
  const progress = new ProgressLine();
  try {
    const table = await withCorpus(questions, { ...options, learn: false }, signal, async (engine) => {
      if (!engine.model)
        throw new UsageError('Ablations change what a language model does, and none is named.', {
          advice: 'Name one: --base-url URL --model NAME.',
        });
      mkdirSync(options.out, { recursive: true });
      await engine.model.learnWindow?.();
      engine.setModel(recordReplies(engine.model, join(options.out, 'replies.jsonl')));
      return runAblations(asked, ablations, {
        engine,
        setting: options.setting ?? 'distractor',
        folder: options.out,
        askedHash: askedHash(options),
        seed: options.seed,
        signal,
        now: Date.now,
        progress: (name, done, total) => progress.update(`${name} ${bar(done, total)} ${done}/${total}`),
      });
    });
    progress.clear();
    output.out(table);
  } finally {
    progress.clear();
  }
}
