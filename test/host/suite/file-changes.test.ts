import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { search, searchUntil, workspaceFile } from './search-tool.ts';

describe('the index follows the files', () => {
  it('finds what was typed into a file, once it is saved', async () => {
    const document = await vscode.workspace.openTextDocument(workspaceFile('misc/naming.md'));
    const editor = await vscode.window.showTextDocument(document);
    const edited = await editor.edit((edit) =>
      edit.insert(document.lineAt(document.lineCount - 1).range.end, '\n\nThe spare pontoon is called Quillfeather.\n'),
    );
    assert.ok(edited);
    assert.ok(document.isDirty);
    assert.ok(await document.save());
    const place = /misc\/naming\.md:\d+-\d+[^]*Quillfeather/; // until then: "No file has: Quillfeather"
    assert.match(await searchUntil('Quillfeather pontoon', (found) => place.test(found)), place);
  });

  it('answers from what an editor shows and has not saved, by its lines, and then from the disk again', async () => {
    const file = workspaceFile('misc/naming.md');
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document);
    const line = document.lineCount;
    const draft = '\n\nThe third pontoon is called Larkspur.';
    assert.ok(
      await editor.edit((edit) => edit.insert(document.lineAt(document.lineCount - 1).range.end, `\n${draft}`)),
    );
    assert.ok(document.isDirty);
    const found = await search('Larkspur pontoon');
    const last = Number(/misc\/naming\.md:\d+-(\d+)[^]*Larkspur/.exec(found)?.[1]);
    assert.equal(last, line + 3, found);
    assert.ok(document.isDirty, 'asking saves nothing');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.doesNotMatch(await searchUntil('Larkspur pontoon', (text) => !text.includes('Larkspur')), /Larkspur/);
  });

  it('finds a new file, and not what was deleted', async () => {
    const file = workspaceFile('misc/tidewheel.md');
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from('# Tidewheel\n\nThe tidewheel is greased with marrow oil on Thursdays.\n'),
    );
    assert.match(
      await searchUntil('tidewheel marrow oil', (found) => found.includes('tidewheel.md')),
      /misc\/tidewheel\.md:/,
    );
    await vscode.workspace.fs.delete(file);
    assert.doesNotMatch(
      await searchUntil('tidewheel marrow oil', (found) => !found.includes('tidewheel.md')),
      /tidewheel\.md/,
    );
  });

  it('knows a renamed folder by its new name alone', async () => {
    await vscode.workspace.fs.rename(workspaceFile('finance'), workspaceFile('treasury'));
    const text = await searchUntil(
      'budget 2024',
      (found) => /treasury\/budget-2024\.md:\d/.test(found) && !/finance\/budget-2024\.md:\d/.test(found),
    );
    assert.match(text, /treasury\/budget-2024\.md:\d/);
    assert.doesNotMatch(text, /finance\/budget-2024\.md:\d/);
  });
});
