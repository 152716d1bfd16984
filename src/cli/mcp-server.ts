import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import type { Engine } from '#hoptrail';
import {
  assertIndexed,
  describeCoverage,
  describeReferences,
  describeTokens,
  estimateTokens,
  lineUri,
  outcomeOf,
  referencesText,
  type ResearchOptions,
  rootOfPath,
  scopeInRoots,
  toolArguments,
  toolScope,
  type ToolRoot,
} from '#research';
import type { IndexCoverage, Passage, PassageFilter, SkippedFile } from '#search';
import { reasonInWords } from '#search/reasons';
import { abortError, withoutControls } from '#base';

/** Told where an index could not be brought up to date before a call. */
const MAY_BE_NEWER =
  'Files may be newer than this index: it could not be brought up to date in time. Read a file before you rely ' +
  'on its lines.';

const passageUri = (id: string): string => `hoptrail://passage/${id}`;
const placeOf = (passage: Passage): string => `${passage.path}:${passage.startLine}-${passage.endLine}`;

/**
 * Search and research as tools of the Model Context Protocol, passages as resources. Passage text is handed over as
 * data, each with its file and lines; nothing in it is acted on here.
 *
 * @param named The folders that are searched: agents name places by absolute paths, too.
 * @param freshen Brings the index up to date before a call, as far as that is quick: files change while a server lives.
 *   Resolves to whether it is.
 */
