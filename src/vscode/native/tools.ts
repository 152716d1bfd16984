import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import type { PassageFilter, SearchHit } from '#search';
import {
  assertIndexed,
  describeCoverage,
  describeReferences,
  describeTokens,
  linkedPlace,
  outcomeOf,
  referencesText,
  scopeInRoots,
  toolArguments,
  ToolInputError,
  toolRoots,
  toolScope,
} from '#research';
import type { Session } from '../session.ts';
import type { SessionHolder } from '../session-holder.ts';
import { abortSignalOf } from '../abort-signal.ts';
import { shownPath, workspaceRoots } from '../index/workspace-roots.ts';
import { researchResultText } from './research-result.ts';

/** Passages that a search gives unless an agent wants more or fewer. */
const MOST_PASSAGES = 10;

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ToolInputError(`The tool's input is not valid: ${z.prettifyError(result.error)}`);
}

/**
 * The session, and where to look in it. Agents name places by absolute paths, too, although they are asked not to.
 * @throws ToolInputError for a place of which nothing is indexed
 */
async function opened(
  sessions: SessionHolder,
  given: { paths?: string[]; roots?: string[] },
): Promise<{ session: Session; filter: PassageFilter | undefined }> {
  const session = await sessions.get();
  const paths = toolScope(given.paths, (path) => shownPath(vscode.Uri.file(path)), isAbsolute);
  const scope = scopeInRoots(paths, given.roots, toolRoots(workspaceRoots()));
  if (!scope) return { session, filter: undefined };
  const { files } = await session.engine.index.report();
  assertIndexed(scope, files, sessions.state?.coverage.indexing ?? false);
  return { session, filter: { paths: scope } };
}

/** Passages as text that an agent can cite from: file and lines first, as a link. */
function searchResultText(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return 'No passage matches.';
  return hits
    .map(
      ({ passage }, index) =>
        `[${index + 1}] ${linkedPlace(passage, passage.startLine, passage.endLine)}${passage.title === '' ? '' : ` (${passage.title})`}\n${passage.text}`,
    )
    .join('\n\n');
}

/** @param seen What was searched. */
const textResult = (text: string, seen: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(`${text}\n\n(${seen} ${describeTokens(text)})`),
  ]);

export async function searchTool(
  sessions: SessionHolder,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { query, limit, ...places } = parse(toolArguments.hoptrail_search, input);
  const { session, filter } = await opened(sessions, places);
  const { hits, coverage } = await session.engine.retriever.search(
    query,
    { retriever: 'hybrid', limit: limit ?? MOST_PASSAGES, filter },
    abortSignalOf(token),
  );
  const { skipped } = await session.engine.index.report();
  return textResult(searchResultText(hits), describeCoverage(coverage, skipped));
}

export async function researchTool(
  sessions: SessionHolder,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { question, ...places } = parse(toolArguments.hoptrail_research, input);
  const { session, filter: scope } = await opened(sessions, places);
  const outcome = await outcomeOf(
    session.engine.research({ text: question, history: [], scope }, session.researchOptions(), abortSignalOf(token)),
  );
  if (outcome.kind === 'cancelled') throw new vscode.CancellationError();
  const { skipped } = await session.engine.index.report();
  const seen = describeCoverage(outcome.answer.coverage, skipped);
  return textResult(researchResultText(outcome.answer, outcome.failure), seen);
}

export async function referencesTool(
  sessions: SessionHolder,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { symbol, kind, to, ...places } = parse(toolArguments.hoptrail_references, input);
  const { session, filter } = await opened(sessions, places);
  const answer = await session.engine.retriever.references(
    {
      symbol,
      kind: kind ?? (to ? 'reaches' : 'uses'),
      ...(to && { to }),
      ...(filter?.paths && { paths: filter.paths }),
    },
    abortSignalOf(token),
  );
  const { skipped } = await session.engine.index.report();
  return textResult(referencesText(answer), describeReferences(answer, skipped));
}

/** What the person is asked before an agent searches or asks. */
export function prepareSearch(input: unknown): vscode.PreparedToolInvocation {
  const { query, limit } = parse(toolArguments.hoptrail_search, input);
  const { l10n } = vscode;
  const handed = l10n.t(
    'At most {0} passages of this workspace are handed to the model of the chat.',
    limit ?? MOST_PASSAGES,
  );
  return {
    invocationMessage: l10n.t('Searching the workspace for "{0}"', query),
    confirmationMessages: { title: l10n.t('Search this workspace?'), message: `${query}\n\n${handed}` },
  };
}

export function prepareReferences(input: unknown): vscode.PreparedToolInvocation {
  const { symbol } = parse(toolArguments.hoptrail_references, input);
  const { l10n } = vscode;
  const handed = l10n.t('Lines of this workspace’s code are handed to the model of the chat.');
  return {
    invocationMessage: l10n.t('Looking for references to "{0}"', symbol),
    confirmationMessages: {
      title: l10n.t('Look for references in this workspace?'),
      message: `${symbol}\n\n${handed}`,
    },
  };
}

export function prepareResearch(input: unknown, model: string | null): vscode.PreparedToolInvocation {
  const { question } = parse(toolArguments.hoptrail_research, input);
  const { l10n } = vscode;
  const where =
    model === null
      ? l10n.t('Passages are quoted; no language model is used.')
      : l10n.t('Passages of this workspace are sent to {0}, within the budget of the settings.', model);
  return {
    invocationMessage: l10n.t('Researching "{0}"', question),
    confirmationMessages: { title: l10n.t('Research this workspace?'), message: `${question}\n\n${where}` },
  };
}
