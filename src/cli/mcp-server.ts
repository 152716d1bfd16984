import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { abortError, optionalInput, withoutControls } from '#base';
import type { Engine } from '#hoptrail';
import { type Answer, assertIndexed, describeCoverage, outcomeOf, type ResearchOptions, type Tool } from '#research';
import { type rootFolders, withoutTrailing } from '#search';

/** Added if the index could not be brought up to date before a call. */
const MAY_BE_NEWER = 'Files may be newer than this index. Read a file before you rely on its lines.';

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

const askInput = z.strictObject({
  question: z.string().trim().min(1).max(4000).describe('One question that stands alone.'),
  folder: optionalInput(z.string().max(4096)).describe('Only in this folder or file.'),
});

/** A folder of the workspace, and what paths in it begin with. */
type Root = Pick<ReturnType<typeof rootFolders>[number], 'folder' | 'prefix'>;

export interface McpServerParts {
  engine: Engine;
  /** search, read, references and list. */
  tools: readonly Tool<unknown>[];
  /** The folders that are searched; agents name places by absolute paths, too. */
  roots: readonly Root[];
  research: Partial<ResearchOptions>;
  version: string;
  /** Brings the index up to date, as far as that is quick. Resolves to whether it is. */
  freshen(signal: AbortSignal): Promise<boolean>;
}

/**
 * The research loop's tools and `ask` over the Model Context Protocol. File text is handed over as data with its lines;
 * nothing in it is acted on here.
 */
export function createMcpServer({ engine, tools, roots, research, version, freshen }: McpServerParts): McpServer {
  const server = new McpServer({ name: 'hoptrail', version });
  const files = async (): Promise<readonly { path: string }[]> => (await engine.index.report()).files;
  const shownPath = pathsBelow(roots);

  /** The arguments with absolute paths as the index writes them. @throws ToolInputError for a folder without files */
  async function localised<T extends { folder?: unknown; path?: unknown; glob?: unknown }>(given: T): Promise<T> {
    const local = { ...given };
    if (typeof given.glob === 'string' && isAbsolute(given.glob))
      local.glob = `${shownPath(given.glob) || '**'}${given.glob.endsWith('/') ? '/' : ''}`;
    for (const name of ['folder', 'path'] as const)
      if (typeof given[name] === 'string') local[name] = shownPath(given[name]) as T[typeof name];
    if (typeof local.folder === 'string' && local.folder !== '') {
      const { coverage } = await engine.index.state();
      assertIndexed([local.folder], await files(), coverage.indexing);
    }
    return local;
  }

  /** What the reader of a result should know about the index: only if it is incomplete, or found nothing. */
  async function caveat(total: number, fresh: boolean): Promise<string | undefined> {
    const { coverage } = await engine.index.state();
    const partial = coverage.indexing || coverage.embedded < coverage.passages;
    const seen = total === 0 || partial ? describeCoverage(coverage, (await engine.index.report()).skipped) : undefined;
    const parts = [seen, fresh ? undefined : MAY_BE_NEWER].filter((part) => part !== undefined);
    return parts.length > 0 ? parts.join(' ') : undefined;
  }

  for (const tool of tools)
    server.registerTool(
      tool.name,
      {
        title: tool.title((text: string) => text),
        description: tool.description,
        inputSchema: tool.input as unknown as z.ZodType<Record<string, unknown>>,
        annotations: READ_ONLY,
      },
      async (given: Record<string, unknown>, { signal }) => {
        const fresh = await freshen(signal);
        const input = await localised(given);
        const context = { retriever: engine.retriever, scope: undefined, signal, files };
        const { text, structured, total } = await tool.run(context, input as never);
        return result(text, structured, await caveat(total, fresh));
      },
    );

  server.registerTool(
    'ask',
    {
      title: 'Ask',
      description:
        'Answers a question whose evidence may lie in several local files, with cited lines, or says what the files ' +
        'leave open. Costs more than a search; use it for a whole question, not for a place.',
      inputSchema: askInput,
      annotations: READ_ONLY,
    },
    async (given, { signal, _meta, sendNotification }) => {
      const fresh = await freshen(signal);
      const { question, folder } = await localised(given);
      const progressToken = _meta?.progressToken;
      let progress = 0;
      // Many clients abandon a silent call after a minute.
      const onStep = (message: string): void => {
        if (progressToken === undefined || signal.aborted) return;
        const params = { progressToken, progress: (progress += 1), message: withoutControls(message) };
        sendNotification({ method: 'notifications/progress', params }).catch(() => undefined); // the client has gone
      };
      const scope = folder ? { paths: [folder] } : undefined;
      const run = engine.research({ text: question, history: [], scope }, research, signal);
      const outcome = await outcomeOf(run, onStep);
      if (outcome.kind === 'cancelled') throw abortError();
      const { answer, failure } = outcome;
      const told = answerData(answer, failure?.message);
      return result(answerText(told), told, await caveat(answer.abstained ? 0 : 1, fresh));
    },
  );
  return server;
}