export function createMcpServer(
  engine: Engine,
  named: readonly ToolRoot[],
  research: Partial<ResearchOptions>,
  version: string,
  freshen: (signal: AbortSignal) => Promise<boolean>,
): McpServer {
  const roots = named.map((root) => ({ ...root, folder: realPath(root.folder) }));
  const shown = (absolute: string): string | undefined => {
    const [inside] = roots
      .map(({ folder, prefix }) => ({ prefix, path: relative(folder, realPath(absolute)) }))
      .filter(({ path }) => path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
      .sort((a, b) => a.path.length - b.path.length); // of folders in one another, the innermost
    return inside && inside.prefix + inside.path;
  };
  const scopeOf = async (places: { paths?: string[]; roots?: string[] }): Promise<PassageFilter | undefined> => {
    const scope = scopeInRoots(toolScope(places.paths, shown, isAbsolute), places.roots?.map(realPath), roots);
    if (!scope) return undefined;
    const [{ files }, { coverage }] = await Promise.all([engine.index.report(), engine.index.state()]);
    assertIndexed(scope, files, coverage.indexing);
    return { paths: scope };
  };
  const skippedFiles = async (): Promise<readonly SkippedFile[]> => (await engine.index.report()).skipped;
  const notFresh = (fresh: boolean): string => (fresh ? '' : ` ${MAY_BE_NEWER}`);
  const seenOf = async (coverage: IndexCoverage, fresh: boolean): Promise<string> =>
    describeCoverage(coverage, await skippedFiles()) + notFresh(fresh);
  const server = new McpServer({ name: 'hoptrail', version });
  const readOnly = { readOnlyHint: true, openWorldHint: false };

  server.registerTool(
    'hoptrail_search',
    {
      title: 'Search the workspace',
      description:
        'Finds passages of local code and notes by words, meaning and links. Returns folder, file, lines, ' +
        'title and text, best first.',
      inputSchema: toolArguments.hoptrail_search,
      annotations: readOnly,
    },
    async ({ query, limit, ...places }, { signal }) => {
      const fresh = await freshen(signal);
      const filter = await scopeOf(places);
      const { hits, coverage } = await engine.retriever.search(
        query,
        { retriever: 'hybrid', limit: limit ?? 10, filter },
        signal,
      );
      const rows = hits.map(({ passage, score }) => ({
        root: rootOfPath(passage.path, roots)?.name ?? '',
        path: passage.path,
        startLine: passage.startLine,
        endLine: passage.endLine,
        title: withoutControls(passage.title),
        kind: passage.kind,
        score,
        text: passage.text,
        resource: passageUri(passage.id),
      }));
      const seen = await seenOf(coverage, fresh);
      const data = { passages: rows, coverage: { ...coverage }, seen };
      return reply(JSON.stringify(rows, null, 1), data, `${seen} `, hits.map(linkTo));
    },
  );

  server.registerTool(
    'hoptrail_research',
    {
      title: 'Answer from the workspace',
      description:
        'Answers a question whose evidence may be spread over several local files. Returns the answer with ' +
        'checked citations and the chain of passages behind it, or says why there is none: no file speaks of ' +
        'it, no line answers, or only part was looked at.',
      inputSchema: toolArguments.hoptrail_research,
      annotations: readOnly,
    },
    async ({ question, ...places }, { signal, _meta, sendNotification }) => {
      const fresh = await freshen(signal);
      const progressToken = _meta?.progressToken;
      let progress = 0;
      // Many clients give a call up after a minute without a word.
      const onStep = (message: string): void => {
        if (progressToken === undefined || signal.aborted) return;
        const params = { progressToken, progress: (progress += 1), message: withoutControls(message) };
        sendNotification({ method: 'notifications/progress', params }).catch(() => undefined); // the client has gone
      };
      const scope = await scopeOf(places);
      const outcome = await outcomeOf(
        engine.research({ text: question, history: [], scope }, research, signal),
        onStep,
      );
      if (outcome.kind === 'cancelled') throw abortError();
      const { answer, failure } = outcome;
      const trail = answer.chain.hops.map(({ passage, why }, i) => ({
        path: passage.path,
        startLine: passage.startLine,
        endLine: passage.endLine,
        title: withoutControls(passage.title),
        why: reasonInWords(why).text,
        ...found(answer.finds?.[i]),
        text: passage.text,
        resource: passageUri(passage.id),
      }));
      const citations = answer.citations.map(({ number, passageId, startLine, endLine, context }) => ({
        number,
        path: answer.passages.find((passage) => passage.id === passageId)?.path ?? '',
        startLine,
        endLine,
        ...(context !== undefined && { context: withoutControls(context) }),
      }));
      const result = {
        answer: answer.text,
        abstained: answer.abstained,
        ...(answer.refusal && { refusal: answer.refusal }),
        ...(answer.absent && { absent: [...answer.absent] }),
        ...(answer.abstainReason !== undefined && { reason: answer.abstainReason }),
        ...(answer.lead && { lead: { ...answer.lead } }),
        by: answer.by,
        citations,
        trail,
        coverage: { ...answer.coverage },
        seen: await seenOf(answer.coverage, fresh),
        ...(failure && { failure: failure.message }),
      };
      return reply(JSON.stringify(result, null, 1), result, '', answer.chain.hops.map(linkTo));
    },
  );

  server.registerTool(
    'hoptrail_references',
    {
      title: 'List references to a symbol',
      description:
        'Lists every place of the local code that calls, uses, implements, overrides, imports, sets or throws ' +
        'a symbol, by file and line, with how sure each is; also what it calls itself, and the shortest way by ' +
        'which it leads to another symbol. Says when the list may be incomplete, and gives names like it where ' +
        'nothing defines the symbol.',
      inputSchema: toolArguments.hoptrail_references,
      annotations: readOnly,
    },
    async ({ symbol, kind, to, ...places }, { signal }) => {
      const fresh = await freshen(signal);
      const scope = await scopeOf(places);
      const answer = await engine.retriever.references(
        {
          symbol,
          kind: kind ?? (to ? 'reaches' : 'uses'),
          ...(to && { to }),
          ...(scope?.paths && { paths: scope.paths }),
        },
        signal,
      );
      const seen = describeReferences(answer, await skippedFiles()) + notFresh(fresh);
      return reply(withoutControls(referencesText(answer)), { ...answer, seen }, `${seen} `);
    },
  );

  server.registerResource(
    'passage',
    new ResourceTemplate('hoptrail://passage/{id}', { list: undefined }),
    {
      title: 'Passage of the workspace',
      description: 'One indexed passage with its file and lines',
      mimeType: 'text/plain',
    },
    async (uri, { id }) => {
      const [passage] = await engine.retriever.passages([String(id)]);
      if (!passage)
        throw new Error(
          `No passage ${String(id)} in this index; it may have changed since it was found. Search again.`,
        );
      return {
        contents: [
          { uri: uri.href, mimeType: 'text/plain', text: `${placeOf(passage)}\n${passage.title}\n\n${passage.text}` },
        ],
      };
    },
  );
  return server;
}

/**
 * An absolute path as the roots are named, where the folder itself or one above it is a link; as it is where there is
 * nothing, and for a name.
 */
function realPath(path: string): string {
  return isAbsolute(path) && existsSync(path) ? realpathSync(path) : path;
}

/** The file of a passage at its first line, for clients that open it. */
const linkTo = ({ passage }: { passage: Passage }): ResourceLink => ({
  type: 'resource_link',
  uri: lineUri(passage, passage.startLine),
  name: withoutControls(placeOf(passage)),
});

/** A result as text and as data, with links to what it is of, each with what it costs to read. */
function reply(
  text: string,
  data: Record<string, unknown>,
  seen = '',
  links: readonly ResourceLink[] = [],
): CallToolResult {
  const read = [text, ...links.map(({ name, uri }) => `${name} ${uri}`)].join('\n');
  return {
    content: [{ type: 'text', text }, ...links, { type: 'text', text: `${seen}${describeTokens(read)}` }],
    structuredContent: { ...data, tokens: estimateTokens(read) },
  };
}

const found = (name: string | null | undefined): { found?: string } => (name ? { found: withoutControls(name) } : {});
