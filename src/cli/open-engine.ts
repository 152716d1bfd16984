import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, type EnginePorts, type Hoptrail, openHoptrail } from '#hoptrail';
import {
  type EmbedderChoice,
  type FolderAmongOthers,
  type IndexConfig,
  type IndexReport,
  knownIndexAround,
  knownIndexOf,
  type WorkspaceRoot,
} from '#search';
import { describeNotices } from '#search/notices';
import type { SelectStrategy } from '#research';
import { type ErrorReport, reportError } from '#base';
import { IndexBusyError, ReportedError, UsageError } from './exit.ts';
import { modelFrom } from './model-endpoint.ts';
import { defaultIndexUri, learningFolder, workspaceFolder } from './places.ts';
import { describeProgress, ProgressLine, forTerminal } from './terminal.ts';

export interface EngineOptions {
  /** Where the index lies; default: where an editor's window has it, else a folder under the user's cache. */
  index?: string;
  baseUrl?: string;
  model?: string;
  /** The model's window in tokens; default: the server is asked. */
  contextTokens?: number;
  embedderFolder?: string;
  /** In object storage: this machine writes from now on. */
  takeOver?: boolean;
  /** Globs to leave out, beside the ignore files. */
  exclude?: string[];
  /** False: .gitignore files do not count. */
  gitignore?: boolean;
  maxFileBytes?: number;
  verbose?: boolean;
  /** Names of several folders in shown paths; default: each folder's own name. */
  folderNames?: string[];
  /** False: an evaluation, which chooses by what ships, and neither uses nor changes what was learnt here. */
  learn?: boolean;
  /** Replaces the choice of strategies in an evaluation. */
  selectStrategy?: SelectStrategy;
}

interface UpdateOptions {
  rebuild?: boolean;
  /** Folders that are empty or gone are meant to be. */
  emptied?: boolean;
  mustWrite?: boolean;
  /** For a question: waits no longer than is useful. */
  soon?: true;
}

/** An open engine and what commands need around it. */
interface EngineSession {
  engine: Engine;
  indexUri: string;
  roots: readonly WorkspaceRoot[];
  /**
   * Brings the index up to date under a progress line. An index that another machine writes is reported on
   * stderr. @throws IndexBusyError for that if `mustWrite`
   */
  update(options: UpdateOptions, signal: AbortSignal): Promise<IndexReport | undefined>;
}

/** Root of the package; dist/cli.cjs and src/cli/open-engine.ts both find it. */
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

