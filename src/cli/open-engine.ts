import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, type EnginePorts, type Hoptrail, openHoptrail } from '#hoptrail';
import {
  describeHolder,
  type EmbedderChoice,
  type FolderAmongOthers,
  type IndexConfig,
  type IndexReport,
  knownIndexAround,
  knownIndexOf,
  type WorkspaceRoot,
} from '#search';
import { describeNotices } from '#search/notices';
import { type LanguageModel, type SelectStrategy, openAiModel, parseBaseUrl } from '#research';
import { type ErrorReport, reportError } from '#base';
import { fineTunedModel } from '#learning';
import { IndexBusyError, ReportedError, UsageError } from './exit.ts';
import { defaultIndexUri, learningFolder, workspaceFolder } from './places.ts';
import { describeProgress, ProgressLine, forTerminal } from './terminal.ts';

export interface EngineOptions {
  /** Where the index lies; when undefined, where an editor's window has it, else a folder under the user's cache. */
  index?: string;
  baseUrl?: string;
  model?: string;
  /** What the model takes, in tokens; the server is asked when undefined. */
  contextTokens?: number;
  embedderFolder?: string;
  /** Only follows an index that another process writes. */
  follow?: boolean;
  /** Takes the writer's lock from whichever process holds it. */
  takeOver?: boolean;
  /** Globs of what is left out beside what ignore files say. */
  exclude?: string[];
  /** False: ignore files of git do not count. */
  gitignore?: boolean;
  maxFileBytes?: number;
  verbose?: boolean;
  /** What folders are called in shown paths where there are several; each folder's own name when undefined. */
  folderNames?: string[];
  /** False: an evaluation, which neither uses nor changes what was learnt. */
  learn?: boolean;
  /** For an evaluation of what is learnt: a folder for it, in place of the command line's own. */
  learnIn?: string;
  /** Gets what runs record, where they are not learnt from. */
  onNode?: EnginePorts['onNode'];
  selectStrategy?: SelectStrategy;
}

const WHEN_BUSY =
  'Run it again when that process has ended; if it is gone or does nothing any more, run it with --take-over.';

interface UpdateOptions {
  rebuild?: boolean;
  /** Folders that are empty or gone are meant to be. */
  emptied?: boolean;
  mustWrite?: boolean;
  /** For a question: beside a process that keeps the index, it does not wait for longer than that is worth. */
  soon?: true;
}

/** An open engine with what commands need around it. */
interface EngineSession {
  engine: Engine;
  indexUri: string;
  roots: readonly WorkspaceRoot[];
  /**
   * Brings the index up to date under a progress line. Beside another writer it says so, or, where writing is the
   * point, @throws IndexBusyError
   */
  update(options: UpdateOptions, signal: AbortSignal): Promise<IndexReport | undefined>;
}

/** Root of the package: dist/cli.cjs and src/cli/open-engine.ts find it alike. */
export function packageRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return here.endsWith(join('src', 'cli')) ? join(here, '..', '..') : join(here, '..');
}

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
}

/** Opens the index of a folder, or of several together, runs the command, and closes everything whatever happens. */
export async function withEngine<T>(
  directory: string | readonly string[],
  options: EngineOptions,
  signal: AbortSignal,
  use: (session: EngineSession) => Promise<T>,
): Promise<T> {
  const directories = [directory].flat();
  // A folder that was indexed and is gone (its drive is not mounted) can still be searched.
  const roots = directories.map((each) =>
    workspaceFolder(each, {
      mayBeGone: (path) =>
        existsSync(
          join(options.index ?? defaultIndexUri(directories.length > 1 ? directories : path), 'current.json'),
        ) || windowsIndex([path], options) !== undefined,
    }),
  );
  const places = roots.map((root) => root.directory);
  const windows = windowsIndex(places, options);
  const config = {
    ...(windows?.config ?? indexConfig(roots, options.index ?? defaultIndexUri(places), options)),
    ...(options.follow && { follow: true as const }),
    ...(options.takeOver && { takeOver: true as const }),
  };
  const within = windows?.within;
  return withIndexProcess({ ...options, within }, async (engine) => {
    signal.throwIfAborted();
    const { indexUri } = config;
    try {
      await engine.index.open(config);
      return await use({
        engine,
        indexUri,
        roots: within ? roots.slice(0, 1) : config.roots,
        update: (what, stop) => {
          if (within && what.emptied)
            throw new UsageError(`${places.join()} is one of several folders that an editor’s window has open.`, {
              advice: 'Take it out of that workspace, or name an index of its own by --index.',
            });
          return updateWithProgress(engine, indexUri, what, stop);
        },
      });
    } catch (error) {
      const failure = reportError(error);
      const advice = adviceAt(indexUri, failure);
      if (advice === undefined || error instanceof ReportedError) throw error;
      throw new ReportedError({ ...failure, advice });
    }
  });
}

