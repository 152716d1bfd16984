import { Argument, Command, Option } from 'commander';
import type * as Lab from '#lab';
import { EQUAL_WEIGHTS } from '#learning';
import { type ReferenceKind, referenceKind, type RetrieverName } from '#search';
import { askCommand, chatCommand } from './commands/ask-commands.ts';
import {
  FINE_TUNE_STEPS,
  fineTuneCommand,
  type FineTuneOptions,
  type FineTuneStep,
} from './commands/fine-tune-command.ts';
import { indexCommand, statusCommand } from './commands/index-commands.ts';
import {
  learnCommand,
  type LearnOptions,
  learningCommand,
  type LearningOptions,
} from './commands/learning-commands.ts';
import { mcpCommand } from './commands/mcp-command.ts';
import { referencesCommand, searchCommand } from './commands/search-commands.ts';
import { UsageError, exitCodeOf, listenForInterruption } from './exit.ts';
import { processOutput, type Output, forTerminal } from './terminal.ts';
import { packageVersion, type EngineOptions } from './open-engine.ts';
import { folderAndText, folderOrHere } from './places.ts';
import {
  limitOfHits,
  lossWeights,
  nonNegativeInteger,
  nonNegativeNumber,
  positiveInteger,
  researchOptions,
  withEndpoint,
  withModel,
  type ResearchFlags,
} from './research-flags.ts';

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

