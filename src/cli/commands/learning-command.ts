import { openLearning } from '../../reasoning/open-learning.ts';
import { join } from 'node:path';
import { reportError } from '../../model/error-report.ts';
import { learningFolder } from '../index-location.ts';
import { describeTraining } from './learn-command.ts';
import { packageRoot } from '../open-engine.ts';
import type { Output } from '../output.ts';

export interface LearningOptions {
  json?: boolean;
  export?: boolean;
  reset?: boolean;
}

/** `hoptrail learning`: what was learnt from this user's own runs, from how much; `--export` prints the records, `--reset` forgets them. */
export async function learningCommand(options: LearningOptions, output: Output): Promise<void> {
  const folder = learningFolder();
  const learning = openLearning({ folder, modelsDir: join(packageRoot(), 'models'), now: Date.now, onProblem: (error) => output.err(`warn: ${reportError(error).message}`) });
  if (options.reset) {
    await learning.reset();
    await learning.settled();
    output.err('Forgotten: what was learnt from your runs on the command line.');
    return;
  }
  if (options.export) {
    const records = (await learning.export()).trimEnd();
    if (records !== '') output.out(records);
    return;
  }
  const { strategies, experience } = await learning.report();
  const round = await learning.rounds.current();
  const inUse = await learning.rounds.inUse();
  if (options.json) {
    output.json({ folder, strategies, experience, round: round ?? null, inUse });
    return;
  }
  output.out(`Strategies: ${strategies.runs} of your runs taught; it started from: ${strategies.prior ?? 'nothing'}`);
  for (const { strategy, runs, quality, cost } of strategies.strategies) output.out(`  ${strategy.padEnd(32)} ${runs} runs, quality ${quality.toFixed(2)}, cost ${cost.toFixed(2)}`);
  const kinds = Object.entries(experience.records).map(([kind, count]) => `${kind} ${count}`).join(', ');
  output.out(`Records: ${kinds || 'none'} of ${experience.runs} runs, ${(experience.bytes / 1000).toFixed(1)} kB in ${folder}`);
  const learnt = inUse.filter((one) => one.learnt).map(({ trainer, undoable }) => `${trainer}${undoable ? ` (hoptrail learn DIR --step-back ${trainer} undoes it)` : ''}`);
  output.out(`In use, learnt in a round: ${learnt.join(', ') || 'nothing'}`);
  for (const result of round?.results ?? []) output.out(`Last round, ${describeTraining(result)}`);
}
