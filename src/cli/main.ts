import { Argument, Command, CommanderError, Option } from 'commander';
import { reportError } from '../model/error-report.ts';
import type { EvaluationTask } from '../evaluation/report.ts';
import type { RetrieverName } from '../model/passage-chain.ts';
import { askCommand } from './commands/ask-command.ts';
import { banditCommand, type BanditOptions } from './commands/bandit-command.ts';
import { chatCommand } from './commands/chat-command.ts';
import { compareCommand } from './commands/compare-command.ts';
import { evalCommand, type EvalOptions } from './commands/eval-command.ts';
import { FINE_TUNE_STEPS, fineTuneCommand, type FineTuneOptions, type FineTuneStep } from './commands/fine-tune-command.ts';
import { indexCommand } from './commands/index-command.ts';
import { judgeCommand, type JudgeOptions } from './commands/judge-command.ts';
import { learnCommand, type LearnOptions } from './commands/learn-command.ts';
import { learningCommand, type LearningOptions } from './commands/learning-command.ts';
import { mcpCommand } from './commands/mcp-command.ts';
import { passagesCommand } from './commands/passages-command.ts';
import { searchCommand } from './commands/search-command.ts';
import { statusCommand } from './commands/status-command.ts';
import { listenForInterruption } from './interruption.ts';
import { processOutput, type Output } from './output.ts';
import type { EngineOptions } from './open-engine.ts';
import { forTerminal } from './terminal/style.ts';
import { agentList, addResearchFlags, limitOfHits, lossWeights, nonNegativeInteger, number, positiveInteger, researchOptions, share, type ResearchFlags } from './research-flags.ts';

interface Flags extends EngineOptions, ResearchFlags {
  json?: boolean;
  events?: boolean;
  rebuild?: boolean;
  emptied?: boolean;
  path?: string[];
  language?: string[];
  explain?: boolean;
  retriever: RetrieverName;
  limit: number;
}

const withEndpoint = (made: Command): Command => made
  .option('--base-url <url>', 'OpenAI-compatible endpoint (or HOPTRAIL_BASE_URL); key in HOPTRAIL_API_KEY')
  .option('--model <name>', 'model name at that endpoint (or HOPTRAIL_MODEL)');
const withModel = (made: Command): Command => addResearchFlags(withEndpoint(made));

