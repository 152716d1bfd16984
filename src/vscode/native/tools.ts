import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { assertIndexed, describeCoverage, describeTokens, outcomeOf, ToolInputError, tools } from '#research';
import type { Engine } from '#hoptrail';
import { abortSignalOf } from '../abort-signal.ts';
import { shownPath } from '../index/workspace-roots.ts';
import { sourceLabel } from '../labels.ts';
import type { ToolName } from '../manifest-names.ts';
import { type ReferenceSource, withLanguageServers } from '../references/language-servers.ts';
import type { SessionHolder } from '../session-holder.ts';
import { researchResultText } from './research-result.ts';

/** The question of an agent; package.json holds the same as a JSON schema. */
export const askInput = z.strictObject({
  question: z.string().trim().min(1).max(4000).describe('One self-contained question in natural language.'),
  folder: z.string().max(1000).optional().describe('Only in this folder or file.'),
});

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ToolInputError(`The tool’s input is not valid: ${z.prettifyError(result.error)}`);
}

const tableTool = (name: ToolName) => {
  const tool = tools.find((one) => `hoptrail_${one.name}` === name);
  if (!tool) throw new ToolInputError(`There is no tool ${name}.`);
  return tool;
};

/** Agents name places by absolute paths, too; the index knows them from the workspace. */
function withShownPaths(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const shown = Object.entries(input).map(([key, value]) =>
    (key === 'folder' || key === 'path') && typeof value === 'string' ? [key, fromWorkspace(value)] : [key, value],
  );
  return Object.fromEntries(shown.filter(([key, value]) => key !== 'folder' || value !== ''));
}

const fromWorkspace = (path: string): string =>
  (isAbsolute(path) ? (shownPath(vscode.Uri.file(path)) ?? path) : path).replace(/^\.\//, '').replace(/\/$/, '');

/** Runs a tool for an agent of the editor's chat. */
export async function runTool(
  sessions: SessionHolder,
  name: ToolName,
  given: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const signal = abortSignalOf(token);
  const input = withShownPaths(given);
  if (name === 'hoptrail_ask') return ask(sessions, input, signal);
  const tool = tableTool(name);
  const { engine } = await sessions.get();
  const parsed = parse(tool.input, input);
  await assertFolder(engine, z.object({ folder: z.string().optional() }).parse(parsed).folder);
  let source: ReferenceSource | undefined;
  const retriever = withLanguageServers(engine.retriever, engine.index, (by) => (source = by));
  const files = async () => (await engine.index.report()).files;
  const { text } = await tool.run({ retriever, scope: undefined, signal, files }, parsed);
  const by = source ? [sourceLabel(source, (message) => message)] : [];
  const state = await engine.index.state();
  return textResult([text, ...by].join('\n\n'), describeCoverage(state.coverage, []));
}

async function ask(
  sessions: SessionHolder,
  input: unknown,
  signal: AbortSignal,
): Promise<vscode.LanguageModelToolResult> {
  const { question, folder } = parse(askInput, input);
  const session = await sessions.get();
  const { engine } = session;
  await assertFolder(engine, folder);
  const scope = folder === undefined ? undefined : { paths: [folder] };
  const outcome = await outcomeOf(
    engine.research({ text: question, history: [], scope }, session.researchOptions(), signal),
  );
  if (outcome.kind === 'cancelled') throw new vscode.CancellationError();
  const seen = describeCoverage(outcome.answer.coverage, (await engine.index.report()).skipped);
  return textResult(researchResultText(outcome.answer, outcome.failure), seen);
}

/** @throws ToolInputError for a folder in which nothing is indexed: finding nothing there would be no news */
async function assertFolder({ index }: Engine, folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const [{ files }, { coverage }] = await Promise.all([index.report(), index.state()]);
  assertIndexed([folder], files, coverage.indexing);
}

/** @param seen What was searched. */
const textResult = (text: string, seen: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(`${text}\n\n(${seen} ${describeTokens(text)})`),
  ]);

/** What the person is asked before an agent looks something up. */
export function prepareTool(name: ToolName, given: unknown, model: string | null): vscode.PreparedToolInvocation {
  const { l10n } = vscode;
  if (name === 'hoptrail_ask') {
    const { question } = parse(askInput, given);
    const where =
      model === null
        ? l10n.t('Passages are quoted; no language model is used.')
        : l10n.t('Passages of this workspace are sent to {0}, within the budget of the settings.', model);
    return {
      invocationMessage: l10n.t('Asking Hoptrail “{0}”', question),
      confirmationMessages: { title: l10n.t('Ask about this workspace?'), message: `${question}\n\n${where}` },
    };
  }
  const tool = tableTool(name);
  const asked = tool.asked(parse(tool.input, given));
  const handed = l10n.t('Text of this workspace is handed to the model of the chat.');
  return {
    invocationMessage: `${tool.title(l10n.t)}: ${asked}`,
    confirmationMessages: { title: l10n.t('Look this up in the workspace?'), message: `${asked}\n\n${handed}` },
  };
}