/** What to do where the index cannot be written: which place that is, and how another is named here. */
function adviceAt(indexUri: string, { code }: ErrorReport): string | undefined {
  if (code === 'storage-read-only')
    return `That is ${indexUri}: allow writing there, or name another place by --index.`;
  if (code === 'disk-full')
    return (
      `It lies in ${indexUri}: free some space there, or name another place by --index. What was indexed so far can ` +
      'be searched.'
    );
  return undefined;
}

/** Hoptrail as the command line opens it: warnings go to stderr, as does what its index process says. */
export function hoptrail({
  learn,
  learnIn = learningFolder(),
  verbose,
}: Pick<EngineOptions, 'learn' | 'learnIn' | 'verbose'> = {}): Hoptrail {
  return openHoptrail({
    home: packageRoot(),
    ...(learn !== false && { learningFolder: learnIn }),
    log: (level, text) => {
      if (verbose || level === 'error') process.stderr.write(forTerminal(`${level}: ${text}\n`));
    },
    onProblem: (error) => {
      process.stderr.write(forTerminal(`warn: ${reportError(error).message}\n`));
    },
  });
}

/** An engine over a fresh index process, not opened yet; `within`: for one of its folders alone. */
export async function withIndexProcess<T>(
  options: EngineOptions & { within?: FolderAmongOthers },
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = hoptrail(options).engine({
    ...(options.within && { within: options.within }),
    model: modelFrom(options),
    ...(options.onNode && { onNode: options.onNode }),
    selectStrategy: options.selectStrategy,
  });
  try {
    return await use(engine);
  } finally {
    await engine.dispose();
  }
}

/**
 * The embedding model that options name, or else the environment: an endpoint's HOPTRAIL_EMBEDDER_BASE_URL and
 * HOPTRAIL_EMBEDDER_MODEL, with its key in HOPTRAIL_EMBEDDER_API_KEY.
 */
export function embedderFrom({ embedderFolder }: EngineOptions, env = process.env): EmbedderChoice {
  if (embedderFolder) return { kind: 'folder', path: embedderFolder };
  const baseUrl = env['HOPTRAIL_EMBEDDER_BASE_URL'];
  const model = env['HOPTRAIL_EMBEDDER_MODEL'];
  if (!baseUrl !== !model)
    throw new UsageError(`${baseUrl ? 'HOPTRAIL_EMBEDDER_MODEL' : 'HOPTRAIL_EMBEDDER_BASE_URL'} is not set.`, {
      advice: 'An endpoint that embeds is named by HOPTRAIL_EMBEDDER_BASE_URL and HOPTRAIL_EMBEDDER_MODEL together.',
    });
  if (!baseUrl || !model) return { kind: 'bundled' };
  const apiKey = env['HOPTRAIL_EMBEDDER_API_KEY'];
  return { kind: 'endpoint', baseUrl, model, ...(apiKey && { apiKey }) };
}

function indexConfig(roots: readonly WorkspaceRoot[], indexUri: string, options: EngineOptions): IndexConfig {
  return {
    roots: roots
      .map(({ uri, name }, i) => ({ uri, name: options.folderNames?.[i] ?? name }))
      .filter(({ uri }, i) => roots.findIndex((root) => root.uri === uri) === i), // a folder named twice is one
    indexUri,
    embedder: embedderFrom(options),
    excludeGlobs: options.exclude ?? [],
    useGitignore: options.gitignore ?? true,
    maxFileBytes: options.maxFileBytes ?? 5 * 1024 * 1024,
  };
}

/**
 * The index that an editor's window has of these folders, as it reads it: one index and, where it can be, one process
 * for both. `within`: the window has other folders open beside this one. Undefined where there is none, where another
 * place or other reading is named, and for evaluations.
 */
function windowsIndex(
  folders: readonly string[],
  options: EngineOptions,
): { config: IndexConfig; within?: FolderAmongOthers } | undefined {
  const { index, exclude, maxFileBytes, folderNames } = options;
  if ([index, exclude, maxFileBytes, folderNames].some((named) => named !== undefined)) return undefined;
  if (options.gitignore === false || options.learn === false) return undefined;
  const wanted = { version: packageVersion(), embedder: embedderFrom(options) };
  const config = knownIndexOf(folders, wanted);
  if (config) return { config };
  const [folder] = new Set(folders);
  if (folder === undefined || new Set(folders).size > 1) return undefined;
  const around = knownIndexAround(folder, wanted);
  return around && { config: around.config, within: { uri: around.uri, roots: around.config.roots } };
}