function createProgram(output: Output, signal: AbortSignal): Command {
  const program = new Command('hoptrail')
    .description('Multi-hop research over local folders: search, answers with the trail of passages behind them.')
    .showHelpAfterError('(hoptrail --help lists the commands)')
    .configureOutput({ writeOut: (text) => process.stdout.write(forTerminal(text)), writeErr: (text) => process.stderr.write(forTerminal(text)) })
    .exitOverride();

  const plain = (usage: string, description: string): Command => program.command(usage).description(description)
    .option('--json', 'one JSON object (or JSON lines) for programs');
  const command = (usage: string, description: string): Command => plain(usage, description)
    .option('--index <uri>', 'where the index lies: a folder, or s3://, gs://, az://, db://')
    .option('--embedder-folder <dir>', 'an ONNX embedding model instead of the bundled one')
    .option('--exclude <glob...>', 'leave these out of the index (see .hoptrailignore for what is to last)')
    .option('--no-gitignore', 'read what .gitignore leaves out, too').option('--max-file-bytes <n>', 'largest file that is read', positiveInteger)
    .option('--verbose', 'log what the index process says');
  const writing = (made: Command): Command => made.option('--take-over', 'take the index from the process that holds its lock: for one that is gone, or does nothing any more');
  const scoped = (made: Command): Command => made.option('--path <prefix...>', 'only below these paths');

  writing(command('index <dir>', 'bring the index of a folder up to date')).option('--rebuild', 'read and write everything again, beside the index that answers; vectors of text that is unchanged are kept')
    .option('--emptied', 'the folder is empty or gone on purpose: take what the index knows of it out of the index')
    .action((dir: string, flags: Flags) => indexCommand(dir, flags, output, signal));
  writing(command('search <dir> <query>', 'ranked passages'))
    .addOption(new Option('--retriever <name>').choices(['text', 'vector', 'hybrid', 'beam']).default('hybrid'))
    .option('--limit <n>', 'most hits, at most 1000', limitOfHits, 10)
    .option('--explain', 'rank and score of each part')
    .option('--path <prefix...>', 'only below these paths').option('--language <id...>', 'only these languages')
    .action((dir: string, query: string, flags: Flags) => searchCommand(dir, query, flags, output, signal));
  scoped(withModel(writing(command('ask <dir> <question>', 'an answer with its trail')))).option('--events', 'print the event stream as JSON lines instead')
    .action((dir: string, question: string, flags: Flags) => askCommand(dir, question, { ...flags, research: researchOptions(flags) }, output, signal));
  scoped(withModel(writing(command('chat <dir>', 'questions and follow-ups'))))
    .action((dir: string, flags: Flags) => chatCommand(dir, { ...flags, research: researchOptions(flags) }, output, signal));
  command('status <dir>', 'what the index holds').action((dir: string, flags: Flags) => statusCommand(dir, flags, output, signal));
  plain('passages <dir>', 'every passage as a JSON line; keeps no index').action((dir: string) => passagesCommand(dir, output, signal));
  withModel(writing(command('mcp <dir>', 'serve search and research over the Model Context Protocol on stdio'))).option('--follow', 'only follow an index that another process keeps')
    .action((dir: string, flags: Flags) => mcpCommand(dir, { ...flags, research: researchOptions(flags) }, signal));
  withEndpoint(writing(command('learn <dir>', 'learn from your runs and from questions made of this folder, on this machine; what does not win is dropped')))
    .option('--made <n>', 'questions to make from the folder\'s own chains', nonNegativeInteger, 60)
    .option('--with-model', 'let the language model make the questions, and try your examples on it; says how many calls at most, and where')
    .option('--step-back <trainer>', 'undo what a round put to use: chain-scorer, question-classifier, strategy-prior, example-pool')
    .action((dir: string, flags: LearnOptions) => learnCommand(dir, flags, output, signal));
  program.command('fine-tune').description('a round of self-training at a service that fine-tunes: counted and priced first, sent only with --agree, used only if it wins')
    .addArgument(new Argument('<step>').choices(FINE_TUNE_STEPS))
    .option('--base-url <url>', 'the service (or HOPTRAIL_BASE_URL); key in HOPTRAIL_API_KEY')
    .option('--model <name>', 'prepare: the model to start from (or HOPTRAIL_MODEL)')
    .option('--agree', 'run: you have seen the estimate, and the examples may be sent')
    .option('--epochs <n>', 'prepare: passes over the examples', positiveInteger, 3)
    .option('--loss <weights>', 'prepare: weights of decomposition, reading and critique, as 1,1,1', lossWeights, [1, 1, 1])
    .option('--price <n>', 'prepare: price of a million trained tokens', number).option('--currency <name>', 'prepare: of that price', 'USD')
    .option('--json', 'one JSON object')
    .action((step: FineTuneStep, flags: FineTuneOptions) => fineTuneCommand(step, flags, output, signal));
  program.command('learning').description('what was learnt from your own runs, on this machine')
    .option('--list', 'the records one by one, with their ids').option('--delete <id...>', 'forget these records')
    .option('--export', 'the records as JSON lines').option('--import <file>', 'take up the records of an export; what must not teach is left out')
    .option('--reset', 'forget everything').option('--json', 'one JSON object')
    .action((flags: LearningOptions) => learningCommand(flags, output));
  addEvaluation(program, output, signal);
  return program;
}

