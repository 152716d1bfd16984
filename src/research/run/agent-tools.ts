import { z } from 'zod';
import { type ErrorReport, HoptrailError } from '#base';
import {
  referenceKind,
  rootFolders,
  type IndexCoverage,
  type Passage,
  type ReferenceAnswer,
  type SkippedFile,
  type SkipReason,
  type WorkspaceRoot,
} from '#search';
import type { Answer } from '../domain/answer.ts';
import type { ResearchEvent } from '../domain/research-event.ts';
import { estimateTokens } from '../language-model/context-window.ts';

/** An agent called a tool with something that it does not take. */
export class ToolInputError extends HoptrailError {
  readonly code = 'tool-input';
}

const paths = z
  .array(z.string().max(4096))
  .min(1)
  .max(100)
  .optional()
  .describe('Only below these folders or in these files, as paths relative to the workspace.');

const roots = z
  .array(z.string().max(4096))
  .min(1)
  .max(100)
  .optional()
  .describe(
    'Only in these of the folders that are searched together, each by its name or its absolute path. Default all.',
  );

/**
 * What agents give the tools, over the Model Context Protocol and in the editor alike; package.json holds the same as
 * JSON schemas. An argument that a tool does not know is an error: a restriction that were dropped would widen the
 * search.
 */
export const toolArguments = {
  hoptrail_search: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe('What to look for: a question, a phrase, or names of symbols or files.'),
    paths,
    roots,
    limit: z.number().int().min(1).max(50).optional().describe('Most passages to return. Default 10.'),
  }),
  hoptrail_research: z.strictObject({
    question: z.string().trim().min(1).max(4000).describe('One self-contained question in natural language.'),
    paths,
    roots,
  }),
  hoptrail_references: z
    .strictObject({
      symbol: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .describe(
          'Name of a function, class, method or constant, as merge or Store.merge; for imports also the path ' +
            'of a file.',
        ),
      kind: referenceKind
        .optional()
        .describe(
          'What is asked of it. Default uses, which is all that programs do with it; documents lists pages ' +
            'that name it, callees what it calls itself, reaches how it leads to another symbol.',
        ),
      to: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .optional()
        .describe('For kind reaches: the other symbol, named alike. Both may be files.'),
      paths,
      roots,
    })
    .refine(({ kind, to }) => kind !== 'reaches' || to !== undefined, {
      path: ['to'],
      error: 'Kind reaches needs the other symbol.',
    }),
};

/** A folder of the workspace, as tools name it. */
export interface ToolRoot {
  name: string;
  /** Its absolute path. */
  folder: string;
  /** What paths in it begin with; '' where it is the only one. */
  prefix: string;
}

/** The address of a line of a passage's file. */
export const lineUri = ({ uri }: Pick<Passage, 'uri'>, line: number): string =>
  `${uri.replaceAll('(', '%28').replaceAll(')', '%29')}#L${line}`;

/** Lines of a passage's file as a link of Markdown, by which an agent's editor opens them. */
export const linkedPlace = (passage: Pick<Passage, 'uri' | 'path'>, startLine: number, endLine: number): string =>
  `[${passage.path.replace(/[[\]\\]/gu, '\\$&')}:${startLine}-${endLine}](${lineUri(passage, startLine)})`;

export const toolRoots = (roots: readonly WorkspaceRoot[]): ToolRoot[] =>
  rootFolders(roots).map(({ folder, prefix }, i) => ({
    name: prefix === '' ? (roots[i]?.name ?? '') : prefix.slice(0, -1),
    folder,
    prefix,
  }));

/** The folder that a shown path lies in. */
export const rootOfPath = (path: string, roots: readonly ToolRoot[]): ToolRoot | undefined =>
  roots.find(({ prefix }) => path.startsWith(prefix));

/**
 * Narrows a scope to some of the workspace's folders. undefined: everything.
 *
 * @throws ToolInputError for a folder that is not among them, which lists them, and for a path that lies in none of
 *   those that are named
 */
export function scopeInRoots(
  scope: string[] | undefined,
  named: readonly string[] | undefined,
  roots: readonly ToolRoot[],
): string[] | undefined {
  if (!named) return scope;
  const chosen = named.map((given) => {
    const wanted = given.length > 1 ? given.replace(/[\\/]$/, '') : given;
    const root = roots.find(({ name, folder }) => name === wanted || folder === wanted);
    if (root) return root;
    const known = roots.map(({ name, folder }) => `${JSON.stringify(name)} (${folder})`).join(', ');
    throw new ToolInputError(`There is no folder ${JSON.stringify(given)} here. Those that are searched: ${known}.`);
  });
  const outside = (scope ?? []).filter((path) => !rootOfPath(`${path}/`, chosen));
  if (outside.length > 0)
    throw new ToolInputError(
      `${outside.map((path) => JSON.stringify(path)).join(', ')} lies in none of the roots that are named. A ` +
        `path begins with the name of its folder where there are several.`,
    );
  if (scope || roots.every((root) => chosen.includes(root))) return scope;
  return [...new Set(chosen)].map(({ prefix }) => prefix.slice(0, -1));
}

/**
 * The paths as an index writes them; undefined for everything. `shown` gives that of an absolute path, undefined for
 * one outside of the workspace.
 */
