import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { HoptrailError } from '../../model/error-report.ts';
import type { PassageFilter, SearchHit } from '../../model/passage-chain.ts';
import type { SessionHolder } from '../session-holder.ts';
import { abortSignalOf } from '../abort-signal.ts';
import { shownPath } from '../index/workspace-roots.ts';
import { outcomeOf, researchResultText } from './research-result.ts';

/** An agent called a tool with something that it does not take. */
export class ToolInputError extends HoptrailError {
  readonly code = 'tool-input';
}

const searchInput = z.object({ query: z.string().min(1).max(2000), path: z.string().max(4096).optional(), limit: z.number().int().min(1).max(50).optional() });
const researchInput = z.object({ question: z.string().min(1).max(4000), path: z.string().max(4096).optional() });

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ToolInputError(`The tool's input is not valid: ${z.prettifyError(result.error)}`);
}

/** Where to look. Agents name places by absolute paths, too, although they are asked not to. */
function filterOf(given: string | undefined): PassageFilter | undefined {
  const path = given !== undefined && isAbsolute(given) ? shownPath(vscode.Uri.file(given)) ?? given : given;
  return path === undefined || path === '' ? undefined : { paths: [path] };
}

/** Passages as text that an agent can cite from: file and lines first. */
export function searchResultText(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return 'No passage matches.';
  return hits.map(({ passage }, index) => `[${index + 1}] ${passage.path}:${passage.startLine}-${passage.endLine}${passage.title === '' ? '' : ` (${passage.title})`}\n${passage.text}`).join('\n\n');
}

const textResult = (text: string): vscode.LanguageModelToolResult => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);

export async function searchTool(sessions: SessionHolder, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
  const { query, path, limit } = parse(searchInput, input);
  const { engine } = await sessions.get();
  const { hits, coverage } = await engine.retriever.search(query, { retriever: 'hybrid', limit: limit ?? 10, filter: filterOf(path) }, abortSignalOf(token));
  const note = coverage.indexing ? `\n\n(The index is still being built: ${coverage.passages} passages so far.)` : '';
  return textResult(searchResultText(hits) + note);
}

export async function researchTool(sessions: SessionHolder, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
  const { question, path } = parse(researchInput, input);
  const session = await sessions.get();
  const outcome = await outcomeOf(session.engine.research({ text: question, history: [], scope: filterOf(path) }, session.researchOptions(), abortSignalOf(token)));
  if (outcome.kind === 'cancelled') throw new vscode.CancellationError();
  return textResult(researchResultText(outcome.answer, outcome.failure));
}

/** What the person is asked before an agent searches or asks. */
export function prepareSearch(input: unknown): vscode.PreparedToolInvocation {
  const { query } = parse(searchInput, input);
  return { invocationMessage: vscode.l10n.t('Searching the workspace for "{0}"', query) };
}

export function prepareResearch(input: unknown, model: string | null): vscode.PreparedToolInvocation {
  const { question } = parse(researchInput, input);
  const { l10n } = vscode;
  const where = model === null ? l10n.t('Passages are quoted; no language model is used.') : l10n.t('Passages of this workspace are sent to {0}, within the budget of the settings.', model);
  return {
    invocationMessage: l10n.t('Researching "{0}"', question),
    confirmationMessages: { title: l10n.t('Research this workspace?'), message: `${question}\n\n${where}` },
  };
}