/** Opens the index of one or several folders, runs the command, and closes everything. */
export async function withEngine<T>(
  directory: string | readonly string[],
  options: EngineOptions,
  signal: AbortSignal,
  use: (session: EngineSession) => Promise<T>,
): Promise<T> {
  const directories = [directory].flat();
  const isIndexed = (path: string): boolean =>
    hasIndex(options.index ?? defaultIndexUri(directories.length > 1 ? directories : path)) ||
    windowsIndex([path], options) !== undefined;
  // An indexed folder that is gone (an unmounted drive) can still be searched.
  const roots = directories.map((each) => workspaceFolder(each, { mayBeGone: isIndexed }));
  const places = roots.map((root) => root.directory);
  const windows = windowsIndex(places, options);
  const config: IndexConfig = {
    ...(windows?.config ?? indexConfig(roots, options.index ?? defaultIndexUri(places), options)),
    ...(options.takeOver && { takeOver: true }),
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
              advice: 'Remove it from that workspace, or name another index with --index.',
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

/**
 * Where the index of a folder lies, and whether there is one; opens nothing. An index elsewhere is assumed. @throws
 * NoSuchFolderError for a folder that is not there and was not indexed
 */
export function indexPlace(directory: string, options: EngineOptions): { uri: string; exists: boolean } {
  const { directory: place } = workspaceFolder(directory, { mayBeGone: () => true });
  const uri = windowsIndex([place], options)?.config.indexUri ?? options.index ?? defaultIndexUri(place);
  const exists = uri.includes('://') || hasIndex(uri);
  if (!exists) workspaceFolder(directory);
  return { uri, exists };
}

const hasIndex = (uri: string): boolean => existsSync(join(uri, 'current.json'));

/** What to do about an index that cannot be written, with its place. */
function adviceAt(indexUri: string, { code }: ErrorReport): string | undefined {
  if (code === 'storage-read-only')
    return `That is ${indexUri}: allow writing there, or name another place with --index.`;
  if (code === 'disk-full')
    return (
      `The index lies in ${indexUri}: free some space there, or name another place with --index. Files indexed so ` +
      'far can be searched.'
    );
  return undefined;
}

/** Hoptrail for the command line: warnings and the log of the index process go to stderr. */
export function hoptrail({ learn, verbose }: Pick<EngineOptions, 'learn' | 'verbose'> = {}): Hoptrail {
  return openHoptrail({
    home: packageRoot(),
    ...(learn !== false && { learningFolder: learningFolder() }),
    log: (level, text) => {
      if (verbose || level === 'error') process.stderr.write(forTerminal(`${level}: ${text}\n`));
    },
    onProblem: (error) => {
      process.stderr.write(forTerminal(`warn: ${reportError(error).message}\n`));
    },
  });
}

/** An engine whose index is not open yet; `within`: for one of several folders of an index. The daemon outlives it. */
export async function withIndexProcess<T>(
  options: EngineOptions & { within?: FolderAmongOthers },
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const ports: Pick<EnginePorts, 'model' | 'selectStrategy'> = {
    model: modelFrom(options),
    selectStrategy: options.selectStrategy,
  };
  const engine = hoptrail(options).engine({ ...(options.within && { within: options.within }), ...ports });
  try {
    return await use(engine);
  } finally {
    await engine.dispose();
  }
}

/**
 * The embedding model of options or environment. An endpoint: HOPTRAIL_EMBEDDER_BASE_URL and HOPTRAIL_EMBEDDER_MODEL,
 * key in HOPTRAIL_EMBEDDER_API_KEY.
 */
function embedderFrom({ embedderFolder }: EngineOptions, env = process.env): EmbedderChoice {
  if (embedderFolder) return { kind: 'folder', path: embedderFolder };
  const baseUrl = env['HOPTRAIL_EMBEDDER_BASE_URL'];
  const model = env['HOPTRAIL_EMBEDDER_MODEL'];
  if (!baseUrl !== !model)
    throw new UsageError(`${baseUrl ? 'HOPTRAIL_EMBEDDER_MODEL' : 'HOPTRAIL_EMBEDDER_BASE_URL'} is not set.`, {
      advice: 'An embedding endpoint needs both HOPTRAIL_EMBEDDER_BASE_URL and HOPTRAIL_EMBEDDER_MODEL.',
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
 * The index that an editor's window has of these folders. `within`: the window has other folders open, too. Undefined
 * if there is none, if options name another place or another way of reading, and for evaluations.
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

/** Errors after which the index keeps what it knew of the folder, so that it can be searched. */
const KEPT = new Set(['root-unreadable', 'root-emptied']);

/** Undefined if the folder is gone or empty and the index was kept; stderr says so. */
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
    const { phase, coverage, error, notices } = await engine.index.state();
    if (phase !== 'read-only') {
      const notice = describeNotices(notices);
      if (notice) told = `${notice}\n`;
    } else if (error) {
      const advice = adviceAt(indexUri, error) ?? error.advice;
      if (mustWrite) throw new ReportedError({ ...error, advice });
      told = asBefore({ ...error, advice });
    } else {
      if (mustWrite)
        throw new IndexBusyError('Another machine writes this index; nothing was done.', {
          advice: 'Run it there, or with --take-over to write from this machine from now on.',
        });
      told =
        `Another machine writes this index: these results cover ${coverage.files} files, ${coverage.embedded} of ` +
        `${coverage.passages} passages by meaning.\n`;
    }
    return report;
  } finally {
    stop();
    progress.clear();
    process.stderr.write(forTerminal(told));
  }
}

const asBefore = ({ message, advice }: ErrorReport): string =>
  `${message} These results are from what was indexed before.\n${advice === undefined ? '' : `${advice}\n`}`;