type AnswerData = ReturnType<typeof answerData>;

function answerData(answer: Answer, failure: string | undefined) {
  const paths = new Map(answer.passages.map(({ id, path }) => [id, path]));
  const citations = answer.citations.map(({ number, passageId, startLine, endLine }) => ({
    number,
    path: paths.get(passageId) ?? '',
    startLine,
    endLine,
  }));
  return {
    answer: withoutControls(answer.text),
    abstained: answer.abstained,
    citations,
    missing: [...(answer.missing ?? [])],
    unconfirmed: answer.statements.filter(({ support }) => support === 'unsupported').map(({ text }) => text),
    by: answer.by,
    ...(failure !== undefined && { failure }),
  };
}

function answerText({ answer, citations, missing, unconfirmed, by, failure }: AnswerData): string {
  const sources = citations.map(
    ({ number, path, startLine, endLine }) => `[${number}] ${path}:${startLine}-${endLine}`,
  );
  return [
    answer,
    ...(sources.length > 0 ? [sources.join('\n')] : []),
    ...(missing.length > 0 ? [`Still open: ${missing.join(' ')}`] : []),
    ...(unconfirmed.length > 0 ? [`Not confirmed by the cited lines: ${unconfirmed.join(' ')}`] : []),
    ...(by === 'extractive' ? ['Quotes only: no language model answered.'] : []),
    ...(failure !== undefined ? [failure] : []),
  ].join('\n\n');
}

function result(text: string, structured: Record<string, unknown>, caveat: string | undefined): CallToolResult {
  const whole = caveat === undefined ? text : `${text}\n\n${caveat}`;
  return {
    content: [{ type: 'text', text: whole }],
    structuredContent: { ...structured, ...(caveat !== undefined && { caveat }) },
  };
}

/** Shortens an absolute path below one of the roots to the path that the index shows; others stay as they are. */
function pathsBelow(named: readonly Root[]): (path: string) => string {
  const roots = named.flatMap((root) => [root, { ...root, folder: realPath(root.folder) }]);
  const leadsBelow = (way: string): boolean => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return (path) => {
    if (!isAbsolute(path)) return withoutTrailing(path.replaceAll('\\', '/').replace(/^\.(?:\/|$)/u, ''), /\//u);
    const isAbove = named.length > 0 && named.every(({ folder }) => leadsBelow(relative(path, folder)));
    if (isAbove) return '';
    const [inside] = roots
      .map(({ folder, prefix }) => ({ prefix, path: relative(folder, realPath(path)) }))
      .filter((one) => leadsBelow(one.path))
      .sort((a, b) => a.path.length - b.path.length); // of nested folders, the innermost
    return inside ? `${inside.prefix}${inside.path.split(sep).join('/')}`.replace(/\/$/u, '') : path;
  };
}

/** A path without links on its way; a path that does not exist stays as it is. */
const realPath = (path: string): string => (isAbsolute(path) && existsSync(path) ? realpathSync(path) : path);