/**
 * The model named by options or environment (HOPTRAIL_BASE_URL, HOPTRAIL_MODEL, HOPTRAIL_API_KEY); undefined: none. A
 * name alone names none: commands without a model do not mind HOPTRAIL_MODEL, the others refuse it before.
 */
function modelFrom(options: EngineOptions): LanguageModel | undefined {
  const { baseUrl, model = 'local' } = namedEndpoint(options);
  if (baseUrl === undefined) return undefined;
  // A fine-tuned model that won stands for its base; evaluations ask for what they name.
  const asked = options.learn === false ? model : fineTunedModel(learningFolder(), baseUrl, model);
  return modelAt(baseUrl, asked, options.contextTokens);
}

/** Codes of errors after which the index holds what it knew of the folder: it can be searched. */
const KEPT = new Set(['root-unreadable', 'root-emptied']);

/** Undefined where the folder is gone or empty: then what the index knew of it was kept, which is told. */
async function updateWithProgress(
  engine: Engine,
  indexUri: string,
  { rebuild, emptied, mustWrite, soon }: UpdateOptions,
  signal: AbortSignal,
): Promise<IndexReport | undefined> {
  const progress = new ProgressLine();
  let told = '';
  const stop = engine.onIndexState((state) => progress.update(describeProgress(state)));
  try {
    const report = await engine.index.update({ rebuild, emptied, soon }, signal).catch((error: unknown) => {
      const failure = reportError(error);
      if (mustWrite || !KEPT.has(failure.code)) throw error;
      told = asBefore(failure);
      return undefined;
    });
    if (!report) return undefined;
    const { phase, coverage, error, heldBy, notices } = await engine.index.state();
    if (phase !== 'read-only') {
      const notice = describeNotices(notices);
      if (notice) told = `${notice}\n`;
      return report;
    }
    if (error) {
      const advice = adviceAt(indexUri, error) ?? error.advice;
      if (mustWrite) throw new ReportedError({ ...error, advice }); // no other writer: its place may not be written
      told = asBefore({ ...error, advice });
      return report;
    }
    const holder = heldBy ? ` ${describeHolder(heldBy)}` : '';
    if (mustWrite)
      throw new IndexBusyError(`Another process is writing this index: nothing was done here.${holder}`, {
        advice: WHEN_BUSY,
      });
    told =
      `Another process is writing this index: what follows is of ${coverage.files} files, ${coverage.embedded} ` +
      `of ${coverage.passages} passages searchable by meaning.${holder}\n`;
    return report;
  } finally {
    stop();
    progress.clear();
    process.stderr.write(forTerminal(told));
  }
}

/** Why the index holds what it knew, and no more. */
const asBefore = ({ message, advice }: ErrorReport): string =>
  `${message} What follows is of what was indexed before.\n${advice === undefined ? '' : `${advice}\n`}`;

/** An OpenAI-compatible endpoint and a model there, each as far as it is named. */
interface ModelEndpoint {
  baseUrl?: string;
  model?: string;
  /** What the model takes; undefined: the server is asked. */
  contextTokens?: number;
}

/**
 * What options name, or else the environment: HOPTRAIL_BASE_URL, HOPTRAIL_MODEL. An empty variable names nothing.
 * @throws UsageError when the base URL is no address
 */
export function namedEndpoint(options: ModelEndpoint): ModelEndpoint {
  const baseUrl = options.baseUrl ?? (process.env['HOPTRAIL_BASE_URL'] || undefined);
  if (baseUrl !== undefined)
    try {
      parseBaseUrl(baseUrl);
    } catch (cause) {
      const { message, advice } = reportError(cause);
      throw new UsageError(message, { cause, advice });
    }
  return { baseUrl, model: options.model ?? (process.env['HOPTRAIL_MODEL'] || undefined) };
}

/**
 * For a command that asks a model. @throws UsageError when one is named without its server: whoever means the one on
 * this machine and forgets to say so must not send passages to another.
 */
export function requireEndpoint(options: ModelEndpoint): void {
  const { baseUrl, model } = namedEndpoint(options);
  if (baseUrl === undefined && model !== undefined)
    throw new UsageError(`The model ${model} is named, but not the server that runs it.`, {
      advice:
        'Name that, too: --base-url http://127.0.0.1:11434/v1 for a server on this machine (this is Ollama’s), ' +
        '--base-url https://api.openai.com/v1 for OpenAI; or HOPTRAIL_BASE_URL.',
    });
}

/** The key of any endpoint on the command line; undefined: none is set. */
export const endpointKey = async (): Promise<string | undefined> => process.env['HOPTRAIL_API_KEY'];

/** The model of that name, asked with the key of the environment. */
export const modelAt = (baseUrl: string, model: string, contextTokens?: number): LanguageModel =>
  openAiModel({ baseUrl, model, apiKey: endpointKey, ...(contextTokens !== undefined && { contextTokens }) });
