import * as vscode from 'vscode';
import { indexReportMarkdown } from '../index/index-report.ts';
import type { SessionHolder } from '../session-holder.ts';

export async function rebuildIndex(sessions: SessionHolder): Promise<void> {
  const session = await sessions.get();
  await session.update({ rebuild: true });
}

export async function pauseIndexing(sessions: SessionHolder): Promise<void> {
  await (await sessions.get()).engine.index.pause();
}

export async function resumeIndexing(sessions: SessionHolder): Promise<void> {
  await (await sessions.get()).engine.index.resume();
}

/** Opens the report as a document of its own. */
export async function showIndexReport(sessions: SessionHolder): Promise<void> {
  const { engine, config } = await sessions.get();
  const [state, report] = await Promise.all([engine.index.state(), engine.index.report()]);
  const content = indexReportMarkdown({ state, indexUri: config.indexUri, ...report });
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: true });
}