export function toolScope(
  given: readonly string[] | undefined,
  shown: (absolute: string) => string | undefined,
  isAbsolute: (path: string) => boolean,
): string[] | undefined {
  const clean = given?.map((path) => {
    const inside = isAbsolute(path) ? (shown(path) ?? path) : path;
    const parts = inside.replaceAll('\\', '/').split('/');
    return isAbsolute(inside) ? inside : parts.filter((part) => part !== '' && part !== '.').join('/');
  });
  return clean === undefined || clean.includes('') ? undefined : clean;
}

/**
 * @throws ToolInputError naming the paths at and below which nothing is indexed: an empty list would look as if nothing
 *   matched there
 */
export function assertIndexed(
  scope: readonly string[] | undefined,
  files: readonly { path: string }[],
  indexing: boolean,
): void {
  const missing = (scope ?? []).filter(
    (path) => !files.some((file) => file.path === path || file.path.startsWith(`${path}/`)),
  );
  if (missing.length === 0) return;
  const named = missing.map((path) => JSON.stringify(path)).join(', ');
  const soFar = indexing ? ' so far: the index is still being built' : '';
  throw new ToolInputError(
    `Nothing that is indexed lies at or below ${named}${soFar}. ` +
      'Paths are relative to the workspace, with / between folders.',
  );
}

/**
 * A run that an agent asked for ended without an answer. Its message carries the advice: an agent reads nothing else of
 * an error.
 */
export class ResearchFailedError extends HoptrailError {
  readonly code: string;

  constructor({ code, message, advice, action }: ErrorReport) {
    super([message, advice].filter((part) => part !== undefined).join(' '), { action });
    this.code = code;
  }
}

/**
 * How a run ended. `failure`: what went wrong although there is an answer: a model that was to write it failed, and it
 * is made of quotes.
 */
type ResearchOutcome = { kind: 'answered'; answer: Answer; failure?: ErrorReport } | { kind: 'cancelled' };

/**
 * Waits for the end of a run. With quotes in hand, a failure is told beside them.
 *
 * @param onStep Told of each step, by the question that it is about.
 * @throws ResearchFailedError when there is no answer
 */
export async function outcomeOf(
  events: AsyncIterable<ResearchEvent>,
  onStep?: (question: string) => void,
): Promise<ResearchOutcome> {
  let answer: Answer | undefined;
  for await (const event of events) {
    if (event.type === 'step-start') onStep?.(event.question);
    if (event.type === 'answer-end') answer = event.answer;
    if (event.type === 'run-cancelled') return { kind: 'cancelled' };
    if (event.type === 'run-error') {
      if (answer) return { kind: 'answered', answer, failure: event.error };
      throw new ResearchFailedError(event.error);
    }
  }
  if (answer) return { kind: 'answered', answer };
  throw new ResearchFailedError({
    code: 'no-answer',
    message: 'The run ended without an answer.',
    advice: 'Ask again, or search for passages instead.',
  });
}

/** What was left out although it may hold what somebody looks for: worth naming. */
const WORTH_NAMING: ReadonlySet<SkipReason> = new Set(['too-large', 'unreadable', 'unsupported', 'gave-up']);
const MOST_NAMED = 3;

const number = (value: number): string => value.toLocaleString('en');
const files = (count: number): string => `${number(count)} ${count === 1 ? 'file' : 'files'}`;

/**
 * How much a search has seen, in a sentence for agents: `Searched 5,154 passages of 310 files by words, 3,120 of 5,154
 * passages by meaning; 12 files left out: 8 too-large, 4 binary (for example a.log).` Silence of a search means nothing
 * without it.
 */
export function describeCoverage(coverage: IndexCoverage, skipped: readonly SkippedFile[]): string {
  const { passages, embedded, indexing } = coverage;
  const byMeaning =
    embedded >= passages ? 'all of them by meaning' : `${number(embedded)} of ${number(passages)} passages by meaning`;
  const seen = `Searched ${number(passages)} passages of ${files(coverage.files)} by words, ${byMeaning}`;
  return `${seen}${leftOut(skipped)}.${indexing ? STILL_BUILT : ''}`;
}

const STILL_BUILT = ' The index is still being built: more will be found later.';

/**
 * The same of a list of references: it comes from what programs and pages name, so that passages and their vectors do
 * not matter to it, and files that were left out do. While files are read, only those are in it whose turn has come.
 */
export function describeReferences(
  { complete, coverage }: Pick<ReferenceAnswer, 'complete' | 'coverage'>,
  skipped: readonly SkippedFile[],
): string {
  if (complete) return `Looked through the references of ${files(coverage.files)}${leftOut(skipped)}.`;
  if (coverage.indexing)
    return `Looked through the references of at most ${files(coverage.files)}${leftOut(skipped)}.${STILL_BUILT}`;
  return `This index does not know the references of its ${files(coverage.files)}${leftOut(skipped)}.`;
}

/** What a result costs whoever reads it: its tokens, estimated without a tokenizer. */
export const describeTokens = (text: string): string => {
  const tokens = estimateTokens(text);
  return `About ${number(tokens)} ${tokens === 1 ? 'token' : 'tokens'}.`;
};

function leftOut(skipped: readonly SkippedFile[]): string {
  if (skipped.length === 0) return '';
  const counts = new Map<SkipReason, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${number(count)} ${reason}`);
  const named = skipped
    .filter(({ reason }) => WORTH_NAMING.has(reason))
    .slice(0, MOST_NAMED)
    .map(({ path }) => path);
  const examples = named.length === 0 ? '' : ` (for example ${named.join(', ')})`;
  return (
    `; ${number(skipped.length)} ${skipped.length === 1 ? 'file or folder' : 'files or folders'} left out: ` +
    `${reasons.join(', ')}${examples}`
  );
}
