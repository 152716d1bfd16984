import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EventEmitter, openFolders, resetVscode, Uri, window } from '../../../doubles/vscode/vscode.ts';
import { passTime, stopTime } from '../../../doubles/waiting.ts';

const { tellShownFiles } = await import('../../../../src/vscode/index/shown-files.ts');

describe('tellShownFiles', () => {
  const active = new EventEmitter<{ document: { uri: Uri } } | undefined>();
  let told: string[][];
  let files: ReturnType<typeof tellShownFiles>;
  let time: ReturnType<typeof stopTime>;
  const look = (uri: Uri | undefined): void => active.fire(uri && { document: { uri } });
  const before = Object.getOwnPropertyDescriptor(window, 'onDidChangeActiveTextEditor');

  beforeEach(() => {
    time = stopTime();
    told = [];
    openFolders({ path: '/notes', name: 'notes' });
    Object.assign(window, { onDidChangeActiveTextEditor: active.event });
    files = tellShownFiles((uris) => told.push(uris));
  });
  afterEach(() => {
    time.goOn();
    files.dispose();
    if (before) Object.defineProperty(window, 'onDidChangeActiveTextEditor', before);
    resetVscode();
  });

  it('tells of a file that is looked at, not of those that are passed over on the way', async () => {
    look(Uri.file('/notes/quay.md'));
    await passTime(200);
    look(Uri.file('/notes/mast.md'));
    await passTime(299);
    assert.deepEqual(told, []);
    await passTime(1);
    assert.deepEqual(told, [['file:///notes/mast.md']]);
  });

  it('tells nothing of other folders, of what is no file, and once it is closed', async () => {
    look(Uri.file('/elsewhere/quay.md'));
    await passTime(400);
    look(Uri.parse('untitled:Untitled-1'));
    await passTime(400);
    look(undefined);
    await passTime(400);
    look(Uri.file('/notes/quay.md'));
    files.dispose();
    await passTime(400);
    assert.deepEqual(told, []);
  });
});
