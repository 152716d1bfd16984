import type { z } from 'zod';
import { HoptrailError } from '#base';
import {
  type Passage,
  type PassageChain,
  type PassageFilter,
  type IndexCoverage,
  type Retriever,
  type SearchHit,
  type Translate,
  withoutTrailing,
} from '#search';
import { inOneLine } from '../evidence/fence.ts';
import type { Lines } from '../evidence/stretch.ts';

/** An agent called a tool with something that it does not take. */
export class ToolInputError extends HoptrailError {
  readonly code = 'tool-input';
}

export interface ToolContext {
  readonly retriever: Retriever;
  /** Where to look; undefined: the whole workspace. A tool's own arguments narrow it and never widen it. */
  readonly scope: PassageFilter | undefined;
  readonly signal: AbortSignal;
  /** The files of the index; undefined: nobody can list them. */
  files?(signal: AbortSignal): Promise<readonly { path: string }[]>;
}

export interface ToolResult {
  /** What a model is shown, with paths and line numbers; says so where nothing was found. */
  text: string;
  /** Said to a model beside what it is shown: what no file has, how to cite. */
  note?: string;
  /** Passages that the text was made from, best first: evidence that may be cited. */
  passages: readonly Passage[];
  /** Of a search. */
  hits?: readonly SearchHit[];
  chain?: PassageChain;
  /** Of a reading: the lines that were asked for. */
  lines?: Lines;
  /** Places that were found, for people; `total` counts all. */
  places: readonly { path: string; startLine: number; endLine: number; passageId?: string }[];
  total: number;
  /** The same as data, for agents that take structured content. */
  structured: Record<string, unknown>;
}

/** A way to look something up: the loop, the editor and the MCP server offer those of `tool-table.ts`. */
export interface Tool<Input = never> {
  readonly name: string;
  title(t: Translate): string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** The input on one line, for people: `src/store.ts:10-60`. */
  asked(input: Input): string;
  /** @throws ToolInputError where the input names what is not there; AbortError on abort */
  run(context: ToolContext, input: Input): Promise<ToolResult>;
}

/** A scope narrowed to one folder or file; itself without one. @throws ToolInputError for a folder outside of it */
export function narrowed(scope: PassageFilter | undefined, folder: string | undefined): PassageFilter | undefined {
  const wanted = folder && withoutTrailing(folder.replace(/^\.?\/+/u, ''), /[\\/]/u);
  if (wanted === undefined || wanted === '' || wanted === '.') return scope;
  const { paths } = scope ?? {};
  if (!paths || paths.some((path) => path === wanted || wanted.startsWith(`${path}/`)))
    return { ...scope, paths: [wanted] };
  const inside = paths.filter((path) => path.startsWith(`${wanted}/`));
  if (inside.length > 0) return { ...scope, paths: inside };
  throw new ToolInputError(`${JSON.stringify(wanted)} lies outside of what is searched: ${paths.join(', ')}.`);
}

export const isInScope = (path: string, scope: PassageFilter | undefined): boolean =>
  scope?.paths?.some((one) => one === '' || path === one || path.startsWith(`${one}/`)) ?? true;

/** Which words no file has, in a line; '' for none, and while files are still being read. */
export function unknownWords(
  words: readonly string[] | undefined,
  { indexing }: Pick<IndexCoverage, 'indexing'>,
  scope: PassageFilter | undefined,
): string {
  if (!words || words.length === 0 || indexing) return '';
  return `No file ${scope ? 'that was searched ' : ''}has: ${words.map(inOneLine).join(', ')}.`;
}
