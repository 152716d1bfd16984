import type { LanguageModel } from '#research';
import { CALLS_PER_MADE, hostOf, type LearningProgress, mostCalls, type TrainerResult } from '#learning';
import { UsageError } from '../cli-error.ts';
import { withEngine, type EngineOptions } from '../open-engine.ts';
import type { Output } from '../output.ts';
import { bar, ProgressLine } from '../terminal/progress-line.ts';
import { signed } from '../terminal/signed.ts';

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
    if (options.withModel) tellOfModel(engine.model, options, output);
    await update({}, signal);
    if (options.stepBack !== undefined) {
      if (!(await engine.unlearn(options.stepBack)))
        throw new UsageError(`Nothing that “${options.stepBack}” learnt is in use.`, {
          advice: 'hoptrail learning says what is in use.',
        });
      output.err(`Undone: ${options.stepBack} is what it was before.`);
      return;
    }
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
        const { asked, right } = await engine.answerMade(
          {
            made: options.made,
            withModel,
            known,
            onProgress: (done, of) => line.update(`Answering ${bar(done, of)} ${done}/${of}`),
          },
          signal,
        );
        line.clear();
        output.err(`Round ${round} of ${options.rounds}: ${asked} made questions were asked, ${right} answered right.`);
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
    `With ${model.name} at ${hostOf(model) ?? model.id}: at most ${rounds * mostCalls(made).all + (rounds - 1) * made * CALLS_PER_MADE} calls. Passages of this folder are sent there to make questions, and questions of yours that it has read before.`,
  );
}

/** One trainer's outcome in one line. */
export function describeTraining({ trainer, phase, examples, verdict, problem }: TrainerResult): string {
  const scores =
    verdict &&
    `${verdict.before.toFixed(3)} before, ${verdict.after.toFixed(3)} after on ${verdict.questions} held-out questions (difference ${signed(verdict.difference)}, 95 % interval ${signed(verdict.ci95[0])} to ${signed(verdict.ci95[1])}, p ${verdict.p.toFixed(3)})`;
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
