import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { commands, resetVscode, window } from '../../doubles/vscode/vscode.ts';

const { ReportDocuments } = await import('../../../src/vscode/report-documents.ts');

describe('a report', () => {
  afterEach(resetVscode);

  it('is rendered from a document of our own, which holds what was shown last', async () => {
    const shown: unknown[][] = [];
    commands.executeCommand = async (...given) => void shown.push(given);
    const reports = new ReportDocuments();
    await reports.show('Index Report', '# One');
    await reports.show('Index Report', '# Two');
    const [command, uri] = shown[1] ?? [];
    assert.equal(command, 'markdown.showPreview');
    assert.equal((uri as vscode.Uri).scheme, 'hoptrail-report');
    assert.equal(reports.provideTextDocumentContent(uri as vscode.Uri), '# Two');
    reports.dispose();
  });

  it('is shown as text where the editor renders none', async () => {
    const opened: unknown[] = [];
    commands.executeCommand = async () => {
      throw new Error('command not found');
    };
    window.showTextDocument = async (uri) => void opened.push(uri);
    await new ReportDocuments().show('Index Report', '# One');
    assert.equal(opened.length, 1);
  });
});
