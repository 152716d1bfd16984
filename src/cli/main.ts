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
import { learningCommand, type LearningOptions } from './commands/learning-commands.ts';
import { mcpCommand } from './commands/mcp-command.ts';
import { referencesCommand, searchCommand } from './commands/search-commands.ts';
import { UsageError, exitCodeOf, listenForInterruption } from './exit.ts';
import { processOutput, type Output, forTerminal } from './terminal.ts';
import { packageVersion, type EngineOptions } from './open-engine.ts';
import { folderAndText, folderOrHere } from './places.ts';
import { atMost, nonNegativeNumber, positiveInteger } from './numbers.ts';
import { lossWeights, researchOptions, withModel, type ResearchFlags } from './research-flags.ts';

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

/** Most hits that the index process gives. */
const MOST_HITS = 1000;

function createProgram(output: Output, signal: AbortSignal): Command {
  const program = new Command('hoptrail')
    .description(
      'Answers questions about local folders from evidence that may lie in several files, with the lines that ' +
        'support it. Without a folder, a command is about the current one.',
    )
    .version(packageVersion(), '--version', 'print the version')
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
        'where the index lies: a folder, s3://, gs://, az:// or db:// (default: an editor’s index, or one of its own)',
      )
      .option(
        '--embedder-folder <dir>',
        'an ONNX embedding model instead of the bundled one (an endpoint: HOPTRAIL_EMBEDDER_BASE_URL, ' +
          'HOPTRAIL_EMBEDDER_MODEL and HOPTRAIL_EMBEDDER_API_KEY)',
      )
      .option('--exclude <glob...>', 'leave these out of the index (permanently: .hoptrailignore)')
      .option('--no-gitignore', 'read files that .gitignore leaves out')
      .option('--max-file-bytes <n>', 'largest file to read', positiveInteger)
      .option('--verbose', 'print the log of the index process');
  /** The folder comes first and may be left out. */
  const asking = (name: string, what: string, description: string): Command =>
    command(`${name} [dir] [${what}]`, description).usage(`[options] [dir] <${what}>`);
  const scoped = (made: Command): Command => made.option('--path <prefix...>', 'only below these paths');

  command('index [dir]', 'bring the index of a folder up to date')
    .option('--rebuild', 'read everything again beside the index that answers; vectors of unchanged text are kept')
    .option('--take-over', 'object storage: write the index from this machine from now on')
    .option('--emptied', 'the folder is empty or gone on purpose: drop its files from the index')
    .action((dir: string | undefined, flags: Flags) => indexCommand(folderOrHere(dir), flags, output, signal));
  scoped(asking('search', 'query', 'ranked passages'))
    .addOption(new Option('--retriever <name>').choices(['text', 'vector', 'hybrid', 'beam']).default('hybrid'))
    .option('--limit <n>', `most hits, up to ${MOST_HITS}`, atMost(MOST_HITS), 10)
    .option('--explain', 'rank and score by part')
    .option('--language <id...>', 'only these languages')
    .action((dir: string | undefined, query: string | undefined, flags: Flags) =>
      searchCommand(...folderAndText('query', [dir, query]), flags, output, signal),
    );
  scoped(withModel(asking('ask', 'question', 'an answer with its sources')))
    .option('--events', 'print the event stream as JSON lines')
    .action((dir: string | undefined, question: string | undefined, flags: Flags) =>
      askCommand(
        ...folderAndText('question', [dir, question]),
        { ...flags, research: researchOptions(flags) },
        output,
        signal,
      ),
    );
  scoped(withModel(command('chat [dir]', 'questions and follow-ups'))).action((dir: string | undefined, flags: Flags) =>
    chatCommand(folderOrHere(dir), { ...flags, research: researchOptions(flags) }, output, signal),
  );
  scoped(asking('references', 'symbol', 'where code defines and uses a symbol, by name'))
    .addOption(new Option('--kind <kind>', 'what to list').choices(referenceKind.options).default('uses'))
    .option('--to <symbol>', 'with --kind reaches: the symbol at the other end')
    .action((dir: string | undefined, symbol: string | undefined, flags: Flags & { kind: ReferenceKind }) =>
      referencesCommand(...folderAndText('symbol', [dir, symbol]), flags, output, signal),
    );
  command('status [dir]', 'what the index holds').action((dir: string | undefined, flags: Flags) =>
    statusCommand(folderOrHere(dir), flags, output, signal),
  );
  withModel(command('mcp [dirs...]', 'serve search, read, references, list and ask over the Model Context Protocol'))
    .option('--folder-names <name...>', 'names of several folders, in their order')
    .action((dirs: string[], flags: Flags) =>
      mcpCommand(
        dirs.length > 0 ? dirs : [folderOrHere(undefined)],
        { ...flags, research: researchOptions(flags) },
        signal,
      ),
    );
  program
    .command('fine-tune')
    .description(
      'a round of self-training at a fine-tuning service: estimated first, sent only with --agree, used only if ' +
        'it wins',
    )
    .addArgument(new Argument('<step>').choices(FINE_TUNE_STEPS))
    .option('--base-url <url>', 'the service (or HOPTRAIL_BASE_URL); key in HOPTRAIL_API_KEY')
    .option('--model <name>', 'prepare: the model to start from (or HOPTRAIL_MODEL)')
    .option('--agree', 'run: you have seen the estimate; send the examples')
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
  /** These exclude each other: nothing must be reset before it is exported. */
  const one = (flag: string, description: string): Option => {
    const made = new Option(flag, description);
    return made.conflicts(['list', 'delete', 'export', 'import', 'reset'].filter((name) => name !== made.name()));
  };
  program
    .command('learning')
    .description('what was learnt from your runs, on this machine')
    .addOption(one('--list', 'print the records with their ids'))
    .addOption(one('--delete <id...>', 'forget these records'))
    .addOption(one('--export', 'print the records as JSON lines'))
    .addOption(one('--import <file>', 'read the records of an export; records that must not teach are left out'))
    .addOption(one('--reset', 'forget everything'))
    .option('--json', 'one JSON object')
    .action((flags: LearningOptions) => learningCommand(flags, output));
  program.command('eval').description('evaluations on data sets (in a working copy of the repository)');
  return program;
}

/** Experiments do not ship: only a working copy builds their bundle. */
async function experiments(): Promise<typeof Lab> {
  try {
    return await import('#lab');
  } catch (cause) {
    throw new UsageError('hoptrail eval needs a working copy of the repository.', {
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
    if (error.code !== 'EPIPE') throw error; // results are printed even if nobody reads stderr
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