function createProgram(output: Output, signal: AbortSignal): Command {
  const program = new Command('hoptrail')
    .description(
      'Multi-hop research over local folders: search, answers with the trail of passages behind them. Without ' +
        'a folder, a command is about the current one.',
    )
    .version(packageVersion(), '--version', 'which version this is')
    .showHelpAfterError('(hoptrail --help lists the commands)')
    .configureOutput({
      writeOut: (text) => process.stdout.write(forTerminal(text)),
      writeErr: (text) => process.stderr.write(forTerminal(text)),
    })
    .exitOverride();

  const plain = (usage: string, description: string): Command =>
    program.command(usage).description(description).option('--json', 'one JSON object (or JSON lines) for programs');
  const command = (usage: string, description: string): Command =>
    plain(usage, description)
      .option(
        '--index <uri>',
        'where the index lies: a folder, or s3://, gs://, az://, db:// (else that of an editor’s window, or ' +
          'one of its own)',
      )
      .option(
        '--embedder-folder <dir>',
        'an ONNX embedding model instead of the bundled one (an endpoint: HOPTRAIL_EMBEDDER_BASE_URL and ' +
          'HOPTRAIL_EMBEDDER_MODEL, its key in HOPTRAIL_EMBEDDER_API_KEY)',
      )
      .option('--exclude <glob...>', 'leave these out of the index (see .hoptrailignore for what is to last)')
      .option('--no-gitignore', 'read what .gitignore leaves out, too')
      .option('--max-file-bytes <n>', 'largest file that is read', positiveInteger)
      .option('--verbose', 'log what the index process says');
  /** The folder may be left out, though it comes first. */
  const asking = (name: string, what: string, description: string): Command =>
    command(`${name} [dir] [${what}]`, description).usage(`[options] [dir] <${what}>`);
  const writing = (made: Command): Command =>
    made.option(
      '--take-over',
      'take the index from the process that holds its lock: for one that is gone, or does nothing any more',
    );
  const scoped = (made: Command): Command => made.option('--path <prefix...>', 'only below these paths');

  writing(command('index [dir]', 'bring the index of a folder up to date'))
    .option(
      '--rebuild',
      'read and write everything again, beside the index that answers; vectors of text that is unchanged are kept',
    )
    .option('--emptied', 'the folder is empty or gone on purpose: take what the index knows of it out of the index')
    .action((dir: string | undefined, flags: Flags) => indexCommand(folderOrHere(dir), flags, output, signal));
  writing(asking('search', 'query', 'ranked passages'))
    .addOption(new Option('--retriever <name>').choices(['text', 'vector', 'hybrid', 'beam']).default('hybrid'))
    .option('--limit <n>', 'most hits, at most 1000', limitOfHits, 10)
    .option('--explain', 'rank and score of each part')
    .option('--path <prefix...>', 'only below these paths')
    .option('--language <id...>', 'only these languages')
    .action((dir: string | undefined, query: string | undefined, flags: Flags) =>
      searchCommand(...folderAndText('query', [dir, query]), flags, output, signal),
    );
  scoped(withModel(writing(asking('ask', 'question', 'an answer with its trail'))))
    .option('--events', 'print the event stream as JSON lines instead')
    .action((dir: string | undefined, question: string | undefined, flags: Flags) =>
      askCommand(
        ...folderAndText('question', [dir, question]),
        { ...flags, research: researchOptions(flags) },
        output,
        signal,
      ),
    );
  scoped(withModel(writing(command('chat [dir]', 'questions and follow-ups')))).action(
    (dir: string | undefined, flags: Flags) =>
      chatCommand(folderOrHere(dir), { ...flags, research: researchOptions(flags) }, output, signal),
  );
  scoped(writing(asking('references', 'symbol', 'every place of the code that uses a symbol, or what it uses')))
    .addOption(new Option('--kind <kind>', 'what is asked of it').choices(referenceKind.options).default('uses'))
    .option('--to <symbol>', 'how the symbol leads to this one: --kind reaches')
    .action((dir: string | undefined, symbol: string | undefined, flags: Flags & { kind: ReferenceKind }) =>
      referencesCommand(...folderAndText('symbol', [dir, symbol]), flags, output, signal),
    );
  command('status [dir]', 'what the index holds').action((dir: string | undefined, flags: Flags) =>
    statusCommand(folderOrHere(dir), flags, output, signal),
  );
  plain('passages [dir]', 'every passage as a JSON line; keeps no index').action(async (dir: string | undefined) => {
    // The one command that reads files by itself: all others start faster without the formats' libraries.
    const { passagesCommand } = await import('./commands/passages-command.ts');
    await passagesCommand(folderOrHere(dir), output, signal);
  });
  withModel(writing(command('mcp <dirs...>', 'serve search and research over the Model Context Protocol on stdio')))
    .option('--follow', 'only follow an index that another process keeps')
    .option('--folder-names <name...>', 'what several folders are called, in their order')
    .action((dirs: string[], flags: Flags) => mcpCommand(dirs, { ...flags, research: researchOptions(flags) }, signal));
  withEndpoint(
    writing(
      command(
        'learn [dir]',
        'learn from your runs and from questions made of this folder, on this machine; what does not win is dropped',
      ),
    ),
  )
    .option('--made <n>', "questions to make from the folder's own chains", nonNegativeInteger, 60)
    .option(
      '--with-model',
      'let the language model make the questions, and try your examples on it; says how many calls at most, and where',
    )
    .option(
      '--rounds <n>',
      'rounds one after the other: what one has learnt answers the questions that it made, which teaches the next',
      positiveInteger,
      1,
    )
    .option(
      '--step-back <trainer>',
      'undo what a round put to use: chain-scorer, question-classifier, strategy-prior, example-pool',
    )
    .action((dir: string | undefined, flags: LearnOptions) => learnCommand(folderOrHere(dir), flags, output, signal));
  program
    .command('fine-tune')
    .description(
      'a round of self-training at a service that fine-tunes: counted and priced first, sent only with ' +
        '--agree, used only if it wins',
    )
    .addArgument(new Argument('<step>').choices(FINE_TUNE_STEPS))
    .option('--base-url <url>', 'the service (or HOPTRAIL_BASE_URL); key in HOPTRAIL_API_KEY')
    .option('--model <name>', 'prepare: the model to start from (or HOPTRAIL_MODEL)')
    .option('--agree', 'run: you have seen the estimate, and the examples may be sent')
    .option('--epochs <n>', 'prepare: passes over the examples', positiveInteger, 3)
    .option(
      '--loss <weights>',
      'prepare: weights of decomposition, reading and critique, as 1,1,1',
      lossWeights,
      EQUAL_WEIGHTS,
    )
    .option('--price <n>', 'prepare: price of a million trained tokens', nonNegativeNumber)
    .option('--currency <name>', 'prepare: of that price', 'USD')
    .option('--json', 'one JSON object')
    .action((step: FineTuneStep, flags: FineTuneOptions) => fineTuneCommand(step, flags, output, signal));
  /** Of these only one can be meant: what is to be exported must not be reset before. */
  const one = (flag: string, description: string): Option => {
    const made = new Option(flag, description);
    return made.conflicts(['list', 'delete', 'export', 'import', 'reset'].filter((name) => name !== made.name()));
  };
  program
    .command('learning')
    .description('what was learnt from your own runs, on this machine')
    .addOption(one('--list', 'the records one by one, with their ids'))
    .addOption(one('--delete <id...>', 'forget these records'))
    .addOption(one('--export', 'the records as JSON lines'))
    .addOption(one('--import <file>', 'take up the records of an export; what must not teach is left out'))
    .addOption(one('--reset', 'forget everything'))
    .option('--json', 'one JSON object')
    .action((flags: LearningOptions) => learningCommand(flags, output));
  program
    .command('eval')
    .description(
      'measure retrieval, answers, classification and refusals on a data set (in a working copy of the repository)',
    );
  return program;
}

/**
 * Experiments are no part of the packaged extension: they are in a bundle of their own, which only a working copy
 * builds.
 */
async function experiments(): Promise<typeof Lab> {
  try {
    return await import('#lab');
  } catch (cause) {
    throw new UsageError('hoptrail eval is there in a working copy of the repository only.', {
      cause,
      advice: 'Clone it, then npm ci && npm run build.',
    });
  }
}

/** Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (Ctrl-C), 143 terminated. */
async function main(): Promise<number> {
  const output = processOutput();
  const interruption = listenForInterruption();
  const stop = interruption.signal;
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error; // nobody watches any more: results are printed all the same
  });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    else throw error;
  });
  try {
    if (process.argv[2] === 'eval')
      return await (await experiments()).evaluate(process.argv.slice(3), output, interruption);
    await createProgram(output, stop).parseAsync();
    return interruption.code ?? 0;
  } catch (error) {
    return exitCodeOf(error, output, interruption);
  }
}

void main().then((code) => {
  process.exitCode = code;
});
