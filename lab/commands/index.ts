import { Command, Option } from 'commander';
import {
  exitCodeOf,
  number,
  positiveInteger,
  researchOptions,
  withEndpoint,
  withModel,
  type Interruption,
  type Output,
  type ResearchFlags,
} from '#cli/lab';
import type { EvaluationTask } from '../evaluation/report.ts';
import { agentList, nonNegativeInteger, share } from './flags.ts';
import { ablationsCommand, type AblationsOptions } from './ablations-command.ts';
import { banditCommand, type BanditOptions } from './bandit-command.ts';
import { compareCommand } from './compare-command.ts';
import { evalCommand, type EvalOptions } from './eval-command.ts';
import { scoreCommand, type ScoreOptions } from './score-command.ts';

/** `hoptrail eval …`: the exit code. */
export async function evaluate(args: readonly string[], output: Output, interruption: Interruption): Promise<number> {
  try {
    await createProgram(output, interruption.signal).parseAsync(args, { from: 'user' });
    return interruption.code ?? 0;
  } catch (error) {
    return exitCodeOf(error, output, interruption);
  }
}

function createProgram(output: Output, signal: AbortSignal): Command {
  const evaluation = new Command('hoptrail eval')
    .description('measure retrieval, answers, classification and refusals on a data set')
    .showHelpAfterError('(hoptrail eval --help lists the commands)')
    .exitOverride();
  for (const task of ['retrieval', 'answer', 'classify', 'abstain'] as const satisfies readonly EvaluationTask[]) {
    withModel(evaluation.command(task).description(`evaluate: ${task}`))
      .requiredOption('--data <file>', 'questions, one JSON object a line')
      .option('--corpus <file>', 'more passages, one JSON object a line')
      .option('--workspace <dir>', 'a folder instead of passages; questions name their files')
      .option('--trees <dir>', 'folders or .tar.gz files instead, one for each that a question names')
      .addOption(new Option('--setting <name>').choices(['distractor', 'pooled']))
      .addOption(new Option('--retriever <name>').choices(['text', 'vector', 'hybrid', 'beam', 'all']).default('beam'))
      .addOption(
        new Option('--remove <what>', 'abstain: take gold passages away')
          .choices(['none', 'all', 'one'])
          .default('none'),
      )
      .option('--limit <n>', 'a seeded sample of this size', positiveInteger)
      .option('--seed <n>', 'seed of sampling and bootstrap', nonNegativeInteger, 1)
      .option('--out <file>', 'records, one JSON object a line; an interrupted run goes on from them')
      .option('--runs <folder>', 'answer: record each run here, with requests and replies; eval score reads it')
      .option('--replay', 'answer: take the replies of --runs in place of a model')
      .option('--index <uri>', 'where the index lies')
      .option('--embedder-folder <dir>', 'another embedding model')
      .option('--verbose', 'log what the index process says')
      .option('--json', 'one JSON object')
      .action((flags: Omit<EvalOptions, 'research'> & ResearchFlags) =>
        evalCommand(task, { ...flags, research: researchOptions(flags) }, output, signal),
      );
  }
  withModel(evaluation.command('bandit').description('replay the choice of strategies over gathered outcomes'))
    .requiredOption('--outcomes <file>', 'outcomes, one JSON object a line; made or added to with --data')
    .option('--data <file>', 'questions on which every strategy is tried')
    .option('--corpus <file>', 'more passages')
    .addOption(new Option('--setting <name>').choices(['distractor', 'pooled']))
    .addOption(
      new Option(
        '--actions <set>',
        'what is tried on the questions: the plans, the 97 graphs of the paper, or those whose agents answer ' +
          'apart (fewest calls)',
      )
        .choices(['plans', 'paper', 'apart'])
        .default('plans'),
    )
    .option('--without <agents>', 'leave out strategies with one of these agents, separated by commas', agentList)
    .option('--write-prior <file>', 'write what these outcomes measure of the product’s plans')
    .option('--window <tokens>', 'window of the model of the outcomes: its class in the prior', positiveInteger, 4096)
    .option('--beta <weight>', 'weight of quality against cost, 0 to 1', number, 0.5)
    .option('--orders <n>', 'orders of the questions', positiveInteger, 10)
    .option('--training <share>', 'of the questions, to learn from; the others are for testing', share, 0.5)
    .option('--limit <n>', 'a seeded sample of this size', positiveInteger)
    .option('--seed <n>', 'first seed', nonNegativeInteger, 1)
    .option('--index <uri>', 'where the index lies')
    .option('--json', 'one JSON object')
    .action((flags: Omit<BanditOptions, 'research'> & ResearchFlags) =>
      banditCommand({ ...flags, research: researchOptions(flags) }, output, signal),
    );
  withEndpoint(
    evaluation
      .command('ablations')
      .description('answers with one part of the methods changed at a time, and each operator alone, as one table'),
  )
    .requiredOption('--data <file>', 'questions, one JSON object a line')
    .requiredOption(
      '--out <folder>',
      'records of each, the replies of the model, and the table; an interrupted run goes on from them',
    )
    .option('--corpus <file>', 'more passages')
    .addOption(new Option('--setting <name>').choices(['distractor', 'pooled']))
    .option('--only <names>', 'some of them, separated by commas')
    .option('--limit <n>', 'a seeded sample of this size', positiveInteger, 30)
    .option('--seed <n>', 'seed of sampling and bootstrap', nonNegativeInteger, 1)
    .option('--index <uri>', 'where the index lies')
    .action((flags: AblationsOptions) => ablationsCommand(flags, output, signal));
  evaluation
    .command('score <runs>')
    .description('verdicts, calls, tokens, plans and marks of recorded runs; needs no model and no index')
    .requiredOption('--data <file>', 'the questions that were asked, one JSON object a line')
    .option('--verdicts <file>', 'verdicts written by hand, as JSON lines {id, verdict: right|partly|wrong|refused}')
    .option('--list', 'print question, gold and answer of each run instead, as JSON lines to judge by')
    .option('--seed <n>', 'seed of the intervals', nonNegativeInteger, 1)
    .option('--json', 'one JSON array')
    .action((runs: string, flags: ScoreOptions) => scoreCommand(runs, flags, output));
  evaluation
    .command('compare <a> <b>')
    .description('compare two record files question by question')
    .option('--seed <n>', 'seed of the tests', nonNegativeInteger, 1)
    .option('--json', 'one JSON array')
    .action((a: string, b: string, flags: { seed: number; json?: boolean }) => compareCommand(a, b, flags, output));
  return evaluation;
}