function addEvaluation(program: Command, output: Output, signal: AbortSignal): void {
  const evaluation = program.command('eval').description('measure retrieval, answers, classification and refusals on a data set');
  for (const task of ['retrieval', 'answer', 'classify', 'abstain'] as const satisfies readonly EvaluationTask[]) {
    withModel(evaluation.command(task).description(`evaluate: ${task}`))
      .requiredOption('--data <file>', 'questions, one JSON object a line')
      .option('--corpus <file>', 'more passages, one JSON object a line')
      .option('--workspace <dir>', 'a folder instead of passages; questions name their files')
      .addOption(new Option('--setting <name>').choices(['distractor', 'pooled']))
      .addOption(new Option('--retriever <name>').choices(['text', 'vector', 'hybrid', 'beam']).default('beam'))
      .addOption(new Option('--stop <how>', 'what ends a chain').choices(['model', 'threshold']).default('model'))
      .option('--threshold <logit>', 'τ of the paper, with --stop threshold', number)
      .addOption(new Option('--remove <what>', 'abstain: take gold passages away').choices(['none', 'all', 'one']).default('none'))
      .option('--limit <n>', 'a seeded sample of this size', positiveInteger)
      .option('--seed <n>', 'seed of sampling and bootstrap', nonNegativeInteger, 1)
      .option('--out <file>', 'records, one JSON object a line; an interrupted run goes on from them')
      .option('--teach <folder>', 'answer: keep what runs with a right answer teach in this folder; hoptrail learning names the one that is learnt from')
      .option('--index <uri>', 'where the index lies').option('--embedder-folder <dir>', 'another embedding model')
      .option('--verbose', 'log what the index process says').option('--json', 'one JSON object')
      .action((flags: Omit<EvalOptions, 'research'> & ResearchFlags) => evalCommand(task, { ...flags, research: researchOptions(flags) }, output, signal));
  }
  withModel(evaluation.command('bandit').description('replay the choice of strategies over gathered outcomes'))
    .requiredOption('--outcomes <file>', 'outcomes, one JSON object a line; made or added to with --data')
    .option('--data <file>', 'questions on which every strategy is tried').option('--corpus <file>', 'more passages')
    .addOption(new Option('--setting <name>').choices(['distractor', 'pooled']))
    .addOption(new Option('--actions <set>', 'the pruned set, the 97 graphs of the paper, or those whose agents answer apart (fewest calls)').choices(['default', 'paper', 'apart']).default('default'))
    .option('--without <agents>', 'leave out strategies with one of these agents, separated by commas', agentList)
    .option('--write-prior <file>', 'make a prior for the choice of strategies of these outcomes')
    .option('--beta <weight>', 'weight of quality against cost, 0 to 1', number, 0.5)
    .option('--orders <n>', 'orders of the questions', positiveInteger, 10).option('--training <share>', 'of the questions, to learn from; the others are for testing', share, 0.5)
    .option('--limit <n>', 'a seeded sample of this size', positiveInteger)
    .option('--seed <n>', 'first seed', nonNegativeInteger, 1).option('--index <uri>', 'where the index lies').option('--json', 'one JSON object')
    .action((flags: Omit<BanditOptions, 'research'> & ResearchFlags) => banditCommand({ ...flags, research: researchOptions(flags) }, output, signal));
  withEndpoint(evaluation.command('judge <a> <b>').description('compare the sub-questions of two record files by a model, on four dimensions, order swapped'))
    .option('--second <name>', 'a second judge at the same endpoint: how far the two agree')
    .option('--seed <n>', 'seed of the intervals', nonNegativeInteger, 1).option('--json', 'one JSON object')
    .action((a: string, b: string, flags: JudgeOptions) => judgeCommand(a, b, flags, output, signal));
  evaluation.command('compare <a> <b>').description('compare two record files question by question')
    .option('--seed <n>', 'seed of the tests', nonNegativeInteger, 1).option('--json', 'one JSON array')
    .action((a: string, b: string, flags: { seed: number; json?: boolean }) => compareCommand(a, b, flags, output));
}

/** Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (Ctrl-C), 143 terminated. */
async function main(): Promise<number> {
  const output = processOutput();
  const interruption = listenForInterruption();
  const stop = interruption.signal;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => { if (error.code === 'EPIPE') process.exit(0); else throw error; });
  try {
    await createProgram(output, stop).parseAsync();
    return interruption.code ?? 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (interruption.code !== undefined) return interruption.code;
    const report = reportError(error);
    output.err(`${output.errorStyle.error('hoptrail:')} ${report.message}${report.advice ? `\n${report.advice}` : ''}`);
    return report.code === 'usage' ? 2 : 1;
  }
}

void main().then((code) => { process.exitCode = code; });
