import type { TrainerResult } from '../../reasoning/experience/offline-round.ts';
import { UsageError } from '../cli-error.ts';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../output.ts';
import { signed } from '../terminal/signed.ts';

export interface LearnOptions extends EngineOptions {
  json?: boolean;
  /** Questions to make from the workspace's own chains. */
  made: number;
  /** A trainer whose last winner is undone, instead of a round. */
  stepBack?: string;
}

/** `hoptrail learn DIR`: a round of learning on this machine; what wins on held-out questions is put to use, the rest is dropped. */
export async function learnCommand(directory: string, options: LearnOptions, output: Output, signal: AbortSignal): Promise<void> {
  await withEngine(directory, options, signal, async ({ engine, update }) => {
    await update({}, signal);
    if (options.stepBack !== undefined) {
      if (!(await engine.unlearn(options.stepBack))) throw new UsageError(`Nothing that “${options.stepBack}” learnt is in use.`, { advice: 'hoptrail learning says what is in use.' });
      output.err(`Undone: ${options.stepBack} is what it was before.`);
      return;
    }
    const state = await engine.learn(options.made, signal, (result) => { if (!options.json) output.err(`${result.trainer}: ${result.phase}`); });
    if (options.json) output.json(state);
    else for (const result of state.results) output.out(describeTraining(result));
  });
}

/** One trainer's outcome in one line. */
export function describeTraining({ trainer, phase, examples, verdict, problem }: TrainerResult): string {
  const scores = verdict && `${verdict.before.toFixed(3)} before, ${verdict.after.toFixed(3)} after on ${verdict.questions} held-out questions (difference ${signed(verdict.difference)}, 95 % interval ${signed(verdict.ci95[0])} to ${signed(verdict.ci95[1])}, p ${verdict.p.toFixed(3)})`;
  const outcome = {
    pending: 'not done yet', skipped: 'skipped', trained: 'trained, not compared yet', installed: 'in use: it won',
    kept: 'the old one stays: no certain gain', failed: 'failed', 'stepped-back': 'undone',
  }[phase];
  return [`${trainer}: ${outcome}`, `from ${examples} examples`, scores, problem].filter(Boolean).join('; ');
}
